/**
 * The package as npm would publish it, in an empty project with an empty home: how large it is, how quickly it serves, what
 * its doors are, and what it does without the packages that are added later. npm takes what it has from its cache.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pack } from './support/packed.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const bars = { installedMb: 150, serveMs: 30_000 };

let base: string;
let project: string;
let tarball: string;
let environment: Record<string, string>;
let server: ChildProcess | undefined;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'helve-package-'));
  project = join(base, 'project');
  await mkdir(project);
  ({ tarball, environment } = await pack(base));
  await writeFile(join(project, 'package.json'), '{"name":"empty","private":true}');
  const options = ['install', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', [...options, tarball], { cwd: project, env: environment });
}, 240_000);

afterAll(async () => {
  // The whole group: npx starts a shell, and that one the server.
  if (server?.pid !== undefined) process.kill(-server.pid, 'SIGKILL');
  await rm(base, { recursive: true, force: true });
});

/** As `npx helve` runs it, which takes as long again to find it: the server is started in that way. */
const helve = (...args: readonly string[]) =>
  run(join(project, 'node_modules/.bin/helve'), args, { cwd: project, env: environment }).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, said: stdout + stderr }),
  );

/** Megabytes on the disk, as `du` counts them; what has several names counts once. */
function megabytesOf(folder: string): number {
  const seen = new Set<number>();
  let blocks = 0;
  for (const path of ['', ...(readdirSync(folder, { recursive: true }) as string[])]) {
    const { ino, blocks: own } = lstatSync(join(folder, path));
    if (!seen.has(ino)) blocks += own;
    seen.add(ino);
  }
  return (blocks * 512) / 1_048_576;
}

test('R-operate: what is installed stays under 150 MB, and the package has no tests, no sources and no maps', async () => {
  expect(megabytesOf(join(project, 'node_modules'))).toBeLessThan(bars.installedMb);
  const own = join(project, 'node_modules/helve');
  const files = readdirSync(own, { recursive: true }) as string[];
  expect(
    files.filter((path) =>
      /\.map$|\.test\.|\/testing\/(?!index\.|test-helve\.)|(?:^|\/)\.[^/]|^(?:src|tests)\//.test(path),
    ),
  ).toEqual([]);
  expect(new Set(files.map((path) => path.split('/')[0]))).toEqual(
    new Set([
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'THIRD_PARTY_NOTICES.md',
      'bin',
      'dist',
      'package.json',
      'weights',
    ]),
  );
  expect(files).toContain('dist/panel/index.html');
});

test('R-operate: publint and attw find nothing to say about any entry of the package', async () => {
  const bin = join(root, 'node_modules/.bin');
  const lint = await run(join(bin, 'publint'), ['run', tarball, '--strict'], { cwd: base });
  expect(lint.stdout).toContain('All good!');
  await run(join(bin, 'attw'), [tarball, '--profile', 'esm-only', '--format', 'json'], {
    cwd: base,
    maxBuffer: 2 ** 27,
  });
}, 120_000);

test('R-operate: every entry can be imported where no other package is installed', async () => {
  const { exports } = JSON.parse(await readFile(join(project, 'node_modules/helve/package.json'), 'utf8'));
  const names = Object.keys(exports).filter((name) => name !== './package.json');
  expect(names.length).toBeGreaterThan(10);
  const code = names.map((name) => `await import(${JSON.stringify(name.replace('.', 'helve'))});`).join('\n');
  await run(process.execPath, ['--input-type=module', '-e', code], { cwd: project, env: environment });
});

test('R-operate: npx helve serve runs with the panel within 30 s, and a call is made', async () => {
  const from = Date.now();
  server = spawn('npx', ['--no-install', 'helve', 'serve', '--port', '0'], {
    cwd: project,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      said += chunk;
      if (said.includes('Stop with Ctrl-C')) resolve(/http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? '');
    };
    server?.stdout?.on('data', read);
    server?.stderr?.on('data', read);
    server?.once('close', () => reject(new Error(`It did not start:\n${said}`)));
  });
  expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'ok' });
  const page = await (await fetch(`${url}/panel/`)).text();
  expect(page).toContain('<script');
  const script = /src="([^"]+\.js)"/.exec(page)?.[1] ?? '';
  expect((await fetch(new URL(script, `${url}/panel/`))).status).toBe(200);
  expect(Date.now() - from).toBeLessThan(bars.serveMs);
  expect((await helve('call', 'calculate', '{"expression":"6*7"}')).said).toContain('42');
}, 60_000);

test('R-operate: what needs more packages says how to add them, and works when they are added, without a restart', async () => {
  await helve('grant', 'first', 'create_document');
  const make = [
    'call',
    'create_document',
    '{"format":"pdf","content":[{"type":"paragraph","text":"hi"}],"path":"a.pdf"}',
  ];
  const refused = await helve(...make);
  expect(refused.code).not.toBe(0);
  expect(refused.said).toContain('helve toolkits add documents');
  // One that a project has for itself, in a version that cannot check programs.
  const other = join(project, 'node_modules/typescript');
  await mkdir(other, { recursive: true });
  await writeFile(join(other, 'package.json'), '{"name":"typescript","version":"5.9.3"}');
  const program = join(base, 'program.ts');
  await writeFile(program, 'return 6 * 7');
  const unchecked = await helve('run', program, '--agent', 'first');
  expect(unchecked.code).not.toBe(0);
  expect(unchecked.said).toContain('helve toolkits add code');
  expect((await helve('doctor')).said).toMatch(/warning +packages for code/);

  expect(await helve('toolkits', 'add', 'documents')).toMatchObject({
    code: 0,
    said: expect.stringContaining('pdfkit'),
  });
  const made = await helve(...make);
  expect(made).toMatchObject({ code: 0, said: expect.stringContaining('"bytes"') });
  const pdf = await readFile(JSON.parse(made.said).path, 'base64');
  const read = ['call', 'ingest_document', JSON.stringify({ path: 'a.pdf', content_base64: pdf })];
  // Only what documents need was added, and the reader of PDF is among it; that of Word is not.
  expect(await helve(...read)).toMatchObject({ code: 0, said: expect.stringContaining('"text":1') });
  expect((await helve('doctor')).said).toMatch(/warning +packages for knowledge .*mammoth/);
  expect(await helve('toolkits', 'add', 'code')).toMatchObject({ code: 0 });
  expect((await helve('toolkits', 'add', 'code')).said).toContain('All packages are already installed');
  expect(await helve('run', program, '--agent', 'first')).toMatchObject({
    code: 0,
    said: expect.stringContaining('42'),
  });
  expect((await helve('doctor')).said).toMatch(/ok +packages for code/);
}, 240_000);

test('R-operate: the bill of materials names what npm installs with the package, and what the panel contains', async () => {
  const { stdout } = await run(process.execPath, ['scripts/sbom.js'], { cwd: root, maxBuffer: 2 ** 27 });
  const { bomFormat, components } = JSON.parse(stdout);
  expect(bomFormat).toBe('CycloneDX');
  const listed = components as {
    name: string;
    version: string;
    purl: string;
    properties: unknown[];
    hashes: unknown[];
  }[];
  const names = listed.map(({ name, version }) => `${name}@${version}`);
  expect(listed.filter(({ hashes, purl }) => hashes.length === 0 || !purl.startsWith('pkg:npm/'))).toEqual([]);
  const lock = JSON.parse(await readFile(join(project, 'node_modules/.package-lock.json'), 'utf8')).packages;
  const missing = Object.keys(lock)
    .map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
    .filter((name) => name !== 'helve' && !names.some((one) => one.startsWith(`${name}@`)));
  expect(missing).toEqual([]);
  expect(names.some((name) => name.startsWith('react-dom@'))).toBe(true);
  expect(names.filter((name) => /^(?:typescript|vitest|vite|exceljs)@/.test(name))).toEqual([]);
});
