/** The authorization server for our own MCP addresses. */
import type { AuthorizationActs } from '../../domain/authorization.js';
import type { PlaneParts } from '../parts.js';
import { createClientDocuments, type FetchDocument } from './client-documents.js';
import { createClients } from './clients.js';
import { createConsent } from './consent.js';
import type { AuthorizationParts } from './parts.js';
import { createTokenActs } from './tokens.js';

export { type FetchDocument, unreadableDocument } from './client-documents.js';

/** `fetchDocument` fetches the documents in which clients describe themselves. */
export function createAuthorization(
  { storage, now }: Pick<PlaneParts, 'storage' | 'now'>,
  fetchDocument: FetchDocument,
): AuthorizationActs {
  const clients = createClients(storage, createClientDocuments(fetchDocument, now), now);
  const parts: AuthorizationParts = { storage, now, clients };
  return {
    ...createConsent(parts),
    ...createTokenActs(parts),
    registerClient: (metadata, address) => clients.register(metadata, address),
  };
}
