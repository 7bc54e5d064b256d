/** Runs the programs of docs/code-programs.md unchanged, each against a Helve with the tools that it names. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { HelveError } from '../../src/domain/errors.js';
import type { JsonObject, JsonValue } from '../../src/domain/json.js';
import type { Run, StartRun } from '../../src/domain/run.js';
import { defineToolkit, type ToolDefinition } from '../../src/domain/tool.js';
import { createTestHelve, type TestHelve, testTool } from '../../src/testing/index.js';
import { nativeToolkits } from '../../src/toolkits/index.js';
import { root } from './snippets.js';

const page = readFileSync(`${root}docs/code-programs.md`, 'utf8');
/** By heading. */
const programs = new Map(
  [...page.matchAll(/^## (.+)\n[\s\S]*?^```ts\n([\s\S]*?)^```$/gm)].map(([, title = '', code = '']) => [title, code]),
);

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const text = { type: 'string' };
const integer = { type: 'integer' };
const list = (items: JsonObject): JsonObject => ({ type: 'array', items });
const object = (required: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { ...required, ...more },
  required: Object.keys(required),
});

/** What the tools of the programs have done. */
let done: JsonValue[] = [];
let helve: TestHelve | undefined;
afterEach(async () => {
  await helve?.close();
  done = [];
});

interface Short {
  readonly name: string;
  readonly input?: JsonObject;
  readonly output: JsonObject;
  readonly isRead?: boolean;
  readonly act: (input: never) => JsonValue;
}

function makeTool({ name, input = object({}), output, isRead = false, act }: Short): ToolDefinition {
  const noted = isRead ? { annotations: reads } : {};
  return testTool({
    name,
    inputSchema: input,
    outputSchema: output,
    ...noted,
    execute: async (given) => {
      if (!isRead) done.push([name, given as JsonValue]);
      return act(given as never);
    },
  });
}

function makeTracker(): ToolDefinition[] {
  const issue = object({ number: integer, title: text, updatedAt: text });
  const issues = [
    { number: 1, title: 'Login is blank', updatedAt: '2026-09-01T00:00:00Z' },
    { number: 2, title: 'Typo', updatedAt: '2026-11-01T00:00:00Z' },
    { number: 3, title: 'Export to CSV fails', updatedAt: '2026-08-01T00:00:00Z' },
  ];
  const orders = [
    { customer: 'ann', cents: 100 },
    { customer: 'ben', cents: 250 },
    { customer: 'ann', cents: 75 },
  ];
  let looks = 0;
  let refusals = 0;
  const close = ({ number }: { number: number }): JsonValue => {
    if (number === 99) throw new HelveError('not_found', 'There is no issue 99');
    refusals += 1;
    if (refusals > 1) return {};
    throw new HelveError('rate_limited', 'Too fast', { details: { retryAfterSeconds: 0.01 } });
  };
  const rows = Array.from({ length: 40_000 }, (_, id) => ({ id, level: id % 20_000 === 7 ? 'error' : 'info' }));
  const openRead = { isRead: true, input: object({}, { state: { type: 'string', enum: ['open', 'closed'] } }) };
  const label = object({ number: integer, label: text });
  const created = object({ number: integer });
  return [
    { name: 'list_issues', ...openRead, output: object({ issues: list(issue) }), act: () => ({ issues }) },
    { name: 'add_label', input: label, output: object({}), act: () => ({}) },
    { name: 'create_issue', input: object({ title: text }), output: created, act: () => ({ number: 3 + done.length }) },
    { name: 'close_issue', input: object({ number: integer }), output: object({}), act: close },
    {
      name: 'list_orders',
      isRead: true,
      input: object({}, { cursor: text }),
      output: object({ orders: list(object({ customer: text, cents: integer })) }, { next: text }),
      act: ({ cursor = '0' }: { cursor?: string }) => {
        const next = Number(cursor) + 1;
        return { orders: orders.slice(next - 1, next), ...(next < orders.length ? { next: String(next) } : {}) };
      },
    },
    { name: 'export_everything', isRead: true, output: object({ rows: list(object({})) }), act: () => ({ rows }) },
    { name: 'start_backup', output: object({ id: text }), act: () => ({ id: 'b1' }) },
    {
      name: 'get_backup',
      isRead: true,
      input: object({ id: text }),
      output: object({ done: { type: 'boolean' } }),
      act: () => ({ done: ++looks > 1 }),
    },
  ].map((short) => makeTool(short));
}

const facts = (slug: string) => ({ slug, title: slug, description: slug, category: 'custom' }) as const;
const tracker = () => defineToolkit({ ...facts('tracker'), load: async () => makeTracker() });
const temperatures: Readonly<Record<string, number>> = { Oslo: 2, Rome: 17, Lima: 21 };
const weather = defineToolkit({
  ...facts('weather'),
  load: async () => [
    makeTool({
      name: 'get_forecast',
      isRead: true,
      input: object({ city: text }),
      output: object({ city: text, celsius: { type: 'number' } }),
      act: ({ city }: { city: string }) => ({ city, celsius: temperatures[city] ?? 0 }),
    }),
  ],
});
const mail = defineToolkit({
  ...facts('mail'),
  auth: {
    schemes: [
      { id: 'token', kind: 'api_key', title: 'Token', fields: [{ name: 'token', title: 'Token', secret: true }] },
    ],
  },
  service: { servers: () => ({ default: { url: 'https://mail.invalid' } }) },
  load: async () => [
    testTool({
      name: 'list_messages',
      annotations: reads,
      inputSchema: object({}),
      outputSchema: object({ messages: list(object({ subject: text })) }),
      execute: async () => ({ messages: [{ subject: 'Invoice 7' }, { subject: 'Lunch' }] }),
    }),
    testTool({
      name: 'send',
      inputSchema: object({ to: text, subject: text }),
      outputSchema: object({}),
      async execute(input, { connection }) {
        done.push([connection.slug, input as JsonValue]);
        return {};
      },
    }),
  ],
});
const account = (name: string) => ({ toolkit: 'mail', name, credentials: { token: `of-${name}-12345` } });

async function open(): Promise<TestHelve> {
  const own = nativeToolkits.filter(({ slug }) => ['code', 'results'].includes(slug));
  helve = await createTestHelve({
    nativeToolkits: [...own, tracker(), weather, mail],
    connections: [account('Work mail'), account('Home mail')],
    policies: [{ id: 'all', effect: 'allow', when: {} }],
  });
  return helve;
}

async function start(plane: TestHelve, title: string, more: Partial<StartRun> = {}): Promise<Run> {
  const code = programs.get(title) ?? '';
  const { id } = await plane.plane.runCode(plane.agent, { code, ...more });
  // A run that sleeps has not ended yet.
  for await (const event of plane.plane.followRun(plane.agent, id, AbortSignal.timeout(60_000)))
    if (event.type === 'settled') return event.run;
  throw new Error(`The run did not end: ${JSON.stringify(await plane.plane.getRun(plane.agent, id))}`);
}

const label = (number: number, name: string) => ['add_label', { number, label: name }];
/** By heading: what the program returns, and what has been done. */
const expected: Readonly<Record<string, readonly [value: JsonValue, effects: JsonValue]>> = {
  'Read, filter, act': [
    [1, 3],
    [label(1, 'stale'), label(3, 'stale')],
  ],
  'Several calls at once': ['Lima', []],
  'Page by page': [{ ann: 175, ben: 250 }, []],
  Errors: [['1 closed', '99: not_found'], [1, 1, 99].map((number) => ['close_issue', { number }])],
  'An answer that is too long': [{ matches: 2, ids: [7, 20_007] }, []],
  Sleep: ['backup b1 is done', [['start_backup', {}]]],
  'Two accounts': [1, [['home-mail', { to: 'me@home.example', subject: 'Fwd: Invoice 7' }]]],
  'Code within code': [[1, 3], []],
};

describe('R-durable-runs R-sandbox: docs/code-programs.md', () => {
  test('R-durable-runs: each of the ten programs is run', () => {
    expect([...programs.keys()].toSorted()).toEqual([...Object.keys(expected), 'Plan first', 'Once only'].toSorted());
    expect(page.match(/^```ts$/gm)).toHaveLength(10);
  });

  test.each(Object.entries(expected))('R-durable-runs R-sandbox: %s', async (title, [value, effects]) => {
    const run = await start(await open(), title);
    expect([run.status, run.error, run.issues]).toEqual(['succeeded', undefined, undefined]);
    expect(run.value).toEqual(value);
    expect(done).toEqual(effects);
  });

  test('R-durable-runs: Plan first', async () => {
    const plane = await open();
    const plan = await start(plane, 'Plan first', { mode: 'plan' });
    const [created, labelled] = plan.planned?.effects ?? [];
    expect(done).toEqual([]);
    expect(created).toMatchObject({ tool: 'create_issue', arguments: { title: 'Rotate the keys' } });
    expect(labelled?.arguments).toEqual({ number: '⟦call 1: number⟧', label: 'security' });
    await plane.plane.decideRun(plane.admin, plan.id, { decision: 'approve_plan' });
    expect((await start(plane, 'Plan first', { plan: plan.id })).value).toBe(4);
    expect(done).toEqual([['create_issue', { title: 'Rotate the keys' }], label(4, 'security')]);
  });

  test('R-durable-runs: Once only', async () => {
    const plane = await open();
    const runs = [
      await start(plane, 'Once only', { idempotencyKey: 'week 48' }),
      await start(plane, 'Once only', { idempotencyKey: 'week 48' }),
    ];
    expect(new Set(runs.map(({ id }) => id)).size).toBe(1);
    expect(done).toEqual([['create_issue', { title: 'Weekly report' }]]);
    // The control: without a key it is another start.
    await start(plane, 'Once only');
    expect(done).toHaveLength(2);
  });
});
