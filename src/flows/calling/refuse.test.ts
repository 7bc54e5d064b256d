/** What a caller learns of a failure: of those that are meant for it everything, of others only that there was one. */
import { expect, test } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import type { PipelineParts } from './parts.js';
import { tellable } from './refuse.js';

test.each([
  ['a refusal', new HelveError('conflict', 'It changed'), 'conflict', 'It changed'],
  ['a bug', new TypeError('canary'), 'internal', 'Helve failed during this call'],
  ['a bug that throws nothing at all', undefined, 'internal', 'Helve failed during this call'],
  ['a bug that was noticed', new HelveError('internal', 'canary'), 'internal', 'Helve failed during this call'],
  ['a failing store', new HelveError('storage_failed', 'canary'), 'storage_failed', 'cannot read or write its store'],
])('R-pipeline: of %s', (what, error, code, message) => {
  const reported: unknown[] = [];
  const told = tellable(error, { reportError: (one: unknown) => reported.push(one) } as unknown as PipelineParts);
  expect(told).toMatchObject({ code, message: expect.stringContaining(message) });
  expect(JSON.stringify(told)).not.toContain('canary');
  expect(reported).toEqual(what === 'a refusal' ? [] : [error]);
});
