/** The authorization server for our own MCP addresses. */
import type { AuthorizationActs } from '../../spec/authorization.js';
import type { PlaneParts } from '../parts.js';
import { createClientDocuments, createDocumentFetch, type FetchDocument } from './client-documents.js';
import { createClients } from './clients.js';
import { createConsent } from './consent.js';
import type { AuthorizationParts } from './parts.js';
import { createTokenActs } from './tokens.js';

interface AuthorizationOptions {
  /** Default: through the wall, to public addresses only. */
  readonly fetchDocument?: FetchDocument;
}

export function createAuthorization(
  { storage, now, configurations }: Pick<PlaneParts, 'storage' | 'now'> & Pick<AuthorizationParts, 'configurations'>,
  { fetchDocument = createDocumentFetch() }: AuthorizationOptions = {},
): AuthorizationActs {
  const clients = createClients(storage, createClientDocuments(fetchDocument, now), now);
  const parts: AuthorizationParts = { storage, now, configurations, clients };
  return {
    ...createConsent(parts),
    ...createTokenActs(parts),
    registerClient: (metadata, address) => clients.register(metadata, address),
  };
}
