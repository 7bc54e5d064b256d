import { expect, expectTypeOf, test } from 'vitest';
import { fillRequest, type NamesIn } from './fill-request.js';

test('names in braces are filled in, each encoded; the other values are left for the query or the body', () => {
  const values = { owner: 'octocat', number: 7, branch: 'a/b {owner}?#', title: 'x', draft: undefined };
  expect(fillRequest('POST /repos/{owner}/heads%2F{branch}/{number}...{number}', values)).toEqual({
    method: 'POST',
    path: '/repos/octocat/heads%2Fa%2Fb%20%7Bowner%7D%3F%23/7...7',
    rest: { title: 'x', draft: undefined },
  });
  expect(fillRequest('GET /user', {})).toEqual({ method: 'GET', path: '/user', rest: {} });
});

test.each([{}, { id: undefined }])('a value that is missing is an error, not a part of the address: %j', (values) => {
  expect(() => fillRequest('GET /things/{id}', values)).toThrow('GET /things/{id}: id is missing');
  expect(() => fillRequest('GET /things/{constructor}', values)).toThrow('constructor is missing');
});

test('the names are known to the compiler', () => {
  expectTypeOf<NamesIn<'GET /repos/{owner}/{repo}/issues'>>().toEqualTypeOf<'owner' | 'repo'>();
  expectTypeOf<NamesIn<'GET /user'>>().toEqualTypeOf<never>();
});
