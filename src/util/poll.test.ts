import { afterEach, expect, test, vi } from 'vitest';
import { poll } from './poll.js';

afterEach(() => vi.useRealTimers());

test('a look waits for the one before, what fails is repeated, and closing ends it', async () => {
  vi.useFakeTimers();
  let finish = (): void => undefined;
  const look = vi.fn(
    () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
  );
  const polling = poll(look, 100);
  await vi.advanceTimersByTimeAsync(350);
  expect(look).toHaveBeenCalledTimes(1);
  look.mockRejectedValueOnce(new Error('The store is away'));
  finish();
  await vi.advanceTimersByTimeAsync(100);
  expect(look).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(100);
  expect(look).toHaveBeenCalledTimes(3);
  finish();
  polling.close();
  await vi.advanceTimersByTimeAsync(500);
  expect(look).toHaveBeenCalledTimes(3);
});
