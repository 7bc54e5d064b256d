import { expect, test } from 'vitest';
import { mayBeMissing } from './needs.js';

test('a missing program is a reason to skip, and a failure where CI is set', () => {
  const reason = 'bubblewrap is not installed';
  for (const environment of [{}, { CI: '' }, { CI: 'false' }]) expect(mayBeMissing(reason, environment)).toBe(reason);
  expect(() => mayBeMissing(reason, { CI: '1' })).toThrow(reason);
  expect(() => mayBeMissing(reason, { CI: 'true' })).toThrow(reason);
  expect(mayBeMissing(undefined, { CI: '1' })).toBeUndefined();
});
