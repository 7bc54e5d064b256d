import { describe, expect, test } from 'vitest';
import type { Run, RunCall } from '../../domain/run.js';
import { tellRun } from './tell-run.js';

const call = (number: number, tool: string, more: Partial<RunCall> = {}): RunCall => ({
  number,
  tool,
  status: 'ok',
  executionId: `e${number}`,
  ...more,
});
const run = (more: Partial<Run>): Run => ({
  id: 'r1',
  mode: 'run',
  status: 'succeeded',
  principal: { kind: 'agent', id: 'a', name: 'a' },
  code: 'return 1',
  logs: [],
  calls: [],
  waits: [],
  startedAt: '2026-11-25T00:00:00.000Z',
  url: 'http://localhost/runs/r1',
  ...more,
});

describe('R-meta-tools: a run as a model reads it', () => {
  test('R-meta-tools: calls of one tool in a row that went well share a line; every other call has its own', () => {
    const error = { code: 'tool_failed', message: 'full', retryable: false } as const;
    const calls = [
      call(1, 'get'),
      call(2, 'get'),
      call(3, 'get'),
      call(4, 'get', { status: 'failed', error }),
      call(5, 'get'),
      call(6, 'save', { attempts: 2 }),
      call(7, 'save'),
      call(8, 'save'),
    ];
    expect(tellRun(run({ calls })).calls).toEqual([
      '1–3  get  ok',
      '4  get  failed: full',
      '5  get  ok',
      '6  save  ok at attempt 2, since the answer to an earlier one was lost',
      '7–8  save  ok',
    ]);
  });

  test('R-meta-tools: a program that failed after its calls says that they are not undone', () => {
    const stays = { next: expect.stringContaining('stays changed') };
    expect(tellRun(run({ status: 'failed', calls: [call(1, 'save')] }))).toMatchObject(stays);
    const cancelled = tellRun(run({ status: 'cancelled', calls: [call(1, 'save', { status: 'in_doubt' })] }));
    expect(cancelled).toMatchObject(stays);
    // A person who stopped it did not want the rest.
    expect(cancelled.next).toContain('ask before you do what is left');
    expect(cancelled.next).not.toContain('start a program');
    expect(tellRun(run({ status: 'cancelled', calls: [call(1, 'ask', { status: 'waiting' })] })).next).toBeUndefined();
    expect(tellRun(run({ status: 'failed', calls: [call(1, 'save', { status: 'failed' })] })).next).toBeUndefined();
    expect(tellRun(run({ calls: [call(1, 'save')] })).next).toBeUndefined();
  });

  test('R-meta-tools: a value that is too long is read in parts, as each answer says, without running the program again', () => {
    const value = Array.from({ length: 8_000 }, (_, at) => `\u{1f600}${at}`);
    let text = '';
    for (let from: number | undefined = 0; from !== undefined; ) {
      const { value_part, next = '' } = tellRun(run({ value }), from);
      // As it is sent.
      text += new TextDecoder().decode(new TextEncoder().encode(value_part));
      from = /do not run the program again: run_status with the id r1 and value_from (\d+)/
        .exec(next)
        ?.slice(1)
        .map(Number)[0];
    }
    expect(JSON.parse(text)).toEqual(value);
    expect(tellRun(run({ value: 'x'.repeat(19_998) }))).toEqual({
      id: 'r1',
      status: 'succeeded',
      value: 'x'.repeat(19_998),
    });
  });

  test('R-meta-tools: a line that is cut says so', () => {
    const logs = ['x'.repeat(1_000), 'y'.repeat(1_234)].map((text) => ({ level: 'log', text }) as const);
    expect(tellRun(run({ logs })).logs).toEqual(['x'.repeat(1_000), `${'y'.repeat(1_000)} (and 234 more characters)`]);
  });

  test('R-meta-tools: says where a person sees the run only if one may have to look', () => {
    expect(tellRun(run({ value: 1 }))).toEqual({ id: 'r1', status: 'succeeded', value: 1 });
    const failed = tellRun(run({ status: 'failed', error: { name: 'Error', message: 'no' } }));
    expect(failed).toMatchObject({ summary: 'The program ended with an error: no', url: 'http://localhost/runs/r1' });
  });
});
