/**
 * File system objects, held by descriptor. What a name resolves to is pinned first, without reading, writing or
 * triggering it (`O_PATH`: no device is opened, no pipe waits for its other end), and inspected afterwards; from then
 * on it is reached as `/proc/self/fd/N`, which leads to that same object whatever happens to its name.
 */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';
import { changedMeanwhile, isMissing } from './failures.js';

/** Linux's `O_PATH`, which `fs.constants` lacks; the same number on all machines that Node supports. */
const pathOnly = 0o10_000_000;

export const { O_DIRECTORY: folderOnly, O_NOFOLLOW: noLink } = constants;

export interface Pinned {
  readonly handle: FileHandle;
  /** Leads to the object itself, as long as the handle is open. */
  readonly via: string;
  /** Its real location: absolute, without links. */
  readonly real: string;
  readonly stats: Stats;
}

export async function pin(path: string | Buffer, flags = 0): Promise<Pinned> {
  const handle = await open(path, pathOnly | flags);
  try {
    const via = `/proc/self/fd/${handle.fd}`;
    // In this order. A name that still exists afterwards was among those counted before; the other way round, removing
    // a link to something outside in between would leave a count of one that is the name outside.
    const stats = await handle.stat();
    const real = await readlink(via);
    // The kernel marks an object without a name like this; a file may also have such a name.
    if (real.endsWith(' (deleted)') && !(await isThere(real, stats))) {
      throw Object.assign(new Error('It was deleted while it was opened'), { code: 'ENOENT' });
    }
    return { handle, via, real, stats };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function isThere(real: string, stats: Stats): Promise<boolean> {
  try {
    const named = await lstat(real);
    return named.ino === stats.ino && named.dev === stats.dev;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Runs `use` and always releases the handle afterwards. */
export async function holding<P extends Pick<Pinned, 'handle'>, T>(
  pinning: Promise<P>,
  use: (pinned: P) => Promise<T>,
): Promise<T> {
  const pinned = await pinning;
  try {
    return await use(pinned);
  } finally {
    await pinned.handle.close();
  }
}

/** The path of one name in this folder. `name` is one part of a path and never `.` or `..`. */
export function child(folder: Pick<Pinned, 'via'>, name: string): string {
  return `${folder.via}/${name}`;
}

/** Pins what the name in the folder refers to; a link is pinned itself. Undefined if there is nothing. */
export async function pinChild(folder: Pinned, name: string): Promise<Pinned | undefined> {
  try {
    return await pin(child(folder, name), noLink);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * If the folder is moved during the work, the work moves with it: its location is checked again right before each
 * change.
 */
export async function requireUnmoved(folder: Pinned): Promise<void> {
  if ((await readlink(folder.via)) !== folder.real) throw changedMeanwhile(folder.real);
}

/** Makes a new name survive a power failure. A folder that may be written but not read cannot be synced. */
export async function syncFolder(folder: Pinned): Promise<void> {
  const handle = await open(folder.via, constants.O_RDONLY | folderOnly).catch(() => undefined);
  try {
    await handle?.sync();
  } catch {
    // Some file systems do not sync folders.
  } finally {
    await handle?.close();
  }
}
