/** What is read from a document: names, hints, inputs, servers, security; and what hostile documents cannot do. */
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../domain/json.js';
import { satisfies } from '../../schema/index.js';
import { startCpuClock } from '../../testing/cpu-time.js';
import { createWorkers } from '../../util/sandbox/workers.js';
import { readOpenApi } from './index.js';
import { convertInWorker, loadDocument } from './load-document.js';

const workers = createWorkers();
afterAll(workers.close);
const convert = convertInWorker(workers);

type Loose = Record<string, unknown>;
const api = (paths: Loose, more: Loose = {}): JsonObject =>
  JSON.parse(
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Test', version: '1' },
      servers: [{ url: 'https://api.example.org' }],
      paths,
      ...more,
    }),
  );
const read = (paths: Loose, more: Loose = {}) => readOpenApi(api(paths, more), { slug: 'test' });
const only = (operation: Loose, more: Loose = {}, path = '/things', method = 'post') => {
  const toolkit = read({ [path]: { [method]: { operationId: 'doThing', responses: {}, ...operation } } }, more);
  const [found] = toolkit.operations;
  if (!found) throw new Error(JSON.stringify(toolkit.refused));
  return {
    toolkit,
    operation: found,
    schema: toolkit.inputSchema(found) as { properties: Record<string, Loose>; required?: string[]; $defs?: Loose },
  };
};
const json = (schema: unknown, more: Loose = {}) => ({
  requestBody: { required: true, content: { 'application/json': { schema } }, ...more },
});
const query = (name: string, schema: unknown = { type: 'string' }, more: Loose = {}) => ({
  name,
  in: 'query',
  schema,
  ...more,
});

describe('names and hints', () => {
  it('R-openapi: names come from the document, from method and path where they are missing or doubled, in any order of operations', () => {
    const operations: [string, string, string | undefined][] = [
      ['/pets', 'get', 'listPets'],
      ['/pets/{petId}', 'get', 'pets/get-by-id'],
      ['/a', 'get', 'same'],
      ['/b', 'post', 'same'],
      ['/a-b', 'put', undefined],
      ['/a_b', 'put', undefined],
    ];
    const names = (list: typeof operations) => {
      const paths: Record<string, Loose> = {};
      for (const [path, method, operationId] of list) paths[path] = { [method]: { operationId, responses: {} } };
      return Object.fromEntries(read(paths).operations.map(({ name, method, path }) => [`${method} ${path}`, name]));
    };
    const found = names(operations);
    expect(found).toMatchObject({
      'GET /pets': 'list_pets',
      'GET /pets/{petId}': 'pets_get_by_id',
      'GET /a': 'get_a',
      'POST /b': 'post_b',
    });
    expect(found['PUT /a-b']).toMatch(/^put_a_b_[0-9a-f]{8}$/);
    expect(new Set(Object.values(found)).size).toBe(6);
    expect(names([...operations].reverse())).toEqual(found);
  });

  it.each([
    ['get', 'listPets', { readOnlyHint: true, destructiveHint: false, idempotentHint: true }, 'read', 'list pets'],
    [
      'put',
      'replacePet',
      { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
      'write',
      'replace pet',
    ],
    [
      'post',
      'createPet',
      { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
      'write',
      'create pet',
    ],
    [
      'delete',
      'dropPet',
      { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
      'destructive',
      'delete pet',
    ],
    ['get', 'deletePet', { readOnlyHint: false, destructiveHint: true }, 'destructive', 'delete pet'],
    ['post', 'deletePet', { readOnlyHint: false, destructiveHint: true }, 'destructive', 'delete pet'],
  ])('R-openapi: %s %s has the hints of its method', (method, operationId, annotations, risk, capability) => {
    const { operation } = only({ operationId }, {}, '/pets', method);
    expect(operation).toMatchObject({ annotations, risk, capabilities: [capability] });
  });

  it('R-openapi: an unsupported method and a missing parameter are refused by name, the rest stays', () => {
    const { operations, refused } = read({
      '/a': { trace: { responses: {} }, get: { responses: {} } },
      '/b': { get: { parameters: [{ $ref: '#/components/parameters/none' }], responses: {} } },
      '/c': { post: json({ $ref: 'https://evil.example/schema.json' }) },
    });
    expect(operations.map(({ name }) => name)).toEqual(['get_a']);
    expect(refused).toEqual([
      { operation: 'TRACE /a', reason: 'the method TRACE is not sent' },
      { operation: 'GET /b', reason: '#/components/parameters/none is not in the document' },
      { operation: 'POST /c', reason: 'The reference "https://evil.example/schema.json" leaves the document' },
    ]);
  });

  it('R-openapi: text of the document is cut, without markup and without invisible characters', () => {
    const hidden = 'Lists\u202e \u200bpets\u{e0041}.\u0007 <b>All</b>\n\nof them';
    const { operation } = only(
      { summary: 'List pets', description: hidden + 'x'.repeat(5_000), deprecated: true },
      {},
      '/pets',
      'get',
    );
    expect(operation.description).toMatch(/^Deprecated\. List pets\. Lists pets\. All of themx+… GET \/pets\.$/);
    expect(operation.description.length).toBeLessThan(1_100);
    const { schema } = only({ parameters: [query('a', { type: 'string', enum: ['x', 'y\u202e'] })] });
    expect(schema.properties.a?.enum).toEqual(['x']);
  });
});

describe('inputs', () => {
  it('R-openapi: parameters and members of the body are side by side; keys are valid for models', () => {
    const pet = {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, id: { type: 'integer', readOnly: true } },
    };
    const { schema, operation } = only(
      {
        parameters: [query('filter[name]'), { name: 'x', in: 'path', schema: { type: 'integer' } }],
        ...json({ $ref: '#/components/schemas/Pet' }),
      },
      { components: { schemas: { Pet: pet } } },
      '/things/{x}',
    );
    expect(Object.keys(schema.properties)).toEqual(['filter_name', 'x', 'name']);
    expect(schema.properties.filter_name?.description).toBe('Sent as filter[name]');
    expect(schema.required).toEqual(['x', 'name']);
    expect(operation.plan.body).toMatchObject({ spread: [['name', 'name']] });
    expect(satisfies(schema as Loose, { x: 1, name: 'a' })).toBe(true);
    expect(satisfies(schema as Loose, { x: 1, name: 'a', nmae: 'b' })).toBe(false);
  });

  it('R-openapi: if names collide the body is separate; if parameters collide, each location is', () => {
    const body = json({ type: 'object', properties: { id: { type: 'integer' } } });
    const apart = only({ ...body }, {}, '/things/{id}');
    expect(Object.keys(apart.schema.properties)).toEqual(['id', 'body']);
    const grouped = only({ parameters: [query('id')], ...body }, {}, '/things/{id}');
    expect(Object.keys(grouped.schema.properties)).toEqual(['path', 'query', 'body']);
    expect(grouped.schema.required).toEqual(['path', 'body']);
  });

  it('R-openapi: an optional body with required members stays in one piece', () => {
    const { schema } = only({
      ...json({ type: 'object', required: ['a'], properties: { a: {} } }, { required: false }),
    });
    expect(schema.required).toBeUndefined();
    expect(Object.keys(schema.properties)).toEqual(['body']);
  });

  it('R-openapi: keywords of version 3.0 become JSON Schema', () => {
    const of = (property: Loose) => only(json({ type: 'object', properties: { a: property } })).schema.properties.a;
    expect(of({ type: 'string', nullable: true, enum: ['x'] })).toEqual({
      type: ['string', 'null'],
      enum: ['x', null],
    });
    expect(of({ type: 'integer', minimum: 0, exclusiveMinimum: true })).toEqual({
      type: 'integer',
      exclusiveMinimum: 0,
    });
    expect(of({ type: 'string', default: 'x', example: 'y' })).toEqual({
      type: 'string',
      examples: ['y'],
      description: 'Default: x',
    });
    expect(of({ type: 'string', enum: [1, true] })).toEqual({ type: 'string', enum: ['1', 'true'] });
    expect(of({ oneOf: [{ type: 'integer' }, { type: 'number' }], nullable: true })).toEqual({
      anyOf: [{ anyOf: [{ type: 'integer' }, { type: 'number' }] }, { type: 'null' }],
    });
    expect(of({ type: 'string', minLength: 5, maxLength: 2 })).toEqual({ type: 'string' });
  });

  it.each([
    ['^[a-z]{2,10}$', true],
    ['^\\d{3}-\\d{4}$', true],
    ['^[A-Z]+$', true],
    ['(a+)+$', true],
    ['^(?=.*a).*$', true],
    ['[\\w-\\.]', true],
    ['^.{0,262144}$', true],
    ['(?i)^[a-z]+$', true],
    ['^(a*)*\\1$', false],
    ['^(?:a{0,1000}){0,1000}$', false],
    ['(', false],
  ])('R-openapi: the pattern %s is checked against values: %s; otherwise it is only described', (pattern, held) => {
    const { schema } = only({ parameters: [query('a', { type: 'string', pattern })] });
    expect(schema.properties.a?.pattern).toBe(held ? pattern : undefined);
    if (!held) expect(schema.properties.a?.description).toMatch(/^Pattern: /);
  });

  it('R-openapi: references stay within the operation, cyclic ones as references', () => {
    const node = {
      type: 'object',
      properties: { next: { $ref: '#/components/schemas/Node' }, name: { type: 'string' } },
    };
    const { schema } = only(json({ type: 'array', items: { $ref: '#/components/schemas/Node' } }), {
      components: { schemas: { Node: node, Unused: { type: 'string' } } },
    });
    expect(Object.keys(schema.$defs ?? {})).toEqual(['Node']);
    expect(satisfies(schema as Loose, { body: [{ next: { next: { name: 'a' } } }] })).toBe(true);
    expect(satisfies(schema as Loose, { body: [{ next: { next: { name: 1 } } }] })).toBe(false);
  });

  it('R-openapi: a base type that lists its kinds, whose kinds build on it, ends', () => {
    const schemas = {
      Base: {
        type: 'object',
        required: ['kind'],
        properties: { kind: { type: 'string' } },
        oneOf: [{ $ref: '#/components/schemas/Cat' }],
      },
      Cat: {
        allOf: [
          { $ref: '#/components/schemas/Base' },
          { type: 'object', required: ['purrs'], properties: { purrs: { type: 'boolean' } } },
        ],
      },
      Loop: { $ref: '#/components/schemas/Pool' },
      Pool: { $ref: '#/components/schemas/Loop' },
    };
    const { schema } = only(json({ type: 'array', items: { $ref: '#/components/schemas/Base' } }), {
      components: { schemas },
    });
    expect(satisfies(schema as Loose, { body: [{ kind: 'cat', purrs: true }] })).toBe(true);
    expect(satisfies(schema as Loose, { body: [{ kind: 'cat' }] })).toBe(false);
    expect(satisfies(schema as Loose, { body: [{ purrs: true }] })).toBe(false);
    const loop = only(json({ type: 'array', items: { $ref: '#/components/schemas/Loop' } }), {
      components: { schemas },
    });
    expect(satisfies(loop.schema as Loose, { body: [1] })).toBe(true);
  });
});

describe('servers', () => {
  const address = (servers: unknown, options: Loose = {}, connection: JsonObject = {}, settings: JsonObject = {}) =>
    readOpenApi(api({ '/a': { get: { responses: {} } } }, { servers }), { slug: 'test', ...options }).service.servers(
      settings,
      connection,
    );

  it('R-openapi: variables have their defaults, or the connection’s values; values that lead elsewhere are refused', () => {
    const servers = [
      {
        url: 'https://{shop}.example.org/{version}/',
        variables: { shop: { default: 'demo' }, version: { default: 'v1', enum: ['v1', 'v2'] } },
      },
    ];
    expect(address(servers).default).toEqual({ url: 'https://demo.example.org/v1' });
    expect(address(servers, {}, { shop: 'mine', version: 'v2' }).default).toEqual({
      url: 'https://mine.example.org/v2',
    });
    for (const shop of ['evil.example/', 'a@evil', 'a:1', 'a#', 'a?', 'a/..', ''.padEnd(1, '.')])
      expect(address(servers, {}, { shop }).default).toBeUndefined();
    expect(address(servers, {}, { version: 'v3' }).default).toBeUndefined();
  });

  it('R-openapi: a relative server needs the address of the document; other schemes are refused by name', () => {
    expect(address([{ url: '/api' }], { documentUrl: 'https://a.example/docs/openapi.json' }).default).toEqual({
      url: 'https://a.example/api',
    });
    expect(() => address([{ url: '/api' }])).toThrow('its server "/api" is relative');
    expect(() => address([{ url: 'ftp://a.example' }])).toThrow('is not http or https');
    expect(() => address([{ url: 'https://user:secret@a.example' }])).toThrow('not an http or https address');
    expect(address([{ url: '/api' }, { url: 'https://b.example' }]).default).toEqual({ url: 'https://b.example' });
  });

  it('R-vault: of the same server with and without encryption, the one with it is used, whichever is listed first', async () => {
    const [plain, secure] = ['http://{shop}.example.org/v1', 'https://{shop}.example.org/v1'].map((url) => ({
      url,
      variables: { shop: { default: 'demo' } },
    }));
    const other = { url: 'https://other.example.org' };
    for (const servers of [
      [plain, secure],
      [secure, plain],
      [plain, other, secure],
    ])
      expect(address(servers).default).toEqual({ url: 'https://demo.example.org/v1' });
    expect(address([plain, other]).default).toEqual({ url: 'http://demo.example.org/v1' });
    const text = JSON.stringify({
      swagger: '2.0',
      info: { title: 'Test', version: '1' },
      host: 'api.example.org',
      schemes: ['http', 'https'],
      paths: { '/a': { get: { responses: {} } } },
    });
    const view = await loadDocument(text, convert);
    const whole = Object.fromEntries(['openapi', 'info', 'servers', 'paths'].map((name) => [name, view.get([name])]));
    const { service } = readOpenApi(whole as JsonObject, { slug: 'test' });
    expect(service.servers({}, {}).default).toEqual({ url: 'https://api.example.org' });
  });

  it('R-openapi: a server that cannot be used spoils only its own operations', () => {
    const paths = {
      '/good': { get: { responses: {} } },
      '/bad': { get: { servers: [{ url: 'ftp://x.example' }], responses: {} } },
      '/port': {
        get: { servers: [{ url: 'https://x.example:{port}', variables: { port: { default: '80' } } }], responses: {} },
      },
      '/needs': { get: { servers: [{ url: 'https://{tenant}.x.example' }], responses: {} } },
    };
    const toolkit = readOpenApi(api(paths), { slug: 'test' });
    expect(toolkit.refused.map(({ operation }) => operation)).toEqual(['GET /bad']);
    const named = (path: string) =>
      toolkit.operations.find((one) => one.path === path) as (typeof toolkit.operations)[0];
    const addresses = toolkit.service.servers({}, { port: '99999' });
    expect(addresses.default).toEqual({ url: 'https://api.example.org' });
    expect(addresses[named('/port').plan.server]).toBeUndefined();
    expect(addresses[named('/needs').plan.server]).toBeUndefined();
    expect(() => toolkit.checkServer(named('/good'), {}, { port: '99999' })).not.toThrow();
    expect(() => toolkit.checkServer(named('/port'), {}, { port: '99999' })).toThrow(/99999/);
    expect(() => toolkit.checkServer(named('/port'), {}, { port: 'a/b' })).toThrow('cannot be a part of the server');
    expect(() => toolkit.checkServer(named('/needs'), {}, {})).toThrow(/needs a value for tenant/);
    expect(() => toolkit.checkServer(named('/needs'), {}, { tenant: 'me' })).not.toThrow();
  });

  it('R-openapi: operations may have their own servers; the operator’s base URL replaces all of them', () => {
    const paths = {
      '/a': { get: { responses: {} } },
      '/b': { servers: [{ url: 'https://up.example.org' }], get: { responses: {} } },
    };
    const own = read(paths);
    const [a, b] = own.operations;
    expect(a?.plan.server).toBe('default');
    const all = own.service.servers({}, {});
    expect(all[b?.plan.server ?? '']).toEqual({ url: 'https://up.example.org' });
    const named = readOpenApi(api(paths), { slug: 'test', baseUrl: 'http://127.0.0.1:9/x/' });
    expect(named.operations.map(({ plan }) => plan.server)).toEqual(['default', 'default']);
    expect(named.service.servers({ base_url: 'http://127.0.0.1:9/x/' }, {})).toEqual({
      default: { url: 'http://127.0.0.1:9/x', named: true },
    });
  });
});

describe('security', () => {
  const securitySchemes = {
    key: { type: 'apiKey', in: 'query', name: 'api_key' },
    app: { type: 'apiKey', in: 'header', name: 'X-App' },
    login: { type: 'http', scheme: 'basic' },
    token: { type: 'http', scheme: 'bearer' },
    cert: { type: 'mutualTLS' },
    oauth: {
      type: 'oauth2',
      flows: {
        authorizationCode: {
          authorizationUrl: 'https://a.example/auth',
          tokenUrl: 'https://a.example/oauth/token',
          scopes: {},
        },
        clientCredentials: { tokenUrl: 'https://a.example/oauth/token', scopes: {} },
      },
    },
    implicit: { type: 'oauth2', flows: { implicit: { authorizationUrl: 'https://a.example/auth', scopes: {} } } },
  };
  const signedBy = (...security: Loose[]) =>
    only(
      { security, parameters: [query('api_key'), query('q')] },
      { components: { securitySchemes } },
      '/things',
      'get',
    );

  it('R-openapi: each kind of scheme says what to fill in and where it is sent', () => {
    const scheme = (name: string) => signedBy({ [name]: [] }).toolkit.auth?.schemes[0];
    expect(scheme('key')).toMatchObject({
      kind: 'api_key',
      fields: [{ name: 'api_key', secret: true }],
      placement: [{ in: 'query', name: 'api_key', value: '{api_key}' }],
    });
    expect(scheme('login')).toMatchObject({
      kind: 'basic',
      placement: [{ in: 'basic', username: '{username}', password: '{password}' }],
    });
    expect(scheme('token')).toMatchObject({
      placement: [{ in: 'header', name: 'Authorization', value: 'Bearer {token}' }],
    });
    expect(scheme('implicit')).toMatchObject({ kind: 'api_key', fields: [{ name: 'token' }] });
  });

  it('R-openapi: a parameter that the credentials fill in is not part of the input; without them it is', () => {
    expect(Object.keys(signedBy({ key: [] }).schema.properties)).toEqual(['q']);
    expect(Object.keys(signedBy({ token: [] }).schema.properties)).toEqual(['api_key', 'q']);
  });

  it('R-openapi: alternatives become separate schemes; what is needed together becomes one', () => {
    const { toolkit, operation } = signedBy({ login: [] }, { app: [], key: [] });
    expect(toolkit.auth?.schemes.map(({ id }) => id).sort()).toEqual(['app_and_key', 'login']);
    expect(toolkit.auth?.schemes.find(({ id }) => id === 'app_and_key')).toMatchObject({
      kind: 'custom',
      fields: [{ name: 'api_key' }, { name: 'key_api_key' }],
      placement: [
        { name: 'X-App', value: '{api_key}' },
        { name: 'api_key', value: '{key_api_key}' },
      ],
    });
    expect([...operation.schemes].sort()).toEqual(['app_and_key', 'login']);
    expect(operation.isPublic).toBe(false);
  });

  it('R-openapi: OAuth has its endpoints from the document, by code and by client credentials', async () => {
    const { toolkit, operation } = signedBy({ oauth: ['pets:read'], implicit: ['pets:read'] });
    expect(toolkit.oauthProviders).toEqual([
      {
        slug: 'openapi:test',
        name: 'Test',
        authorizationEndpoint: 'https://a.example/auth',
        tokenEndpoint: 'https://a.example/oauth/token',
      },
    ]);
    expect(toolkit.auth?.schemes).toMatchObject([
      { id: 'oauth', kind: 'oauth2', provider: 'openapi:test' },
      { id: 'oauth_client_credentials', kind: 'service_account', exchange: expect.any(Function) },
    ]);
    expect(operation.scopes).toEqual(['pets:read']);
    expect(toolkit.service.servers({}, {}).token_1).toEqual({ url: 'https://a.example/oauth' });
    const asked: unknown[] = [];
    const service = {
      request: () => Promise.reject(new Error('not here')),
      async json<T>(request: unknown) {
        asked.push(request);
        return { access_token: 't', expires_in: 60 } as T;
      },
    };
    const token = await toolkit.auth?.schemes[1]?.exchange?.({
      fields: { client_id: 'me', client_secret: 's' },
      scopes: ['pets:read'],
      service,
      tokenEndpoint: undefined,
      now: new Date(),
    });
    expect(token).toEqual({ accessToken: 't', expiresInSeconds: 60 });
    expect(asked).toMatchObject([
      {
        path: 'https://a.example/oauth/token',
        form: [
          ['grant_type', 'client_credentials'],
          ['scope', 'pets:read'],
        ],
      },
    ]);
  });

  it('R-openapi: of alternative scopes the narrowest is requested, and a wider one replaces it', () => {
    const of = (...scopes: string[]) => ({ security: scopes.map((scope) => ({ oauth: [scope] })), responses: {} });
    const { operations, auth } = read(
      { '/a': { get: of('all', 'read') }, '/b': { post: of('all', 'write') }, '/c': { delete: of('all') } },
      { components: { securitySchemes } },
    );
    expect(operations.map(({ scopes }) => scopes)).toEqual([['read'], ['write'], ['all']]);
    expect(auth?.impliedScopes).toEqual({ all: ['read', 'write'] });
  });

  it('R-openapi: operations that Helve cannot sign in to are refused by name', () => {
    expect(() => signedBy({ cert: [] })).toThrow('it needs sign-in by cert, which Helve does not support');
    expect(signedBy({ cert: [] }, { token: [] }).operation.schemes).toEqual(['token']);
    expect(signedBy({}, { token: [] }).operation).toMatchObject({ isPublic: true, schemes: ['token'] });
  });
});

describe('hostile documents', () => {
  const load = async (text: string) => {
    const view = await loadDocument(text, convert);
    return readOpenApi(
      Object.fromEntries(
        ['openapi', 'info', 'servers', 'paths', 'components'].map((name) => [name, view.get([name]) ?? null]),
      ) as JsonObject,
      { slug: 'test' },
    );
  };

  it('R-openapi: nesting, size and broken text are refused by name, never by running out of stack', async () => {
    await expect(loadDocument(`{"openapi":"3.0.0","paths":${'['.repeat(100_000)}`, convert)).rejects.toThrow(
      'nested deeper than 256 levels',
    );
    await expect(loadDocument(`{"openapi":"3.0.0","paths":{"/a":{`, convert)).rejects.toThrow('ends in the middle');
    await expect(loadDocument(`{"x":"${' '.repeat(64_000_001)}"}`, convert)).rejects.toMatchObject({
      code: 'too_large',
    });
    await expect(load('{"openapi":"3.0.0","paths":{}}')).rejects.toThrow('it has no operations');
    expect(() => readOpenApi({ swagger: '1.2' }, { slug: 'test' })).toThrow('it is of version "1.2"');
    expect(() => readOpenApi({ openapi: '3.0.0', paths: { '/a': { get: 7, post: null } } }, { slug: 'test' })).toThrow(
      'it has no operations',
    );
  });

  it('R-openapi: a document that doubles itself by references stays small', () => {
    const schemas: Loose = { L0: { type: 'string' } };
    for (let level = 1; level <= 60; level++) {
      const below = { $ref: `#/components/schemas/L${level - 1}` };
      schemas[`L${level}`] = {
        type: 'object',
        description: 'x'.repeat(900),
        properties: Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`p${index}`, below])),
      };
    }
    const worked = startCpuClock();
    const { schema } = only(json({ $ref: '#/components/schemas/L60' }), { components: { schemas } });
    expect(JSON.stringify(schema).length).toBeLessThan(60_000);
    expect(satisfies(schema as Loose, { p0: {} })).toBe(true);
    expect(worked()).toBeLessThan(2_000);
  });

  it('R-openapi: a fully expanded, deep and wide schema is cut to what can be shown and stays correct', () => {
    let deep: Loose = { type: 'string' };
    for (let level = 0; level < 120; level++) deep = { type: 'object', properties: { a: deep } };
    const wide = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`p${index}`, { type: 'integer' }])),
    };
    const { schema } = only(json({ type: 'object', properties: { deep, wide } }));
    expect(JSON.stringify(schema).length).toBeLessThan(40_000);
    expect(satisfies(schema as Loose, { deep: { a: { a: {} } }, wide: { p1: 1, p2999: 2 } })).toBe(true);
  });

  it('R-openapi: names that every object has are names like any other, and none reaches a prototype', async () => {
    const text = `{"openapi":"3.0.0","info":{"title":"x"},"servers":[{"url":"https://a.example"}],"paths":{
      "/a/{constructor}":{"__proto__":{"get":{}},"post":{"operationId":"__proto__","parameters":[{"name":"__proto__","in":"query","schema":{}},{"name":"toString","in":"query","schema":{"type":"string"}}],
      "requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","properties":{"__proto__":{"type":"string"},"ok":{"$ref":"#/components/schemas/__proto__"}}}}}}}}},
      "components":{"schemas":{"__proto__":{"type":"integer"}}}}`;
    const toolkit = await load(text);
    const [operation] = toolkit.operations;
    const schema = toolkit.inputSchema(operation as never) as { properties: Loose };
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(['toString', 'constructor', 'ok']));
    expect(satisfies(schema, { constructor: 'a', ok: 1 })).toBe(true);
    expect(satisfies(schema, { constructor: 'a', ok: 'x' })).toBe(false);
    expect(({} as Loose).get).toBeUndefined();
  });
});
