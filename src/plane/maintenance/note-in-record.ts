/**
 * What the command line did with a whole store is in the record of each workspace: who, what and how much, but no path. A restored or
 * moved store is committed together with these rows; a backup gets its name after them.
 */
import { seal } from '../../audit/index.js';
import type { AuditDraft, AuditEventType } from '../../domain/audit.js';
import { toHelveError } from '../../domain/errors.js';
import { firstWorkspace } from '../../domain/workspaces.js';
import { draft, systemPrincipal } from '../../flows/workspaces/index.js';
import { type FilledWorkspace, latestVersion, openStorage } from '../../storage/index.js';
import type { CopyEvents, CopyFacts } from './backup/index.js';
import { commandLine } from './command-line.js';

type StoreWork = Extract<AuditEventType, 'store.backed_up' | 'store.restored' | 'store.moved'>;

/** What `restore` and `move` add to the record of the new store. */
export const createCopyEvents =
  (type: StoreWork): CopyEvents =>
  (facts, workspace, at) => [describeWork({ type, facts, workspace, at })];

export interface Backup {
  /** Of the store that is backed up. */
  readonly location: string;
  readonly facts: CopyFacts;
}

/** Returns why the record does not say that the store was backed up; undefined if it does. */
export async function noteBackup({ location, facts }: Backup): Promise<string | undefined> {
  // Opening the store of an older Helve would bring it up to date, which a backup must not do.
  if (facts.head.schema !== latestVersion) return 'the store is of another version of Helve';
  try {
    const storage = await openStorage({ location, seal });
    try {
      const at = await storage.now();
      for (const { id, slug } of await storage.system.listWorkspaces()) {
        const { seq } = await storage.workspace(id).audit.head();
        const event = describeWork({ type: 'store.backed_up', facts, workspace: { id, slug, seq }, at });
        await storage.commit([{ workspaceId: id, events: [event] }]);
      }
      return undefined;
    } finally {
      await storage.close();
    }
  } catch (error) {
    return toHelveError(error).message;
  }
}

interface Work {
  readonly type: StoreWork;
  readonly facts: CopyFacts;
  readonly workspace: FilledWorkspace;
  readonly at: Date;
}

/** How much the whole store has is said in the first workspace only: it says how much happens in the others. */
function describeWork({ type, facts, workspace, at }: Work): AuditDraft {
  const { rows, tables, files, head } = facts;
  return draft(type, systemPrincipal(workspace.id), at, {
    ...commandLine(),
    copiedAt: head.at,
    from: head.from,
    recordRows: workspace.seq,
    ...(workspace.slug === firstWorkspace ? { rows, tables: tables.size, files } : {}),
  });
}
