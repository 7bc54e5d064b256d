/**
 * A whole coding task: a repository with a red test on a git server, an agent that clones it, reads and writes through its tools, pushes a
 * branch, and is verified by the repository's own tests. Its first attempt is wrong, its second one right. The server is `git daemon`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Check, CheckResult } from '../../src/domain/task.js';
import { createTestHelve, type TestHelve } from '../../src/testing/index.js';
import { mayBeMissing } from '../../src/testing/needs.js';
import { missing as noSandbox } from '../commands/ground.js';

const daemon = join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-daemon');
/** Programs that a sandbox sees. */
const hasNode = ['/usr/local/bin/node', '/usr/bin/node'].some((path) => existsSync(path));
const missing =
  noSandbox ??
  mayBeMissing(existsSync(daemon) ? (hasNode ? undefined : 'no node in /usr/bin') : `${daemon} is not installed`);

let folder: string;
let dataDir: string;
let server: ChildProcess;
let url: string;
let helve: TestHelve;

const git = (cwd: string, ...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=owner', '-c', 'user.email=owner@example.com', ...words], {
    cwd,
    encoding: 'utf8',
    stdio: 'pipe',
  });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'helve-coding-'));
  dataDir = mkdtempSync(join(tmpdir(), 'helve-coding-data-'));
  const [bare, first] = [join(folder, 'git', 'shop.git'), join(folder, 'first')];
  for (const path of [bare, first]) mkdirSync(path, { recursive: true });
  git(bare, 'init', '-q', '--bare', '-b', 'main');
  git(first, 'init', '-q', '-b', 'main');
  writeFileSync(join(first, 'sum.mjs'), 'export const sum = (prices) => prices[0];\n');
  writeFileSync(
    join(first, 'sum.test.mjs'),
    [
      "import assert from 'node:assert';",
      "import { test } from 'node:test';",
      "import { sum } from './sum.mjs';",
      "test('adds every price', () => assert.equal(sum([1, 2, 3]), 6));",
      "test('an empty basket costs nothing', () => assert.equal(sum([]), 0));",
      '',
    ].join('\n'),
  );
  git(first, 'add', '.');
  git(first, 'commit', '-qm', 'A shop');
  git(first, 'push', '-q', bare, 'main');
  const port = await freePort();
  url = `git://127.0.0.1:${port}/shop.git`;
  const words = ['--listen=127.0.0.1', `--port=${port}`, `--base-path=${join(folder, 'git')}`, '--export-all'];
  server = spawn(daemon, ['--verbose', '--enable=receive-pack', ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on('data', (text) => String(text).includes('Ready to rumble') && resolve());
    server.once('exit', (code) => reject(new Error(`git daemon ended with ${code}`)));
  });
});

afterEach(async () => {
  await helve?.close();
  server.kill();
  for (const path of [folder, dataDir]) rmSync(path, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const socket = createServer();
  await new Promise<void>((resolve) => socket.listen(0, '127.0.0.1', resolve));
  const { port } = socket.address() as { port: number };
  await new Promise((resolve) => socket.close(resolve));
  return port;
}

type Call = readonly [tool: string, input: object];
const run = (...argv: string[]): Call => ['run_command', { argv, timeout: 30 }];
const identity = ['-c', 'user.name=coder', '-c', 'user.email=coder@example.com'];
const shop = (...words: string[]): Call => run('git', '-C', 'shop', ...identity, ...words);

/** By attempt: the calls of each answer, until the last one, which is only text. */
const attempts: readonly (readonly (readonly Call[])[])[] = [
  [
    [run('git', 'clone', '-q', 'URL', 'shop')],
    [
      ['read_file', { path: 'shop/sum.mjs' }],
      ['read_file', { path: 'shop/sum.test.mjs' }],
      shop('switch', '-c', 'fix'),
    ],
    [
      [
        'write_file',
        { path: 'shop/sum.mjs', content: 'export const sum = (prices) => prices.reduce((a, b) => a + b);\n' },
      ],
    ],
    [shop('commit', '-qam', 'Add every price')],
    [shop('push', '-q', '-u', 'origin', 'fix')],
  ],
  [
    [['read_file', { path: '/work/shop/sum.mjs' }]],
    [
      [
        'write_file',
        { path: '/work/shop/sum.mjs', content: 'export const sum = (prices) => prices.reduce((a, b) => a + b, 0);\n' },
      ],
    ],
    [shop('commit', '-qam', 'An empty basket costs nothing')],
    [shop('push', '-q')],
  ],
];

function scripted() {
  const prompts: string[] = [];
  const failures: string[] = [];
  return {
    prompts,
    failures,
    modelId: 'scripted',
    async doGenerate(question: unknown) {
      const { prompt } = question as { prompt: { role: string; content: unknown }[] };
      const begun = JSON.stringify(prompt.find(({ role }) => role === 'user')?.content);
      const said = prompt.filter(({ role }) => role === 'assistant').length;
      if (said === 0) prompts.push(begun);
      const results = prompt.filter(({ role }) => role === 'tool').map(({ content }) => JSON.stringify(content));
      failures.push(...results.filter((text) => /exit_code\W+[1-9]|not_granted|not_found/.test(text)));
      const attempt = Number(/This is attempt (\d+)/.exec(begun)?.[1] ?? 1);
      const calls = attempts[attempt - 1]?.[said] ?? [];
      const content = calls.map(([toolName, input], at) => {
        const text = JSON.stringify(input).replace('URL', url);
        return { type: 'tool-call', toolCallId: `c${said}-${at}`, toolName, input: text };
      });
      return {
        content: content.length > 0 ? content : [{ type: 'text', text: 'It is on the branch fix.' }],
        finishReason: content.length > 0 ? 'tool-calls' : 'stop',
        usage: { inputTokens: 10, outputTokens: 5 },
      };
    },
  };
}

test.skipIf(missing)(
  `R-agent-worker: a red repository is fixed, refused by its own tests, and green after the next attempt${missing ? ` (skipped: ${missing})` : ''}`,
  async () => {
    const model = scripted();
    const run_command = { allowed_commands: ['git', 'node'], network: true, memory_mb: 1_024 };
    helve = await createTestHelve({
      dataDir,
      granted: ['run_command', 'read_file', 'write_file'],
      toolConfig: { run_command } as never,
      models: { language: model },
    });
    const tests: Check = { kind: 'command', command: ['node', '--test', 'shop/'], timeoutSeconds: 25 };
    const pushed: Check = { kind: 'command', command: ['git', '-C', 'shop', 'diff', '--exit-code', 'origin/fix'] };
    const { id } = await helve.plane.createIssue(helve.admin, {
      title: 'The basket has the wrong total',
      body: `The repository is ${url}. Push a branch.`,
      checks: [tests, pushed, { kind: 'files', paths: ['shop/sum.mjs'], pattern: 'reduce' }],
    });
    await helve.plane.assignIssue(helve.admin, id, { agent: 'tester' });
    const seen: string[] = [];
    for await (const issue of helve.plane.followIssue(helve.admin, id, AbortSignal.timeout(120_000))) {
      const { passed } = (issue.verification ?? {}) as { passed?: boolean };
      const state = `${issue.state} ${issue.attempts}${passed === undefined ? '' : ` ${passed ? 'green' : 'red'}`}`;
      if (seen.at(-1) !== state) seen.push(state);
      if (issue.state === 'done' || issue.state === 'failed') break;
    }
    const done = await helve.plane.getIssue(helve.admin, id);
    expect(done, JSON.stringify(done.lastError)).toMatchObject({ state: 'done', attempts: 2 });
    expect(seen).toContain('executing 2 red');
    expect(seen.at(-1)).toBe('done 2 green');
    expect(model.failures).toEqual([]);
    // The second attempt has read what the tests said about the first.
    expect(model.prompts).toHaveLength(2);
    expect(model.prompts[1]).toMatch(/command node --test shop\/: It ended with exit code 1, not 0/);
    const { evidence } = done.verification as unknown as { evidence: CheckResult[] };
    expect(evidence.map(({ check, passed }) => [check, passed])).toEqual([
      ['command node --test shop/', true],
      ['command git -C shop diff --exit-code origin/fix', true],
      ['files', true],
    ]);
    // What the server has is what was verified: both commits, once each, and the main branch as it was.
    const bare = join(folder, 'git', 'shop.git');
    expect(git(bare, 'log', '--format=%s', 'fix').trim().split('\n')).toEqual([
      'An empty basket costs nothing',
      'Add every price',
      'A shop',
    ]);
    expect(git(bare, 'log', '--format=%s', 'main').trim()).toBe('A shop');
    expect(git(bare, 'show', 'fix:sum.mjs')).toContain('a + b, 0');
  },
  180_000,
);
