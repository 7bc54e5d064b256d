/** How long an unused session lasts. The maximum duration is the session's own expiry. */
import type { Credential, SessionLimits } from '../domain/principal.js';
import type { WorkspaceStorage } from '../domain/storage.js';
import { createCredentialActs } from './credentials.js';

export type { SessionLimits };

/** Minimum time between two records of a use, because each is a write. */
const maxNoteMs = 60_000;

/** Whether the session was not used for too long. */
export function isIdle(
  { createdAt, lastUsedAt = createdAt }: Pick<Credential, 'createdAt' | 'lastUsedAt'>,
  now: Date,
  { idleSeconds }: SessionLimits,
): boolean {
  return now.getTime() - Date.parse(lastUsedAt) > idleSeconds * 1_000;
}

/** Returns false for a session that was idle for too long, and ends it with an audit row. */
export async function stillUsed(
  workspace: WorkspaceStorage,
  session: Credential,
  now: () => Date,
  limits: SessionLimits,
): Promise<boolean> {
  const { id, principalId, createdAt, lastUsedAt = createdAt } = session;
  if (isIdle(session, now(), limits)) {
    const user = await workspace.findUser(principalId);
    const by = { kind: 'user', id: principalId, name: user?.name ?? 'unknown' } as const;
    await createCredentialActs(workspace, now).revoke(by, id, 'idle');
    return false;
  }
  const idleMs = now().getTime() - Date.parse(lastUsedAt);
  if (idleMs > Math.min(maxNoteMs, limits.idleSeconds * 250)) await workspace.noteUse(id, now().toISOString());
  return true;
}
