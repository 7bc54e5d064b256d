/** How long a session lasts that nobody uses. How long it lasts at most is its own expiry. */
import type { Credential, SessionLimits } from '../domain/principal.js';
import type { WorkspaceStorage } from '../domain/storage.js';
import { createCredentialActs } from './credentials.js';

export type { SessionLimits };

/** A use is written down this often at most: each is a write. */
const maxNoteMs = 60_000;

/** False for one that was idle for too long: it ends here, with a row in the record. */
export async function stillUsed(
  workspace: WorkspaceStorage,
  { id, principalId, createdAt, lastUsedAt = createdAt }: Credential,
  now: () => Date,
  { idleSeconds }: SessionLimits,
): Promise<boolean> {
  const idleMs = now().getTime() - Date.parse(lastUsedAt);
  if (idleMs > idleSeconds * 1_000) {
    const user = await workspace.findUser(principalId);
    const by = { kind: 'user', id: principalId, name: user?.name ?? 'unknown' } as const;
    await createCredentialActs(workspace, now).revoke(by, id, 'idle');
    return false;
  }
  if (idleMs > Math.min(maxNoteMs, idleSeconds * 250)) await workspace.noteUse(id, now().toISOString());
  return true;
}
