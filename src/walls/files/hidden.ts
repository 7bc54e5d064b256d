/**
 * What no tool reaches, even if allowed: hidden under every name that leads to it, and by identity, so that a second
 * mount or a second name reveals nothing. A file that does not exist yet is hidden too, because a file created in its
 * place would be read as Helve's own.
 */
import { readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, posix } from 'node:path';
import type { Pinned } from './descriptors.js';

export interface Hidden {
  /** Whether this object, or a folder above it, is hidden. */
  holds(pinned: Pick<Pinned, 'real' | 'via'>): Promise<boolean>;
  /** The hidden names in this folder, whether or not they exist. */
  namesIn(folder: Pick<Pinned, 'via'>): Promise<ReadonlySet<string>>;
  /** Whether something hidden is below this folder: then it cannot be moved. */
  isAbove(folder: Pick<Pinned, 'via'>): Promise<boolean>;
}

const maxLinks = 40;
const none: ReadonlySet<string> = new Set();

/** `isHome`: whether a path is in the workspace's folder, which is reachable although it is inside a hidden one. */
export async function createHidden(
  paths: readonly string[],
  home: string | undefined,
  isHome: (real: string) => boolean,
): Promise<Hidden> {
  const everywhere = new Set<string>();
  const atHome = new Set<string>();
  const above = new Set<string>();
  const names = new Map<string, Set<string>>();
  const homes = home === undefined ? [] : await listNames(home);
  const identify = remembering();
  for (const path of new Set((await Promise.all(paths.map(listNames))).flat())) {
    const id = await identify(path);
    if (id !== undefined) everywhere.add(id);
    if (id !== undefined && !homes.some((one) => within(one, path))) atHome.add(id);
    const folders = foldersAbove(dirname(path));
    for (const folder of await Promise.all(folders.map(identify))) if (folder !== undefined) above.add(folder);
    const parent = await identify(dirname(path));
    if (parent !== undefined) names.set(parent, (names.get(parent) ?? new Set()).add(basename(path)));
  }
  const getId = async ({ via }: Pick<Pinned, 'via'>): Promise<string> => (await identity(via)) ?? '';
  return {
    async holds({ real, via }) {
      const ids = isHome(real) ? atHome : everywhere;
      if (ids.size === 0) return false;
      const found = await Promise.all([via, ...foldersAbove(real)].map(identity));
      return found.some((id) => id !== undefined && ids.has(id));
    },
    namesIn: async (folder) => (names.size === 0 ? none : (names.get(await getId(folder)) ?? none)),
    isAbove: async (folder) => above.size > 0 && above.has(await getId(folder)),
  };
}

/** Every name on the way to what the path refers to: the path as written, and each link that it goes through. */
export async function listNames(path: string): Promise<readonly string[]> {
  const names = new Set<string>();
  let at = posix.resolve(path);
  for (let links = 0; links < maxLinks; links++) {
    const folder = await resolveReal(dirname(at));
    const named = join(folder, basename(at));
    names.add(at).add(named);
    const target = await readlink(named).catch(() => undefined);
    if (target === undefined) break;
    at = posix.resolve(folder, target);
  }
  return [...names];
}

async function resolveReal(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return path === '/' ? path : join(await resolveReal(dirname(path)), basename(path));
  }
}

export function within(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(1);
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
}

async function identity(path: string): Promise<string | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  return stats && `${stats.dev}:${stats.ino}`;
}

function remembering(): typeof identity {
  const known = new Map<string, Promise<string | undefined>>();
  return (path) => {
    const asked = known.get(path) ?? identity(path);
    known.set(path, asked);
    return asked;
  };
}
