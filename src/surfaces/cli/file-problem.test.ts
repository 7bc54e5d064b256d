/** Errors of the system on files become errors that say which file it was, what is wrong and what to do. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import { findFileProblem } from './file-problem.js';

const caught = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

test('R-cli: the errors that the system really throws', () => {
  const folder = mkdtempSync(join(tmpdir(), 'helve-file-problem-'));
  try {
    const missing = join(folder, 'missing');
    expect(findFileProblem(caught(() => readFileSync(missing)))).toMatchObject({
      code: 'not_found',
      message: `${missing}: it does not exist`,
      hint: 'Name a file or a folder that exists.',
    });
    expect(findFileProblem(caught(() => readFileSync(folder)))).toMatchObject({ code: 'invalid_input' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  ['EACCES', 'storage_failed', '/data/helve.yaml: this user may not read or change it'],
  ['ENOSPC', 'storage_failed', '/data/helve.yaml: the disk is full'],
])('R-cli: %s', (code, expected, message) => {
  const error = Object.assign(new Error(code), { code, syscall: 'open', path: '/data/helve.yaml' });
  expect(findFileProblem(error)).toMatchObject({ code: expected, message, cause: error });
});

test('R-cli: other errors stay what they are', () => {
  const connection = Object.assign(new Error('x'), { code: 'ECONNREFUSED', syscall: 'connect' });
  const lookup = Object.assign(new Error('x'), { code: 'ENOENT' });
  for (const error of [connection, lookup, new HelveError('conflict', 'x'), new Error('x'), 'x', undefined])
    expect(findFileProblem(error)).toBeUndefined();
});
