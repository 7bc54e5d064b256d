/** The rights that the maker of a rule, an order or a source has now, whatever they were when it was written. */
import type { Principal, PrincipalRef } from '../../domain/principal.js';
import { readKey, readRole } from '../../domain/roles.js';
import type { WorkspaceStorage } from '../../domain/storage.js';
import { isLive } from '../../principals/index.js';

export type PresentRights = Pick<Principal, 'permissions' | 'ownAccountsOnly' | 'ofWorkspace'>;

/** Undefined for a person who can no longer sign in, and for a key that has ended. */
export async function findPresentRights(
  workspace: WorkspaceStorage,
  { kind, id }: Pick<PrincipalRef, 'kind' | 'id'>,
  now: Date,
): Promise<PresentRights | undefined> {
  if (kind === 'user') {
    const user = await workspace.findUser(id);
    return user?.status === 'active' ? { ...readRole(user), ofWorkspace: true } : undefined;
  }
  const key = await workspace.findCredential(id);
  return key?.kind === 'api_key' && isLive(key, now) ? { ...readKey(key), ofWorkspace: true } : undefined;
}
