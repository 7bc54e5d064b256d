/** A file that several processes create and change: always complete, and readable by its owner only. */
import { randomBytes } from 'node:crypto';
import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { HelveError } from '../domain/errors.js';

const lookMs = 20;
/** No one needs the lock for this long: its holder must have died. */
const staleMs = 10_000;
const patienceMs = 30_000;

/** Creates the file; does nothing if it exists. The file is never half written, even after a crash. */
export async function makeFile(path: string, text: string): Promise<void> {
  // If the store is not a file, nothing has created the data folder yet.
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = await writeDraft(path, text);
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

export async function writeWhole(path: string, text: string): Promise<void> {
  await rename(await writeDraft(path, text), path);
}

async function writeDraft(path: string, text: string): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return draft;
}

/** Runs `work` while no other process holds the lock file. */
export async function withLockFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  const end = performance.now() + patienceMs;
  while (!(await taken(path))) {
    if (performance.now() > end) throw new HelveError('storage_failed', `${path} is still locked: remove it`);
    await setTimeout(lookMs);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function taken(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const held = await stat(path).catch(() => undefined);
  if (held && Date.now() - held.mtimeMs > staleMs) await rm(path, { force: true });
  return false;
}
