/**
 * Moves old rows of the record into archive files, one for each month, also while servers use the store. An archive ends at the
 * end of a block of the indexes over the record, so a month that fills no block goes together with the next one.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { archiveKeySubject, auditRows, findArchiveKey, newArchiveKey, seal } from '../../../audit/index.js';
import type { AuditEvent } from '../../../domain/audit.js';
import type { ChainPoint } from '../../../domain/chain.js';
import { HelveError, isStaleRevision } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/json.js';
import type { RecordArchive } from '../../../domain/record-archive.js';
import { type AuditTable, chainStart, type Storage, type WorkspaceStorage } from '../../../domain/storage.js';
import { draft, systemPrincipal } from '../../../flows/workspaces/index.js';
import { openStorage } from '../../../storage/index.js';
import { createVault, keyringFromText, keyringInFile, type Vault } from '../../../vault/index.js';
import { type KeyPlaces, keyFile } from '../backup/index.js';
import { commandLine } from '../command-line.js';
import { writeArchive } from './archive-file.js';

/** The indexes over the record have blocks of this many rows, and are deleted with them. */
const blockRows = 1_024;
const prunedAtOnce = 500;
const dayMs = 86_400_000;
/** The clocks of the processes that write rows about one call differ by less than this. */
const clocksMs = 24 * 3_600_000;
/** Between two deletions others get the store. */
const pauseMs = 20;

export interface ArchiveChoices {
  /** Where the files are put; it is created. */
  readonly folder: string;
  /** Rows that are older are archived, except those since the oldest call, run or approval that has not ended. */
  readonly before: Date;
  readonly signal?: AbortSignal | undefined;
}

export interface ArchiveOptions extends Omit<ArchiveChoices, 'before'>, KeyPlaces {
  /** How many days rows stay in the store. */
  readonly keepDays: number;
  /** The path of an SQLite file, or a `postgres://` URL. */
  readonly location: string;
}

/** An open store whose old rows are archived. */
export interface ArchiveWork extends ArchiveChoices {
  readonly storage: Storage;
  readonly vault: Vault;
  /** What the record says of who archives: `{ through, … }`. */
  readonly by: JsonObject;
  /** Whether this process makes the archive that begins with this row. Absent: it makes all. */
  readonly claim?: (workspaceId: string, first: number) => Promise<boolean>;
}

export interface Archived {
  /** Slug of the workspace. */
  readonly workspace: string;
  readonly file: string;
  readonly archive: RecordArchive;
}

/**
 * Returns the time before which rows are archived. `now`: the clock of this process. If it is ahead of the store's clock, it must not
 * archive what the other processes on the store would keep.
 */
export async function getEndOfKeeping(storage: Pick<Storage, 'now'>, keepDays: number, now: Date): Promise<Date> {
  return new Date(Math.min(now.getTime(), (await storage.now()).getTime()) - keepDays * dayMs);
}

/** For the command line: opens the store. Throws as `archiveStore`. */
export async function* archiveRecord(options: ArchiveOptions): AsyncGenerator<Archived> {
  const { location, dataDir, vaultKeys, keepDays, ...choices } = options;
  const vault = createVault(vaultKeys === undefined ? keyringInFile(keyFile(dataDir)) : keyringFromText(vaultKeys));
  const storage = await openStorage({ location, seal });
  try {
    const before = await getEndOfKeeping(storage, keepDays, new Date());
    yield* archiveStore({ ...choices, before, storage, vault, by: commandLine() });
  } finally {
    await storage.close();
  }
}

/**
 * Yields each archive when its rows have left the store. The file is complete and read back before the store notes it, and
 * only then are rows deleted; if the work is cut off anywhere, the next one finishes it. Throws what failed first, when everything
 * else is done: `conflict` for a broken record, `precondition_failed` without the vault's key,
 * `invalid_config` for keys that cannot be read, `storage_failed`.
 */
export async function* archiveStore(work: ArchiveWork): AsyncGenerator<Archived> {
  await mkdir(work.folder, { recursive: true, mode: 0o700 });
  const failures: unknown[] = [];
  for (const { id, slug } of await work.storage.system.listWorkspaces())
    try {
      yield* archiveWorkspace(work, { slug, workspace: work.storage.workspace(id) });
    } catch (error) {
      work.signal?.throwIfAborted();
      // What fails in one workspace keeps nothing from the others.
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}

interface Place {
  readonly slug: string;
  readonly workspace: WorkspaceStorage;
}

async function* archiveWorkspace(work: ArchiveWork, { slug, workspace }: Place): AsyncGenerator<Archived> {
  const { audit, recordArchives, workspaceId } = workspace;
  await prune(workspace, work.signal);
  const openSince = await recordArchives.openSince();
  const open = openSince === undefined ? Number.POSITIVE_INFINITY : Date.parse(openSince) - clocksMs;
  const before = new Date(Math.min(work.before.getTime(), open)).toISOString();
  for (;;) {
    work.signal?.throwIfAborted();
    const after = (await recordArchives.newest())?.last ?? { seq: 0, hash: chainStart };
    const archivedAt = (await work.storage.now()).toISOString();
    const end = await findEnd(audit, after, { before, now: archivedAt });
    if (end <= after.seq) return;
    if (work.claim && !(await work.claim(workspaceId, after.seq + 1))) return;
    const file = join(work.folder, archiveName(workspaceId, after.seq + 1, end));
    const archive = await writeArchive({
      path: file,
      workspaceId,
      after,
      rows: rowsUpTo(audit, after, end),
      privateKey: await getKey(work, workspace),
      archivedAt,
    });
    await recordArchives.add(archive, [rowOf(archive, work.by)]);
    await prune(workspace, work.signal);
    yield { workspace: slug, file, archive };
  }
}

/** Says what left the store and who moved it; where the file is, the record does not say. */
function rowOf({ workspaceId, firstSeq, last, firstAt, lastAt, archivedAt }: RecordArchive, by: JsonObject) {
  const rows = last.seq - firstSeq + 1;
  const body = { ...by, rows, first: firstSeq, last: last.seq, from: firstAt, to: lastAt };
  return draft('record.archived', systemPrincipal(workspaceId), new Date(archivedAt), body);
}

/** The name of the file with these rows. */
export const archiveName = (workspaceId: string, first: number, last: number): string =>
  `${encodeURIComponent(workspaceId)}-${first}-${last}.record`;

async function* rowsUpTo(audit: AuditTable, after: ChainPoint, end: number): AsyncGenerator<AuditEvent> {
  for await (const row of auditRows(audit, undefined, after.seq)) {
    if (row.seq > end) return;
    yield row;
    if (row.seq === end) return;
  }
}

async function prune({ recordArchives }: WorkspaceStorage, signal: AbortSignal | undefined): Promise<void> {
  while ((await recordArchives.prune(prunedAtOnce)) > 0) {
    signal?.throwIfAborted();
    await pause(pauseMs);
  }
}

/**
 * The last row of the next archive: the last whole block of the month in which the next block was filled, if all rows up to it are
 * older than `before`; else that of `after`. A clock that is set back gives new rows old times, so every row is looked at.
 */
async function findEnd(audit: AuditTable, after: ChainPoint, { before, now }: Times): Promise<number> {
  let end = after.seq;
  let until = before;
  for await (const { seq, at } of auditRows(audit, undefined, after.seq)) {
    // Times in the future are of a clock that was ahead for a moment. They say nothing about the age of rows, and no archive ends there.
    if (at > now) continue;
    if (at >= until) return end;
    if (seq % blockRows !== 0) continue;
    end = seq;
    until = [endOfMonth(at), before].sort()[0] ?? before;
  }
  return end;
}

interface Times {
  readonly before: string;
  readonly now: string;
}

function endOfMonth(at: string): string {
  const date = new Date(at);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString();
}

/** The workspace's key; made at the first archive, once, however many processes are here. */
async function getKey({ vault }: ArchiveWork, workspace: WorkspaceStorage): Promise<string> {
  const { workspaceId } = workspace;
  for (;;) {
    // Before the look for a key: a key that is stored after it changes the revision.
    const revision = await workspace.revision();
    const known = await findArchiveKey(workspace, vault).catch((cause: unknown) => {
      if (!(cause instanceof HelveError && cause.code === 'connection_inaccessible')) throw cause;
      throw new HelveError(
        'precondition_failed',
        "The vault's key that archives of the record are signed with is missing",
        {
          hint: 'Put the key back: `helve doctor` names it. Until then nothing leaves the store.',
          cause,
        },
      );
    });
    if (known !== undefined) return known;
    const sealed = await vault.seal({ workspaceId, subject: archiveKeySubject }, newArchiveKey());
    const at = new Date().toISOString();
    try {
      await workspace.change([], (tables) => tables.putSecret(archiveKeySubject, sealed, at), revision);
    } catch (error) {
      if (!isStaleRevision(error)) throw error;
    }
  }
}
