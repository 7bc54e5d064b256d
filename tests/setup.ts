/** Runs before every test file. */
import { expect } from 'vitest';

// In `toMatchObject`, a pattern in the place of a text would match any text: it has no members that could differ.
expect.addEqualityTesters([
  (actual: unknown, expected: unknown) =>
    expected instanceof RegExp && typeof actual === 'string' ? false : undefined,
]);
