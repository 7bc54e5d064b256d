/** Replaces a file by a complete new one: a reader finds the old or the new content, even after a crash. */
import { randomUUID } from 'node:crypto';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** An older part was left by a process that was killed. */
const abandonedMs = 10 * 60_000;

/**
 * Writes `pieces`, one after the other, to a file for the owner only. The folder must exist. Throws what the file
 * system throws; the old content then stays.
 */
export async function replaceFile(path: string, pieces: Iterable<Uint8Array>): Promise<void> {
  await removeAbandoned(path);
  const part = `${path}.${randomUUID()}.part`;
  try {
    const file = await open(part, 'wx', 0o600);
    try {
      for (const piece of pieces) await file.writeFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (thrown) {
    await rm(part, { force: true });
    throw thrown;
  }
}

async function removeAbandoned(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(path)}.`) || !name.endsWith('.part')) continue;
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > abandonedMs) await rm(join(folder, name), { force: true });
  }
}
