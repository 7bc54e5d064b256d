/** The parts of the authorization server, and helpers shared by its operations. */
import type { AuditDraft, AuditEventType } from '../../domain/audit.js';
import type { Authorization, OAuthAnswer } from '../../domain/authorization.js';
import type { JsonObject } from '../../domain/json.js';
import type { Credential, PrincipalRef } from '../../domain/principal.js';
import { secretShape } from '../../principals/index.js';
import { defined } from '../../util/defined.js';
import { sha256 } from '../../util/hash.js';
import type { PlaneParts } from '../parts.js';
import type { Clients } from './clients.js';

/** The `grant_type`s that the token endpoint knows. */
export const grantTypes = ['authorization_code', 'refresh_token'];

export interface AuthorizationParts extends Pick<PlaneParts, 'storage' | 'now'> {
  readonly clients: Clients;
}

export function at({ now }: Pick<AuthorizationParts, 'now'>, aheadSeconds = 0): string {
  return new Date(now().getTime() + aheadSeconds * 1_000).toISOString();
}

/**
 * As `at`, by the store's clock: for what lives so briefly that the clocks of two processes may differ by more.
 */
export async function storedAt({ storage }: Pick<AuthorizationParts, 'storage'>, aheadSeconds = 0): Promise<string> {
  return new Date((await storage.now()).getTime() + aheadSeconds * 1_000).toISOString();
}

export function row(
  parts: Pick<AuthorizationParts, 'now'>,
  type: AuditEventType,
  { kind, id, name }: PrincipalRef,
  body: JsonObject,
): AuditDraft {
  return { type, at: at(parts), actor: { kind, id, name }, body };
}

/** The facts about an authorization for an audit row. */
export function getFacts(authorization: Authorization): JsonObject {
  const { id, clientId, clientName, redirectUri, agentId, resource, scopes } = authorization;
  const facts = { authorizationId: id, clientId, clientName, redirectUri, resource, scopes: [...scopes] };
  return { ...facts, ...defined({ agentId }) };
}

/** Ends an authorization and everything issued from it. Writes and records nothing if it had already ended. */
export async function endAuthorization(
  parts: AuthorizationParts,
  authorization: Authorization,
  reason: string,
): Promise<void> {
  const { id, workspaceId, user } = authorization;
  const workspace = parts.storage.workspace(workspaceId);
  if ((await workspace.authorizations.find(id))?.status === 'ended') return;
  const ended = row(parts, 'authorization.ended', user, { ...getFacts(authorization), reason });
  await workspace.change([ended], (tables) => tables.endAuthorization(id, at(parts)));
}

/** The access or refresh token of this text, used up or not, with what it was issued from. */
export async function findToken(
  { storage }: AuthorizationParts,
  token: string,
): Promise<{ credential: Credential; authorization: Authorization } | undefined> {
  if (!secretShape.test(token)) return undefined;
  const found = await storage.system.findCredential(sha256(token));
  if (found?.credential.authorizationId === undefined) return undefined;
  const { workspaceId, credential } = found;
  const authorization = await storage.workspace(workspaceId).authorizations.find(found.credential.authorizationId);
  return authorization && { credential, authorization };
}

/** An answer of the token endpoint, as RFC 6749 words it. */
export function refusal(status: number, error: string, description: string): OAuthAnswer {
  return { status, body: { error, error_description: description } };
}
