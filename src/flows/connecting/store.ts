/** Stores a connection and its audit row in one commit. */
import type { Connection } from '../../domain/connection.js';
import type { Principal } from '../../domain/principal.js';
import type { AccountParts } from './account-parts.js';
import { connectionDraft } from './drafts.js';

export async function store(
  parts: Pick<AccountParts, 'storage' | 'now' | 'configurations'>,
  principal: Principal,
  event: 'connection.added' | 'connection.changed' | 'connection.started' | 'connection.failed',
  connection: Connection,
  how: 'insert' | 'update',
): Promise<void> {
  const { workspaceId } = principal;
  const { reason } = connection;
  const row = connectionDraft(event, principal, connection, parts.now(), reason === undefined ? {} : { reason });
  await parts.storage
    .workspace(workspaceId)
    .change([row], (tables) =>
      how === 'insert' ? tables.insertConnection(connection) : tables.updateConnection(connection),
    );
}
