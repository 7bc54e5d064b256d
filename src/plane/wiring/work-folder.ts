/** The folder of one issue, as its tools use it: the same paths for files and for commands, and what became of its commands. */
import { mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { CommandRequest, CommandResult, FileAccess } from '../../domain/reach.js';
import { sha256 } from '../../util/hash.js';
import { workFolder } from '../../util/sandbox/sandbox-view.js';
import type { WorkFolder } from './work-folders.js';

/** The number of results that are remembered: far more than the calls whose answers can be lost at once. */
const remembered = 100;

/** Paths are those that commands see: `/work/…`, or relative to it. */
export function showAsWork(files: FileAccess, folder: string): FileAccess {
  const real = realpath(folder);
  const inside = (path: string): string =>
    path === workFolder || path.startsWith(`${workFolder}/`) ? `.${path.slice(workFolder.length)}` : path;
  const shown = async <T extends { readonly path: string }>(given: T): Promise<T> => {
    const below = posix.relative(await real, given.path);
    return { ...given, path: posix.join(workFolder, below) };
  };
  return {
    read: async (path) => shown(await files.read(inside(path))),
    write: async (path, bytes, mode) => shown(await files.write(inside(path), bytes, mode)),
    async list(path, options) {
      const { entries, truncated } = await files.list(inside(path), options);
      return { entries: await Promise.all(entries.map(shown)), truncated };
    },
    stat: async (path) => shown(await files.stat(inside(path))),
    createDirectory: async (path) => shown(await files.createDirectory(inside(path))),
    delete: async (path, options) => shown(await files.delete(inside(path), options)),
    move: async (from, to) => shown(await files.move(inside(from), inside(to))),
  };
}

/**
 * Puts the files of a command into the folder. Through the wall, because an earlier command may have left links there that lead
 * outside.
 */
export async function putFiles(access: FileAccess, files: CommandRequest['files'] = {}): Promise<void> {
  for (const [path, bytes] of Object.entries(files)) {
    const parent = posix.dirname(path);
    if (parent !== '.') await access.createDirectory(parent);
    await access.write(path, bytes, 'overwrite');
  }
}

const placeOf = ({ calls }: WorkFolder, key: string): string => join(calls, sha256(key).slice(0, 32));

/** Runs a command so that what became of it can be found under its key after the process has died. */
export async function remembering(
  folder: WorkFolder,
  key: string | undefined,
  run: () => Promise<CommandResult>,
): Promise<CommandResult> {
  if (key === undefined) return run();
  const place = placeOf(folder, key);
  await forgetOldest(folder);
  await writeWhole(place, 'begun');
  let result: CommandResult;
  try {
    result = await run();
  } catch (error) {
    await rm(place, { force: true });
    throw error;
  }
  await writeWhole(place, JSON.stringify(result));
  return result;
}

export async function findEarlier(
  folder: WorkFolder | undefined,
  key: string,
): Promise<CommandResult | 'none' | 'begun'> {
  if (folder === undefined) return 'none';
  const text = await readFile(placeOf(folder, key), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return 'none';
    throw error;
  });
  return text === 'none' || text === 'begun' ? text : (JSON.parse(text) as CommandResult);
}

/** The file exists completely or not at all, even after a power failure. */
async function writeWhole(path: string, text: string): Promise<void> {
  const handle = await open(`${path}.part`, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${path}.part`, path);
}

async function forgetOldest({ calls }: WorkFolder): Promise<void> {
  await mkdir(calls, { recursive: true, mode: 0o700 });
  const names = await readdir(calls);
  if (names.length < 2 * remembered) return;
  const aged = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(calls, name))).mtimeMs })));
  const old = aged.sort((a, b) => b.at - a.at).slice(remembered);
  await Promise.all(old.map(({ name }) => rm(join(calls, name), { force: true })));
}
