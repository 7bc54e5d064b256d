/**
 * Moves or renames. The new name is claimed first, with an empty object that only we can have created, and then
 * replaced: so no existing file is ever lost. A crash between the two leaves the empty claim, and the source unchanged.
 */

import { constants } from 'node:fs';
import { lstat, mkdir, open, rename, rmdir, unlink } from 'node:fs/promises';
import { child, holding, noLink, type Pinned, requireUnmoved, syncFolder } from './descriptors.js';
import { getCode, invalidPath, quoted, wrongKind } from './failures.js';
import { pinEntry, requireFree, requireTree } from './owned.js';
import { isInside, pinSpot, type Spot, type Wall } from './wall.js';

export async function moveEntry(wall: Wall, from: string, to: string): Promise<{ path: string }> {
  return holding(pinSpot(wall, from), (source) =>
    holding(pinSpot(wall, to), (target) =>
      holding(pinEntry(wall, source, from), async (entry) => {
        requireFree(wall, target.real, to);
        if (entry.stats.isDirectory()) checkFolder(wall, source.real, target.real, from, to);
        const release = await claim(target, entry, to);
        try {
          await Promise.all([requireUnmoved(source.folder), requireUnmoved(target.folder)]);
          await rename(child(source.folder, source.name), child(target.folder, target.name));
        } catch (error) {
          await release();
          throw error;
        }
        await syncFolder(target.folder);
        await syncFolder(source.folder);
        return { path: target.real };
      }),
    ),
  );
}

function checkFolder(wall: Wall, source: string, target: string, from: string, to: string): void {
  if (isInside(target, source))
    throw invalidPath(`${quoted(to)} is inside ${quoted(from)}`, 'Choose another destination.');
  requireTree(wall, source, from);
  requireTree(wall, target, to);
}

/** Returns a function that removes the claim. */
async function claim({ folder, name }: Spot, { stats }: Pinned, to: string): Promise<() => Promise<void>> {
  const named = child(folder, name);
  await requireUnmoved(folder);
  try {
    if (stats.isDirectory()) {
      await mkdir(named);
      return () => rmdir(named).catch(() => undefined);
    }
    const handle = await open(named, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noLink, 0o600);
    return await holding(Promise.resolve({ handle }), async () => {
      const { ino } = await handle.stat();
      return () => takeBack(named, ino);
    });
  } catch (error) {
    if (getCode(error) !== 'EEXIST') throw error;
    throw wrongKind(to, 'already there', 'Choose a name that is free; to move into a folder, name the file in it.');
  }
}

async function takeBack(named: string, ino: number): Promise<void> {
  const now = await lstat(named).catch(() => undefined);
  if (now?.ino === ino && now.size === 0) await unlink(named).catch(() => undefined);
}
