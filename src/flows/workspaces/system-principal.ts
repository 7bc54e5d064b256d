/** Trusted code in this process that acts for no particular person. */
import { allPermissions, type Principal, type PrincipalRef } from '../../domain/principal.js';

export const systemActor: PrincipalRef = { kind: 'user', id: 'system', name: 'Helve' };

/** Returns the principal for trusted code of this process in a workspace. */
export function systemPrincipal(workspaceId: string): Principal {
  return { ...systemActor, workspaceId, permissions: allPermissions };
}
