import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { allPermissions } from '../domain/principal.js';
import { createHttpApp, type Listening, listen } from '../surfaces/http/index.js';
import type { ServedApi } from '../surfaces/http/routes/index.js';
import { createTestHelve, type TestHelve, testTool } from '../testing/index.js';
import { type Api, createClient, type HelveClient } from './index.js';

let helve: TestHelve;
let server: Listening;
let client: HelveClient;
let agent: HelveClient;

beforeAll(async () => {
  const steps = testTool({
    name: 'steps',
    async execute(_input, { progress }) {
      progress({ progress: 1, message: 'línea\nnueva' });
      return { done: true };
    },
  });
  helve = await createTestHelve({ tools: [steps] });
  const app = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost' });
  server = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0 });
  const { secret } = await helve.plane.createApiKey(helve.admin, { permissions: allPermissions });
  client = createClient({ url: `${server.url}/`, token: secret });
  agent = createClient({
    url: server.url,
    token: (await helve.plane.issueAgentToken(helve.admin, 'tester', {})).secret,
  });
});
afterAll(() => server.close());

test('R-rest: the client’s table equals the served routes, including types', () => {
  expectTypeOf<ServedApi>().toEqualTypeOf<Api>();
});

describe('over a real socket', () => {
  test('R-rest: a whole story, typed', async () => {
    const created = await client.call('POST /api/agents', { body: { slug: 'mate' } });
    expect(created).toMatchObject({ slug: 'mate', managedBy: 'api' });
    await client.call('PUT /api/agents/:agent/grants', {
      params: { agent: 'mate' },
      body: { grants: [{ toolkit: 'custom', tools: ['steps'] }] },
    });
    const { secret } = await client.call('POST /api/agents/:agent/tokens', { params: { agent: 'mate' }, body: {} });
    const mate = createClient({ url: server.url, token: secret });
    const { tools } = await mate.call('GET /api/tools/workspace');
    expect(tools.map(({ name }) => name)).toContain('steps');
    const result = await mate.call('POST /api/tools/execute', { body: { tool: 'steps', input: {} } });
    expect(result).toMatchObject({ ok: true, output: { done: true } });
    const { events } = await client.call('GET /api/audit', { query: { executionId: result.executionId } });
    expect(events.map((event) => event.type)).toEqual(['execution.finished', 'execution.started']);
    expect(await client.call('DELETE /api/agents/:agent', { params: { agent: 'mate' } })).toBeUndefined();
    expect(await client.call('GET /health')).toEqual({ status: 'ok' });
  });

  test('R-rest: a problem is a HelveError, a refused call is a result', async () => {
    const missing = client.call('GET /api/approvals/:id', { params: { id: 'a/../b' } });
    await expect(missing).rejects.toMatchObject({ name: 'HelveError', code: 'not_found' });
    await expect(agent.call('GET /api/agents')).rejects.toMatchObject({ code: 'forbidden' });
    const refused = await agent.call('POST /api/tools/execute', { body: { tool: 'nothing' } });
    expect(refused).toMatchObject({ ok: false, error: { code: 'tool_not_found' } });
    await expect(client.call('GET /api/approvals/:id', { params: { id: '..' } })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  test('R-stream: events arrive as values; a problem is thrown', async () => {
    const types: string[] = [];
    let id = '';
    for await (const event of agent.execute({ tool: 'steps' })) {
      types.push(event.type);
      id = event.executionId;
      if (event.type === 'progress') expect(event.update.message).toBe('línea\nnueva');
    }
    expect(types).toEqual(['started', 'progress', 'finished']);
    for await (const event of agent.follow(id)) expect(event.type).toBe('recorded');
    const nobody = createClient({ url: server.url }).execute({ tool: 'steps' })[Symbol.asyncIterator]();
    await expect(nobody.next()).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});
