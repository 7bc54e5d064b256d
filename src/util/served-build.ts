/** Says in the build folder that a process runs from it, so that nothing is built under it (`scripts/build.js`). */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { thisProcess } from './process-identity.js';

/** Until the process ends. A folder that cannot be written cannot be built into either: nothing is said then. */
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
