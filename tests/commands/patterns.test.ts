/** A pattern in the place of a text is a mistake that `toMatchObject` alone would not notice: see tests/setup.ts. */
import { expect, test } from 'vitest';

test('toMatchObject fails for a pattern in the place of a text, whether it would match or not', () => {
  for (const message of [/no such text/, /text/])
    expect(() => expect({ message: 'a text' }).toMatchObject({ message })).toThrow(/expected/);
});

test('a pattern is compared with a pattern, and stringMatching with a text', () => {
  expect({ message: 'a text', form: /x/ }).toMatchObject({ message: expect.stringMatching(/text/), form: /x/ });
});
