/**
 * Things of the file system, held by descriptor. What a name resolves to is pinned first, without reading, writing or
 * waking it (`O_PATH`: no device is opened, no pipe waits for its other end), and looked at afterwards; from then on it
 * is reached as `/proc/self/fd/N`, which leads to that very thing whatever happens to its name.
 */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';
import { changedMeanwhile, isMissing, notFound } from './failures.js';

/** Linux's `O_PATH`, which `fs.constants` lacks; one number on all machines that Node runs on. */
const pathOnly = 0o10_000_000;

export const { O_DIRECTORY: folderOnly, O_NOFOLLOW: noLink } = constants;

export interface Pinned {
  readonly handle: FileHandle;
  /** Leads to the thing itself, for as long as the handle is open. */
  readonly via: string;
  /** Where it really is: absolute, without links. */
  readonly real: string;
  readonly stats: Stats;
}

export async function pin(path: string | Buffer, flags = 0): Promise<Pinned> {
  const handle = await open(path, pathOnly | flags);
  try {
    const via = `/proc/self/fd/${handle.fd}`;
    // In this order. A name that is still there afterwards was among those counted before; the other way round, a link to
    // something outside that is taken away in between would leave a count of one that is the name outside.
    const stats = await handle.stat();
    const real = await readlink(via);
    // So the kernel marks what has lost its name; a file may also be called that.
    if (real.endsWith(' (deleted)') && !(await isThere(real, stats))) throw notFound(String(path));
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

/** Lets go of it afterwards, whatever happens. */
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

/** One name in this very folder. `name` is one part of a path and never `.` or `..`. */
export function child(folder: Pick<Pinned, 'via'>, name: string): string {
  return `${folder.via}/${name}`;
}

/** What the name in the folder stands for; a link is pinned itself. Undefined: nothing. */
export async function pinChild(folder: Pinned, name: string): Promise<Pinned | undefined> {
  try {
    return await pin(child(folder, name), noLink);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A folder that is moved while we work in it takes our work along: looked at once more right before each change. */
export async function requireUnmoved(folder: Pinned): Promise<void> {
  if ((await readlink(folder.via)) !== folder.real) throw changedMeanwhile(folder.real);
}

/** So that a new name survives a power cut. Where a folder may be written but not read, it cannot be asked for. */
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
