import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
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

describe('a server that gives no answer', () => {
  type Handle = (request: IncomingMessage, response: ServerResponse) => void;
  async function withServer<T>(handle: Handle, use: (client: HelveClient) => Promise<T>): Promise<T> {
    const served = createServer(handle);
    await new Promise<void>((resolve) => served.listen(0, '127.0.0.1', resolve));
    try {
      return await use(createClient({ url: `http://127.0.0.1:${(served.address() as AddressInfo).port}` }));
    } finally {
      served.closeAllConnections();
      served.close();
    }
  }
  const json = { 'content-type': 'application/json' };
  const hangUp: Handle = (request) => request.socket.destroy();
  const halfJson: Handle = (_request, response) => {
    response.writeHead(200, { ...json, 'content-length': '100' });
    response.write('{"ok":', () => response.destroy());
  };
  const halfStream: Handle = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: run\ndata: {}\n\n', () => setImmediate(() => response.destroy()));
  };
  const page: Handle = (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
  const read = (one: HelveClient) => one.call('GET /api/agents');
  const change = (one: HelveClient) => one.call('POST /api/tools/execute', { body: { tool: 'steps', input: {} } });
  const follow = async (one: HelveClient) => {
    for await (const _event of one.followRun({ id: 'r' }));
  };

  test.each<[string, Handle, (one: HelveClient) => Promise<unknown>, string]>([
    ['hangs up at a read', hangUp, read, 'upstream_failed'],
    ['hangs up at a change', hangUp, change, 'outcome_unknown'],
    ['stops in the middle of its answer to a read', halfJson, read, 'upstream_failed'],
    ['stops in the middle of its answer to a change', halfJson, change, 'outcome_unknown'],
    ['cuts a stream', halfStream, follow, 'upstream_failed'],
    ['is not Helve', page, read, 'upstream_failed'],
  ])('R-rest: one that %s is a HelveError', async (_what, handle, act, code) => {
    await withServer(handle, async (one) => {
      await expect(act(one)).rejects.toMatchObject({ name: 'HelveError', code });
    });
  });

  test('R-rest: one where nobody listens is known not to have got the request, and an abort is thrown as it is', async () => {
    const closed = await listen({ fetch: () => new Response(), host: '127.0.0.1', port: 0 });
    await closed.close();
    await expect(change(createClient({ url: closed.url }))).rejects.toMatchObject({ code: 'upstream_failed' });
    const reason = new Error('enough');
    const aborted = client.call('GET /api/agents', {}, AbortSignal.abort(reason));
    await expect(aborted).rejects.toBe(reason);
  });

  test.each(['127.0.0.1:4870', 'localhost:4870', ''])('R-rest: %j is not an address', async (url) => {
    await expect(read(createClient({ url }))).rejects.toMatchObject({ code: 'invalid_input' });
  });
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

test('R-rest: a client without an address, in a program without types, is told so', async () => {
  await expect(createClient({ token: 'x' } as never).call('GET /api/agents')).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'undefined is not the address of a server',
  });
});
