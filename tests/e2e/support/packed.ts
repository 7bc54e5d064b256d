/** The package as npm would publish it, and an environment as on a new machine: an empty home, and npm's cache of this one. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { memoryFolderName } from '../../memory-folder.js';
import { cleanEnvironment } from './server.js';

const run = promisify(execFile);

export interface Packed {
  readonly tarball: string;
  readonly environment: Record<string, string>;
}

/** Nothing that Helve needs is built by a script of its package, and npm need not tell of itself or of other packages. */
const npmSettings = {
  npm_config_prefer_offline: 'true',
  npm_config_ignore_scripts: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
};

/**
 * Packs what is built: `npm test` has just built it, and `prepack` would do it again. `folder` gets the home. The file is
 * made once for all tests of a run, in the memory folder that the run has for itself; where there is none, for each.
 */
export async function pack(folder: string): Promise<Packed> {
  const home = join(folder, 'home');
  await mkdir(home);
  const cache = (await run('npm', ['config', 'get', 'cache'])).stdout.trim();
  return {
    tarball: isOfThisRun(tmpdir()) ? await packOnce(join(tmpdir(), 'helve-packed')) : await packInto(folder),
    environment: { ...cleanEnvironment(), ...npmSettings, HOME: home, npm_config_cache: cache },
  };
}

const isOfThisRun = (folder: string): boolean => basename(folder).startsWith(memoryFolderName);

/** Two test files at the same time may both pack: the first that is done gives both its file. */
async function packOnce(target: string): Promise<string> {
  const present = await readdir(target).catch(() => []);
  if (present[0] !== undefined) return join(target, present[0]);
  const draft = await mkdtemp(`${target}-`);
  const tarball = basename(await packInto(draft));
  await rename(draft, target).catch(async (error: NodeJS.ErrnoException) => {
    await rm(draft, { recursive: true });
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  return join(target, tarball);
}

async function packInto(folder: string): Promise<string> {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], { cwd: root });
  return join(folder, JSON.parse(packed.stdout)[0].filename);
}
