/**
 * The file wall against a process that swaps folders, files, links and hard links under it: see
 * bench/files-race-swapper.js.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FileAccess } from '../../domain/reach.js';
import { openFiles } from './index.js';

const calls = 800;
const lanes = 8;
const bytes = Buffer.from('written');

let folder: string;
let root: string;
let outside: string;
let before: string;
let files: FileAccess;
let swapper: ChildProcess;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'helve-race-')));
  [root, outside] = [join(folder, 'root'), join(folder, 'outside')];
  await mkdir(root);
  await mkdir(outside);
  for (const name of ['file', 'victim', 'log', 'only-outside']) await writeFile(join(outside, name), 'CANARY');
  before = await picture();
  files = await openFiles({
    allowedPaths: [`${root}/**`],
    maxBytes: 10_000_000,
    writable: true,
    home: undefined,
    hidden: [],
  });
  const script = fileURLToPath(new URL('../../../bench/files-race-swapper.js', import.meta.url));
  swapper = spawn(process.execPath, [script, root, outside], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(swapper.stdout!, 'data');
});
afterAll(async () => {
  swapper.stdin?.end();
  await once(swapper, 'exit');
  await rm(folder, { recursive: true, force: true });
});

async function picture(): Promise<string> {
  const names = (await readdir(outside)).sort();
  return JSON.stringify(
    await Promise.all(names.map(async (name) => [name, await readFile(join(outside, name), 'utf8')])),
  );
}

const either = (n: number) => (n % 2 ? 'dir/file' : 'name');
const reads: Record<string, (n: number) => Promise<string>> = {
  read: async (n) => Buffer.from((await files.read(either(n))).bytes).toString(),
  list: async () => JSON.stringify(await files.list('dir', { limit: 1_000 })),
};
const changes: Record<string, (n: number) => Promise<unknown>> = {
  write: (n) => files.write(n % 4 ? either(n) : 'dir/new', bytes, 'overwrite'),
  append: (n) => files.write(n % 2 ? 'dir/log' : 'name', bytes, 'append'),
  delete: (n) => files.delete(n % 2 ? 'dir/victim' : 'dir/only-outside', { recursive: false }),
  async move(n) {
    const to = n % 3 ? `dir/moved-${n}` : `moved-${n}`;
    await files.move(n % 2 ? 'dir/victim' : 'name', to);
    await files.delete(to, { recursive: true });
  },
};

/** Returns the results, and how many calls succeeded; every other call must have been refused with a message. */
async function race(operation: (n: number) => Promise<unknown>, most = calls) {
  const answers: unknown[] = [];
  const strange: unknown[] = [];
  let next = 0;
  const lane = async () => {
    while (next < most) {
      try {
        answers.push(await operation(next++));
      } catch (error: any) {
        if (!/^(forbidden|not_found|conflict|ENOENT)$/.test(error.code)) strange.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return { answers, strange };
}
const leaked = (answers: unknown[]) => answers.filter((text) => /CANARY|only-outside/.test(String(text))).length;

test('R-files: the adversary is effective: a path that is checked before it is opened leaks', async () => {
  const { answers } = await race(async (n) => {
    const path = resolve(root, either(n));
    return path.startsWith(`${root}/`) ? readFile(path, 'utf8') : '';
  });
  expect(leaked(answers)).toBeGreaterThan(calls / 20);
});

test.each(Object.keys(reads))('R-files: racing %s leaks nothing', async (name) => {
  const { answers, strange } = await race(reads[name]!, calls * 2);
  expect([leaked(answers), strange]).toEqual([0, []]);
  expect(answers.length).toBeGreaterThan(calls / 20);
});

test.each(Object.keys(changes))('R-files: racing %s touches nothing outside', async (name) => {
  const { answers, strange } = await race(changes[name]!);
  expect([await picture(), strange]).toEqual([before, []]);
  expect(answers.length).toBeGreaterThan(0);
});
