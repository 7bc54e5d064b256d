/**
 * Client ID metadata documents: the id of a program is the https address of its own description. The address is
 * untrusted, so the document is fetched through the wall with none of the operator's exceptions, at most once every few
 * minutes.
 */

import type { OAuthClient } from '../../domain/authorization.js';
import { HelveError, toHelveError } from '../../domain/errors.js';
import { parseBoundedJson } from '../../util/json-text.js';
import { parseUrl } from '../../util/parse-url.js';
import { readClientMetadata } from './client-metadata.js';

/** Fetches a client's document and returns its text. Throws a `HelveError` when it cannot be read. */
export type FetchDocument = (url: string) => Promise<string>;

const goodMs = 5 * 60_000;
/** A broken document is requested again soon, but not on every reload of a page. */
const badMs = 10_000;
const maxKept = 200;

/** Whether an address is `https`, with a path, and unambiguous. */
export function isDocumentAddress(clientId: string): boolean {
  if (!clientId.startsWith('https://') || clientId.length > 1_000 || clientId.includes('#')) return false;
  const url = parseUrl(clientId);
  return (
    url !== undefined && url.href === clientId && url.pathname !== '/' && url.username === '' && url.password === ''
  );
}

export interface ClientDocuments {
  /** Throws `invalid_input`, saying what is wrong with the document. */
  get(clientId: string): Promise<OAuthClient>;
}

export function createClientDocuments(fetchDocument: FetchDocument, now: () => Date): ClientDocuments {
  const kept = new Map<string, { client: Promise<OAuthClient>; until: number }>();

  return {
    get(clientId) {
      const time = now().getTime();
      const known = kept.get(clientId);
      if (known && known.until > time) return known.client;
      const oldest = kept.size >= maxKept ? kept.keys().next().value : undefined;
      if (oldest !== undefined) kept.delete(oldest);
      const entry = { client: read(fetchDocument, clientId), until: time + goodMs };
      kept.set(clientId, entry);
      entry.client.catch(() => {
        entry.until = time + badMs;
      });
      return entry.client;
    },
  };
}

async function read(fetchDocument: FetchDocument, clientId: string): Promise<OAuthClient> {
  try {
    const document = parseBoundedJson(await fetchDocument(clientId));
    const {
      client_id: saidId,
      client_secret: secret,
      token_endpoint_auth_method: method,
    } = Object(document) as Record<string, unknown>;
    if (saidId !== clientId) throw unreadableDocument('does not name its own address as its client_id');
    if (secret !== undefined || (method !== undefined && method !== 'none'))
      throw unreadableDocument('asks for a client that authenticates itself; only public clients are served');
    const outcome = readClientMetadata(document);
    if (!outcome.ok) throw unreadableDocument(`is refused: ${outcome.message}`);
    return { id: clientId, origin: 'document', ...outcome.metadata };
  } catch (thrown) {
    const error = toHelveError(thrown);
    if (error.code === 'invalid_input') throw error;
    throw unreadableDocument(`cannot be read: ${error.message}`);
  }
}

/**
 * Creates the `invalid_input` error for a client's document; `what` completes "The document that describes this program
 * …".
 */
export function unreadableDocument(what: string): HelveError {
  return new HelveError('invalid_input', `The document that describes this program ${what}`.slice(0, 500), {
    hint: 'Report this to the developers of the program.',
  });
}
