/**
 * How the wall grants access. A path that is outside by name is refused before the file system is accessed; any other
 * path is pinned, and allowed or refused by its real location. No other code in this folder opens a caller's path.
 */
import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { HelveError } from '../../domain/errors.js';
import { child, folderOnly, holding, noLink, type Pinned, pin } from './descriptors.js';
import { asFileError, getCode } from './failures.js';
import { type Hidden, within } from './hidden.js';
import type { Places } from './places.js';

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

export interface Wall {
  readonly places: Places;
  readonly maxBytes: number;
  readonly allowHardLinks: boolean;
  /** What is hidden by identity, which also works where it is mounted a second time. */
  readonly hidden: Hidden;
  /** Devices of the file systems that expose the system itself, wherever they are mounted. */
  readonly systemDevices: ReadonlySet<number>;
  /** Who owns what is created; undefined: the user that Helve runs as. */
  readonly owner: Owner | undefined;
}

/** A name in a pinned folder; the name itself may not exist yet. */
export interface Spot extends Pick<Pinned, 'handle'> {
  readonly folder: Pinned;
  readonly name: string;
  /** Its future location. */
  readonly real: string;
}

/** Pins what the path leads to, also through links, if that is allowed. */
export async function pinTarget(wall: Wall, path: string): Promise<Pinned> {
  const absolute = wall.places.resolve(path);
  let pinned: Pinned;
  try {
    pinned = await pin(absolute, 0);
  } catch (error) {
    throw await explain(wall, absolute, path, error);
  }
  return permitted(wall, pinned, path);
}

/** Pins the folder that contains the path's last name, for operations on the name itself. */
export async function pinSpot(wall: Wall, path: string): Promise<Spot> {
  const absolute = wall.places.resolve(path);
  const name = basename(absolute);
  if (name === '') throw wall.places.outside(path);
  let folder: Pinned;
  try {
    folder = await pin(dirname(absolute), folderOnly);
  } catch (error) {
    throw await explain(wall, dirname(absolute), path, error);
  }
  const real = join(folder.real, name);
  if (
    wall.places.allows(real) &&
    !(await isHiddenAnywhere(wall, folder)) &&
    !(await isHiddenName(wall, folder, name))
  ) {
    return { folder, name, real, handle: folder.handle };
  }
  await folder.handle.close();
  throw wall.places.outside(path);
}

/** Pins a folder that was found during a walk, only if it is still where it was found. */
export async function pinFound(wall: Wall, real: string): Promise<Pinned | undefined> {
  const pinned = await pin(real, folderOnly | noLink);
  if (pinned.real === real && wall.places.surrounds(real) && !(await isHiddenAnywhere(wall, pinned))) return pinned;
  await pinned.handle.close();
  return undefined;
}

async function permitted(wall: Wall, pinned: Pinned, path: string): Promise<Pinned> {
  const { places } = wall;
  const listed = places.isFolderRoot(pinned.real) && pinned.stats.isDirectory() && places.surrounds(pinned.real);
  if ((places.allows(pinned.real) || listed) && !(await isHiddenAnywhere(wall, pinned))) return pinned;
  await pinned.handle.close();
  throw places.outside(path);
}

export async function isHiddenAnywhere(wall: Wall, pinned: Pinned): Promise<boolean> {
  return wall.systemDevices.has(pinned.stats.dev) || wall.hidden.holds(pinned);
}

/** Also for names that do not exist yet. */
export async function isHiddenName(wall: Wall, folder: Pinned, name: string): Promise<boolean> {
  return (await wall.hidden.namesIn(folder)).has(name);
}

/**
 * Why it could not be opened. The answer for a link that leads outside is always the same, whether its target exists,
 * is missing, or is unreadable for Helve itself, so that it reveals nothing.
 */
export async function explain(wall: Wall, absolute: string, path: string, error: unknown): Promise<unknown> {
  if (!/^(ENOENT|ENOTDIR|EACCES|EPERM|ELOOP)$/.test(getCode(error) ?? '')) return asFileError(error, path);
  return (await leadsOut(wall, absolute, path)) ?? asFileError(error, path);
}

async function leadsOut(wall: Wall, absolute: string, path: string): Promise<HelveError | undefined> {
  const { places } = wall;
  let missing = absolute;
  while (dirname(missing) !== missing && !places.isRoot(missing)) {
    const folder = dirname(missing);
    const name = basename(missing);
    try {
      return await holding(pin(folder, folderOnly), async (pinned) => {
        if (!places.surrounds(pinned.real) || (await isHiddenAnywhere(wall, pinned))) return places.outside(path);
        const link = await lstat(child(pinned, name)).catch(() => undefined);
        return link?.isSymbolicLink() ? places.outside(path) : undefined;
      });
    } catch {
      missing = folder;
    }
  }
  return undefined;
}

/** Whether a folder would be inside itself after the move. */
export const isInside = (real: string, folder: string): boolean => real !== folder && within(real, folder);
