/**
 * What the command line did with a whole store is in the record of each workspace: who, what and how much, but no path. It is noted when
 * the work is done, so a command that is killed just before leaves no row.
 */
import { seal } from '../../audit/index.js';
import type { AuditEventType } from '../../domain/audit.js';
import { toHelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import { firstWorkspace } from '../../domain/workspaces.js';
import { draft, systemPrincipal } from '../../flows/workspaces/index.js';
import { latestVersion, openStorage } from '../../storage/index.js';
import type { CopyFacts } from './backup/index.js';
import { commandLine } from './command-line.js';

export interface StoreWork {
  readonly type: Extract<AuditEventType, 'store.backed_up' | 'store.restored' | 'store.moved'>;
  /** Of the store in whose record it is noted. */
  readonly location: string;
  readonly facts: Pick<CopyFacts, 'head' | 'rows' | 'files'> & { readonly tables: ReadonlyMap<string, unknown> };
}

/**
 * Returns why it could not be noted; undefined if it was. How much the whole store has is said in the first workspace only: it says how
 * much happens in the others.
 */
export async function noteInRecord({ type, location, facts }: StoreWork): Promise<string | undefined> {
  const { schema, at, from } = facts.head;
  // Opening the store of an older Helve would bring it up to date, which a backup must not do.
  if (type === 'store.backed_up' && schema !== latestVersion) return 'the store is of another version of Helve';
  try {
    const storage = await openStorage({ location, seal });
    try {
      const now = await storage.now();
      for (const { id, slug } of await storage.system.listWorkspaces()) {
        const { seq } = await storage.workspace(id).audit.head();
        const whole = { rows: facts.rows, tables: facts.tables.size, files: facts.files };
        const body: JsonObject = {
          ...commandLine(),
          copiedAt: at,
          from,
          recordRows: seq,
          ...(slug === firstWorkspace ? whole : {}),
        };
        await storage.commit([{ workspaceId: id, events: [draft(type, systemPrincipal(id), now, body)] }]);
      }
      return undefined;
    } finally {
      await storage.close();
    }
  } catch (error) {
    return toHelveError(error).message;
  }
}
