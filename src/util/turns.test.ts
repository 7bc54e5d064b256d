import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns } from './turns.js';

const { signal } = new AbortController();

/** Work that starts when it gets a turn, and ends when the test says so. */
function startWork(inTurn: ReturnType<typeof createTurns>, waitsFor = signal) {
  const work = {
    started: false,
    error: undefined as unknown,
    end: (): void => undefined,
    fail: (): void => undefined,
  };
  const body = () =>
    new Promise<void>((resolve, reject) => {
      work.started = true;
      work.end = resolve;
      work.fail = () => reject(new Error('it failed'));
    });
  inTurn(waitsFor, body).catch((error: unknown) => {
    work.error = error;
  });
  return work;
}

test('R-browser: work starts in order, and no more than the maximum runs at the same time', async () => {
  const inTurn = createTurns(2, 'The call was cancelled');
  const works = [1, 2, 3, 4].map(() => startWork(inTurn));
  await setImmediate();
  expect(works.map(({ started }) => started)).toEqual([true, true, false, false]);
  works[1]?.end();
  await setImmediate();
  expect(works.map(({ started }) => started)).toEqual([true, true, true, false]);
});

test('R-browser: work that fails ends its turn', async () => {
  const inTurn = createTurns(1, 'The call was cancelled');
  const [first, last] = [startWork(inTurn), startWork(inTurn)];
  await setImmediate();
  first.fail();
  await setImmediate();
  expect(first.error).toMatchObject({ message: 'it failed' });
  expect(last.started).toBe(true);
});

test('R-browser: a call that was cancelled while it waited takes no turn from another', async () => {
  const inTurn = createTurns(1, 'The call was cancelled');
  const stop = new AbortController();
  const [first, cancelled, last] = [startWork(inTurn), startWork(inTurn, stop.signal), startWork(inTurn)];
  await setImmediate();
  stop.abort();
  await setImmediate();
  expect(cancelled.error).toMatchObject({ code: 'cancelled', message: 'The call was cancelled' });
  first.end();
  await setImmediate();
  expect(last.started).toBe(true);
});

test('R-browser: a call that gets its turn right after it was cancelled takes no turn from another either', async () => {
  const inTurn = createTurns(1, 'The call was cancelled');
  const stop = new AbortController();
  const work = async (): Promise<void> => {
    stop.abort();
  };
  const first = inTurn(signal, work);
  const cancelled = startWork(inTurn, stop.signal);
  await first;
  await setImmediate();
  expect(cancelled.started).toBe(false);
  const last = startWork(inTurn);
  await setImmediate();
  expect(last.started).toBe(true);
});
