/** Stores a connection and its audit row in one commit. */
import type { AuditDraft } from '../../domain/audit.js';
import type { Connection } from '../../domain/connection.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { Principal } from '../../domain/principal.js';
import type { ConfigurationTables } from '../../domain/storage.js';
import { changedInLine } from '../workspaces/index.js';
import type { AccountParts } from './account-parts.js';
import { connectionDraft } from './drafts.js';

type StoreParts = Pick<AccountParts, 'storage' | 'now' | 'configurations'>;

/** Stores a new connection. */
export async function store(parts: StoreParts, principal: Principal, connection: Connection): Promise<void> {
  const row = connectionDraft('connection.added', principal, connection, parts.now());
  await parts.storage.workspace(principal.workspaceId).change([row], (tables) => tables.insertConnection(connection));
}

export interface ConnectionChange {
  readonly connection: Connection;
  readonly row: AuditDraft;
  /** Written in the same commit. */
  readonly also?: (tables: ConfigurationTables) => Promise<void>;
}

/**
 * Changes a connection. `change` gets it as it is now, undefined if it was removed, and all connections of the workspace; it is asked
 * again if something else is changed before this is written. If it returns undefined, nothing is written.
 */
export function changeStored<Change extends ConnectionChange | undefined>(
  parts: Pick<AccountParts, 'storage' | 'configurations'>,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
  change: (present: Connection | undefined, all: readonly Connection[]) => Change,
): Promise<Change> {
  const attempt = async ({ connections, revision }: WorkspaceConfiguration): Promise<Change> => {
    const changed = change(
      connections.find((one) => one.id === id),
      connections,
    );
    if (changed === undefined) return changed;
    const { connection, row, also } = changed;
    const write = async (tables: ConfigurationTables): Promise<void> => {
      await tables.updateConnection(connection);
      await also?.(tables);
    };
    await parts.storage.workspace(workspaceId).change([row], write, revision);
    return changed;
  };
  return changedInLine(parts, workspaceId, attempt);
}

/** What people decide about a connection at any time: a sign-in, which may take long, does not undo it. */
export function pickDecided({ name, slug, visibility, ownerId }: Connection) {
  return { name, slug, visibility, ownerId };
}
