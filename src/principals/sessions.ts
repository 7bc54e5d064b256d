/** How long an unused session lasts. The maximum duration is the session's own expiry. */
import type { Credential, SessionLimits } from '../domain/principal.js';
import type { WorkspaceStorage } from '../domain/storage.js';
import { createCredentialActs } from './credentials.js';

export type { SessionLimits };

/** Minimum time between two records of a use, because each is a write. */
const maxNoteMs = 60_000;

/** Returns false for a session that was idle for too long, and ends it with an audit row. */
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
