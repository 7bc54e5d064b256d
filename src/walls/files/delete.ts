/**
 * Deletes a file, a link or a folder. A folder is emptied through its descriptor; links in it are removed, never
 * followed.
 */
import type { Dirent } from 'node:fs';
import { opendir, rmdir, unlink } from 'node:fs/promises';
import { HelveError } from '../../domain/errors.js';
import { child, folderOnly, holding, noLink, type Pinned, pin, requireUnmoved } from './descriptors.js';
import { cancelled, getCode, isMissing, quoted, wrongKind } from './failures.js';
import { pinEntry, requireTree } from './owned.js';
import { isHiddenAnywhere, pinSpot, type Wall } from './wall.js';

export interface DeleteOptions {
  readonly recursive: boolean;
  readonly signal?: AbortSignal;
}

/** Each level needs a descriptor. */
const maxLevels = 100;
const namesAtOnce = 2_000;

export async function deleteEntry(wall: Wall, path: string, options: DeleteOptions): Promise<{ path: string }> {
  return holding(pinSpot(wall, path), async (spot) =>
    holding(pinEntry(wall, spot, path), async (entry) => {
      const named = child(spot.folder, spot.name);
      if (!entry.stats.isDirectory()) {
        await requireUnmoved(spot.folder);
        await unlink(named);
        return { path: spot.real };
      }
      if (options.recursive) {
        requireTree(wall, spot.real, path);
        await requireSameDisk(wall, spot.folder, entry);
        await empty(wall, entry, options.signal, 0);
      }
      await requireUnmoved(spot.folder);
      await rmdir(named).catch((error: unknown) => {
        if (getCode(error) !== 'ENOTEMPTY') throw error;
        throw wrongKind(path, 'a folder that is not empty', 'Delete its contents first, or set recursive=true.');
      });
      return { path: spot.real };
    }),
  );
}

async function empty(wall: Wall, folder: Pinned, signal: AbortSignal | undefined, level: number): Promise<void> {
  if (level > maxLevels) throw new HelveError('too_large', `${quoted(folder.real)} is more than ${maxLevels} deep`);
  for (;;) {
    const entries = await someEntries(folder);
    if (entries.length === 0) return;
    await requireUnmoved(folder);
    for (const entry of entries) {
      if (signal?.aborted) throw cancelled();
      await removeChild(wall, folder, entry, signal, level);
    }
  }
}

/** Names as bytes: not every name on a disk is text. */
type RawEntry = Omit<Dirent, 'name'> & { readonly name: Buffer };

async function someEntries(folder: Pinned): Promise<RawEntry[]> {
  const entries: RawEntry[] = [];
  const reading = await opendir(folder.via, { encoding: 'buffer' as BufferEncoding, bufferSize: 256 });
  for await (const entry of reading as unknown as AsyncIterable<RawEntry>) {
    entries.push(entry);
    if (entries.length >= namesAtOnce) break;
  }
  return entries;
}

async function removeChild(
  wall: Wall,
  folder: Pinned,
  entry: RawEntry,
  signal: AbortSignal | undefined,
  level: number,
): Promise<void> {
  const named = Buffer.concat([Buffer.from(`${folder.via}/`), entry.name]);
  try {
    if (!entry.isDirectory()) return await unlink(named);
    await holding(pin(named, folderOnly | noLink), async (below) => {
      await requireSameDisk(wall, folder, below);
      await empty(wall, below, signal, level + 1);
    });
    await rmdir(named);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** A mounted file system is stored elsewhere, and would be emptied there. */
async function requireSameDisk(wall: Wall, folder: Pinned, below: Pinned): Promise<void> {
  const hidden = (await isHiddenAnywhere(wall, below)) || (await wall.hidden.isAbove(below));
  if (below.stats.dev === folder.stats.dev && !hidden) return;
  throw wrongKind(below.real, 'a mounted file system', 'It cannot be deleted from here.');
}
