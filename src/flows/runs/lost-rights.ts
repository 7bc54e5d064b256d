/** Whether the principal that started a run still has the rights that it needs. */
import type { Principal } from '../../domain/principal.js';
import { readRole } from '../../domain/roles.js';
import type { RunError } from '../../domain/run.js';
import type { Storage } from '../../domain/storage.js';
import { findActingLost, isLive } from '../../principals/index.js';

interface Parts {
  readonly storage: Storage;
  readonly now: () => Date;
}

/** How old an answer about the rights of a run may be, in milliseconds. */
export const rightsMs = 1_000;

/** Returns a function that checks, at most once a second, whether the principal has lost the right to continue. */
export function createRightsLook(parts: Parts, principal: Principal): () => Promise<RunError | undefined> {
  let lookedAt = parts.now().getTime();
  return async () => {
    const passed = parts.now().getTime() - lookedAt;
    if (passed >= 0 && passed < rightsMs) return undefined;
    lookedAt += passed;
    return findLostRight(parts, principal);
  };
}

/** Why the principal may not go on with what it has started; undefined if it may. */
export async function findLostRight({ storage, now }: Parts, principal: Principal): Promise<RunError | undefined> {
  const workspace = storage.workspace(principal.workspaceId);
  if (principal.kind === 'agent' && !(await workspace.findAgent(principal.id)))
    return gone(`The agent ${principal.name} no longer exists`);
  const user = principal.kind === 'user' ? await workspace.findUser(principal.id) : undefined;
  const isRemoved = principal.kind === 'user' && principal.ofWorkspace === true && user === undefined;
  if (isRemoved || user?.status === 'disabled') return gone(`${principal.name} cannot sign in any more`);
  const has = user && readRole(user).permissions;
  if (has && !principal.permissions.every((one) => has.includes(one)))
    return gone(`${principal.name} no longer has the rights that the run was started with`);
  const { credentialId } = principal;
  if (credentialId !== undefined) {
    const credential = await workspace.findCredential(credentialId);
    if (credential === undefined || credential.revokedAt !== undefined)
      return gone('The credential that the run was started with was revoked');
    // A key is its own principal. An agent or a person is still there when a token or a session has expired.
    if (principal.kind === 'api_key' && !isLive(credential, now()))
      return gone(`The key ${principal.name} has expired`);
    return undefined;
  }
  const lost = await findActingLost(workspace, principal, now());
  return lost === undefined ? undefined : gone(lost);
}

const gone = (message: string): RunError => ({ name: 'PrincipalError', message, code: 'unauthenticated' });
