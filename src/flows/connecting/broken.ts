/** Marks an account that can no longer be used, immediately and with the reason, so that no call tries it again. */
import type { Connection } from '../../domain/connection.js';
import { systemPrincipal } from '../workspaces/index.js';
import { type AccountParts, inaccessible } from './account-parts.js';
import { connectionDraft } from './drafts.js';
import { changeStored } from './store.js';

export async function markBroken(
  parts: Pick<AccountParts, 'storage' | 'now' | 'configurations'>,
  workspaceId: string,
  { id }: Pick<Connection, 'id'>,
  status: 'expired' | 'error',
  reason: string,
): Promise<never> {
  await changeStored(parts, { workspaceId, id }, (connection) => {
    // During a sign-in attempt, the attempt itself reports the outcome.
    if (connection?.status === 'pending') throw inaccessible(reason);
    // Another call has already marked it, or it was removed.
    if (connection?.status !== 'active') throw inaccessible(connection?.reason ?? 'it no longer exists');
    const marked: Connection = { ...connection, status, reason };
    const row = connectionDraft('connection.failed', systemPrincipal(workspaceId), marked, parts.now(), { reason });
    return { connection: marked, row };
  });
  throw inaccessible(reason);
}
