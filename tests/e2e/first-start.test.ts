/**
 * A fresh clone without what only tests need: `npm start` builds it and serves, and nothing is built while a server runs. The
 * copy links to the packages that `npm ci` installs, and to no others.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanEnvironment } from './support/server.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

let clone: string;
let server: ChildProcess | undefined;
beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'helve-clone-'));
  for (const name of ['bin', 'scripts', 'src', 'weights', 'package.json', 'package-lock.json'])
    await cp(join(root, name), join(clone, name), { recursive: true });
  for (const name of await readdir(root))
    if (/^tsconfig.*\.json$/.test(name)) await cp(join(root, name), join(clone, name));
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { peer?: boolean }>;
  };
  for (const [path, { peer }] of Object.entries(packages)) {
    const isTop = /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path);
    if (!isTop || peer || !(await stat(join(root, path)).catch(() => undefined))) continue;
    await mkdir(dirname(join(clone, path)), { recursive: true });
    await symlink(join(root, path), join(clone, path));
  }
}, 60_000);
afterAll(async () => {
  server?.kill('SIGKILL');
  await rm(clone, { recursive: true, force: true });
});

const build = (): Promise<{ code: number; stderr: string }> =>
  run(process.execPath, ['scripts/build.js', '--if-stale'], { cwd: clone }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }) => ({ code, stderr }),
  );

test('R-cli: npm start builds and serves with what npm ci installs, and never builds under a server', async () => {
  await expect(stat(join(clone, 'node_modules/vitest'))).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(stat(join(clone, 'node_modules/@types/node'))).rejects.toMatchObject({ code: 'ENOENT' });
  const child = spawn('npm', ['start', '--', '--port', '0', '--data', join(clone, 'data')], {
    cwd: clone,
    env: cleanEnvironment(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  server = child;
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      said += chunk;
      if (said.includes('Stop with Ctrl-C')) resolve();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('close', () => reject(new Error(`It did not start:\n${said}`)));
  });
  expect(said).toContain('Building…');
  const helve = join(clone, 'bin/helve.js');
  const call = ['call', 'calculate', '{"expression":"6*7"}', '--data', join(clone, 'data')];
  expect((await run(process.execPath, [helve, ...call])).stdout).toContain('42');

  const main = join(clone, 'dist/surfaces/cli/main.js');
  const before = (await stat(main)).mtimeMs;
  expect(await build()).toEqual({ code: 0, stderr: '' });
  await appendFile(join(clone, 'src/surfaces/cli/main.ts'), '\nprocess.once("exit", () => undefined);\n');
  expect(await build()).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^error: Helve runs from this folder/),
  });
  expect((await stat(main)).mtimeMs).toBe(before);

  // The whole group, as Ctrl-C ends it.
  const ended = new Promise((done) => child.once('close', done));
  process.kill(-(child.pid ?? 0), 'SIGINT');
  await ended;
  expect(await build()).toEqual({ code: 0, stderr: 'The sources have changed: building…\n' });
  expect((await stat(main)).mtimeMs).toBeGreaterThan(before);
  expect(await build()).toEqual({ code: 0, stderr: '' });
}, 120_000);

test('R-cli: the mark of a server that a restart of the machine ended blocks no build; a mark from another machine says what to do', async () => {
  const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim();
  const serving = join(clone, 'dist/.serving');
  const mark = async (name: string, facts: object) => {
    await mkdir(serving, { recursive: true });
    await writeFile(join(serving, name), JSON.stringify({ pid: process.pid, ...facts }));
    await appendFile(join(clone, 'src/surfaces/cli/main.ts'), '\n');
  };
  await mark('1.json', { host: 'another-machine', startToken: `${boot}/pid:[1]/1` });
  expect(await build()).toMatchObject({ code: 1, stderr: expect.stringContaining(join(serving, '1.json')) });
  await rm(join(serving, '1.json'));
  await mark('2.json', { host: hostname(), startToken: 'an-earlier-boot/pid:[1]/1' });
  // If the system does not identify its boots, nothing can be known about the process.
  expect(await build()).toMatchObject({ code: boot === '' ? 1 : 0 });
}, 120_000);

test('R-cli: nothing is built or run when the package is installed', async () => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const hook of ['prepare', 'preinstall', 'install', 'postinstall']) expect(scripts).not.toHaveProperty(hook);
});
