/** The answer to a request of a document is lost, and the call is made again as the next owner of its run makes it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Act, repeatAfterLoss } from '../../../tests/counterparts/lost-answers.js';
import { type Scripted, startScripted } from '../../../tests/counterparts/scripted.js';
import { stores, useStore } from '../../../tests/counterparts/stores.js';
import type { JsonObject } from '../../domain/json.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { createWorkers } from '../../util/sandbox/workers.js';
import { createOpenApiProvider, type OpenApiProvider } from './index.js';
import { plainHttp } from './tests/serve.js';

describe.each(stores)('on %s', (kind) => {
  const store = useStore(kind);
  const workers = createWorkers();
  let server: Scripted;
  let provider: OpenApiProvider;
  let helve: TestHelve;

  const operation = (operationId: string, parameters: readonly object[] = []) => ({
    operationId,
    parameters,
    security: [],
    requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
    responses: {},
  });
  const header = (name: string, schema: object, required = false) => ({ in: 'header', name, schema, required });

  const document = {
    openapi: '3.0.3',
    info: { title: 'Test', version: '1' },
    paths: {
      '/plain': { post: operation('add_plain'), put: operation('set_plain'), delete: operation('delete_plain') },
      '/keyed': { post: operation('add_keyed', [header('Idempotency-Key', { type: 'string', format: 'uuid' }, true)]) },
      '/reference': {
        patch: operation('edit_keyed', [header('x-idempotency-key', { $ref: '#/components/schemas/Key' })]),
      },
      '/short': { post: operation('add_short', [header('Idempotency-Key', { type: 'string', maxLength: 20 })]) },
    },
    components: { schemas: { Key: { type: 'string', maxLength: 64 } } },
  } as unknown as JsonObject;

  beforeAll(async () => {
    server = await startScripted();
    const source = { slug: 'one', load: async () => document, baseUrl: server.url };
    provider = createOpenApiProvider({ sources: [source], http: plainHttp, workers });
    await provider.tools('one');
    helve = await createTestHelve({
      providers: [provider],
      policies: [{ id: 'all', effect: 'allow', when: {} }],
      ...(await store()),
    });
  });
  afterAll(async () => {
    await helve?.close();
    await Promise.all([server?.close(), workers.close()]);
  });

  let effects: string[];
  beforeEach(() => {
    effects = [];
  });

  /** Acts once for each key, and once for each state. */
  const service: Act = ({ method, url, headers, body }) => {
    const key = headers['idempotency-key'] ?? headers['x-idempotency-key'];
    const effect = key === undefined ? `${method} ${url} ${body}` : String(key);
    if (!effects.includes(effect) || (method === 'POST' && key === undefined)) effects.push(effect);
    return { body: { ok: true } };
  };

  describe.each(['after', 'before'] as const)('the answer is lost %s the service acted', (lost) => {
    test.each([
      'set_plain',
      'delete_plain',
      'add_keyed',
      'edit_keyed',
    ])('R-durable-runs: %s happens once', async (name) => {
      const call = { helve, tool: `one__${name}`, input: {} };
      const { result } = await repeatAfterLoss(call, { server, act: service }, lost);
      expect(result).toMatchObject({ ok: true });
      expect(effects).toHaveLength(1);
    });

    test.each(['add_plain', 'add_short'])('R-durable-runs: %s is left to a person', async (name) => {
      const call = { helve, tool: `one__${name}`, input: {} };
      const { result, seen } = await repeatAfterLoss(call, { server, act: service }, lost);
      expect(result).toMatchObject({ ok: false, error: { code: 'outcome_unknown' } });
      expect(seen).toEqual([]);
      expect(effects).toHaveLength(lost === 'after' ? 1 : 0);
    });
  });

  test('R-durable-runs: each call has its own key, a UUID, unless the input has one', async () => {
    server.answer = async (_, response) => void response.writeHead(200).end('{}');
    server.seen.length = 0;
    for (const input of [{}, {}, { 'Idempotency-Key': '00000000-0000-4000-8000-000000000001' }])
      expect(await helve.call('one__add_keyed', input)).toMatchObject({ ok: true });
    const keys = server.seen.map(({ headers }) => String(headers['idempotency-key']));
    for (const key of keys)
      expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(keys[2]).toBe('00000000-0000-4000-8000-000000000001');
    expect(new Set(keys).size).toBe(3);
  });

  test('R-durable-runs: a service that does not honour the key acts twice', async () => {
    let acted = 0;
    const careless: Act = () => ({ body: { acted: ++acted } });
    await repeatAfterLoss({ helve, tool: 'one__add_keyed', input: {} }, { server, act: careless }, 'after');
    expect(acted).toBe(2);
  });
});
