/**
 * The permissions required to issue a credential, and therefore also to revoke it: never more power than the caller
 * has.
 */
import { HelveError } from '../../domain/errors.js';
import {
  agentPermissions,
  allPermissions,
  type Credential,
  type Permission,
  type Principal,
  requirePermission,
} from '../../domain/principal.js';

/** Permission to act as the agent, and everything that its token allows. */
const agentTokenPermissions: readonly Permission[] = ['agents:write', 'agents:act', ...agentPermissions];

/** Throws `forbidden`, naming the missing permission. */
export function requireAgentTokenIssuer(principal: Principal): void {
  for (const permission of agentTokenPermissions) requirePermission(principal, permission);
}

/** A link makes its holder the admin, so requesting one requires all permissions of an admin. */
export function requireAdminLinkIssuer(principal: Principal): void {
  for (const permission of allPermissions) requirePermission(principal, permission);
}

/**
 * A caller may revoke its own credential, those issued from it, and those it could have issued. Throws `forbidden`,
 * naming the missing permission.
 */
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
  const hint = 'A credential can revoke itself, what was issued from it, and what it could have issued.';
  return new HelveError(code, message, { hint, details });
}
