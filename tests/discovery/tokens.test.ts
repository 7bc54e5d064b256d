/** What `bench/discovery/tokens.js` runs, on the bundled tools: a scripted model in a loop of the AI SDK. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toolsFor } from '../../src/sdk/ai-sdk.js';
import { createTestHelve, type TestHelve } from '../../src/testing/index.js';

const bench = new URL('../../bench/discovery/tokens/', import.meta.url);
const load = (name: string): Promise<any> => import(new URL(name, bench).href);
const [{ task }, { runTasks, judge }, { startModel, shownParameters, isEnough }, { tokensOf }, { summaryOf }] =
  await Promise.all(['task.js', 'loop.js', 'model.js', 'count.js', 'table.js'].map(load));

const tasks = [
  task('What is 19 per cent of 2350?', 'calculate an expression', ['calculate', { expression: '2350 * 0.19' }]),
  task('Keep in mind under “colour” that I like blue', 'store a value under a key', [
    'key_value_set',
    { key: 'colour', value: 'blue' },
  ]),
  task('Write “milk” into the file shopping.txt', 'write a file', [
    'write_file',
    { path: 'shopping.txt', content: 'milk' },
  ]),
  task('Show me the file shopping.txt', 'read a file', ['read_file', { path: 'shopping.txt' }]),
  task('Make a directory for invoices', 'create a directory', ['create_directory', { path: 'invoices' }]),
];

const wanted = ['math', 'key_value', 'files', 'shell', 'http', 'results', 'discovery'];
let folder: string;
let helve: TestHelve;
let model: any;

beforeAll(async () => {
  // For a keyword that OpenAI's package finds and the adapter preserves.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  folder = await mkdtemp(join(tmpdir(), 'helve-tokens-'));
  const { nativeToolkits } = await import('../../src/toolkits/index.js');
  helve = await createTestHelve({
    dataDir: folder,
    nativeToolkits: nativeToolkits.filter(({ slug }) => wanted.includes(slug)),
  });
  model = await startModel();
});
afterAll(async () => {
  await model.stop();
  await helve.close();
  await rm(folder, { recursive: true, force: true });
});

const argumentsFor = (asked: any, name: string) => asked.tools.find(({ id }: any) => id === name)?.arguments;
/** By the record's name of the tool, such as `Key-value store.keyValueSet`. */
const ofRecord = (asked: any, recorded: string) => {
  const name = recorded.slice(recorded.lastIndexOf('.') + 1).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return argumentsFor(asked, name);
};

async function run(way: 'all' | 'meta', asked: readonly any[], record = ofRecord): Promise<any[]> {
  await helve.plane.changeAgent(helve.admin, 'tester', { toolMode: way === 'all' ? 'direct' : 'meta' });
  const setting = { helve, toolsFor, model, principal: { agent: 'tester' } };
  const rows = await runTasks(setting, way, asked, (one: any) => (name: string) => argumentsFor(one, name));
  return judge(rows, await helve.audited(), record);
}

describe('tokens to success', () => {
  test('R-meta-tools: five tasks succeed both ways, as the record shows; the meta-tools need fewer tokens', async () => {
    const direct = await run('all', tasks);
    const meta = await run('meta', tasks);
    for (const row of [...direct, ...meta])
      expect([row.way, row.task.ask, row.succeeded, row.error, row.trace.told]).toEqual([
        row.way,
        row.task.ask,
        true,
        undefined,
        expect.any(String),
      ]);
    expect(direct.map(({ turns }) => turns.length)).toEqual([2, 2, 2, 2, 2]);
    for (const { turns, trace } of meta)
      expect(turns.length).toBe(2 + trace.searches.length + (trace.described ? 1 : 0));
    // Each turn sends the same definitions, and the conversation only grows.
    for (const { turns } of [...direct, ...meta]) {
      expect(new Set(turns.map(({ tools }: any) => tools)).size).toBe(1);
      for (const [at, { messages }] of turns.entries()) expect(messages).toBeGreaterThan(turns[at - 1]?.messages ?? 0);
    }
    const [all, few] = [summaryOf(direct), summaryOf(meta)];
    expect([all.successes, few.successes, all.of, few.of]).toEqual([5, 5, 5, 5]);
    expect(few.total).toBeLessThan(all.total);
  });

  test('R-meta-tools: a tool that is neither among the hits nor in the prompt is not called: the task has failed', async () => {
    const missing = [task('Water the plants', 'open the valve', ['open_valve', { litres: 3 }])];
    const [direct] = await run('all', missing);
    const [meta] = await run('meta', missing);
    expect([direct.succeeded, direct.turns.length, direct.executions]).toEqual([false, 1, []]);
    expect([meta.succeeded, meta.turns.length, meta.trace.searches.length]).toEqual([false, 3, 2]);
  });

  test('R-meta-tools: a failed or refused call, or one with other arguments, does not count as success', async () => {
    const failing = [task('Read nothing.txt', 'read a file', ['read_file', { path: 'nothing.txt' }])];
    expect((await run('all', failing)).map(({ succeeded }) => succeeded)).toEqual([false]);
    const other = (asked: any, recorded: string) => ofRecord(asked, recorded) && { expression: '1' };
    expect((await run('meta', tasks.slice(0, 1), other)).map(({ succeeded }) => succeeded)).toEqual([false]);
  });

  test('R-meta-tools: a description is requested only if the line of a hit does not show the arguments', () => {
    const line =
      'a__b(owner: string, state?: "open" | "closed", more?: object, labels?: (string | number)[], …) — Does (it)';
    expect([...shownParameters(line)]).toEqual([
      ['owner', 'string'],
      ['state', '"open" | "closed"'],
      ['more', 'object'],
      ['labels', '(string | number)[]'],
    ]);
    expect(isEnough(line, { owner: 'x', state: 'open', labels: [1] })).toBe(true);
    expect(isEnough(line, { owner: 'x', more: {} })).toBe(false);
    expect(isEnough(line, { owner: 'x', other: 1 })).toBe(false);
    expect(isEnough('a__b() — Does it', { owner: 'x' })).toBe(false);
  });

  test('R-meta-tools: tokens are those of o200k_base', () => {
    expect([tokensOf('hello world'), tokensOf(''), tokensOf('<|endoftext|>')]).toEqual([2, 0, expect.any(Number)]);
    expect(tokensOf('token '.repeat(100))).toBe(101);
  });
});
