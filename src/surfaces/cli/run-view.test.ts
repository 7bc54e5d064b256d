import { expect, test } from 'vitest';
import type { Run } from '../../domain/run.js';
import { createCallView, tellRun, tellWait } from './run-view.js';

function screen(isTTY: boolean) {
  let text = '';
  const write = (chunk: string) => {
    text += chunk;
    return true;
  };
  return { view: createCallView({ isTTY, columns: 40, rows: 5, write } as NodeJS.WriteStream), read: () => text };
}

const call = (number: number, status: 'running' | 'ok') => ({ number, tool: 'save', status });

test('R-cli: on a terminal the line of a call changes in place, as long as it is on the screen', () => {
  const { view, read } = screen(true);
  view.show(call(1, 'running'));
  view.show(call(2, 'running'));
  view.show(call(1, 'ok'));
  view.show(call(1, 'ok'));
  expect(read()).toBe('  1  save  running …\n  2  save  running …\n\u001b[2A\r\u001b[2K  1  save  ok\u001b[2B\r');
  for (const number of [3, 4, 5, 6, 7]) view.show(call(number, 'running'));
  view.show(call(2, 'ok'));
  expect(read().endsWith('  7  save  running …\n  2  save  ok\n')).toBe(true);
});

test('R-cli: elsewhere a call is one plain line, once it has settled', () => {
  const { view, read } = screen(false);
  view.show(call(1, 'running'));
  view.show(call(2, 'running'));
  view.show(call(2, 'ok'));
  view.show(call(1, 'ok'));
  expect(read()).toBe('  2  save  ok\n  1  save  ok\n');
});

test('R-cli: text of a run cannot control the terminal', () => {
  const run: Run = {
    id: 'a',
    mode: 'run',
    status: 'in_doubt',
    principal: { kind: 'agent', id: 'b', name: 'Agent \u001b[2J' },
    code: '',
    startedAt: '2026-01-01T00:00:00.000Z',
    logs: [{ level: 'log', text: 'log \u001b]0;x' }],
    calls: [{ number: 1, tool: 'save', status: 'in_doubt' }],
    waits: [
      { for: 'doubt', number: 1, tool: 'save', executionId: 'e', since: '', reason: 'the process died \u001b[1A' },
    ],
  };
  const told = tellRun(run);
  expect(told).not.toContain('\u001b');
  expect(told).toContain('helve runs decide a 1 happened, or helve runs decide a 1 not-happened');
});

test('R-cli: what somebody else must decide is told without the command', () => {
  const wait = {
    for: 'doubt',
    number: 1,
    tool: 'save',
    executionId: 'e',
    since: '',
    reason: 'the process died',
  } as const;
  expect(tellWait({ id: 'a' }, wait)).toContain('helve runs decide a 1 happened');
  const forOthers = tellWait({ id: 'a' }, { ...wait, forOthers: true });
  expect(forOthers).toContain('Only they can decide.');
  expect(forOthers).not.toContain('helve runs decide');
});
