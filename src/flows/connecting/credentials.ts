/** An account's credentials for a request: read each time, renewed when they have expired, never kept in memory. */
import { setTimeout } from 'node:timers/promises';
import {
  type AttachedCredentials,
  attach,
  type CredentialContent,
  createCallScrub,
  createServiceClient,
  endsExchange,
  endsRefresh,
  isUsable,
  type LockParts,
  listSecrets,
  parseContent,
  refreshTokens,
  renewalTime,
  renewed,
  type ServiceClientParts,
  tradeTimeoutMs,
} from '../../connections/index.js';
import type { AuthScheme, Connection } from '../../domain/connection.js';
import { HelveError, toHelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { ServiceDefinition } from '../../domain/service.js';
import type { SecretContent, StoredSecret } from '../../domain/storage.js';
import { canonicalJson } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { newId } from '../../util/hash.js';
import { type AccountParts, inaccessible, secretSubject } from './account-parts.js';
import { markBroken } from './broken.js';
import { mayRenewAt } from './oauth-clients.js';
import { serviceFetch, tokenHttp } from './reach.js';
import { revokeTokens } from './revoking.js';
import { discoverFor } from './server-client.js';

export interface AccountCredentials {
  get(refused?: string): Promise<AttachedCredentials>;
  content(): Promise<CredentialContent>;
  rejected(reason: string): Promise<never>;
}

export interface CredentialQuestion {
  readonly workspaceId: string;
  readonly connection: Connection;
  readonly scheme: AuthScheme;
  /** Hosts that an exchange may reach, besides the token endpoint. */
  readonly service?: { readonly definition: ServiceDefinition; readonly settings: JsonObject };
  /** Called when the account can no longer be used. Default: it is marked as such, as found by the system. */
  readonly onBroken?: (status: 'expired' | 'error', reason: string) => Promise<never>;
}

/** Calls of this process that need the same renewal share one. */
const underWay = new Map<string, Promise<CredentialContent>>();

export function accountCredentials(parts: AccountParts, question: CredentialQuestion): AccountCredentials {
  const { workspaceId, connection, scheme } = question;
  const subject = secretSubject(connection);
  const { secrets } = parts.storage.workspace(workspaceId);
  // The version of the content that was sent last.
  let sent: number | undefined;

  async function read(refused?: string): Promise<CredentialContent> {
    const content = await readStored(refused);
    await refuseOtherSettings(parts, question);
    return content;
  }

  async function readStored(refused: string | undefined): Promise<CredentialContent> {
    const stored = await secrets.find(subject);
    if (!stored) throw inaccessible('its credentials no longer exist');
    sent = stored.version;
    const content = await openContent(parts, workspaceId, connection, stored);
    if (isUsable(content, scheme, parts.now(), refused)) return content;
    const key = `${workspaceId}\n${connection.id}\n${refused ?? ''}`;
    const known = underWay.get(key) ?? renew(parts, question, refused).finally(() => underWay.delete(key));
    underWay.set(key, known);
    return known;
  }

  return {
    content: () => read(),
    get: async (refused) => attach(await read(refused), scheme, connection.settings),
    async rejected(reason) {
      const stored = await secrets.find(subject);
      // If it was connected again while this call used the old credentials, the failure says nothing about the new
      // ones.
      const renewals = scheme.kind === 'oauth2' || scheme.exchange !== undefined ? 1 : 0;
      if (stored && sent !== undefined && stored.version > sent + renewals) throw connectedAgain();
      return reportBroken(parts, question)('error', reason);
    },
  };
}

function connectedAgain(): HelveError {
  return new HelveError('upstream_failed', 'The account was connected again during the call', { hint: 'Try again.' });
}

/**
 * The settings can name the host, and they are those of when the call was authorised, while the credentials are read
 * later: what was given for a new host must not be sent to the former one. Called after the credentials are read.
 */
async function refuseOtherSettings(
  { configurations }: Pick<AccountParts, 'configurations'>,
  { workspaceId, connection: { id, settings } }: CredentialQuestion,
): Promise<void> {
  if (Object.keys(settings).length === 0) return;
  const { connections } = await configurations.getFresh(workspaceId);
  const present = connections.find((each) => each.id === id);
  if (present && canonicalJson(present.settings) !== canonicalJson(settings)) throw connectedAgain();
}

function reportBroken(
  parts: AccountParts,
  { workspaceId, connection, onBroken }: CredentialQuestion,
): NonNullable<CredentialQuestion['onBroken']> {
  return onBroken ?? ((status, reason) => markBroken(parts, workspaceId, connection, status, reason));
}

export async function openContent(
  { vault }: Pick<AccountParts, 'vault'>,
  workspaceId: string,
  connection: Pick<Connection, 'id'>,
  stored: Pick<StoredSecret, 'sealed'>,
): Promise<CredentialContent> {
  return parseContent(await vault.open({ workspaceId, subject: secretSubject(connection) }, stored));
}

export async function sealContent(
  { vault }: Pick<AccountParts, 'vault'>,
  workspaceId: string,
  connection: Pick<Connection, 'id'>,
  content: CredentialContent,
): Promise<SecretContent> {
  const sealed = await vault.seal({ workspaceId, subject: secretSubject(connection) }, JSON.stringify(content));
  const renewAt = content.tokens?.renewAt;
  return { ...sealed, ...defined({ expiresAt: renewAt }) };
}

/** Tells how a request for fresh credentials ended. */
async function counted<T>(
  { onRenewal }: Pick<AccountParts, 'onRenewal'>,
  trading: Promise<T>,
  ends: (error: HelveError) => boolean,
): Promise<T> {
  try {
    const content = await trading;
    onRenewal?.('renewed');
    return content;
  } catch (thrown) {
    onRenewal?.(ends(toHelveError(thrown)) ? 'ended' : 'failed');
    throw thrown;
  }
}

function renew(
  parts: AccountParts,
  question: CredentialQuestion,
  refused: string | undefined,
): Promise<CredentialContent> {
  const { workspaceId, connection, scheme } = question;
  const ends = scheme.exchange ? endsExchange : endsRefresh;
  return renewed({
    ...lockParts(parts, workspaceId, connection),
    open: (stored) => openContent(parts, workspaceId, connection, stored),
    seal: (content) => sealContent(parts, workspaceId, connection, content),
    isUsable: (content) => isUsable(content, scheme, parts.now(), refused),
    trade: (content) => counted(parts, trade(parts, question, content), ends),
    ends,
    discard: async ({ tokens }) => {
      // The account is gone here, whatever the service answers.
      await revokeTokens(parts, { workspaceId, scheme }, tokens).catch(() => undefined);
    },
    broken: (reason) => reportBroken(parts, question)('expired', reason),
  });
}

/** What the lock on the credentials of an account needs. */
export function lockParts(
  { storage, instance }: Pick<AccountParts, 'storage' | 'instance'>,
  workspaceId: string,
  connection: Pick<Connection, 'id'>,
): LockParts {
  return {
    secrets: storage.workspace(workspaceId).secrets,
    subject: secretSubject(connection),
    instanceId: instance.id,
    clock: () => storage.now(),
    sleep: (milliseconds) => setTimeout(milliseconds),
    ensureSeen: instance.ensureSeen,
    isAlive: instance.isAlive,
  };
}

/** Renews a token from a refresh token, or from the fields that it was made from. */
async function trade(
  parts: AccountParts,
  question: CredentialQuestion,
  content: CredentialContent,
): Promise<CredentialContent> {
  const { workspaceId, connection, scheme, service } = question;
  const at = parts.now();
  if (scheme.exchange) {
    await refuseOtherSettings(parts, question);
    const client = await exchangeClient(parts, workspaceId, connection, scheme, service, listSecrets(content));
    const { discover } = scheme;
    const before = content.tokens?.givenBy;
    // A discovered server may name another address tomorrow, and the exchange sends it the fields.
    if (discover && before !== undefined && before !== client.tokenEndpoint)
      throw new HelveError('forbidden', 'the token endpoint of its server has changed since then');
    const { accessToken, expiresInSeconds } = await scheme.exchange({
      fields: { ...plainSettings(connection), ...content.fields },
      scopes: connection.scopes ?? scheme.scopes ?? [],
      ...client,
      now: at,
    });
    const givenBy = discover && client.tokenEndpoint;
    return { ...content, tokens: { accessToken, ...renewalTime(at, expiresInSeconds), ...defined({ givenBy }) } };
  }
  const refreshToken = content.tokens?.refreshToken;
  if (refreshToken === undefined)
    throw new HelveError('forbidden', 'access has ended, and the service gave nothing to renew it with');
  const client = await parts.oauthClients.get(workspaceId, scheme.provider ?? '');
  if (!mayRenewAt(client, content.tokens?.givenBy))
    throw new HelveError('forbidden', `the token endpoint of ${client.provider.name} has changed since then`);
  const http = tokenHttp(parts, [{ url: client.provider.tokenEndpoint, named: isNamed(client) }], tradeTimeoutMs);
  const fresh = await refreshTokens(client, refreshToken, http);
  return {
    ...content,
    tokens: {
      accessToken: fresh.accessToken,
      refreshToken: fresh.refreshToken ?? refreshToken,
      givenBy: client.provider.tokenEndpoint,
      ...renewalTime(at, fresh.expiresInSeconds),
    },
  };
}

function isNamed({ provider, named }: { provider: { tokenEndpoint: string }; named: readonly string[] }): boolean {
  return named.includes(provider.tokenEndpoint);
}

async function exchangeClient(
  parts: AccountParts,
  workspaceId: string,
  connection: Connection,
  scheme: AuthScheme,
  service: CredentialQuestion['service'],
  secrets: readonly string[],
) {
  const discovered = scheme.discover && (await discoverFor(parts, scheme.discover));
  const endpoint = discovered?.endpoint ?? (await tokenEndpoint(parts, workspaceId, scheme.provider));
  const servers = {
    ...service?.definition.servers(service.settings, connection.settings),
    ...defined({ token: endpoint }),
  };
  const definition: ServiceDefinition = { ...service?.definition, servers: () => servers, timeoutMs: tradeTimeoutMs };
  const stop = new AbortController();
  const scrub = createCallScrub();
  const fetch = serviceFetch(parts, definition, Object.values(servers), () => stop.signal);
  return {
    tokenEndpoint: endpoint?.url,
    ...defined({ issuer: discovered?.issuer }),
    service: createServiceClient({
      definition,
      servers,
      gate: parts.gate,
      gateKey: `exchange:${connection.id}`,
      scrub,
      // Never the key of an earlier exchange: its answer would be an old token.
      idempotencyKey: () => `helve-${newId()}`,
      fetch(request) {
        scrub.see(findAssertions(request));
        return fetch(request);
      },
      credentials: {
        // Nothing is attached, but the exchange itself sends the fields, and servers repeat what they receive.
        get: async () => ({ placements: [], values: {}, secrets }),
        rejected: async (reason) => Promise.reject(new HelveError('forbidden', reason)),
      },
      signal: stop.signal,
      now: parts.now,
      sleep: (milliseconds) => setTimeout(milliseconds),
    }),
  };
}

/** Signed assertions (JWT) in a request. Whoever has one gets a token for it, as with the key that signed it. */
function findAssertions({ headers, body }: Parameters<ServiceClientParts['fetch']>[0]): readonly string[] {
  const text = [headers.authorization, body].filter((part) => typeof part === 'string').join('\n');
  return text.match(/[\w-]{16,}\.[\w-]{16,}\.[\w-]{16,}/g) ?? [];
}

/** An exchange needs no operator's client, only the endpoint: the provider's own, or the overridden one. */
async function tokenEndpoint(parts: AccountParts, workspaceId: string, provider: string | undefined) {
  if (provider === undefined) return undefined;
  const { installed, named } = await parts.oauthClients.endpoints(workspaceId, provider);
  // The fields are sent there, so only the operator decides the address, not the workspace.
  return { url: installed.tokenEndpoint, named: isNamed({ provider: installed, named }) };
}

export function plainSettings({ settings }: Connection): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
