/** The package as npm would publish it, and an environment as on a new machine: an empty home, and npm's cache of this one. */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cleanEnvironment } from './server.js';

const run = promisify(execFile);

export interface Packed {
  readonly tarball: string;
  readonly environment: Record<string, string>;
}

/** Packs what is built: `npm test` has just built it, and `prepack` would do it again. `folder` gets the file and the home. */
export async function pack(folder: string): Promise<Packed> {
  const home = join(folder, 'home');
  await mkdir(home);
  const cache = (await run('npm', ['config', 'get', 'cache'])).stdout.trim();
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], { cwd: root });
  return {
    tarball: join(folder, JSON.parse(packed.stdout)[0].filename),
    environment: { ...cleanEnvironment(), HOME: home, npm_config_cache: cache, npm_config_prefer_offline: 'true' },
  };
}
