/** Makes a folder and the ones above it, for its owner only. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** One level at a time: Node's own recursive mkdir never returns where a file system refuses with ENOENT (/proc). */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, 0o700);
  } catch (thrown) {
    // Another process was quicker.
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
  }
}
