/**
 * What may be deleted or moved as a whole: a name in a folder, but not what the operator placed there for Helve itself.
 */
import { HelveError } from '../../domain/errors.js';
import { holding, type Pinned, pinChild } from './descriptors.js';
import { isSpecial, notFound, quoted } from './failures.js';
import { pinTarget, type Spot, type Wall } from './wall.js';

export async function pinEntry(wall: Wall, { folder, name, real }: Spot, path: string): Promise<Pinned> {
  if (wall.places.isRoot(real)) {
    throw new HelveError('forbidden', `${quoted(path)} is the allowed folder itself`, {
      hint: 'Its contents can be deleted and moved, the folder cannot.',
    });
  }
  requireFree(wall, real, path);
  const entry = await pinChild(folder, name);
  if (!entry) throw notFound(path);
  try {
    await requirePlain(wall, entry, path);
    if (await wall.hidden.isAbove(entry)) throw holdsHidden(path);
    return entry;
  } catch (error) {
    await entry.handle.close();
    throw error;
  }
}

/** A link counts as itself here; one that leads outside is the operator's, or a trap. */
async function requirePlain(wall: Wall, { stats }: Pinned, path: string): Promise<void> {
  if (stats.isSymbolicLink()) await holding(pinTarget(wall, path), async () => undefined);
  else if (!stats.isFile() && !stats.isDirectory()) throw isSpecial(path);
}

/**
 * A folder, or a link, on the way to something hidden must not be replaced: another one in its place would lead
 * elsewhere.
 */
export function requireFree(wall: Wall, real: string, path: string): void {
  if (wall.places.isAboveHidden(real)) throw holdsHidden(path);
}

/** A folder takes all its contents along: none of them may be out of the caller's reach. */
export function requireTree(wall: Wall, real: string, path: string): void {
  if (wall.places.allowsTree(real)) return;
  throw holdsHidden(path);
}

const holdsHidden = (path: string): HelveError =>
  new HelveError('forbidden', `${quoted(path)} may contain something that this tool may not reach`, {
    hint: 'Name single files instead of the whole folder.',
  });
