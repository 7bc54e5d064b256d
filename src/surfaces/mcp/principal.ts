/** Who a request is for. Over HTTP it travels with the request, through the SDK's seam for it; stdio has one. */
import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import { HelveError } from '../../domain/errors.js';
import type { Principal } from '../../domain/principal.js';

const key = 'helve';

export function carry(principal: Principal): AuthInfo {
  // The token stays at the HTTP door; nothing behind it needs one.
  return { token: '', clientId: principal.id, scopes: [], extra: { [key]: principal } };
}

export function principalOf(context: ServerContext, fixed: Principal | undefined): Principal {
  const principal = fixed ?? (context.http?.authInfo?.extra?.[key] as Principal | undefined);
  if (principal === undefined) throw new HelveError('unauthenticated', 'This request is nobody’s');
  return principal;
}

/** The same for the same caller acting for the same person, in the same workspace; for nobody else. */
export function principalKey({ workspaceId, kind, id, onBehalfOf }: Principal): string {
  return JSON.stringify([workspaceId, kind, id, onBehalfOf?.kind, onBehalfOf?.id]);
}
