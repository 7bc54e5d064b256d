/** What handing out a credential asks for, and so also what taking one away does: never more power than the caller holds. */
import { HelveError } from '../../domain/errors.js';
import {
  agentPermissions,
  allPermissions,
  type Credential,
  type Permission,
  type Principal,
  requirePermission,
} from '../../domain/principal.js';

/** To act as the agent, and all that its token allows. */
const agentTokenPermissions: readonly Permission[] = ['agents:write', 'agents:act', ...agentPermissions];

/** Throws `forbidden`, naming the permission that is missing. */
export function requireAgentTokenIssuer(principal: Principal): void {
  for (const permission of agentTokenPermissions) requirePermission(principal, permission);
}

/** A link makes its holder the admin, so only those may ask for one who hold all that an admin does. */
export function requireAdminLinkIssuer(principal: Principal): void {
  for (const permission of allPermissions) requirePermission(principal, permission);
}

/** One's own, what came of it, and what one could have issued. Throws `forbidden`, naming the permission that is missing. */
export function requireRevoker(principal: Principal, credential: Credential): void {
  requirePermission(principal, 'keys:write');
  if (credential.id === principal.credentialId || credential.parentId === principal.id) return;
  try {
    requireIssuer(principal, credential);
  } catch (error) {
    throw asRevoking(error);
  }
}

function requireIssuer(principal: Principal, { kind, permissions }: Credential): void {
  if (kind === 'api_key') {
    for (const permission of permissions) requirePermission(principal, permission);
  } else if (kind === 'session' || kind === 'admin_link') {
    requireAdminLinkIssuer(principal);
  } else {
    requireAgentTokenIssuer(principal);
  }
}

function asRevoking(error: unknown): unknown {
  if (!(error instanceof HelveError)) return error;
  const { code, message, details = {} } = error;
  const hint = 'A credential revokes itself, what came of it, and what it could have issued.';
  return new HelveError(code, message, { hint, details });
}
