/** How responses are returned: bodies unchanged, pages with the arguments of the next, refusals in the API's own words. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../domain/json.js';
import type { ServiceResponse } from '../../domain/service.js';
import { explainRefusal } from './explain-refusal.js';
import { readOpenApi } from './index.js';
import { readAnswer } from './read-answer.js';

function response(
  body: unknown,
  headers: Record<string, string> = { 'content-type': 'application/json' },
  status = 200,
): ServiceResponse {
  const bytes = body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const text = (): string => Buffer.from(bytes).toString();
  return { status, headers, url: '', body: bytes, text, json: <T>() => JSON.parse(text()) as T };
}

function operation(parameters: readonly [string, string][], method = 'get') {
  const list = parameters.map(([name, type]) => ({ name, in: 'query', schema: { type } }));
  const paths = { '/things': { [method]: { parameters: list, responses: {} } } };
  const document = { openapi: '3.1.0', info: {}, servers: [{ url: 'https://a.example' }], paths };
  const [found] = readOpenApi(document as JsonObject, { slug: 'test' }).operations;
  if (!found) throw new Error('no operation');
  return found;
}
const plain = operation([['q', 'string']]);

describe('bodies', () => {
  it('R-openapi: JSON is returned as JSON, text as text, an empty answer as its status', () => {
    expect(readAnswer(plain, response([1, null]), {})).toEqual([1, null]);
    expect(readAnswer(plain, response('a,b', { 'content-type': 'text/csv' }), {})).toBe('a,b');
    expect(readAnswer(plain, response('{"a":1}', {}), {})).toEqual({ a: 1 });
    expect(readAnswer(plain, response('', { location: '/things/7' }, 201), {})).toEqual({
      status: 201,
      location: '/things/7',
    });
  });

  it('R-openapi: an id of many digits stays exact, as text; all other numbers and texts stay as they are', () => {
    const numbers = '[-9007199254740993,9007199254740991,0.30000000000000004,1e21]';
    const body = `{"id":12345678901234567890,"list":${numbers},"said":"\\"12345678901234567890"}`;
    expect(readAnswer(plain, response(body), {})).toEqual({
      id: '12345678901234567890',
      list: ['-9007199254740993', 9_007_199_254_740_991, 0.30000000000000004, 1e21],
      said: '"12345678901234567890',
    });
  });

  it('R-openapi: an answer of another type than declared never fails the call', () => {
    expect(readAnswer(plain, response('<html>', { 'content-type': 'application/json' }), {})).toBe('<html>');
    const deep = '['.repeat(5_000) + ']'.repeat(5_000);
    expect(readAnswer(plain, response(deep), {})).toBe(deep);
  });

  it('R-openapi: a file comes in base64 with its type, up to a size', () => {
    const png = { 'content-type': 'image/png' };
    expect(readAnswer(plain, response(new Uint8Array([0, 255]), png), {})).toEqual({
      content_type: 'image/png',
      bytes: 2,
      base64: 'AP8=',
    });
    const tooLarge = (method: string) => () =>
      readAnswer(operation([], method), response(new Uint8Array(5_000_001), png), {});
    expect(tooLarge('get')).toThrow('file of 5000001 bytes');
    expect(tooLarge('post')).toThrow(
      expect.objectContaining({ code: 'too_large', hint: 'The request was carried out. Do not send it again.' }),
    );
  });
});

describe('pages', () => {
  it.each<[string, [string, string][], JsonValue, string | undefined, JsonObject, JsonObject | undefined]>([
    [
      'a Link header',
      [
        ['page', 'integer'],
        ['q', 'string'],
      ],
      [1],
      '<https://a.example/things?page=3&q=x&other=1>; rel="next", <https://a.example?page=9>; rel="last"',
      {},
      { page: 3, q: 'x' },
    ],
    [
      'a Link header of the last page',
      [['page', 'integer']],
      [1],
      '<https://a.example?page=1>; rel="prev"',
      { page: 2 },
      undefined,
    ],
    ['a cursor', [['cursor', 'string']], { items: [], next_cursor: 'c2' }, undefined, {}, { cursor: 'c2' }],
    [
      'a cursor within',
      [['page_token', 'string']],
      { meta: { next_cursor: 'c2' } },
      undefined,
      {},
      { page_token: 'c2' },
    ],
    [
      'a cursor of many digits',
      [['cursor', 'integer']],
      { items: [], next_cursor: '9007199254740993' },
      undefined,
      {},
      { cursor: '9007199254740993' },
    ],
    [
      'a link with many digits',
      [['cursor', 'integer']],
      [1],
      '<https://a.example/things?cursor=9007199254740993>; rel="next"',
      {},
      { cursor: '9007199254740993' },
    ],
    ['an empty cursor', [['cursor', 'string']], { items: [], next_cursor: '' }, undefined, {}, undefined],
    [
      'an address',
      [['offset', 'integer']],
      { '@odata.nextLink': 'https://a.example/things?offset=20' },
      undefined,
      {},
      { offset: 20 },
    ],
    ['page numbers', [['page', 'integer']], { page: 2, total_pages: 3, data: [] }, undefined, { page: 2 }, { page: 3 }],
    ['the last page number', [['page', 'integer']], { page: 3, total_pages: 3 }, undefined, { page: 3 }, undefined],
    ['an offset', [['offset', 'integer']], { items: [1, 2], total: 5 }, undefined, { offset: 2 }, { offset: 4 }],
    ['the last offset', [['offset', 'integer']], { items: [5], total: 5 }, undefined, { offset: 4 }, undefined],
    [
      'the last id',
      [['starting_after', 'string']],
      { has_more: true, data: [{ id: 'a' }, { id: 'b' }] },
      undefined,
      {},
      { starting_after: 'b' },
    ],
  ])('R-openapi: %s returns the arguments of the next page', (_, parameters, body, link, input, next) => {
    const headers = { 'content-type': 'application/json', ...(link === undefined ? {} : { link }) };
    const whole = Array.isArray(body) ? { items: body } : (body as JsonObject);
    const paged = operation(parameters);
    expect(readAnswer(paged, response(body, headers), input)).toEqual({
      ...whole,
      _page: next === undefined ? {} : { next },
    });
    expect(paged.description).toContain('_page.next');
  });

  it('R-openapi: an operation without pages, and a body with its own `_page`, are left alone', () => {
    expect(readAnswer(plain, response({ next_cursor: 'c' }), {})).toEqual({ next_cursor: 'c' });
    expect(readAnswer(operation([['page', 'integer']]), response({ _page: 1, next_page: 2 }), {})).toEqual({
      _page: 1,
      next_page: 2,
    });
  });
});

describe('refusals', () => {
  it.each<[JsonValue, string]>([
    [{ type: 'about:blank', title: 'Out of stock', detail: 'No more pets' }, 'Out of stock: No more pets (422)'],
    [{ error: { message: 'broke', code: 7 } }, 'broke (422)'],
    [{ error: 'invalid_grant', error_description: 'the code is old' }, 'the code is old; invalid_grant (422)'],
    [{ errors: [{ message: 'a' }, { message: 'b' }] }, 'a; b (422)'],
    [
      { message: 'Validation failed', errors: { name: ['cannot be blank'] } },
      'Validation failed; name: cannot be blank (422)',
    ],
    [['first', 'second'], 'first; second (422)'],
    [{ something: 1 }, 'The service answered 422'],
  ])('R-openapi: %j is described as %s', (body, message) => {
    expect(explainRefusal(response(body, undefined, 422))).toMatchObject({ message, details: { status: 422 } });
  });

  it('R-openapi: pages of HTML are described by their title; a limit has the time to wait; successful answers have no explanation', () => {
    const html = response(
      '<html><title>Bad Gateway</title><body>long</body></html>',
      { 'content-type': 'text/html' },
      502,
    );
    expect(explainRefusal(html)?.message).toBe('Bad Gateway (502)');
    expect(explainRefusal(response({}, { 'retry-after': '7' }, 429))).toMatchObject({ retryAfterSeconds: 7 });
    expect(explainRefusal(response({ error: 'x' }))).toBeUndefined();
  });
});
