/**
 * A restore that was killed may leave files in the data folder while the store is still empty. A note in the folder tells
 * the next restore that they are not somebody's own: it sets them aside and begins again.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HelveError } from '../../../domain/errors.js';
import { isEmptyStore } from '../../../storage/index.js';
import { sha256 } from '../../../util/hash.js';
import { belongings, stageName } from './files.js';
import { keyFile } from './keys.js';

const noteName = 'restore-in-progress.json';

interface Note {
  /** Whether the restore brings the vault's keys. */
  readonly keys: boolean;
  /** SHA-256 of the store's location, which may have a password in it. Absent in notes of earlier versions. */
  readonly store?: string;
}

/**
 * Notes that from now on a restore puts files into the folder; returns what removes the note. Throws `conflict` if the
 * folder has keys of its own and the restore brings some.
 */
export async function noteRestore(
  dataDir: string,
  { location, keys }: { readonly location: string; readonly keys: boolean },
): Promise<() => Promise<void>> {
  if (keys && existsSync(keyFile(dataDir)))
    throw new HelveError('conflict', `The data folder ${dataDir} has keys of a vault already`, {
      hint: 'Leave out --keys to use these, or name a new data folder with --data.',
    });
  const path = join(dataDir, noteName);
  const note: Note = { keys, store: sha256(location) };
  await writeFile(path, JSON.stringify(note), { mode: 0o600, flush: true });
  return () => rm(path, { force: true });
}

/**
 * If a restore was cut off before its commit, sets aside the files that it left. No other restore to the folder may be running. Throws
 * `conflict` if that restore was to another store than `location`: the files may be in use by that store.
 */
export async function clearCutOff(dataDir: string, location: string): Promise<void> {
  const path = join(dataDir, noteName);
  if (!existsSync(path)) return;
  const { keys, store } = JSON.parse((await readFile(path, 'utf8')) || '{}') as Partial<Note>;
  if (store !== undefined && store !== sha256(location))
    throw new HelveError('conflict', `A restore of the data folder ${dataDir} to another store was interrupted`, {
      hint: `Name that store, or a new data folder with --data. If nothing uses the files in it, delete ${path} and them.`,
    });
  if (await isEmptyStore(location)) {
    const aside = join(dataDir, `cut-off-restore-${Date.now()}`);
    await mkdir(aside, { mode: 0o700 });
    for (const name of [stageName, ...belongings]) await moveIfThere(join(dataDir, name), join(aside, name));
    if (keys === true) await moveIfThere(keyFile(dataDir), join(aside, 'vault-keys.json'));
  }
  await rm(path, { force: true });
}

async function moveIfThere(from: string, to: string): Promise<void> {
  if (existsSync(from)) await rename(from, to);
}
