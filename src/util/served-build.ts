/** Marks the build folder while a process runs from it, so that no build replaces it (`scripts/build.js`). */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { thisProcess } from './process-identity.js';

/**
 * The mark lasts until the process ends. If the folder is not writable, it cannot be built into either, so nothing is
 * marked.
 */
export function markBuildServed(dist: string): void {
  const folder = join(dist, '.serving');
  const path = join(folder, `${process.pid}.json`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, JSON.stringify(thisProcess()));
  } catch {
    return;
  }
  process.once('exit', () => rmSync(path, { force: true }));
}
