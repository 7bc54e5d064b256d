/**
 * Writes one file. An overwrite is a new file next to the old one that takes its name once it is complete and on disk;
 * so a reader meanwhile, or after a crash, sees the old content or the new and nothing in between. A crash in the
 * middle may leave a `.helve-….part` behind.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { child, holding, noLink, type Pinned, pinChild, requireUnmoved, syncFolder } from './descriptors.js';
import { changedMeanwhile, getCode, isFolder, severalNames, tooLarge } from './failures.js';
import { requireFile } from './read.js';
import { type Owner, pinSpot, pinTarget, type Spot, type Wall } from './wall.js';

const { O_APPEND, O_CREAT, O_EXCL, O_NOCTTY, O_NONBLOCK, O_WRONLY } = constants;

export type WriteMode = 'overwrite' | 'append';

export async function writeFile(
  wall: Wall,
  path: string,
  bytes: Uint8Array,
  mode: WriteMode,
): Promise<{ path: string }> {
  if (bytes.length > wall.maxBytes) throw tooLarge(path, bytes.length, wall.maxBytes);
  const behind = await writeHere(wall, path, bytes, mode);
  if (!('link' in behind)) return behind;
  // A link is written through, to its target if that is allowed. If the target becomes a link too, another process is
  // racing us.
  const target = await holding(pinTarget(wall, path), async ({ real }) => real);
  const written = await writeHere(wall, target, bytes, mode);
  if ('link' in written) throw changedMeanwhile(path);
  return written;
}

async function writeHere(
  wall: Wall,
  path: string,
  bytes: Uint8Array,
  mode: WriteMode,
): Promise<{ path: string } | { link: true }> {
  return holding(pinSpot(wall, path), async (spot) => {
    if (wall.places.isFolderRoot(spot.real)) throw isFolder(path);
    const old = await pinChild(spot.folder, spot.name);
    try {
      if (old?.stats.isSymbolicLink()) return { link: true };
      if (old) await requireWritable(old, path);
      if (mode === 'overwrite') await replace(spot, bytes, { old, owner: wall.owner });
      else if (old) await append(wall, old, bytes, path);
      else await create(spot, bytes, { path, owner: wall.owner });
      return { path: spot.real };
    } finally {
      await old?.handle.close();
    }
  });
}

/** A file that is not writable is left alone, although replacing it would not need its permission. */
async function requireWritable(old: Pinned, path: string): Promise<void> {
  requireFile(old, path);
  await access(old.via, constants.W_OK);
}

async function replace(
  { folder, name }: Spot,
  bytes: Uint8Array,
  { old, owner }: { readonly old: Pinned | undefined; readonly owner: Owner | undefined },
): Promise<void> {
  const part = child(folder, `.helve-${randomBytes(12).toString('hex')}.part`);
  const handle = await open(part, O_WRONLY | O_CREAT | O_EXCL | noLink, old ? 0o600 : 0o666);
  try {
    try {
      await handle.writeFile(bytes);
      if (old) await dressAs(handle, old);
      else if (owner) await handle.chown(owner.uid, owner.gid);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await requireUnmoved(folder);
    await rename(part, child(folder, name));
  } catch (error) {
    await unlink(part).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
}

/** Copies owner and permissions of the replaced file; only root can give a file away, so that may fail. */
async function dressAs(handle: FileHandle, { stats }: Pinned): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== stats.uid || own.gid !== stats.gid) await handle.chown(stats.uid, stats.gid).catch(() => undefined);
  await handle.chmod(stats.mode & 0o777);
}

async function append(wall: Wall, old: Pinned, bytes: Uint8Array, path: string): Promise<void> {
  // Appending would change the file under all its names.
  if (old.stats.nlink > 1) throw severalNames(path);
  const size = old.stats.size + bytes.length;
  if (size > wall.maxBytes) throw tooLarge(path, size, wall.maxBytes);
  const handle = await open(old.via, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY);
  await writeAndSync(handle, bytes);
}

async function create(
  { folder, name }: Spot,
  bytes: Uint8Array,
  { path, owner }: { readonly path: string; readonly owner: Owner | undefined },
): Promise<void> {
  await requireUnmoved(folder);
  const flags = O_WRONLY | O_APPEND | O_CREAT | O_EXCL | noLink;
  const handle = await open(child(folder, name), flags, 0o666).catch((error: unknown) => {
    throw getCode(error) === 'EEXIST' ? changedMeanwhile(path) : error;
  });
  if (owner) await handle.chown(owner.uid, owner.gid);
  await writeAndSync(handle, bytes);
  await syncFolder(folder);
}

async function writeAndSync(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
