import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { readAttacks } from '../../../tests/data/attacks.js';
import { load } from './engine/modules.js';
import { createNative } from './engine/native.js';
import { withoutProto } from './guest-output.js';
import { createSandbox, createSharedPlaces, defaultLimits, type RunRequest } from './index.js';
import { createThreads } from './threads.js';

const sandbox = createSandbox();
afterAll(() => sandbox.close());
const call = async (): Promise<string> => 'null';
const run = (code: string, more: Partial<RunRequest> = {}) => sandbox.run({ code, call, ...more });

test('the engine is used only if it is the one that was examined', async () => {
  await expect(load('quickjs.wasm', '0'.repeat(64))).rejects.toThrow('is not the file that this version of Helve');
});

test('the code in the guest has no template with a value: the engine calls a function for it that a program can change', () => {
  const folder = new URL('./guest/', import.meta.url);
  const files = readdirSync(folder);
  expect(files).toContain('open-door.ts');
  for (const file of files) expect(readFileSync(new URL(file, folder), 'utf8'), file).not.toContain('${');
});

test('what crosses has no __proto__, however it is written', () => {
  expect(withoutProto('{"__proto__":1,"a":{"__proto__":2,"b":3}}')).toBe('{"a":{"b":3}}');
  expect(withoutProto('{"__pr\\u006fto__":1,"a":2}')).toBe('{"a":2}');
  expect(withoutProto('{"a":"__proto__"}')).toBe('{"a":"__proto__"}');
});

test('the functions of the host answer any text, and do not throw', () => {
  const native = createNative(() => {});
  for (const text of ['', 'null', '[1]', '{}', '[["a"]]', '\ud800', '['.repeat(100_000), 'x'.repeat(100_000)])
    for (const work of [native.parseUrl, native.parseQuery, native.formatQuery, native.nearest])
      expect(typeof work(text, text, text)).toBe('string');
  expect(native.parseUrl('http://a', '', '["constructor","x"]')).toContain('"href":"http://a/"');
});

test('a limit that is no limit is refused', async () => {
  for (const limits of [{ cpuMs: Number.NaN }, { memoryMb: 5_000 }, { calls: -1 }])
    expect((await run('return 1', { limits })).error).toMatchObject({ name: 'SandboxError', code: 'invalid_limits' });
});

test('a limit is told in one sentence with its value', async () => {
  const { error } = await run('return "x".repeat(1e6)');
  expect(error?.message).toBe(
    `The value that the program returned is longer than ${defaultLimits.valueBytes} bytes (limit: valueBytes).`,
  );
});

const rows = readAttacks<{ name: string; code: string; expect: string }>('js-sandbox-own');

/** What the words of the corpus mean here. */
const expected: Readonly<Record<string, RegExp>> = {
  'binding-ctor': /is not defined/,
  loop: /cpuMs/,
  stack: /RangeError/,
  // The answer describes the value.
  'result-cyclic': /^ok$/,
  'tool-parallel': /callsInFlight/,
  'throw-getter': /cpuMs/,
  'proto-host': /^ok$/,
  'array-proto': /^ok$/,
  'template-inject': /SyntaxError/,
  'dynamic-data': /There is no package/,
};

test.each(rows)('the corpus: $name', async ({ name, code }) => {
  const namespaces = { tools: { kv_get: 'kv_get' } };
  // Only what never ends gets little time: on a busy machine the others need more.
  const limits = expected[name]?.source === 'cpuMs' ? { cpuMs: 300 } : {};
  const { ok, error } = await run(code, { namespaces, limits });
  expect(ok ? 'ok' : `${error?.name}: ${error?.message}`).toMatch(expected[name] ?? /^this row has no expectation$/);
  expect((await run('return [({}).polluted, [][0]].map(String)')).value).toEqual(['undefined', 'undefined']);
  expect([Reflect.get({}, 'polluted'), [][0]]).toEqual([undefined, undefined]);
});

test('a thread has one tenant at a time, and a free one is given to the next', async () => {
  const threads = createThreads(1);
  const signal = new AbortController().signal;
  const first = await threads.take('a', signal);
  const second = await threads.take('a', signal);
  let other = false;
  const waiting = threads.take('b', signal).then((place) => {
    other = true;
    return place;
  });
  first.release();
  await new Promise(setImmediate);
  expect(other).toBe(false);
  second.release();
  (await waiting).release();
  await threads.close();
});

test('a thread that does not come back is ended, and so are the programs of its tenant in it', async () => {
  const threads = createThreads(1);
  const signal = new AbortController().signal;
  const place = await threads.take('a', signal);
  const neighbour = await threads.take('a', signal);
  const beginning = {
    code: 'while (true) {}',
    limits: defaultLimits,
    namespaces: '{}',
    globals: '{}',
    modules: {},
    now: 0,
    seed: 0,
  };
  await place.ask({ kind: 'prepare' }, 10_000);
  const late = place.ask({ kind: 'begin', run: 1, leftMs: 10_000, beginning }, 100);
  const behind = neighbour.ask({ kind: 'prepare' }, 10_000);
  await expect(Promise.allSettled([late, behind])).resolves.toMatchObject([
    { reason: { reason: 'late' } },
    { reason: { reason: 'neighbour' } },
  ]);
  const next = await threads.take('b', signal);
  await expect(next.ask({ kind: 'prepare' }, 10_000)).resolves.toMatchObject({ ended: undefined });
  await threads.close();
});

test('R-sandbox: timers that a program clears at once are not told to the host', async () => {
  const threads = createThreads(1);
  const place = await threads.take('a', new AbortController().signal);
  const code =
    'for (let i = 0; i < 1_000; i++) clearTimeout(setTimeout(() => {}, 1)); await sleep(7); clearTimeout(1); return 1';
  const setting = { limits: defaultLimits, namespaces: '{}', globals: '{}', modules: {}, now: 0, seed: 0 };
  await place.ask({ kind: 'prepare' }, 10_000);
  const beginning = { code, ...setting };
  const { output } = await place.ask({ kind: 'begin', run: 1, leftMs: 10_000, beginning }, 10_000);
  expect(output).toBe('[["timer",1001,7,"sleep"]]\n');
  await threads.close();
  expect(await run(code)).toMatchObject({ ok: true, value: 1 });
});

test('R-sandbox: an error outside of the program, too, is told with at most 8,192 characters', async () => {
  const { error } = await run(
    'Object.defineProperty(Promise.prototype, "constructor", { get() { throw new Error("x".repeat(1e6)) } })',
  );
  expect(error).toMatchObject({ name: 'Error', message: 'x'.repeat(8_192) });
});

test('R-sandbox: a program learns that another of its tenant ended their thread', async () => {
  // With a second thread to choose, a busy machine starts one while the first prepares its next program.
  const one = createSandbox({ places: 1 });
  let answer: ((text: string) => void) | undefined;
  const other = one.run({
    code: 'await tools.wait(); return 1',
    tenant: 'a',
    namespaces: { tools: { wait: 'wait' } },
    call: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  await expect.poll(() => answer).toBeDefined();
  // The engine asks in no native loop whether to go on.
  const endless = await one.run({
    code: 'return [].splice.call({ length: 2 ** 32 }, 0, 1)',
    call,
    tenant: 'a',
    // Enough to reach the loop on a busy machine: before it, the engine asks.
    limits: { cpuMs: 1_000 },
  });
  expect(endless.error?.limit).toBe('cpuMs');
  answer?.('null');
  expect((await other).error).toMatchObject({ name: 'SandboxError', loss: 'neighbour' });
  await one.close();
});

test('a sandbox that is closed ends its programs, and runs no more', async () => {
  const closing = createSandbox();
  const running = closing.run({ code: 'await sleep(1e6)', call });
  await new Promise((resolve) => setTimeout(resolve, 200));
  await closing.close();
  expect((await running).error).toMatchObject({ name: 'SandboxError', code: 'closed' });
  expect((await closing.run({ code: 'return 1', call })).error).toMatchObject({ code: 'closed' });
});

test('a long computation of one tenant does not hold up another', async () => {
  const long = run('while (true) {}', { tenant: 'a', limits: { cpuMs: 1_500 } });
  const first = await Promise.race([long, run('return 1', { tenant: 'b' })]);
  expect(first.value).toBe(1);
  expect((await long).error?.limit).toBe('cpuMs');
});

test('R-sandbox: tenants of one name in two sandboxes on the same places share no thread', async () => {
  const shared = createSharedPlaces({ places: 1 });
  const [one, other] = [shared.openSandbox(), shared.openSandbox()];
  let isWaiting = false;
  const wait = (): Promise<string> => {
    isWaiting = true;
    return new Promise(() => undefined);
  };
  const waiting = one.run({ code: 'await env.call("wait", {})', tenant: 'a', call: wait });
  await expect.poll(() => isWaiting).toBe(true);
  let isOver = false;
  const next = other.run({ code: 'return 1', tenant: 'a', call }).finally(() => {
    isOver = true;
  });
  // The control: the tenant itself has the thread.
  expect((await one.run({ code: 'return 2', tenant: 'a', call })).value).toBe(2);
  expect(isOver).toBe(false);
  await one.close();
  expect((await waiting).error).toMatchObject({ name: 'SandboxError', code: 'closed' });
  expect((await one.run({ code: 'return 3', call })).error).toMatchObject({ code: 'closed' });
  expect((await next).value).toBe(1);
  await shared.close();
  expect((await other.run({ code: 'return 4', call })).error).toMatchObject({ code: 'closed' });
});
