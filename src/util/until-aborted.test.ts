import { expect, test } from 'vitest';
import { HelveError } from '../domain/errors.js';
import { untilAborted } from './until-aborted.js';

const never = () => new Promise<never>(() => undefined);

test('it returns the result of the work, or throws its error', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(signal, 'Stopped', async () => 1)).toBe(1);
  await expect(untilAborted(signal, 'Stopped', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

test('an abort ends the wait with its reason, or else with the message', async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const waits = [untilAborted(first.signal, 'Stopped', never), untilAborted(second.signal, 'Stopped', never)];
  const reason = new HelveError('shutting_down', 'Helve is stopping');
  first.abort(reason);
  second.abort();
  await expect(waits[0]).rejects.toBe(reason);
  await expect(waits[1]).rejects.toMatchObject({ code: 'cancelled', message: 'Stopped' });
});

test('the work does not start after an abort', async () => {
  let isStarted = false;
  const work = async (): Promise<void> => {
    isStarted = true;
  };
  await expect(untilAborted(AbortSignal.abort(), 'Stopped', work)).rejects.toMatchObject({ code: 'cancelled' });
  expect(isStarted).toBe(false);
});
