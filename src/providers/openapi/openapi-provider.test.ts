/** The OpenAPI provider passes the contract, loads late, and calls with and without accounts. */
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { BoundConnection } from '../../domain/connection.js';
import type { JsonObject } from '../../domain/json.js';
import type { ProviderCall } from '../../domain/provider.js';
import type { ServiceRequest } from '../../domain/service.js';
import { providerContract } from '../../testing/provider-contract.js';
import { createTestHelve } from '../../testing/test-helve.js';
import { createWorkers } from '../../util/sandbox/workers.js';
import { createOpenApiProvider, type OpenApiSource } from './index.js';
import { plainHttp, type Received, type Reply, serve, type TestServer } from './tests/serve.js';

const workers = createWorkers();
afterAll(workers.close);

const open: TestServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});
async function serving(answer: (request: Received) => Reply | undefined): Promise<TestServer> {
  const server = await serve(answer);
  open.push(server);
  return server;
}

const post = (operationId: string, more: object = {}) => ({
  post: {
    operationId,
    requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
    responses: {},
    ...more,
  },
});
const api = (paths: object, more: object = {}): JsonObject =>
  JSON.parse(
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Test', version: '1' },
      servers: [{ url: 'https://api.example.org/v1' }],
      paths,
      ...more,
    }),
  );

function source(document: JsonObject, more: Partial<OpenApiSource> = {}): OpenApiSource {
  return { slug: 'one', load: async () => document, ...more };
}

async function call(
  provider: ReturnType<typeof createOpenApiProvider>,
  name: string,
  input: JsonObject = {},
  more: Partial<ProviderCall> = {},
) {
  const tool = (await provider.tools('one')).find(({ id }) => id.name === name);
  if (!tool) throw new Error(`no ${name}`);
  return provider.execute({
    tool,
    input,
    config: {},
    executionId: 'e1',
    effectKey: '0123456789abcdef0123456789abcdef',
    signal: new AbortController().signal,
    progress: () => undefined,
    caller: { kind: 'agent', id: 'a1', name: 'scout', workspaceId: 'w1' },
    ...more,
  });
}

providerContract('openapi', async () => {
  const loaded: string[] = [];
  const server = await serving(({ url, body }) => {
    if (url === '/patient') return undefined;
    if (url === '/broken') return { status: 500, json: { error: { message: 'broke' } } };
    const sent = body === '' ? {} : JSON.parse(Buffer.from(body, 'latin1').toString());
    return { json: { echoed: sent } };
  });
  const free = { text: { type: 'string' }, list: { type: 'array', items: {} } };
  const document = api({
    '/echo': post('echo', {
      requestBody: {
        content: { 'application/json': { schema: { type: 'object', properties: free } } },
        required: true,
      },
    }),
    '/broken': post('broken'),
    '/patient': post('patient'),
  });
  const load = async () => {
    loaded.push('one');
    return document;
  };
  const two = source(api({ '/a': { get: { responses: {} } } }), { slug: 'two' });
  return {
    provider: createOpenApiProvider({
      sources: [{ slug: 'one', load, baseUrl: server.url }, two],
      http: plainHttp,
      workers,
    }),
    loads: () => loaded,
    echo: { toolkit: 'one', name: 'echo' },
    broken: { toolkit: 'one', name: 'broken' },
    patient: { toolkit: 'one', name: 'patient' },
  };
});

describe('documents as sources', () => {
  it('R-openapi: a document is loaded at its first use; a failed load is tried again, and names the document', async () => {
    let turns = 0;
    const flaky: OpenApiSource = {
      slug: 'one',
      async load() {
        turns += 1;
        return turns === 1
          ? '{"openapi": "4.0"}'
          : api({ '/pets': { get: { operationId: 'listPets', responses: {} } } });
      },
    };
    const provider = createOpenApiProvider({ sources: [flaky], http: plainHttp, workers });
    expect(await provider.toolkits()).toMatchObject([{ slug: 'one', needsConnection: true }]);
    expect(turns).toBe(0);
    await expect(provider.tools('one')).rejects.toMatchObject({
      code: 'invalid_config',
      message: 'The OpenAPI document of one cannot be used: it is of version "4.0"',
    });
    expect((await provider.tools('one')).map(({ id }) => id.name)).toEqual(['list_pets']);
    expect(await provider.toolkits()).toMatchObject([{ title: 'Test', needsConnection: false }]);
  });

  it('R-openapi: only included operations become tools, by name or tag, under their usual names', async () => {
    const paths = {
      '/pets': { get: { operationId: 'listPets', tags: ['pets'], responses: {} } },
      '/shops': {
        get: { operationId: 'listShops', tags: ['shops'], responses: {} },
        delete: { operationId: 'listShops', responses: {} },
      },
    };
    const names = async (include?: readonly string[]) => {
      const provider = createOpenApiProvider({
        sources: [source(api(paths), include ? { include } : {})],
        http: plainHttp,
        workers,
      });
      return (await provider.tools('one')).map(({ id }) => id.name);
    };
    expect(await names()).toEqual(['list_pets', 'get_shops', 'delete_shops']);
    expect(await names(['pets'])).toEqual(['list_pets']);
    expect(await names(['shops'])).toEqual(['get_shops']);
    expect(await names(['nothing'])).toEqual([]);
  });

  it('R-openapi: YAML and version 2 are read like JSON of version 3', async () => {
    const yaml = `swagger: "2.0"
info: { title: Old, version: "1" }
host: old.example.org
basePath: /v2
schemes: [https]
securityDefinitions: { key: { type: apiKey, in: header, name: X-Key } }
security: [{ key: [] }]
paths:
  /pets/{id}:
    post:
      operationId: updatePet
      consumes: [application/x-www-form-urlencoded]
      parameters:
        - { name: id, in: path, required: true, type: integer }
        - { name: tags, in: query, type: array, items: { type: string }, collectionFormat: pipes }
        - { name: status, in: formData, type: string, required: true }
      responses: { 200: { description: ok } }
  /pets:
    post:
      operationId: addPet
      parameters: [{ name: body, in: body, required: true, schema: { $ref: "#/definitions/Pet" } }]
      responses: { 200: { description: ok } }
definitions: { Pet: { type: object, required: [name], properties: { name: { type: string } } } }
`;
    const provider = createOpenApiProvider({
      sources: [{ slug: 'one', load: async () => yaml }],
      http: plainHttp,
      workers,
    });
    const [update, add] = await provider.tools('one');
    expect(update?.inputSchema).toMatchObject({
      properties: { id: { type: ['integer', 'string'] }, tags: { type: 'array' }, status: { type: 'string' } },
      required: ['id', 'status'],
    });
    expect(add?.inputSchema).toMatchObject({ properties: { name: { type: 'string' } }, required: ['name'] });
    const { connection, sent } = account('key');
    await call(provider, 'update_pet', { id: 7, tags: ['a', 'b c'], status: 'sold' }, { connection });
    expect(sent).toMatchObject([{ path: '/pets/7?tags=a%7Cb%20c', body: 'status=sold' }]);
    expect(await provider.describe('one')).toMatchObject({ auth: { schemes: [{ id: 'key', kind: 'api_key' }] } });
    expect((await provider.describe('one'))?.service.servers({}, {}).default?.url).toBe('https://old.example.org/v2');
  });

  it('R-openapi: YAML with multiplying aliases, and invalid YAML, are refused without blocking', async () => {
    const rows = Array.from(
      { length: 12 },
      (_, row) => `a${row + 1}: &a${row + 1} [${Array(12).fill(`*a${row}`).join(', ')}]`,
    );
    const bomb = `openapi: 3.0.0\na0: &a0 [x, x]\n${rows.join('\n')}\npaths: {}\n`;
    const provider = createOpenApiProvider({
      sources: [
        { slug: 'bomb', load: async () => bomb },
        { slug: 'broken', load: async () => 'a: [b' },
        { slug: 'list', load: async () => '- a' },
      ],
      http: plainHttp,
      workers,
    });
    await expect(provider.tools('bomb')).rejects.toMatchObject({ message: expect.stringMatching(/alias/) });
    await expect(provider.tools('broken')).rejects.toMatchObject({ code: 'invalid_config' });
    await expect(provider.tools('list')).rejects.toThrow('it is not an object');
  });
});

/** What the plane passes, recording the request that would be sent. */
function account(scheme: string, reply: JsonObject = {}): { connection: BoundConnection; sent: ServiceRequest[] } {
  const sent: ServiceRequest[] = [];
  const text = JSON.stringify(reply);
  const response = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    url: '',
    body: Buffer.from(text),
    text: () => text,
    json: <T>() => reply as T,
  };
  const connection: BoundConnection = {
    facts: { slug: 'mine', scheme } as BoundConnection['facts'],
    service: () => ({
      async request(request) {
        sent.push(request);
        return response;
      },
      json: async <T>() => reply as T,
    }),
    fields: async () => ({}),
  };
  return { connection, sent };
}

describe('accounts', () => {
  const securitySchemes = {
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    login: { type: 'http', scheme: 'basic' },
  };
  const document = api(
    {
      '/open': { get: { operationId: 'getOpen', security: [], responses: {} } },
      '/both': { get: { operationId: 'getBoth', security: [{}, { key: [] }], responses: {} } },
      '/mine': { get: { operationId: 'getMine', responses: {} } },
      '/admin': { get: { operationId: 'getAdmin', security: [{ login: [] }], responses: {} } },
    },
    { security: [{ key: [] }], components: { securitySchemes } },
  );

  it('R-openapi: an operation without security is called without credentials, also in a toolkit with accounts', async () => {
    const server = await serving(({ headers }) => ({ json: { key: headers['x-key'] ?? null } }));
    const provider = createOpenApiProvider({
      sources: [source(document, { baseUrl: server.url })],
      http: plainHttp,
      workers,
    });
    const { connection, sent } = account('key');
    expect((await call(provider, 'get_open', {}, { connection })).output).toEqual({ key: null });
    expect((await call(provider, 'get_both')).output).toEqual({ key: null });
    expect(sent).toEqual([]);
    await call(provider, 'get_both', {}, { connection });
    await call(provider, 'get_mine', {}, { connection });
    expect(sent.map(({ path }) => path)).toEqual(['/both', '/mine']);
  });

  it('R-openapi: without an account, or with one of another kind, an operation that needs one is refused with what to connect', async () => {
    const provider = createOpenApiProvider({ sources: [source(document)], http: plainHttp, workers });
    await expect(call(provider, 'get_mine')).rejects.toMatchObject({
      code: 'connection_inaccessible',
      hint: expect.stringMatching('X-Key'),
    });
    const { connection, sent } = account('key');
    await expect(call(provider, 'get_admin', {}, { connection })).rejects.toMatchObject({
      code: 'connection_inaccessible',
      message: expect.stringMatching('mine'),
      hint: expect.stringMatching('User name and password'),
    });
    expect(sent).toEqual([]);
  });

  it('R-openapi: through the plane the account’s key is sent where the document says, and the caller gets its refusal', async () => {
    const server = await serving(({ url, headers }) =>
      url.startsWith('/mine') && headers['x-key'] === 's3cret'
        ? { json: { ok: true } }
        : { status: 403, json: { title: 'Forbidden', detail: `the key is not allowed here: ${headers['x-key']}` } },
    );
    const provider = createOpenApiProvider({
      sources: [source(document, { slug: 'tester', baseUrl: server.url })],
      http: plainHttp,
      workers,
    });
    await provider.tools('tester');
    const helve = await createTestHelve({
      providers: [provider],
      connections: [{ toolkit: 'tester', name: 'Mine', scheme: 'key', credentials: { api_key: 's3cret' } }],
    });
    expect(await helve.call('mine__get_mine')).toMatchObject({ ok: true, output: { ok: true } });
    const refused = await helve.call('mine__get_both');
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'forbidden', message: expect.stringMatching('the key is not allowed here') },
    });
    // The service repeats the key in its refusal, so it would be recorded if nothing removed it.
    const record = JSON.stringify([refused, await helve.audited()]);
    expect(record).toContain('not allowed here: [credential removed]');
    expect(record).not.toContain('s3cret');
    await helve.close();
  });

  it('R-openapi: an id of many digits is sent as it came, and refused where it would be rounded', async () => {
    const server = await serving(({ url }) => ({
      text: `{"id":9007199254740993,"asked":"${url}"}`,
      headers: { 'content-type': 'application/json' },
    }));
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } };
    const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };
    const document = api({
      '/things/{id}': { get: { operationId: 'get_thing', parameters: [id, limit], responses: {} } },
    });
    const provider = createOpenApiProvider({
      sources: [source(document, { slug: 'big', baseUrl: server.url })],
      http: plainHttp,
      workers,
    });
    await provider.tools('big');
    const helve = await createTestHelve({ providers: [provider] });
    const first = await helve.call('big__get_thing', { id: 7 });
    expect(first).toMatchObject({ output: { id: '9007199254740993', asked: '/things/7' } });
    expect(await helve.call('big__get_thing', { id: '9007199254740993' })).toMatchObject({
      output: { asked: '/things/9007199254740993' },
    });
    for (const wrong of [{ id: Number('9007199254740993') }, { id: 'seven' }, { id: 7, limit: '5' }])
      expect(await helve.call('big__get_thing', wrong)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    await helve.close();
  });

  it('R-openapi: an id in a body that was rounded is not sent; other numbers are', async () => {
    const received: unknown[] = [];
    const server = await serving(({ body }) => {
      received.push(JSON.parse(String(body)));
      return { text: '{}', headers: { 'content-type': 'application/json' } };
    });
    const member = { type: 'integer', format: 'int64' };
    const properties = { thing_id: member, at: member, parts: { type: 'array', items: { properties: { ids: {} } } } };
    const requestBody = { content: { 'application/json': { schema: { type: 'object', properties } } } };
    const provider = createOpenApiProvider({
      sources: [source(api({ '/things': post('make_thing', { requestBody }) }), { slug: 'big', baseUrl: server.url })],
      http: plainHttp,
      workers,
    });
    await provider.tools('big');
    const helve = await createTestHelve({
      providers: [provider],
      policies: [{ id: 'all', effect: 'allow', when: {} }],
    });
    const rounded = Number('9007199254740993');
    for (const wrong of [{ thing_id: rounded }, { parts: [{ ids: [1, -rounded] }] }])
      expect(await helve.call('big__make_thing', wrong), JSON.stringify(wrong)).toMatchObject({
        error: { code: 'invalid_input', message: expect.stringMatching(/: (?:thing_id|ids) has more digits/) },
      });
    expect(received).toEqual([]);
    // A moment in nanoseconds may be rounded.
    const fine = { thing_id: Number.MAX_SAFE_INTEGER, at: 1.7e18 };
    expect(await helve.call('big__make_thing', fine)).toMatchObject({ ok: true });
    expect(received).toEqual([fine]);
    await helve.close();
  });
});
