/** Creates a folder and its parent folders, for the owner only. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** One level at a time: Node's own recursive mkdir never returns if a file system refuses with ENOENT (/proc). */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, 0o700);
  } catch (thrown) {
    // Another process created it first.
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
  }
}
