import { expect, test } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import { readJson } from './body.js';
import { HttpRefusal, isTellable, problemResponse, toProblem } from './problem.js';

const inner = '/var/lib/helve/keys';

test.each([
  new Error(inner),
  new HelveError('internal', inner),
  new HelveError('invalid_config', inner, { hint: inner, details: { inner } }),
  new HelveError('storage_failed', inner),
  inner,
])('leak: %s is not told: it may name files, hosts and keys', async (thrown) => {
  expect(isTellable(thrown)).toBe(false);
  expect(JSON.stringify(toProblem(thrown))).not.toContain(inner);
  expect(await problemResponse(thrown).text()).not.toContain(inner);
});

test('R-rest: a caller’s mistake is reported with the hint and the details', () => {
  const thrown = new HelveError('not_found', 'There is no such agent', { hint: 'List them.', details: { slug: 'a' } });
  expect(toProblem(thrown)).toMatchObject({
    status: 404,
    code: 'not_found',
    detail: 'There is no such agent',
    hint: 'List them.',
    details: { slug: 'a' },
  });
});

test('R-rest: only a rate-limited caller gets a time to wait, and only an unknown one how to authenticate', () => {
  const headersOf = (thrown: Error) => {
    const { headers } = problemResponse(thrown);
    return [headers.get('retry-after'), headers.get('www-authenticate')];
  };
  const details = { retryAfterSeconds: 2.5 };
  expect(headersOf(new HelveError('rate_limited', 'Too many', { details }))).toEqual(['3', null]);
  expect(headersOf(new HelveError('rate_limited', 'Too many'))).toEqual(['60', null]);
  expect(headersOf(new HelveError('not_found', 'None', { details }))).toEqual([null, null]);
  expect(headersOf(new HelveError('unauthenticated', 'Who?'))).toEqual([null, 'Bearer']);
});

const posted = (body: string, type: string) =>
  readJson(new Request('http://localhost', { method: 'POST', body, headers: { 'content-type': type } }));

test('R-rest: a body is JSON by one of its types, or it is refused', async () => {
  expect(await posted('{"a":1}', 'application/json; charset=utf-8')).toEqual({ a: 1 });
  expect(await posted('{"a":1}', 'application/merge-patch+json')).toEqual({ a: 1 });
  await expect(posted('{"a":1}', 'text/plain')).rejects.toBeInstanceOf(HttpRefusal);
  await expect(posted('{"a":', 'application/json')).rejects.toMatchObject({
    message: expect.stringMatching(/^The body is not JSON/),
  });
});

test('R-rest: a body that is too deep is refused for that', async () => {
  const deep = '['.repeat(10_000) + ']'.repeat(10_000);
  const refused = await posted(deep, 'application/json').catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'invalid_input' });
  expect((refused as HelveError).message).not.toMatch(/not JSON/);
});
