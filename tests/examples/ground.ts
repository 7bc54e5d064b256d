/** Shared by the adapters' tests: a plane with awkward tools, a scripted model that calls them, and the requests it got. */
import { EventEmitter, once } from 'node:events';
import { afterAll, onTestFinished } from 'vitest';
import { type ScriptedModel, type ScriptedTurn, startScriptedModel } from '../../examples/support/scripted-model.js';
import type { JsonSchema } from '../../src/domain/json.js';
import type { PrincipalLike } from '../../src/index.js';
import { createTestHelve, type TestHelve, type TestHelveOptions, testTool } from '../../src/testing/index.js';

/** What SDKs are known to rewrite: `$schema`, untyped properties, `propertyNames`, look-around, `allOf` of one, closed objects. */
export const awkward: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    count: { type: 'integer', minimum: 1, default: 2 },
    when: { type: ['string', 'null'], format: 'date-time' },
    anything: { description: 'Of any type' },
    choice: { enum: ['a', 'b', 3] },
    pattern: { type: 'string', pattern: '^(?!x)' },
    labels: { type: 'object', propertyNames: { pattern: '^[a-z]+$' }, additionalProperties: { type: 'string' } },
    shared: { allOf: [{ $ref: '#/$defs/Shared' }], description: 'One of the definitions' },
    rows: { type: 'array', items: { type: 'object', properties: { cell: {} } }, prefixItems: [{ const: 1 }] },
  },
  required: ['count'],
  additionalProperties: false,
  $defs: { Shared: { type: 'object', properties: { again: { $ref: '#/$defs/Shared' } } } },
};

/** A framework's key that this tool declares itself. */
const wanting: JsonSchema = {
  type: 'object',
  properties: { memory: { type: 'string' } },
  additionalProperties: false,
};

export interface AdapterGround extends TestHelve {
  /** The calls that reached the tools, in order. */
  readonly reached: { tool: string; input: unknown }[];
  readonly principal: PrincipalLike;
  /** Resolves as soon as a call of the tool `slow` runs. */
  readonly slowRuns: () => Promise<void>;
}

export async function openGround(options: TestHelveOptions = {}): Promise<AdapterGround> {
  const reached: AdapterGround['reached'] = [];
  const slow = new EventEmitter();
  let slowCalls = 0;
  const tool = (name: string, inputSchema: JsonSchema, output: (input: any) => any) =>
    testTool({
      name,
      inputSchema,
      async execute(input) {
        reached.push({ tool: name, input });
        return output(input);
      },
    });
  const helve = await createTestHelve({
    tools: [
      tool('awkward', awkward, ({ count }) => ({ counted: count })),
      tool('wanting', wanting, (input) => input),
      tool('long', { type: 'object' }, () => 'x'.repeat(30_000)),
      tool('failing', { type: 'object' }, () => {
        throw new Error('the tool broke');
      }),
      testTool({
        name: 'slow',
        execute: (_input, { signal }) =>
          new Promise((resolve, reject) => {
            const timer = setTimeout(() => resolve({ done: true }), 20_000);
            slowCalls += 1;
            slow.emit('runs');
            signal.addEventListener('abort', () => {
              slowCalls -= 1;
              clearTimeout(timer);
              reject(signal.reason);
            });
          }),
      }),
    ],
    nativeToolkits: [],
    ...options,
  });
  afterAll(() => helve.close());
  const slowRuns = async (): Promise<void> => {
    if (slowCalls === 0) await once(slow, 'runs');
  };
  return { ...helve, reached, principal: { agent: 'tester' }, slowRuns };
}

/** The approval rule of the tests of approvals. */
export const askForAwkward = [
  { id: 'ask', effect: 'require_approval' as const, when: { tools: ['awkward'] }, reason: 'Ask first' },
];

/** The turns of every loop: a wrong call, the corrected one with keys that frameworks inject, and an answer. */
export const wrongThenRight = [
  { calls: [{ name: 'awkward', arguments: { count: 'two' } }] },
  { calls: [{ name: 'awkward', arguments: { count: 5, threadId: 't-1', runId: 'r-1' } }] },
  { text: 'Counted five.' },
];

/** Byte for byte: `sent` comes from a request's parsed body, which preserves the order of keys. */
export function same(sent: unknown, source: unknown): boolean {
  return JSON.stringify(sent) === JSON.stringify(source);
}

/** `execution.*` events so far, without the calls of other tests of the file. */
export async function executions({ audited }: TestHelve, since = 0): Promise<string[]> {
  const events = await audited();
  return events
    .filter(({ type }) => type.startsWith('execution.'))
    .map(({ type }) => type)
    .slice(since);
}

/** A scripted model for one test. */
export async function openModel(turns: readonly ScriptedTurn[]): Promise<ScriptedModel> {
  const model = await startScriptedModel(turns);
  onTestFinished(() => model.stop());
  return model;
}
