import { expect, test } from 'vitest';
import { z } from 'zod';
import { readShape } from './read-shape.js';

test('R-rest: a field that is missing is called missing, and one of another type is described', () => {
  const shape = z.object({ tool: z.string(), limit: z.number() });
  const read = (value: unknown) => () => readShape(shape, value, { part: 'body', hint: 'Look.' });
  expect(read({ limit: 1 })).toThrow('The body does not match: /tool is missing');
  expect(read({ tool: 'x', limit: 'y' })).toThrow('/limit Invalid input: expected number, received string');
});
