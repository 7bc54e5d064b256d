/** Requests that no well-behaved client sends, to the whole real stack. All get a clear answer, and nothing leaks. */
import { afterEach, describe, expect, it } from 'vitest';
import { createMcpDoor } from '../../src/surfaces/mcp/index.js';
import { houseTools, seen } from './house-tools.js';
import {
  atEnd,
  type Caller,
  endAll,
  grantsWithout,
  openRealDoor,
  type RealDoorOptions,
  rowsOf,
  rpc,
  type Sent,
  send,
  until,
} from './real-door.js';

afterEach(endAll);

const sessionLimits = { maxSessions: 4, maxPerPrincipal: 3, idleMs: 1_000 };
const openDoor = (options: RealDoorOptions = {}) => openRealDoor({ tools: houseTools, ...options });

async function initialize(
  caller: Caller,
  protocolVersion = '2025-11-25',
): Promise<Sent & { headers: { 'mcp-session-id': string } }> {
  const clientInfo = { name: 'raw', version: '0' };
  const params = { protocolVersion, capabilities: {}, clientInfo };
  const response = await send(caller, rpc('initialize', params));
  await response.text();
  return { headers: { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' } };
}

const statusOf = async (response: Promise<Response>) => {
  const { status, body } = await response;
  await body?.cancel();
  return status;
};
const call = (name: string, input: object, id: unknown = 1) => rpc('tools/call', { name, arguments: input }, id);
const greet = call('greet', { name: 'Ada' });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('R-mcp-server: sessions of 2025-11-25 are used only for streams', () => {
  it('R-mcp-server: a session answers only to the agent that opened it', async () => {
    const real = await openDoor();
    const session = await initialize(real.alice);
    expect(await statusOf(send(real.alice, greet, session))).toBe(200);
    for (const thief of [real.bob, real.outsider]) {
      expect(await statusOf(send(thief, greet, session))).toBe(404);
      for (const method of ['GET', 'DELETE']) {
        expect(await statusOf(send(thief, undefined, { ...session, method }))).toBe(404);
      }
    }
    expect(await statusOf(send(real.alice, greet, session))).toBe(200);
    const started = await rowsOf(real, 'execution.started');
    expect(started.map(({ actor }) => actor.id)).toEqual(Array(2).fill(real.alice.principal.id));
  });

  it('R-mcp-server: an initialize that is malformed is answered with what belongs into it', async () => {
    const { alice } = await openDoor();
    const clientInfo = { name: 'raw', version: '0' };
    for (const params of [
      { protocolVersion: 20251125, capabilities: {}, clientInfo },
      { capabilities: {} },
      undefined,
    ]) {
      const response = await send(alice, rpc('initialize', params as object, 'first'));
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { id: 'first', error: { code: -32_602, message: expect.stringContaining('protocolVersion') } },
      ]);
    }
  });

  it('R-mcp-server: a malformed request is answered with the field that is wrong, in words', async () => {
    const { alice } = await openDoor();
    const opened = await initialize(alice);
    for (const session of [undefined, opened]) {
      for (const [method, params, message] of [
        [
          'tools/call',
          { name: 'greet', arguments: null },
          /^tools\/call: \/params\/arguments .*expected record, received null$/,
        ],
        ['tools/call', {}, /^tools\/call: \/params\/name is missing$/],
        ['tools/list', { cursor: 7 }, /^tools\/list: \/params\/cursor .*expected string, received number$/],
      ] as const) {
        const { error } = (await (await send(alice, rpc(method, params), session)).json()) as any;
        expect(error).toEqual({ code: -32_602, message: expect.stringMatching(message) });
      }
    }
  });

  it('R-mcp-server: a request without a session is served by itself', async () => {
    const real = await openDoor();
    const response = await send(real.alice, greet);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('mcp-session-id')).toBeNull();
    expect(await response.json()).toMatchObject({ id: 1, result: { structuredContent: { greeting: 'Hello, Ada' } } });
    expect(await statusOf(send(real.alice, { jsonrpc: '2.0', method: 'notifications/initialized' }))).toBe(202);
    expect(await rowsOf(real, 'execution.finished')).toHaveLength(1);
  });

  it('R-approval: without a session no client can be asked, and the link is returned', async () => {
    const { alice, url } = await openDoor();
    const { result } = (await (await send(alice, call('erase', { target: 'disk' }))).json()) as any;
    expect(result).toMatchObject({ isError: true, _meta: { code: 'approval_required' } });
    expect(result.content[0].text).toContain(`${url}/approvals/`);
  });

  it('R-mcp-server: the number of sessions is limited, and idle ones are dropped', async () => {
    const { alice } = await openDoor({ sessionLimits });
    const sessions: Sent[] = [];
    for (const _turn of [1, 2, 3, 4]) sessions.push(await initialize(alice));
    const [first, , , last] = sessions;
    expect(await statusOf(send(alice, greet, first))).toBe(404);
    expect(await statusOf(send(alice, greet, last))).toBe(200);
    await pause(2_500);
    expect(await statusOf(send(alice, greet, last))).toBe(404);
  });

  it('R-mcp-server: a deleted session no longer exists', async () => {
    const { alice } = await openDoor();
    const session = await initialize(alice);
    expect(await statusOf(send(alice, undefined, { ...session, method: 'DELETE' }))).toBe(200);
    expect(await statusOf(send(alice, greet, session))).toBe(404);
  });

  it('R-mcp-server: one agent cannot resume another’s stream', async () => {
    const { alice, bob } = await openDoor();
    const [mine, theirs] = [await initialize(alice), await initialize(bob)];
    const progressing = rpc('tools/call', { name: 'wait', arguments: { ms: 1 }, _meta: { progressToken: 1 } }, 7);
    const stream = await (await send(bob, progressing, theirs)).text();
    const event = /id: (\S+)/.exec(stream)?.[1] ?? '';
    expect(event).not.toBe('');
    const headers = { ...mine.headers, 'last-event-id': event };
    expect(await statusOf(send(alice, undefined, { method: 'GET', headers }))).toBe(400);
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
    const { alice } = await openDoor();
    const response = await send(alice, body);
    expect(response.status).toBe(status);
    expect(await response.text()).not.toMatch(/\bat .*:\d+/);
  });

  it('R-mcp-server: an unknown method is not found, with a session and without', async () => {
    const { alice } = await openDoor();
    const session = await initialize(alice);
    for (const method of ['__proto__', 'constructor', 'toString', 'tools/../call', 'x'.repeat(10_000)]) {
      for (const sent of [{}, session]) {
        const answer = await (await send(alice, rpc(method), sent)).json();
        expect(answer).toMatchObject({ error: { code: -32601 } });
      }
    }
  });

  it('R-mcp-server: a long id comes back as it was, and one in use is refused', async () => {
    const { alice } = await openDoor();
    const id = 'i'.repeat(100_000);
    expect(await (await send(alice, call('greet', { name: 'Ada' }, id))).json()).toMatchObject({ id });
    const session = await initialize(alice);
    const { started } = seen;
    const first = send(alice, call('wait', { ms: 1_500 }, 5), session);
    await until(() => expect(seen.started).toBe(started + 1));
    expect(await statusOf(send(alice, call('wait', { ms: 1 }, 5), session))).toBe(400);
    expect(await statusOf(first)).toBe(200);
  });

  it('R-mcp-server: wrong headers are refused', async () => {
    const { alice } = await openDoor();
    const withHeaders = (headers: Record<string, string>) => statusOf(send(alice, greet, { headers }));
    expect(await withHeaders({ accept: 'application/json' })).toBe(406);
    expect(await withHeaders({ 'content-type': 'text/plain' })).toBe(415);
    expect(await withHeaders({ 'mcp-protocol-version': '1999-01-01' })).toBe(400);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      expect(await statusOf(send(alice, undefined, { method }))).toBe(405);
    }
  });

  it('R-mcp-server: a client that accepts everything is answered, with a session and without', async () => {
    const { alice } = await openDoor();
    for (const accept of ['*/*', 'application/json, text/plain, */*']) {
      const { headers } = await initialize(alice);
      for (const sent of [{ accept }, { ...headers, accept }]) {
        const response = await send(alice, greet, { headers: sent });
        expect(await response.json()).toMatchObject({ result: { structuredContent: { greeting: 'Hello, Ada' } } });
      }
      expect(await statusOf(send(alice, batch, { headers: { accept } }))).toBe(200);
      const notices = await send(alice, undefined, { method: 'GET', headers: { ...headers, accept } });
      expect(notices.headers.get('content-type')).toBe('text/event-stream');
      await notices.body?.cancel();
      expect(await statusOf(send(alice, undefined, { method: 'DELETE', headers: { ...headers, accept } }))).toBe(200);
    }
  });

  const batch = [greet, call('greet', { name: 'Bob' }, 2)];

  it('R-mcp-server: a batch of 2025-03-26 is answered for its own agent', async () => {
    const real = await openDoor();
    const session = await initialize(real.bob, '2025-03-26');
    for (const sent of [{}, session, { headers: { 'mcp-protocol-version': '2025-03-26' } }]) {
      const text = await (await send(real.bob, batch, sent)).text();
      expect(text).toContain('Hello, Ada');
      expect(text).toContain('Hello, Bob');
    }
    const started = await rowsOf(real, 'execution.started');
    expect(started.map(({ actor }) => actor.name)).toEqual(Array(6).fill('bob'));
  });

  it.each([
    '2024-11-05',
    '2025-06-18',
    '2025-11-25',
    '2026-07-28',
  ])('R-mcp-server: batches are refused under %s, and nothing of one runs', async (version) => {
    const real = await openDoor();
    const sent: Sent[] = [{ headers: { 'mcp-protocol-version': version } }];
    if (version < '2026') sent.push(await initialize(real.alice, version));
    for (const one of sent) {
      const response = await send(real.alice, batch, one);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: -32600 } });
      // The session stays open.
      if (one !== sent[0]) expect(await statusOf(send(real.alice, greet, one))).toBe(200);
    }
    expect(await rowsOf(real, 'execution.started')).toHaveLength(sent.length - 1);
  });

  it('R-mcp-server: an internal error reveals nothing', async () => {
    const { helve, alice } = await openDoor();
    const execute = async () => {
      throw new TypeError('secret at /srv/helve/x.ts:1');
    };
    const serverInfo = { name: 'helve', version: '0.0.0' };
    const door = createMcpDoor({
      plane: { ...helve.plane, execute },
      mcpSessions: helve.mcpSessions,
      serverInfo,
      resultMaxChars: 10_000,
    });
    atEnd(() => door.close());
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const request = new Request(alice.address, { method: 'POST', headers, body: JSON.stringify(greet) });
    const text = await (await door.handle(request, alice.principal)).text();
    expect(text).toContain('Internal error');
    expect(text).not.toContain('secret');
  });

  it('R-mcp-server: nothing is listed for another agent, and nothing runs for it', async () => {
    const real = await openDoor();
    const { plane, admin } = real.helve;
    await plane.replaceGrants(admin, 'bob', await grantsWithout(real.helve, 'greet'));
    const names = async (caller: Caller) => {
      const { result } = (await (await send(caller, rpc('tools/list'))).json()) as any;
      return result.tools.map(({ name }: { name: string }) => name);
    };
    expect(await names(real.alice)).toContain('greet');
    expect(await names(real.bob)).not.toContain('greet');
    const answer = await (await send(real.bob, greet)).json();
    expect(answer).toMatchObject({ result: { isError: true, _meta: { code: 'not_granted' } } });
    expect(await rowsOf(real, 'execution.started')).toEqual([]);
    expect(await rowsOf(real, 'execution.refused')).toMatchObject([{ tool: 'Custom.greet', actor: { name: 'bob' } }]);
  });

  it('R-mcp-server: without a session, a caller that disconnects has cancelled', async () => {
    const real = await openDoor();
    const { started, cancelled } = seen;
    const controller = new AbortController();
    const pending = send(real.alice, call('wait', { ms: 60_000 }), { signal: controller.signal });
    await until(() => expect(seen.started).toBe(started + 1));
    controller.abort();
    await expect(pending).rejects.toThrow();
    await until(() => expect(seen.cancelled).toBe(cancelled + 1));
    await until(async () =>
      expect((await rowsOf(real, 'execution.finished'))[0]?.body).toMatchObject({ error: { code: 'cancelled' } }),
    );
  });

  it('R-mcp-server: a slow answer uses a stream that is kept alive', async () => {
    const { alice } = await openDoor();
    const response = await send(alice, call('wait', { ms: 2_500 }));
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await response.text()).toContain('waited');
  });

  it('R-mcp-server: after it is closed the door serves no requests', async () => {
    const { alice, door } = await openDoor();
    await door.close();
    expect(await statusOf(send(alice, greet))).toBe(503);
  });
});
