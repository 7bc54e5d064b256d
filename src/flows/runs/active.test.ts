import { expect, it } from 'vitest';
import { createActive } from './active.js';

/** Timers that keep Node.js from ending the process. */
const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

it('R-sdk: a process that follows a run does not end while the run waits for a time or a person', async () => {
  const before = countTimers();
  const over = new AbortController();
  const changed = createActive().changed('run', 60_000, over.signal);
  expect(countTimers()).toBe(before + 1);
  over.abort();
  await changed;
});
