/** Whether the principal that started a run still has the rights that it needs. */
import type { Principal } from '../../domain/principal.js';
import { readRole } from '../../domain/roles.js';
import type { RunError } from '../../domain/run.js';
import type { Storage, WorkspaceStorage } from '../../domain/storage.js';
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
  const lost =
    (await findCallerLost(workspace, principal)) ??
    (principal.credentialId === undefined
      ? await findActingLost(workspace, principal, now())
      : await findCredentialLost(workspace, principal, now()));
  return lost === undefined ? undefined : { name: 'PrincipalError', message: lost, code: 'unauthenticated' };
}

/** Why the agent or the person is no longer who started the run. */
async function findCallerLost(
  workspace: WorkspaceStorage,
  { kind, id, name, permissions, ofWorkspace }: Principal,
): Promise<string | undefined> {
  if (kind === 'agent' && !(await workspace.findAgent(id))) return `The agent ${name} no longer exists`;
  const user = kind === 'user' ? await workspace.findUser(id) : undefined;
  const isRemoved = kind === 'user' && ofWorkspace === true && user === undefined;
  if (isRemoved || user?.status === 'disabled') return `${name} cannot sign in any more`;
  const has = user && readRole(user).permissions;
  return has === undefined || permissions.every((one) => has.includes(one))
    ? undefined
    : `${name} no longer has the rights that the run was started with`;
}

async function findCredentialLost(
  workspace: WorkspaceStorage,
  { kind, name, credentialId = '' }: Principal,
  now: Date,
): Promise<string | undefined> {
  const credential = await workspace.findCredential(credentialId);
  if (credential === undefined || credential.revokedAt !== undefined)
    return 'The credential that the run was started with was revoked';
  // A key is its own principal. An agent or a person is still there when a token or a session has expired.
  return kind === 'api_key' && !isLive(credential, now) ? `The key ${name} has expired` : undefined;
}
