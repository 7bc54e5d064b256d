import { afterEach, expect, test } from 'vitest';
import { createTestHelve, type TestHelve, testTool } from '../testing/index.js';
import { checkCode, declarationsFor, runCode } from './code.js';

let helve: TestHelve;
afterEach(() => helve.close());

test('R-typedefs: helve/code prints the declarations of the principal’s tools, of all or of the named toolkits', async () => {
  helve = await createTestHelve({
    nativeToolkits: [],
    tools: [testTool({ name: 'get_weather' }), testTool({ name: 'get_news' })],
  });
  const { agent: principal } = helve;
  const all = await declarationsFor(helve, { principal });
  expect(all.match(/^function \w+/gm)).toEqual(['function getNews', 'function getWeather']);
  expect(await declarationsFor(helve, { principal, toolkits: ['custom'] })).toBe(all);
  await expect(declarationsFor(helve, { principal, toolkits: ['github'] })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('R-typedefs: helve/code checks a program against the principal’s tools', async () => {
  helve = await createTestHelve({ nativeToolkits: [], tools: [testTool({ name: 'get_weather' })] });
  const { agent: principal } = helve;
  expect(await checkCode(helve, { principal, code: 'return await custom.getWeather()' })).toEqual({
    ok: true,
    issues: [],
  });
  const { ok, issues } = await checkCode(helve, { principal, code: 'return await custom.getNews()' });
  expect([ok, issues[0]?.line, issues[0]?.message]).toEqual([false, 1, expect.stringContaining('has no tool getNews')]);
});

test('R-durable-runs: helve/code runs a program as the principal, reports its calls, and starts it once for one key', async () => {
  const places: unknown[] = [];
  const weather = testTool({
    name: 'get_weather',
    inputSchema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
    execute: async (input) => places.push(input),
  });
  helve = await createTestHelve({ nativeToolkits: [], tools: [weather] });
  const { agent: principal } = helve;
  const seen: string[] = [];
  const program = {
    principal,
    code: "console.log('asks'); return await custom.getWeather({ place: 'Bonn' })",
    intent: 'Is it warm in Bonn?',
    idempotencyKey: 'one',
    onCall: ({ number, status }: { number: number; status: string }) => void seen.push(`${number} ${status}`),
  };
  const run = await runCode(helve, program);
  expect(run).toMatchObject({
    status: 'succeeded',
    value: 1,
    logs: [{ level: 'log', text: 'asks' }],
    calls: [{ number: 1, tool: 'get_weather', status: 'ok', executionId: expect.any(String) }],
    intent: 'Is it warm in Bonn?',
  });
  expect(seen).toEqual(['1 running', '1 ok']);
  expect((await runCode(helve, program)).id).toBe(run.id);
  expect(places).toEqual([{ place: 'Bonn' }]);
  const { idempotencyKey: _, ...again } = program;
  expect((await runCode(helve, again)).id).not.toBe(run.id);
  expect(places).toHaveLength(2);
});

test('R-durable-runs: helve/code refuses a program with issues, plans one without effects, and stops waiting when told to', async () => {
  const effects: unknown[] = [];
  let begun: () => void = () => undefined;
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const slow = testTool({
    name: 'slow',
    async execute(_, { signal }) {
      effects.push('slow');
      begun();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  });
  helve = await createTestHelve({ nativeToolkits: [], tools: [slow] });
  const { agent: principal } = helve;
  const refused = await runCode(helve, { principal, code: 'return await custom.fast()' });
  expect([refused.status, refused.issues?.[0]?.line]).toEqual(['refused', 1]);
  const code = 'await custom.slow({})';
  const plan = await runCode(helve, { principal, code, mode: 'plan' });
  expect(plan.planned?.effects.map(({ tool }) => tool)).toEqual(['slow']);
  expect(effects).toEqual([]);
  const stop = new AbortController();
  const going = runCode(helve, { principal, code, signal: stop.signal });
  await hasBegun;
  stop.abort();
  expect((await going).status).toBe('running');
  expect(effects).toEqual(['slow']);
});
