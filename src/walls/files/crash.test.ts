/** A process that is killed while overwriting leaves either the complete old file or the complete new one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFiles } from './index.js';

const length = 400_000;
const sources = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helve-crash-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const limits = () => ({
  allowedPaths: [`${folder}/**`],
  maxBytes: 10_000_000,
  writable: true,
  home: undefined,
  hidden: [],
});
const isWhole = (text: string) => text.length === length && text === (text[0] ?? '').repeat(length);

test('R-files: a reader during an overwrite sees one complete content', async () => {
  const files = await openFiles(limits());
  await files.write('live', Buffer.alloc(length, 'a'), 'overwrite');
  let writing = true;
  const writer = (async () => {
    for (let round = 0; round < 60; round++)
      await files.write('live', Buffer.alloc(length, 'abc'[round % 3]), 'overwrite');
    writing = false;
  })();
  const seen = new Set<string>();
  while (writing) {
    const text = await readFile(join(folder, 'live'), 'utf8');
    expect(isWhole(text)).toBe(true);
    seen.add(text[0] ?? '');
  }
  await writer;
  expect(seen.size).toBeGreaterThan(1);
});

/** The wall's own sources as plain JavaScript, for a process that can be killed. */
async function compile(): Promise<string> {
  const target = join(folder, 'built');
  for (const source of [
    'domain/errors.ts',
    'util/computed-once.ts',
    'util/defined.ts',
    ...(await readdir(join(sources, 'walls/files'))).map((n) => `walls/files/${n}`),
  ]) {
    if (source.endsWith('.test.ts')) continue;
    const { code } = await transform(await readFile(join(sources, source), 'utf8'), {
      filename: source,
      configFile: false,
      swcrc: false,
      module: { type: 'es6' },
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    });
    const file = join(target, source.replace(/\.ts$/, '.js'));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, code);
  }
  await symlink(join(sources, '../node_modules'), join(target, 'node_modules'));
  await writeFile(join(target, 'package.json'), '{"type":"module"}');
  await writeFile(join(target, 'main.js'), program);
  return join(target, 'main.js');
}

const program = `
import { openFiles } from './walls/files/index.js';
const files = await openFiles(JSON.parse(process.argv[2]));
process.stdout.write('ready');
for (let round = 0; ; round++) await files.write('file', Buffer.alloc(${length}, 'abc'[round % 3]), 'overwrite');
`;

test('R-files: a kill at any moment leaves one complete content', async () => {
  const main = await compile();
  const files = await openFiles(limits());
  await files.write('file', Buffer.alloc(length, 'z'), 'overwrite');
  // Some kills must hit the middle of a write, and some writes must end: otherwise this test proves nothing.
  const seen = { partly: false, written: false };
  for (let kill = 0; kill < 12 || !seen.partly || !seen.written; kill++) {
    const child = spawn(process.execPath, [main, JSON.stringify(limits())], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    await sleep(2 + (kill % 12) * 3);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const text = await readFile(join(folder, 'file'), 'utf8');
    expect(isWhole(text), `kill ${kill}`).toBe(true);
    seen.written ||= !text.startsWith('z');
    seen.partly ||= (await readdir(folder)).some((name) => name.endsWith('.part'));
  }
}, 120_000);
