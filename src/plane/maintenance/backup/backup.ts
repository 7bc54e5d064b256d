/** Makes a backup of an installation, also while it serves. */
import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type StoreSnapshot, withSnapshot } from '../../../storage/index.js';
import { makeFolder } from '../../../util/make-folder.js';
import { writeBackup } from './backup-file.js';
import type { CopyFacts } from './check-items.js';
import { fileItems } from './files.js';
import type { CopyHead, CopyItem } from './items.js';
import { describeSnapshot, type ReadStoreOptions, storeItems } from './read-store.js';

export interface BackupOptions extends ReadStoreOptions {
  /** The path of an SQLite file, or a `postgres://` URL. */
  readonly location: string;
  readonly dataDir: string;
  /** A folder that exists, or a new file. */
  readonly target: string;
  /** The file is whole and read back, and gets its name when this is done. */
  readonly beforeNamed?: ((facts: CopyFacts) => Promise<void>) | undefined;
}

export interface BackupReport extends CopyFacts {
  readonly file: string;
  /** What is not in it because this user may not read it, by its path below the data folder. */
  readonly unreadable: readonly string[];
}

/**
 * Writes one consistent view of the store, then the files of the data folder as they are, and reads everything back.
 * Nothing stays of one that fails or is stopped. Throws `not_found` without a store, `conflict` if the file exists,
 * `storage_failed`.
 */
export async function backup(backupOptions: BackupOptions): Promise<BackupReport> {
  const { location, dataDir, target, beforeNamed, ...options } = backupOptions;
  const file = nameFile(target);
  makeFolder(dirname(file));
  const unreadable: string[] = [];
  const facts = await withSnapshot(location, async (snapshot) => {
    const head = await describeSnapshot(snapshot);
    const items = allItems({ snapshot, head, dataDir, unreadable }, options);
    return writeBackup(file, items, { beforeNamed, signal: options.signal });
  });
  return { file, unreadable, ...facts };
}

interface Source {
  readonly snapshot: StoreSnapshot;
  readonly head: CopyHead;
  readonly dataDir: string;
  /** Added to. */
  readonly unreadable: string[];
}

async function* allItems(
  { snapshot, head, dataDir, unreadable }: Source,
  options: ReadStoreOptions,
): AsyncGenerator<CopyItem> {
  yield { kind: 'head', head };
  yield* storeItems(snapshot, head, options);
  let files = 0;
  for await (const item of fileItems(dataDir, {
    onUnreadable: (path) => unreadable.push(path),
    signal: options.signal,
  })) {
    yield item;
    if (item.kind === 'file') options.onCopied?.(files, undefined, item.path);
    if (item.kind === 'fileEnd') files += 1;
  }
  const rows = Object.values(head.rows).reduce((sum, count) => sum + count, 0);
  yield { kind: 'end', tables: snapshot.tables.length, rows, files };
}

function nameFile(target: string): string {
  const path = resolve(target);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  return join(path, `helve-${new Date().toISOString().replace(/[:.]/g, '-')}.backup`);
}
