/** Requests that no well-meaning client sends. The door answers all of them plainly, and leaks nothing. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createMcpDoor } from '../../src/surfaces/mcp/index.js';
import { createFakePlane, type FakeOptions, person } from './fake-plane.js';
import { houseTools, seen } from './house-tools.js';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

function open(options: Partial<FakeOptions> = {}, limits = { mostSessions: 4, mostOfOnePrincipal: 3, idleMs: 50 }) {
  const plane = createFakePlane({ tools: houseTools, ...options });
  const serverInfo = { name: 'helve', version: '0.0.0' };
  const door = createMcpDoor({ plane, serverInfo, resultMaxChars: 10_000, sessionLimits: limits });
  stops.push(() => door.close());
  const post = (body: unknown, id = 'alice', headers: Record<string, string> = {}, signal?: AbortSignal) =>
    door.handle(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...(signal === undefined ? {} : { signal }),
      }),
      person(id),
    );
  const initialize = async (id = 'alice') => {
    const response = await post(
      rpc('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'raw', version: '0' },
      }),
      id,
    );
    await response.text();
    return response.headers.get('mcp-session-id') ?? '';
  };
  return { plane, door, post, initialize };
}

function rpc(method: string, params: object = {}, id: unknown = 1) {
  return { jsonrpc: '2.0', id, method, params };
}

const call = (name: string, input: object, id: unknown = 1) => rpc('tools/call', { name, arguments: input }, id);
const greet = call('greet', { name: 'Ada' });

describe('R-mcp-server: sessions of 2025-11-25 carry streams and nothing else', () => {
  it('R-mcp-server: a session answers only to the principal that opened it', async () => {
    const { post, initialize, plane, door } = open();
    const session = { 'mcp-session-id': await initialize('alice') };
    expect((await post(greet, 'alice', session)).status).toBe(200);
    expect((await post(greet, 'mallory', session)).status).toBe(404);
    for (const method of ['GET', 'DELETE']) {
      const headers = { accept: 'text/event-stream', ...session };
      const response = await door.handle(new Request('http://localhost/mcp', { method, headers }), person('mallory'));
      expect(response.status).toBe(404);
    }
    expect((await post(greet, 'alice', session)).status).toBe(200);
    expect(plane.calls.map(({ principal }) => principal.id)).toEqual(['alice', 'alice']);
    const elsewhere = { ...person('alice'), workspaceId: 'w2' };
    const headers = { ...session, 'content-type': 'application/json' };
    const request = new Request('http://localhost/mcp', { method: 'POST', headers, body: '{}' });
    expect((await door.handle(request, elsewhere, greet)).status).toBe(404);
  });

  it('R-mcp-server: a request outside any session is answered by itself', async () => {
    const { post, plane } = open();
    const response = await post(greet);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(await response.json()).toMatchObject({ id: 1, result: { structuredContent: { greeting: 'Hello, Ada' } } });
    expect(plane.calls[0]?.client?.elicit).toBeUndefined();
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
  });

  it('R-mcp-server: sessions are few, and go when they are idle', async () => {
    const { post, initialize } = open();
    const ids: string[] = [];
    for (const _turn of [1, 2, 3, 4]) ids.push(await initialize());
    expect((await post(greet, 'alice', { 'mcp-session-id': ids[0] ?? '' })).status).toBe(404);
    expect((await post(greet, 'alice', { 'mcp-session-id': ids[3] ?? '' })).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await post(greet, 'alice', { 'mcp-session-id': ids[3] ?? '' })).status).toBe(404);
  });

  it('R-mcp-server: a session deleted is gone', async () => {
    const { door, post, initialize } = open();
    const headers = { 'mcp-session-id': await initialize() };
    const request = new Request('http://localhost/mcp', { method: 'DELETE', headers });
    expect((await door.handle(request, person('alice'))).status).toBe(200);
    expect((await post(greet, 'alice', headers)).status).toBe(404);
  });

  it('R-mcp-server: one principal cannot resume another’s stream', async () => {
    const { door, post, initialize } = open();
    const [mine, theirs] = [await initialize('alice'), await initialize('bob')];
    const progressing = rpc('tools/call', { name: 'wait', arguments: { ms: 1 }, _meta: { progressToken: 1 } }, 7);
    const stream = await (await post(progressing, 'bob', { 'mcp-session-id': theirs })).text();
    const event = /id: (\d+)/.exec(stream)?.[1] ?? '';
    expect(event).not.toBe('');
    const headers = { accept: 'text/event-stream', 'mcp-session-id': mine, 'last-event-id': event };
    const response = await door.handle(new Request('http://localhost/mcp', { headers }), person('alice'));
    expect(response.status).toBe(400);
  });
});

describe('R-mcp-server: bad requests', () => {
  it.each([
    ['text that is no JSON', '{"jsonrpc":', 400],
    ['nothing', '', 400],
    ['a number', '7', 400],
    ['null', 'null', 400],
    ['an empty batch', '[]', 400],
    ['no method', '{"jsonrpc":"2.0","id":1}', 400],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"tools/list"}', 400],
    ['too much', `{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(5_000_000)}"}`, 413],
  ])('R-mcp-server: %s is refused', async (_what, body, status) => {
    const { post } = open();
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(await response.text()).not.toMatch(/\bat .*:\d+/);
  });

  it.each(['__proto__', 'constructor', 'toString', 'tools/../call', 'x'.repeat(10_000)])(
    'R-mcp-server: method %.20s is not found',
    async (method) => {
      const { post, initialize } = open();
      expect(await (await post(rpc(method))).json()).toMatchObject({ error: { code: -32601 } });
      const session = { 'mcp-session-id': await initialize() };
      expect(await (await post(rpc(method), 'alice', session)).json()).toMatchObject({ error: { code: -32601 } });
    },
  );

  it('R-mcp-server: a long id comes back as it was, and one in use is refused', async () => {
    const { post, initialize } = open();
    const id = 'i'.repeat(100_000);
    expect(await (await post(call('greet', { name: 'Ada' }, id))).json()).toMatchObject({ id });
    const session = { 'mcp-session-id': await initialize() };
    const first = post(call('wait', { ms: 200 }, 5), 'alice', session);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await post(call('wait', { ms: 1 }, 5), 'alice', session)).status).toBe(400);
    expect((await first).status).toBe(200);
  });

  it('R-mcp-server: wrong headers are refused', async () => {
    const { post, door } = open();
    expect((await post(greet, 'alice', { accept: 'application/json' })).status).toBe(406);
    expect((await post(greet, 'alice', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(greet, 'alice', { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      expect((await door.handle(new Request('http://localhost/mcp', { method }), person('alice'))).status).toBe(405);
    }
  });

  it('R-mcp-server: a batch of 2025-03-26 is answered for its own principal', async () => {
    const { post, plane } = open();
    const response = await post([greet, call('greet', { name: 'Bob' }, 2)], 'bob');
    const text = await response.text();
    expect(text).toContain('Hello, Ada');
    expect(text).toContain('Hello, Bob');
    expect(plane.calls.every(({ principal }) => principal.id === 'bob')).toBe(true);
  });

  it('R-mcp-server: a bug says nothing of the inside', async () => {
    const { post, plane } = open();
    plane.execute = async () => {
      throw new TypeError('secret at /srv/helve/x.ts:1');
    };
    const text = await (await post(greet)).text();
    expect(text).toContain('Internal error');
    expect(text).not.toContain('secret');
  });

  it('R-mcp-server: nothing is listed for another principal', async () => {
    const { post } = open({ visible: ({ id }, name) => id === 'alice' || name !== 'erase' });
    const names = async (id: string) => {
      const { result } = (await (await post(rpc('tools/list'), id)).json()) as any;
      return result.tools.map(({ name }: { name: string }) => name);
    };
    expect(await names('alice')).toContain('erase');
    expect(await names('bob')).not.toContain('erase');
    const { error } = (await (await post(call('erase', { target: 'x' }), 'bob')).json()) as any;
    expect(error.code).toBe(-32602);
  });

  it('R-mcp-server: a caller outside any session who is gone has cancelled', async () => {
    const { post } = open();
    const { cancelled } = seen;
    const controller = new AbortController();
    const pending = post(call('wait', { ms: 60_000 }), 'alice', {}, controller.signal);
    await new Promise((resolve) => setTimeout(resolve, 30));
    controller.abort();
    await vi.waitFor(() => expect(seen.cancelled).toBe(cancelled + 1));
    await pending;
  });

  it('R-mcp-server: a slow answer comes on a stream that is kept alive', async () => {
    const { post } = open();
    const response = await post(call('wait', { ms: 2_500 }));
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await response.text()).toContain('waited');
  });

  it('R-mcp-server: after it is closed the door serves nobody', async () => {
    const { post, door } = open();
    await door.close();
    expect((await post(greet)).status).toBe(503);
  });
});
