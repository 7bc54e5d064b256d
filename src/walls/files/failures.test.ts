import { expect, test } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import { asFileError, quoted } from './failures.js';

const failed = (code: string, path = '/proc/self/fd/9/name') =>
  Object.assign(new Error(`${code}: no such thing, open '${path}'`), { code });

test.each([
  ['ENOENT', 'not_found'],
  ['ENOTDIR', 'not_found'],
  ['ENAMETOOLONG', 'invalid_input'],
  ['EINVAL', 'invalid_input'],
  ['ELOOP', 'forbidden'],
  ['EACCES', 'forbidden'],
  ['EPERM', 'forbidden'],
  ['EROFS', 'forbidden'],
  ['EISDIR', 'conflict'],
  ['EEXIST', 'conflict'],
  ['EXDEV', 'conflict'],
  ['EFBIG', 'too_large'],
  ['ENOSPC', 'tool_failed'],
  ['EIO', 'tool_failed'],
])('R-files: %s of the system becomes %s, with the requested path', (code, told) => {
  const error = asFileError(failed(code), 'notes.md') as HelveError;
  expect(error).toBeInstanceOf(HelveError);
  expect(error.code).toBe(told);
  expect(`${error.message} ${error.hint}`).not.toContain('/proc');
  expect(error.message).toContain(code === 'EISDIR' ? 'a folder' : '"notes.md"');
});

test('R-files: other errors stay unchanged', () => {
  const bugs = [new TypeError('a bug'), failed('ERR_INVALID_ARG_TYPE'), new HelveError('forbidden', 'No'), 'text'];
  for (const bug of bugs) expect(asFileError(bug, 'notes.md')).toBe(bug);
});

test('R-files: a long path is cut in messages', () => {
  expect(quoted('a'.repeat(200))).toBe(`"${'a'.repeat(200)}"`);
  expect(quoted('a'.repeat(201))).toBe(`"${'a'.repeat(200)}…"`);
});
