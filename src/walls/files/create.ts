/** Creates a folder and its missing parents: each inside the previously pinned one. */
import { lchown, lstat, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { child, folderOnly, holding, noLink, type Pinned, pin, requireUnmoved } from './descriptors.js';
import { getCode, invalidPath, isMissing, wrongKind } from './failures.js';
import { explain, isHiddenAnywhere, isHiddenName, pinTarget, type Wall } from './wall.js';

export interface CreatedFolder {
  readonly path: string;
  readonly created: boolean;
}

/** Each needs a descriptor while those below it are created. */
const maxMissing = 64;

export async function createDirectory(wall: Wall, path: string): Promise<CreatedFolder> {
  const { pinned, missing } = await nearest(wall, wall.places.resolve(path), path);
  return holding(Promise.resolve(pinned), async () =>
    missing.length === 0 ? existing(wall, path) : descend(wall, pinned, missing, path),
  );
}

/** Returns the existing part of the path, and the missing names. */
async function nearest(wall: Wall, absolute: string, path: string): Promise<{ pinned: Pinned; missing: string[] }> {
  const missing: string[] = [];
  for (let folder = absolute; ; folder = dirname(folder)) {
    try {
      return { pinned: await pin(folder), missing };
    } catch (error) {
      if (!isMissing(error)) throw await explain(wall, absolute, path, error);
      missing.unshift(basename(folder));
      if (missing.length > maxMissing) throw invalidPath(`More than ${maxMissing} folders above it are missing`);
    }
  }
}

async function existing(wall: Wall, path: string): Promise<CreatedFolder> {
  return holding(pinTarget(wall, path), async ({ real, stats }) => {
    if (!stats.isDirectory()) throw inTheWay(path);
    return { path: real, created: false };
  });
}

async function descend(wall: Wall, folder: Pinned, missing: readonly string[], path: string): Promise<CreatedFolder> {
  const [name, ...rest] = missing;
  if (name === undefined) return { path: folder.real, created: true };
  if (!wall.places.allows(join(folder.real, name)) && !wall.places.isRoot(join(folder.real, name)))
    throw wall.places.outside(path);
  if ((await isHiddenAnywhere(wall, folder)) || (await isHiddenName(wall, folder, name)))
    throw wall.places.outside(path);
  await requireUnmoved(folder);
  try {
    await mkdir(child(folder, name));
    if (wall.owner) await lchown(child(folder, name), wall.owner.uid, wall.owner.gid);
  } catch (error) {
    // Another process created it first; if it is not a folder, or is a link, it cannot be pinned as one.
    if (getCode(error) !== 'EEXIST') throw error;
  }
  const next = pin(child(folder, name), folderOnly | noLink).catch(async (error: unknown) => {
    if (getCode(error) !== 'ENOTDIR') throw error;
    const link = await lstat(child(folder, name)).catch(() => undefined);
    throw link?.isSymbolicLink() ? wall.places.outside(path) : inTheWay(path);
  });
  return holding(next, (made) => descend(wall, made, rest, path));
}

const inTheWay = (path: string) =>
  wrongKind(
    path,
    'not a folder, or would be inside something that is not a folder',
    'Choose another name, or list_dir first.',
  );
