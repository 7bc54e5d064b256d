/** The principal of a request. Over HTTP it travels with the request, in the SDK's field for it; stdio has one principal. */
import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import { HelveError } from '../../domain/errors.js';
import type { Principal } from '../../domain/principal.js';
import { placeForText } from './written-answer.js';

const key = 'helve';

export function carry(principal: Principal): AuthInfo {
  // The token stays in the HTTP surface; nothing behind it needs one.
  return { token: '', clientId: principal.id, scopes: [], extra: { [key]: principal, ...placeForText() } };
}

export function getPrincipal(context: ServerContext, fixed: Principal | undefined): Principal {
  const principal = fixed ?? (context.http?.authInfo?.extra?.[key] as Principal | undefined);
  if (principal === undefined) throw new HelveError('unauthenticated', 'This request has no principal');
  return principal;
}

/** The same key for the same caller acting for the same person in the same workspace, and a different one otherwise. */
export function principalKey({ workspaceId, kind, id, onBehalfOf }: Principal): string {
  return JSON.stringify([workspaceId, kind, id, onBehalfOf?.kind, onBehalfOf?.id]);
}
