/**
 * The file wall: all file access of tools goes through it. It confines by descriptor (`descriptors.ts`, `wall.ts`): a
 * path is opened first, checked by its real location, and used only through the checked descriptor, so that swapping
 * names and links meanwhile cannot lead a call outside. It relies on Linux's `/proc/self/fd`; on a system without it
 * there is no file access at all, because a check by name can be raced.
 */
import { mkdir, stat } from 'node:fs/promises';
import { HelveError } from '../../domain/errors.js';
import type { FileAccess, FileLimits } from '../../domain/reach.js';
import { computedOnce } from '../../util/computed-once.js';
import { createDirectory } from './create.js';
import { deleteEntry } from './delete.js';
import { holding, pin } from './descriptors.js';
import { asFileError } from './failures.js';
import { createHidden } from './hidden.js';
import { listFolder } from './list.js';
import { moveEntry } from './move.js';
import { checkPlaces, createPlaces } from './places.js';
import { readFile, statEntry } from './read.js';
import type { Owner, Wall } from './wall.js';
import { writeFile } from './write.js';

export interface FileWallLimits extends FileLimits {
  /** The workspace's own folder, created on first use; undefined if there is none. */
  readonly home: string | undefined;
  /** Files and folders that are never reached, even if allowed; of Helve's own folder, everything but `home` in it. */
  readonly hidden: readonly string[];
  /** Who owns what is created; only root can give files away. Default: the user that Helve runs as. */
  readonly owner?: Owner;
}

/** Throws `invalid_config` if nothing can be reached or this system cannot confine files. */
export async function openFiles(limits: FileWallLimits): Promise<FileAccess> {
  const { allowedPaths = [], home, hidden, maxBytes, writable } = limits;
  await requireDescriptors();
  if (allowedPaths.length === 0 && home !== undefined) await mkdir(home, { recursive: true, mode: 0o700 });
  const places = await createPlaces({ globs: allowedPaths, home, hidden });
  const wall: Wall = {
    places,
    maxBytes,
    allowHardLinks: limits.allowHardLinks ?? false,
    hidden: await createHidden(hidden, home, places.isHome),
    systemDevices: await systemDevices(),
    owner: limits.owner,
  };
  const change = async <T>(path: string, act: () => Promise<T>): Promise<T> => {
    if (!writable) throw new HelveError('forbidden', 'This tool may only read files');
    return told(path, act);
  };

  return {
    read: (path) => told(path, () => readFile(wall, path)),
    list: (path, options) => told(path, () => listFolder(wall, path, options)),
    stat: (path) => told(path, () => statEntry(wall, path)),
    write: (path, bytes, mode) => change(path, () => writeFile(wall, path, bytes, mode)),
    createDirectory: (path) => change(path, () => createDirectory(wall, path)),
    delete: (path, options) => change(path, () => deleteEntry(wall, path, options)),
    move: (from, to) => change(from, () => moveEntry(wall, from, to)),
  };
}

/** Throws `invalid_config` for a glob that names something hidden, before any call is made with it. */
export function checkFileLimits(limits: Pick<FileWallLimits, 'allowedPaths' | 'home' | 'hidden'>): Promise<void> {
  const { allowedPaths = [], home, hidden } = limits;
  return checkPlaces({ globs: allowedPaths, home, hidden });
}

async function told<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw asFileError(error, path);
  }
}

const confinesByDescriptor = computedOnce(() => holding(pin('/'), async ({ real }) => real === '/'));

/** Throws `invalid_config` where files cannot be confined. */
export async function requireDescriptors(platform: string = process.platform): Promise<void> {
  if (platform === 'linux' && (await confinesByDescriptor().catch(() => false))) return;
  throw new HelveError('invalid_config', 'Files cannot be confined on this system: it has no /proc/self/fd', {
    hint: 'The operator must run Helve on Linux, or in a Linux container, with /proc mounted.',
  });
}

async function systemDevices(): Promise<ReadonlySet<number>> {
  const root = await stat('/');
  const found = await Promise.all(['/proc', '/sys'].map((path) => stat(path).catch(() => root)));
  const devices = new Set(found.map(({ dev }) => dev));
  // If one of them is not mounted, its name is an ordinary folder of the root.
  devices.delete(root.dev);
  return devices;
}
