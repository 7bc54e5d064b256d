import { expect, test } from 'vitest';
import { responseHeaders } from './headers.js';

test('headers of a response are texts under lower-case names, and a missing value is no header', () => {
  const raw = { ETag: '"1"', via: ['a', 'b'], 'set-cookie': ['x=1', 'y=2'], age: undefined };
  expect(responseHeaders(raw)).toStrictEqual({ etag: '"1"', via: 'a, b', 'set-cookie': 'x=1\ny=2' });
});
