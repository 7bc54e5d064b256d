/** Reads one file, and its metadata. */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FileEntry } from '../../domain/reach.js';
import { holding, type Pinned } from './descriptors.js';
import { isSpecial, severalNames, tooLarge, wrongKind } from './failures.js';
import { pinTarget, type Wall } from './wall.js';

export async function readFile(wall: Wall, path: string): Promise<{ path: string; bytes: Uint8Array }> {
  return holding(pinTarget(wall, path), async (pinned) => {
    requireFile(pinned, path);
    if (pinned.stats.nlink > 1 && !wall.allowHardLinks) throw severalNames(path);
    if (pinned.stats.size > wall.maxBytes) throw tooLarge(path, pinned.stats.size, wall.maxBytes);
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
    const bytes = await holding(opened(pinned.via, flags), ({ handle }) =>
      readUpTo(handle, pinned.stats.size, wall, path),
    );
    return { path: pinned.real, bytes };
  });
}

const opened = async (path: string, flags: number): Promise<{ handle: FileHandle }> => ({
  handle: await open(path, flags),
});

/** The size is only a snapshot: a file that grows is read to its end, but never beyond the limit. */
async function readUpTo(handle: FileHandle, size: number, wall: Wall, path: string): Promise<Uint8Array> {
  let bytes = Buffer.allocUnsafe(Math.min(size, wall.maxBytes) + 1);
  let filled = 0;
  for (;;) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, filled);
    if (bytesRead === 0) return bytes.subarray(0, filled);
    filled += bytesRead;
    if (filled > wall.maxBytes) throw tooLarge(path, filled, wall.maxBytes);
    if (filled === bytes.length) {
      bytes = Buffer.concat([bytes], Math.min(bytes.length * 2 + 65_536, wall.maxBytes + 1));
    }
  }
}

export async function statEntry(wall: Wall, path: string): Promise<FileEntry> {
  return holding(pinTarget(wall, path), async ({ real, stats }) => findEntry(real, stats));
}

export function requireFile({ stats }: Pinned, path: string): void {
  if (stats.isFile()) return;
  if (!stats.isDirectory()) throw isSpecial(path);
  throw wrongKind(path, 'a folder', 'Name a file; list_dir shows what a folder contains.');
}

export async function pinFolder(wall: Wall, path: string): Promise<Pinned> {
  const pinned = await pinTarget(wall, path);
  if (pinned.stats.isDirectory()) return pinned;
  await pinned.handle.close();
  throw pinned.stats.isFile() ? wrongKind(path, 'a file', 'Name a folder; read_file reads a file.') : isSpecial(path);
}

export function findEntry(real: string, stats: Stats): FileEntry {
  const type = getType(stats);
  return {
    name: basename(real) || '/',
    path: real,
    type,
    size: type === 'file' ? stats.size : 0,
    modified: readTime(stats.mtimeMs),
  };
}

function getType(stats: Stats): FileEntry['type'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : 'other';
}

const longest = 8.64e15;

/** A file may claim a time that no calendar has. */
function readTime(milliseconds: number): string {
  return new Date(Math.max(-longest, Math.min(longest, milliseconds))).toISOString();
}
