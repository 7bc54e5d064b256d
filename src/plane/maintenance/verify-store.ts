/** Verifies the audit record of a store, and its archives, without a server. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findArchiveKey, isSigned, seal, verifyChain } from '../../audit/index.js';
import type { ChainReport } from '../../domain/chain.js';
import { HelveError } from '../../domain/errors.js';
import type { RecordArchive } from '../../domain/record-archive.js';
import { chainStart, type WorkspaceStorage } from '../../domain/storage.js';
import { openStorage } from '../../storage/index.js';
import { defined } from '../../util/defined.js';
import { fileExists } from '../../util/file-exists.js';
import { createVault, keyringFromText, keyringInFile } from '../../vault/index.js';
import { archiveName, readArchive } from './archive/index.js';
import { type KeyPlaces, keyFile } from './backup/index.js';

export interface StoreReport {
  /** Slug of the workspace. */
  readonly workspace: string;
  /** How many archives were read and verified. */
  readonly archives: number;
  readonly report: ChainReport;
}

export interface VerifyOptions {
  /** Where the vault's keys are, to tell whether this installation has signed the archives. */
  readonly keys?: KeyPlaces;
  /** The folder with the archives, which are then read from the first row on. */
  readonly archives?: string | undefined;
}

/**
 * Yields one report per workspace of the store at `location`, which is the path of a SQLite file or a `postgres://` URL.
 * Throws `not_found` if there is no such file, and `storage_failed` if the store cannot be read, or not by this user.
 */
export async function* verifyStore(location: string, options: VerifyOptions = {}): AsyncGenerator<StoreReport> {
  if (!location.includes('://') && !fileExists(location))
    throw new HelveError('not_found', `There is no store ${location}`, {
      hint: 'Name its file, or its postgres:// URL.',
    });
  const storage = await openStorage({ location, seal });
  try {
    for (const { id, slug } of await storage.system.listWorkspaces())
      yield { workspace: slug, ...(await verifyWorkspace(storage.workspace(id), options)) };
  } finally {
    await storage.close();
  }
}

async function verifyWorkspace(
  workspace: WorkspaceStorage,
  options: VerifyOptions,
): Promise<Omit<StoreReport, 'workspace'>> {
  const archives = await workspace.recordArchives.list();
  const problem = await findProblem(workspace, archives, options);
  if (problem !== undefined) {
    const firstBroken = { seq: problem.seq, problem: problem.text };
    return {
      archives: 0,
      report: { ok: false, rows: problem.seq - 1, firstBroken, head: await workspace.audit.head() },
    };
  }
  const report = await verifyChain(workspace.audit, defined({ archived: archives.at(-1)?.last }));
  return { archives: options.archives === undefined ? 0 : archives.length, report };
}

interface Problem {
  /** The first row that is not proved. */
  readonly seq: number;
  readonly text: string;
}

/**
 * Each archive follows the one before it and has this installation's signature; with their folder their rows are read too.
 * Without keys of the vault, only the rows can prove the chain.
 */
async function findProblem(
  workspace: WorkspaceStorage,
  archives: readonly RecordArchive[],
  { keys, archives: folder }: VerifyOptions,
): Promise<Problem | undefined> {
  if (archives.length === 0) return undefined;
  const key = keys && (await readKey(workspace, keys));
  if (key === undefined && folder === undefined)
    return { seq: 1, text: 'it is in archives: name their folder with --archives, or the data folder with --data' };
  let before = { seq: 0, hash: chainStart };
  for (const archive of archives) {
    const { firstSeq: seq, previousHash, last } = archive;
    if (seq !== before.seq + 1 || previousHash !== before.hash)
      return { seq: before.seq + 1, text: 'an archive is missing' };
    if (key !== undefined && !isSigned(archive, key))
      return { seq, text: `rows ${seq} to ${last.seq} are in an archive that this installation has not signed` };
    const text = folder === undefined ? undefined : await compareFile(archive, folder);
    if (text !== undefined) return { seq, text };
    before = last;
  }
  return undefined;
}

async function readKey(workspace: WorkspaceStorage, { dataDir, vaultKeys }: KeyPlaces): Promise<string | undefined> {
  // A ring in a file would make the file.
  if (vaultKeys === undefined && !existsSync(keyFile(dataDir))) return undefined;
  const vault = createVault(vaultKeys === undefined ? keyringInFile(keyFile(dataDir)) : keyringFromText(vaultKeys));
  return findArchiveKey(workspace, vault).catch(() => undefined);
}

/** Returns what is wrong with the file of an archive. */
async function compareFile(archive: RecordArchive, folder: string): Promise<string | undefined> {
  const path = join(folder, archiveName(archive.workspaceId, archive.firstSeq, archive.last.seq));
  try {
    const found = await readArchive(path);
    return found.contentHash === archive.contentHash && found.last.hash === archive.last.hash
      ? undefined
      : `the archive ${path} is not the one that was written`;
  } catch (thrown) {
    if (thrown instanceof HelveError) return thrown.message;
    throw thrown;
  }
}
