/** Whether a process is alive, asked from the same pid namespace and from another. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import { afterAll, describe, expect, test } from 'vitest';
import { mayBeMissing } from '../testing/needs.js';
import { findUnshare } from '../testing/unshare.js';
import { type ProcessIdentity, processLives, thisProcess } from './process-identity.js';

const ownProc = findUnshare('--pid', '--fork', '--mount-proc');
const foreignProc = findUnshare('--pid', '--fork');
const obstacle = ownProc && foreignProc ? undefined : 'unshare (util-linux) cannot make a pid namespace here';

const folder = mkdtempSync(join(tmpdir(), 'helve-identity-'));
const program = join(folder, 'main.mjs');
const source = readFileSync(fileURLToPath(new URL('process-identity.ts', import.meta.url)), 'utf8');
const { code } = transformSync(source, { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } });
writeFileSync(
  program,
  `${code}
const asked = JSON.parse(process.argv[2]);
process.stdout.write(JSON.stringify({ self: thisProcess(), lives: processLives(asked) ?? 'unknown' }) + '\\n');
process.stdin.resume();`,
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Answer {
  readonly self: ProcessIdentity;
  readonly lives: boolean | 'unknown';
}

/** Starts another process and reads, while it runs, its own identity and its view of this process. */
async function withOther<T>(command: readonly string[], look: (answer: Answer) => T): Promise<{ seen: T } & Answer> {
  const [file = '', ...words] = [...command, process.execPath, program, JSON.stringify(thisProcess())];
  const child = spawn(file, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const line = await new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data))));
  const answer = JSON.parse(line) as Answer;
  const seen = look(answer);
  child.stdin.end();
  await ended;
  return { ...answer, seen };
}

describe('R-pipeline: whether a process is alive', () => {
  test('R-pipeline: two processes in one namespace see each other until one has ended', async () => {
    const { self, lives, seen } = await withOther(['env'], (answer) => processLives(answer.self));
    expect([lives, seen]).toEqual([true, true]);
    expect(processLives(self)).toBe(false);
    expect(processLives(thisProcess())).toBe(true);
  });

  test('R-pipeline: a process that has ended is dead, although its parent never asks how', async () => {
    const words = ['-c', '"$@" & exec sleep 60', 'sh', process.execPath, program, JSON.stringify(thisProcess())];
    const parent = spawn('sh', words, { stdio: ['ignore', 'pipe', 'inherit'] });
    const line = await new Promise<string>((resolve) => parent.stdout.once('data', (data) => resolve(String(data))));
    const { self } = JSON.parse(line) as Answer;
    const state = () => /\) (\S)/.exec(readFileSync(`/proc/${self.pid}/stat`, 'utf8'))?.[1];
    // Without a standard input it ends by itself.
    await expect.poll(state).toBe('Z');
    expect(processLives(self)).toBe(false);
    parent.kill('SIGKILL');
  });

  test('R-pipeline: a reused pid is another process', () => {
    const self = thisProcess();
    expect(processLives({ ...self, startToken: self.startToken.replace(/\d+$/, '1') })).toBe(false);
  });

  test.each([
    ['another machine', { host: 'elsewhere' }],
    ['a machine of this name that was started another time', { startToken: 'boot/pid:[4026531836]/7' }],
    ['a system that reports only a pid', { startToken: '' }],
    ['an identity without a pid namespace', { startToken: thisProcess().startToken.replace(/\/pid:[^/]*/, '') }],
  ])('R-pipeline: nothing is known about a process of %s', (_, other) => {
    for (const pid of [process.pid, 2 ** 22 - 1])
      expect(processLives({ ...thisProcess(), pid, ...other })).toBeUndefined();
  });

  test.skipIf(mayBeMissing(obstacle) !== undefined)(
    'R-pipeline: two containers with one host name do not consider each other dead',
    async () => {
      const { self, lives, seen } = await withOther(ownProc ?? [], (answer) => processLives(answer.self));
      expect(self.host).toBe(thisProcess().host);
      expect(self.pid).not.toBe(process.pid);
      expect([lives, seen]).toEqual(['unknown', undefined]);
    },
  );

  test.skipIf(mayBeMissing(obstacle) !== undefined)(
    'R-pipeline: a /proc that belongs to other processes is ignored',
    async () => {
      const { self, lives } = await withOther(foreignProc ?? [], () => undefined);
      expect([self.startToken, lives]).toEqual(['', 'unknown']);
    },
  );
});
