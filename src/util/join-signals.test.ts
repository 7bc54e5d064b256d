/** Signals that outlive the work keep nothing of it. */
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { joinSignals } from './join-signals.js';

const pair = () => [new AbortController(), new AbortController()] as const;

test('aborts with the first of the signals, for its reason', () => {
  const [one, other] = pair();
  const { signal } = joinSignals(one.signal, other.signal);
  expect(signal.aborted).toBe(false);
  other.abort('because');
  one.abort('later');
  expect(signal).toMatchObject({ aborted: true, reason: 'because' });
});

test('is aborted immediately if one of them is', () => {
  const [one, other] = pair();
  other.abort('before');
  expect(joinSignals(one.signal, other.signal).signal).toMatchObject({ aborted: true, reason: 'before' });
});

test('leaves nothing in them, and aborts no more after that', () => {
  const [one, other] = pair();
  const all = Array.from({ length: 50 }, () => joinSignals(one.signal, other.signal));
  expect(getEventListeners(one.signal, 'abort')).toHaveLength(50);
  for (const { leave } of all) leave();
  expect([one, other].flatMap(({ signal }) => getEventListeners(signal, 'abort'))).toEqual([]);
  one.abort();
  expect(all.some(({ signal }) => signal.aborted)).toBe(false);
});
