import { expect, it } from 'vitest';
import { persistenceWaits } from './persistence-waits.js';

it('ten waits that grow steeply to about 100 s', () => {
  expect(persistenceWaits).toHaveLength(10);
  expect(persistenceWaits[0]).toBe(100);
  expect(persistenceWaits.at(-1)).toBe(100_000);
  for (const [at, wait] of persistenceWaits.entries())
    if (at > 0) expect(wait / persistenceWaits[at - 1]!).toBeCloseTo(2.15, 1);
});
