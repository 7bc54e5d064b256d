/**
 * The files of a data folder that belong to its store: the configuration, the files of tools, and the folders in which
 * agents work. Keys of the vault are not among them, nor what a start makes or an install fetches again.
 */
import { createHash } from 'node:crypto';
import {
  chmod,
  type FileHandle,
  lchown,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { join } from 'node:path';
import { HelveError } from '../../../domain/errors.js';
import type { FileItem, Owner } from './items.js';

export const belongings = ['helve.yaml', 'files', 'work'] as const;

/** Where files are collected before they come to their places. */
export const stageName = 'restoring';

const bytesAtOnce = 256 * 1_024;

export interface ReadFilesOptions {
  /** What this user may not read, by its path below the data folder: a command of an agent can make such files. It is left out. */
  readonly onUnreadable: (path: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Yields the files below `dataDir`. One that ends while it is read is left out. */
export async function* fileItems(dataDir: string, options: ReadFilesOptions): AsyncGenerator<FileItem> {
  for (const path of belongings) yield* readEntry(dataDir, path, options);
}

async function* readEntry(dataDir: string, path: string, options: ReadFilesOptions): AsyncGenerator<FileItem> {
  options.signal?.throwIfAborted();
  const place = join(dataDir, path);
  const leaveOut = (thrown: NodeJS.ErrnoException): undefined => {
    if (thrown.code !== 'EACCES') return unlessGone(thrown);
    options.onUnreadable(path);
    return undefined;
  };
  const found = await lstat(place).catch(leaveOut);
  if (!found) return;
  const about = { path, mode: found.mode & 0o7777, owner: [found.uid, found.gid] as const };
  if (found.isSymbolicLink()) {
    const target = await readlink(place).catch(unlessGone);
    if (target !== undefined) yield { kind: 'link', path, target, owner: about.owner };
  } else if (found.isDirectory()) {
    yield { kind: 'folder', ...about };
    for (const name of ((await readdir(place).catch(leaveOut)) ?? []).sort())
      yield* readEntry(dataDir, `${path}/${name}`, options);
  } else if (found.isFile()) {
    const handle = await open(place, 'r').catch(leaveOut);
    if (handle) yield* readFile(handle, about);
  }
}

async function* readFile(
  handle: FileHandle,
  about: { readonly path: string; readonly mode: number; readonly owner: Owner },
): AsyncGenerator<FileItem> {
  try {
    yield { kind: 'file', ...about };
    const hash = createHash('sha256');
    let size = 0;
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(bytesAtOnce), 0, bytesAtOnce);
      if (bytesRead === 0) break;
      const bytes = buffer.subarray(0, bytesRead);
      hash.update(bytes);
      size += bytesRead;
      yield { kind: 'bytes', bytes };
    }
    yield { kind: 'fileEnd', size, hash: hash.digest('hex') };
  } finally {
    await handle.close();
  }
}

function unlessGone(thrown: NodeJS.ErrnoException): undefined {
  if (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR') return undefined;
  throw thrown;
}

export interface FileStage {
  accept(item: FileItem): Promise<void>;
  /** Puts everything in its place in the data folder. */
  place(): Promise<void>;
  /** Removes what was staged, and what `place` has put there. */
  remove(): Promise<void>;
}

/**
 * Collects files in a folder of their own beside their places. Throws `conflict` if the data folder has files of its own
 * in one of these places.
 */
export async function stageFiles(dataDir: string): Promise<FileStage> {
  for (const name of belongings)
    if (await lstat(join(dataDir, name)).catch(unlessGone))
      throw new HelveError('conflict', `The data folder ${dataDir} is not empty: it has ${name}`, {
        hint: 'Name a new data folder with --data. Nothing has been changed.',
      });
  const folder = join(dataDir, stageName);
  const links: Extract<FileItem, { kind: 'link' }>[] = [];
  const folders: Extract<FileItem, { kind: 'folder' }>[] = [];
  const placed: string[] = [];
  let file: FileHandle | undefined;

  async function give(path: string, owner: Owner): Promise<void> {
    if (process.getuid?.() === 0) await lchown(path, owner[0], owner[1]);
  }

  return {
    async accept(item) {
      if (item.kind === 'bytes') await file?.writeFile(item.bytes);
      else if (item.kind === 'fileEnd') {
        await file?.sync();
        await file?.close();
        file = undefined;
      } else {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const place = join(folder, checkPath(item.path));
        if (item.kind === 'link') links.push(item);
        else if (item.kind === 'folder') {
          await mkdir(place, { mode: 0o700 });
          folders.push(item);
        } else {
          file = await open(place, 'wx', item.mode);
          await file.chmod(item.mode);
          await give(place, item.owner);
        }
      }
    },
    async place() {
      // Last, so that no file is written through a link, and no folder is closed to us while files come into it.
      for (const { path, target, owner } of links) {
        await symlink(target, join(folder, path));
        await give(join(folder, path), owner);
      }
      for (const { path, mode, owner } of folders.reverse()) {
        await chmod(join(folder, path), mode);
        await give(join(folder, path), owner);
      }
      for (const name of belongings) {
        if (!(await lstat(join(folder, name)).catch(unlessGone))) continue;
        await rename(join(folder, name), join(dataDir, name));
        placed.push(name);
      }
      await rm(folder, { recursive: true, force: true });
    },
    async remove() {
      await file?.close();
      for (const path of [folder, ...placed.map((name) => join(dataDir, name))])
        await rm(path, { recursive: true, force: true });
    },
  };
}

/** Throws `invalid_input` for a path that leads anywhere else than below one of the belongings. */
function checkPath(path: string): string {
  const [first, ...rest] = path.split('/');
  const isOurs = belongings.some((name) => name === first) && !rest.some((part) => ['', '.', '..'].includes(part));
  if (!isOurs || path.includes('\0'))
    throw new HelveError(
      'invalid_input',
      `The backup contains a file that does not belong to it (${JSON.stringify(path)})`,
    );
  return path;
}
