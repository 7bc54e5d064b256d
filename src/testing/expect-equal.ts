/** For tests that compare many thousands of values. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/**
 * Fails if `actual` is not equal to `expected` in the sense of `toEqual`. Where they are equal it takes a fraction of the time, because no
 * assertion is made. `about` begins the message.
 */
export function expectEqual(actual: unknown, expected: unknown, about?: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, about).toEqual(expected);
}
