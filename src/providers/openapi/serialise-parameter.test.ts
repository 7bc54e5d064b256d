/** The table of styles in the OpenAPI specification (3.1.1, "Style Examples"), row by row, and values that must not pass. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../domain/json.js';
import { buildRequest } from './build-request.js';
import type { ParameterPlan, RequestPlan, Style } from './request-plan.js';
import { cookieText, headerText, pathText, queryPairs } from './serialise-parameter.js';

const list = ['blue', 'black', 'brown'];
const object = { R: 100, G: 200, B: 150 };
const plan = (style: Style, explode: boolean, more: Partial<ParameterPlan> = {}): ParameterPlan => ({
  key: 'color',
  name: 'color',
  in: 'query',
  style,
  explode,
  ...more,
});

describe('paths', () => {
  it.each<[Style, boolean, string, string, string]>([
    ['matrix', false, ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
    ['matrix', true, ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
    ['label', false, '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
    ['label', true, '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
    ['simple', false, 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
    ['simple', true, 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
  ])('R-openapi: %s, explode %s', (style, explode, text, ofList, ofObject) => {
    expect(pathText(plan(style, explode), 'blue')).toBe(text);
    expect(pathText(plan(style, explode), list)).toBe(ofList);
    expect(pathText(plan(style, explode), object)).toBe(ofObject);
  });
});

describe('queries', () => {
  it.each<[Style, boolean, JsonValue, string]>([
    ['form', true, 'blue', 'color=blue'],
    ['form', false, list, 'color=blue,black,brown'],
    ['form', true, list, 'color=blue&color=black&color=brown'],
    ['form', false, object, 'color=R,100,G,200,B,150'],
    ['form', true, object, 'R=100&G=200&B=150'],
    ['spaceDelimited', false, list, 'color=blue%20black%20brown'],
    ['spaceDelimited', false, object, 'color=R%20100%20G%20200%20B%20150'],
    ['pipeDelimited', false, list, 'color=blue%7Cblack%7Cbrown'],
    ['deepObject', true, object, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
    ['deepObject', true, 'blue', 'color=blue'],
    ['deepObject', true, { a: { b: [1, 2] } }, 'color%5Ba%5D%5Bb%5D%5B0%5D=1&color%5Ba%5D%5Bb%5D%5B1%5D=2'],
    // As Stripe's document has it for `line_items`.
    ['deepObject', true, [{ id: 'a', at: [1] }], 'color%5B0%5D%5Bid%5D=a&color%5B0%5D%5Bat%5D%5B0%5D=1'],
    ['form', true, [], ''],
    ['form', true, 'a&b=c#d ü', 'color=a%26b%3Dc%23d%20%C3%BC'],
  ])('R-openapi: %s, explode %s: %j', (style, explode, value, expected) => {
    expect(queryPairs('color', plan(style, explode), value).join('&')).toBe(expected);
  });

  it('R-openapi: allowReserved keeps reserved characters, except those that would end the value', () => {
    const open = plan('form', true, { reserved: true });
    expect(queryPairs('to', open, 'https://a.example/b?c=d%2F')).toEqual(['to=https://a.example/b?c=d%2F']);
    expect(queryPairs('to', open, 'a&admin=1#x')).toEqual(['to=a%26admin=1%23x']);
  });

  it('R-openapi: a parameter with a content type is one text of it', () => {
    expect(queryPairs('q', plan('form', true, { content: 'json' }), { a: [1] })).toEqual(['q=%7B%22a%22%3A%5B1%5D%7D']);
  });
});

describe('headers and cookies', () => {
  it('R-openapi: lists and objects are on one line', () => {
    expect(headerText(plan('simple', false, { in: 'header' }), list)).toBe('blue,black,brown');
    expect(headerText(plan('simple', true, { in: 'header' }), object)).toBe('R=100,G=200,B=150');
    expect(cookieText(plan('form', false, { in: 'cookie' }), 'a; b=c')).toBe('color=a%3B%20b%3Dc');
  });

  it.each(['a\r\nx-admin: 1', 'a\n', '\u0000', '日本'])('R-openapi: %j is refused as a header value', (value) => {
    expect(() => headerText(plan('simple', false, { in: 'header' }), value)).toThrow('is not one line of plain text');
  });
});

describe('addresses', () => {
  const request: RequestPlan = {
    method: 'GET',
    path: '/a/{x}/b.{y}?fixed=1',
    server: 'default',
    accept: '*/*',
    parameters: [
      { key: 'x', name: 'x', in: 'path', style: 'simple', explode: false },
      { key: 'y', name: 'y', in: 'path', style: 'simple', explode: false },
      { key: 'z', name: 'z', in: 'query', style: 'form', explode: true },
    ],
  };

  it('R-openapi: a value never leaves its segment', () => {
    const { path } = buildRequest(request, { x: 'b/admin?x=1#y', y: 'a/b', z: 'c&d' });
    expect(path).toBe('/a/b%2Fadmin%3Fx%3D1%23y/b.a%2Fb?fixed=1&z=c%26d');
    expect(new URL(path, 'https://api.example.org').pathname).toBe('/a/b%2Fadmin%3Fx%3D1%23y/b.a%2Fb');
    expect(() => buildRequest(request, { x: '../../admin', y: 'a' })).toThrow('leads to another');
  });

  it.each(['.', '..', ''])('R-openapi: %j is refused as part of an address', (x) => {
    expect(() => buildRequest(request, { x, y: 'a' })).toThrow(/leads to another|cannot be empty/);
    const only = { ...request, path: '/{x}' };
    expect(() => buildRequest(only, { x })).toThrow(/leads to another|cannot be empty/);
  });

  it('R-openapi: a step is found as well where the style writes its dot', () => {
    const labels = {
      ...request,
      path: '/a/{x}',
      parameters: [{ key: 'x', name: 'x', in: 'path', style: 'label', explode: false }],
    } as const;
    expect(() => buildRequest(labels, { x: '.' })).toThrow('leads to another');
    expect(buildRequest(labels, { x: 'b' }).path).toBe('/a/.b');
    // Some servers decode twice.
    expect(() => buildRequest(labels, { x: '%2e' })).toThrow('leads to another');
  });
});

describe('bodies', () => {
  const body = (
    kind: 'json' | 'form' | 'multipart' | 'text' | 'binary',
    contentType: string,
    fields = {},
  ): RequestPlan => ({
    method: 'POST',
    path: '/',
    server: 'default',
    accept: '*/*',
    parameters: [],
    body: { kind, contentType, required: true, fields },
  });

  it('R-openapi: forms repeat names for lists, write objects as JSON, and otherwise follow their encoding', () => {
    const value = { a: [1, 2], b: { c: 'd&' }, e: 'f g' };
    expect(buildRequest(body('form', 'application/x-www-form-urlencoded'), { body: value }).body).toBe(
      'a=1&a=2&b=%7B%22c%22%3A%22d%26%22%7D&e=f%20g',
    );
    const fields = { a: { style: 'form', explode: false }, b: { style: 'deepObject', explode: true } };
    expect(buildRequest(body('form', 'application/x-www-form-urlencoded', fields), { body: value }).body).toBe(
      'a=1,2&b%5Bc%5D=d%26&e=f%20g',
    );
  });

  it('R-openapi: multipart carries files from base64 with name and type, and nothing escapes a name', async () => {
    const data = Buffer.from('\u0000\u0001bytes').toString('base64');
    const file = { data, filename: 'a"\r\nx: y.png', content_type: 'image/png' };
    const plan = body('multipart', 'multipart/form-data', { photo: { file: true } });
    const { headers, body: bytes } = buildRequest(plan, {
      body: { photo: file, name: 'Rex', more: { a: 1 }, tags: ['a', 'b'] },
    });
    const form = await new Response(bytes as Uint8Array<ArrayBuffer>, { headers: headers ?? {} }).formData();
    const photo = form.get('photo') as File;
    expect([photo.name, photo.type]).toEqual(['a"\r\nx: y.png', 'image/png']);
    expect(Buffer.from(await photo.arrayBuffer()).toString('base64')).toBe(data);
    expect(form.get('name')).toBe('Rex');
    expect(form.getAll('tags')).toEqual(['a', 'b']);
    expect(String(bytes)).toContain('Content-Type: application/json\r\n\r\n{"a":1}');
    const wrongs: JsonObject[] = [{ data: '!' }, { data, content_type: 'image/png\r\nx: y' }];
    for (const wrong of wrongs)
      expect(() => buildRequest(plan, { body: { photo: wrong } })).toThrow(/is not base64|is not a media type/);
  });

  it('R-openapi: text is sent unchanged, bytes from base64, and invalid base64 is refused', () => {
    expect(buildRequest(body('text', 'application/xml'), { body: '<a/>' })).toMatchObject({
      body: '<a/>',
      headers: { 'content-type': 'application/xml' },
    });
    expect(buildRequest(body('binary', 'image/png'), { body: 'AAEC' }).body).toEqual(Buffer.from([0, 1, 2]));
    expect(() => buildRequest(body('binary', 'image/png'), { body: 'not base64!' })).toThrow('body is not base64');
  });
});
