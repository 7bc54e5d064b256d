/**
 * What a PostgreSQL server of the tests begins with: prepared once in the temporary folder and copied for each server. One of its
 * databases has the tables of this Helve, so that a test that needs a store copies them and runs no migration.
 */
import { createHash, randomBytes } from 'node:crypto';
import { chown, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seal } from '../audit/index.js';
import { openStorage } from '../storage/index.js';
import { makeOnce } from './postgres-files.js';
import { endProgram, initialise, owner, queryPostgres, startServer } from './postgres-programs.js';

/** The database with the tables. PostgreSQL copies it only while nobody is connected to it. */
export const readyDatabase = 'helve_ready';

export interface PreparedData {
  /** Has the folder `data`. */
  readonly folder: string;
  /** Of the user helve, in every copy. */
  readonly password: string;
}

/** `native`: the folder of the binaries. */
export async function prepareData(native: string): Promise<PreparedData> {
  const folder = await makeOnce(`${basename(native)}-data-${await hashMigrations()}`, async (draft) => {
    const password = randomBytes(12).toString('hex');
    const passwordFile = join(draft, 'password');
    await writeFile(passwordFile, password);
    if (owner !== undefined) for (const path of [draft, passwordFile]) await chown(path, owner, owner);
    await initialise(native, draft, passwordFile);
    const { program, address } = await startServer({ native, folder: draft, password });
    await queryPostgres(address('postgres'), `create database ${readyDatabase}`);
    const storage = await openStorage({ location: address(readyDatabase), seal });
    await storage.close();
    await endProgram(program, 'SIGINT');
    if (owner !== undefined) await chown(draft, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
  });
  return { folder, password: await readFile(join(folder, 'password'), 'utf8') };
}

/** Where the temporary folder outlives a run, other migrations prepare other data. */
async function hashMigrations(): Promise<string> {
  const folder = fileURLToPath(new URL('../storage/migrations', import.meta.url));
  const hash = createHash('sha256');
  for (const name of (await readdir(folder)).sort()) hash.update(name).update(await readFile(join(folder, name)));
  return hash.digest('hex').slice(0, 16);
}
