/**
 * The permissions required to revoke a credential: those that it takes to issue it, so that no caller revokes more power
 * than it has.
 */
import { HelveError } from '../../domain/errors.js';
import {
  agentTokenPermissions,
  allPermissions,
  type Credential,
  type Permission,
  type Principal,
  requirePermission,
} from '../../domain/principal.js';
import { readKey } from '../../domain/roles.js';

/**
 * A caller may revoke its own credential, those issued from it, and those it could have issued. Throws `forbidden`,
 * naming the missing permission.
 */
export function requireRevoker(principal: Principal, credential: Credential): void {
  if (credential.id === principal.credentialId || credential.parentId === principal.id) return;
  try {
    for (const permission of permissionsToIssue(credential)) requirePermission(principal, permission);
  } catch (error) {
    throw asRevoking(error);
  }
}

function permissionsToIssue(credential: Credential): readonly Permission[] {
  const { kind } = credential;
  if (kind === 'api_key') return readKey(credential).permissions;
  return kind === 'session' || kind === 'admin_link' ? allPermissions : agentTokenPermissions;
}

function asRevoking(error: unknown): unknown {
  if (!(error instanceof HelveError)) return error;
  const { code, message, details = {} } = error;
  const hint = 'A credential can revoke itself, what was issued from it, and what it could have issued.';
  return new HelveError(code, message, { hint, details });
}
