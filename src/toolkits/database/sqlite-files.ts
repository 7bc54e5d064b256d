/**
 * The files that make up one SQLite database, as its process sees them. For reading: the database with the companions that
 * it has now, each read-only. For writing SQLite makes and removes companions itself, so the process is given the folder,
 * which must hold nothing else.
 */
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { HelveError } from '../../domain/errors.js';
import type { WorkerFile } from '../../domain/workers.js';
import type { Target } from './settings.js';

export interface SqliteFiles {
  /** Equal for processes that were given the same files. */
  readonly key: string;
  readonly files: readonly WorkerFile[];
  /** Path of the database inside the process. */
  readonly path: string;
  /** Identifies the files. If it has changed after a read, the reader may have seen a mixture of two states. */
  readonly state: string;
}

/**
 * A folder in the memory of the process, where SQLite can create companions that a reader needs and that do not exist
 * yet.
 */
const inside = '/tmp/database';
const companions = ['-wal', '-shm', '-journal'];

/** Throws `upstream_failed` for a file that is not there, `invalid_config` for a folder that holds other files too. */
export async function findSqliteFiles({ name, url, writes }: Target): Promise<SqliteFiles> {
  const given = url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
  const file = await realpath(given).catch(() => undefined);
  const identity = file === undefined ? undefined : await getIdentity(file);
  if (file === undefined || identity === undefined) {
    throw new HelveError('upstream_failed', `${name}: unable to open the database file`, {
      hint: `Tell the operator to check toolkits.database.connections.${name}.url.`,
    });
  }
  if (writes) {
    await checkFolder(name, file);
    const path = join(inside, basename(file));
    const files = [{ source: dirname(file), target: inside, writable: true }];
    return { key: `write ${dirname(file)}`, files, path, state: identity };
  }
  const path = join(inside, 'main.db');
  const found = await Promise.all(companions.map((suffix) => getIdentity(`${file}${suffix}`)));
  const present = companions.filter((_, at) => found[at] !== undefined);
  const files = ['', ...present].map((suffix) => ({ source: `${file}${suffix}`, target: `${path}${suffix}` }));
  // The journal is left out: it comes and goes with each change, and the lock on the database keeps readers out
  // meanwhile.
  const state = [identity, ...found.slice(0, 2)].join(' ');
  return { key: `read ${file} ${identity} ${found.join(' ')}`, files, path, state };
}

async function getIdentity(path: string): Promise<string | undefined> {
  const facts = await stat(path).catch(() => undefined);
  return facts?.isFile() ? `${facts.dev}:${facts.ino}` : undefined;
}

async function checkFolder(name: string, file: string): Promise<void> {
  const own = new Set(['', ...companions].map((suffix) => `${basename(file)}${suffix}`));
  const others = (await readdir(dirname(file))).filter((entry) => !own.has(entry));
  if (others.length === 0) return;
  throw new HelveError('invalid_config', `The folder of the writable database ${name} holds other files too`, {
    hint: `Tell the operator to move it to a folder that holds nothing else: SQLite needs the whole folder to write to a database.`,
  });
}
