/** Small tools with one behaviour each, for our own scenarios. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { defineTool, type ToolDefinition } from '../../src/domain/tool.js';

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const facts = { annotations, capabilities: ['test tools'] };

/** What `wait` saw: a test asserts that the cancellation reached the tool. */
export const seen = { started: 0, cancelled: 0 };

export const greet = defineTool({
  ...facts,
  name: 'greet',
  title: 'Greet',
  description: 'Greets by name',
  inputSchema: z.object({ name: z.string() }),
  outputSchema: z.object({ greeting: z.string() }),
  execute: async ({ name }) => ({ greeting: `Hello, ${name}` }),
});

export const add = defineTool({
  ...facts,
  name: 'add',
  title: 'Add',
  description: 'Adds two numbers',
  inputSchema: z.object({ left: z.number(), right: z.number() }),
  outputSchema: z.number(),
  execute: async ({ left, right }) => left + right,
});

export const long = defineTool({
  ...facts,
  name: 'long',
  title: 'Long',
  description: 'Answers at length',
  inputSchema: z.object({ length: z.number() }),
  outputSchema: z.object({ text: z.string() }),
  execute: async ({ length }) => ({ text: 'x'.repeat(length) }),
});

/** Full of quotation marks, which double when a part of it is put into JSON again. */
export const rows = defineTool({
  ...facts,
  name: 'rows',
  title: 'Rows',
  description: 'Answers with many small rows',
  inputSchema: z.object({ count: z.number() }),
  execute: async ({ count }) => Array.from({ length: count }, (_unused, index) => ({ id: `${index}`, kind: 'row' })),
});

export const wait = defineTool({
  ...facts,
  name: 'wait',
  title: 'Wait',
  description: 'Waits until it is cancelled, or for this many milliseconds',
  inputSchema: z.object({ ms: z.number() }),
  execute: async ({ ms }, { signal, progress, client }) => {
    seen.started++;
    progress({ progress: 1 });
    try {
      await sleep(ms, undefined, { signal });
    } catch (error) {
      seen.cancelled++;
      throw error;
    }
    await client?.log('info', 'done');
    return 'waited';
  },
});

export const erase = defineTool({
  ...facts,
  annotations: { ...annotations, readOnlyHint: false, idempotentHint: false },
  highRisk: true,
  name: 'erase',
  title: 'Erase',
  description: 'Needs a person',
  inputSchema: z.object({ target: z.string() }),
  execute: async ({ target }) => `erased ${target}`,
});

export const crash = defineTool({
  ...facts,
  name: 'crash',
  title: 'Crash',
  description: 'Has a bug',
  inputSchema: z.object({}),
  execute: async () => {
    throw new TypeError('secret place');
  },
});

export const houseTools: readonly ToolDefinition[] = [greet, add, long, rows, wait, erase, crash];

export function numbered(count: number): ToolDefinition[] {
  return Array.from({ length: count }, (_unused, index) => ({
    ...greet,
    name: `tool_${String(count - index).padStart(4, '0')}`,
  }));
}
