import { expect, it } from 'vitest';
import { addCents, costInCents } from './money.js';

it('R-agent-worker: tokens cost what the price says, those from the cache less', () => {
  const tokens = { inputTokens: 1_000_000, outputTokens: 100_000 };
  expect(costInCents({ input: 3, output: 15 }, tokens)).toBe(450);
  expect(costInCents({ input: 3, output: 15, cached: 0.3 }, { ...tokens, cachedTokens: 500_000 })).toBe(315);
  // Without a price of their own, cached tokens cost as much as others; more than were read cannot be cached.
  expect(costInCents({ input: 3, output: 15 }, { ...tokens, cachedTokens: 500_000 })).toBe(450);
  expect(costInCents({ input: 3, output: 15, cached: 0 }, { ...tokens, cachedTokens: 2_000_000 })).toBe(150);
});

it('R-agent-worker: ten tenths of a cent are a cent', () => {
  expect(Array.from({ length: 10 }, () => 0.1).reduce(addCents, 0)).toBe(1);
});
