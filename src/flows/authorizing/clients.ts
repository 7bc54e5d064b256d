/** The programs that may request authorization: registered ones, and those with an address of their own. */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { OAuthAnswer, OAuthClient, RegisteredClient } from '../../domain/authorization.js';
import { HelveError } from '../../domain/errors.js';
import type { Storage } from '../../domain/storage.js';
import { newId } from '../../util/hash.js';
import { type ClientDocuments, isDocumentAddress } from './client-documents.js';
import { readClientMetadata } from './client-metadata.js';

export interface Clients {
  /** A document is fetched only for a person who is signed in. Throws `invalid_input`, saying what is wrong with it. */
  find(clientId: string, mayFetch: boolean): Promise<OAuthClient | 'unknown' | 'not_fetched'>;
  /** Throws `rate_limited`. */
  register(metadata: unknown, address: string): Promise<OAuthAnswer>;
  keep(client: Pick<OAuthClient, 'id'>): Promise<void>;
}

const registrationsPerHour = 30;
/** Maximum number of clients in the installation that no one has authorized yet. */
const maxUnused = 2_000;
const unusedMs = 24 * 60 * 60_000;
const clientIdShape = /^client_[0-9a-f-]{36}$/;

export function createClients(storage: Storage, documents: ClientDocuments, now: () => Date): Clients {
  const limiter = new RateLimiterMemory({ points: registrationsPerHour, duration: 60 * 60 });
  const { clients: table } = storage.system;

  return {
    async find(clientId, mayFetch) {
      if (isDocumentAddress(clientId)) return mayFetch ? documents.get(clientId) : 'not_fetched';
      if (!clientIdShape.test(clientId)) return 'unknown';
      const found = await table.find(clientId, now().toISOString());
      return found
        ? { id: found.id, name: found.name, redirectUris: found.redirectUris, origin: 'registered' }
        : 'unknown';
    },
    async register(value, address) {
      await admit(limiter, address);
      const outcome = readClientMetadata(value);
      if (!outcome.ok) return { status: 400, body: { error: outcome.error, error_description: outcome.message } };
      if ((await table.countUnused()) >= maxUnused) throw tooMany(60 * 60);
      const { name, redirectUris } = outcome.metadata;
      const time = now().getTime();
      const client: RegisteredClient = {
        id: `client_${newId()}`,
        name,
        redirectUris,
        createdAt: new Date(time).toISOString(),
        expiresAt: new Date(time + unusedMs).toISOString(),
      };
      await table.insert(client);
      return { status: 201, body: described(client, time) };
    },
    keep: ({ id }) => table.keep(id),
  };
}

function described({ id, name, redirectUris }: RegisteredClient, time: number) {
  return {
    client_id: id,
    client_id_issued_at: Math.floor(time / 1_000),
    client_name: name,
    redirect_uris: redirectUris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}

async function admit(limiter: RateLimiterMemory, address: string): Promise<void> {
  try {
    await limiter.consume(address);
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    throw tooMany(Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1_000));
  }
}

function tooMany(retryAfterSeconds: number): HelveError {
  return new HelveError('rate_limited', 'Too many programs have registered', {
    hint: `Wait ${retryAfterSeconds} s, or use a client ID metadata document.`,
    details: { retryAfterSeconds },
  });
}
