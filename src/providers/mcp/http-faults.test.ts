/** Faults between Helve and a server over HTTP. The server is the official library's; the faults are injected in between. */
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterEach, describe, expect, test } from 'vitest';
import { createMcpProvider } from './index.js';
import { callTool, echoTool, listen, openTestServer, type SeenRequest, type TestTool } from './testing/servers.js';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function connect(url: string) {
  const provider = createMcpProvider({ servers: [{ slug: 'test', title: 'Test', transport: { kind: 'http', url } }] });
  ends.push(() => provider.close());
  return provider;
}

async function open(tools: readonly TestTool[] = [echoTool], kind: 'sessions' | 'stateless' = 'sessions') {
  const server = await openTestServer(tools, kind);
  ends.push(() => server.close());
  const provider = connect(server.url);
  await provider.tools('test');
  return { server, provider };
}

const isCall = ({ method }: SeenRequest): boolean => method === 'tools/call';
const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
const streamed = (body: string | ReadableStream, headers: Record<string, string> = {}) =>
  new Response(body, { headers: { 'content-type': 'text/event-stream', ...headers } });

describe('sessions', () => {
  test('R-mcp-client: if the server has lost a session, a new one is started once, and the call runs once', async () => {
    const { server, provider } = await open();
    server.forgetSessions();
    expect((await callTool(provider, 'test', 'echo')).output).toEqual({ echoed: {} });
    expect(server.ran).toEqual(['echo']);
    expect(server.requests.filter(({ method }) => method === 'initialize')).toHaveLength(2);
  });

  test('R-mcp-client: a connection that is lost between the list and the call is opened again, too', async () => {
    const { server, provider } = await open();
    let first = true;
    server.intercept = (_, seen) => {
      if (!isCall(seen) || !first) return undefined;
      first = false;
      return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'gone' } }, { status: 404 });
    };
    expect((await callTool(provider, 'test', 'echo')).output).toEqual({ echoed: {} });
    expect(server.ran).toEqual(['echo']);
  });

  test('R-mcp-client: a server that loses every session is given up after the second', async () => {
    const { server, provider } = await open();
    const [tool] = await provider.tools('test');
    server.intercept = (_, { method }) => (method === 'tools/call' ? new Response('gone', { status: 404 }) : undefined);
    await expect(callTool(provider, 'test', tool!)).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(server.requests.filter(isCall)).toHaveLength(2);
    expect(server.ran).toEqual([]);
  });

  test('R-mcp-client: the session is ended when the provider is closed', async () => {
    const { server, provider } = await open();
    await provider.close();
    expect(server.requests.map(({ http }) => http)).toContain('DELETE');
  });
});

describe('redirects', () => {
  test('R-mcp-client: credentials and calls do not follow a redirect to another host', async () => {
    const { server, provider } = await open();
    let stolen = 0;
    const thief = createServer((_, response) => {
      stolen += 1;
      response.end('{}');
    });
    const elsewhere = await listen(thief);
    ends.push(() => new Promise((resolve) => thief.close(resolve)));
    for (const status of [301, 302, 303, 307, 308]) {
      server.intercept = (_, seen) =>
        isCall(seen) ? new Response(null, { status, headers: { location: elsewhere } }) : undefined;
      await expect(callTool(provider, 'test', 'echo')).rejects.toMatchObject({ code: 'upstream_failed' });
    }
    expect(stolen).toBe(0);
    expect(server.ran).toEqual([]);
    // The thief counts the requests that arrive.
    await fetch(elsewhere);
    expect(stolen).toBe(1);
  });
});

describe('answers', () => {
  test('R-mcp-client: a server that is cut off during a call has an unknown outcome, immediately, and the call is not repeated', async () => {
    const { server, provider } = await open();
    const cut = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(': begun\n\n'));
        setTimeout(() => controller.error(new Error('reset')), 20);
      },
    });
    const ended = () => streamed(': nothing more\n\n');
    for (const answer of [() => streamed(cut), ended]) {
      server.intercept = (_, seen) => (isCall(seen) ? answer() : undefined);
      const started = performance.now();
      await expect(callTool(provider, 'test', 'echo')).rejects.toMatchObject({ code: 'outcome_unknown' });
      expect(performance.now() - started).toBeLessThan(5_000);
    }
    expect(server.requests.filter(isCall)).toHaveLength(2);
  });

  test('R-mcp-client: a stream that breaks after an event with an id is resumed there', async () => {
    const { server, provider } = await open();
    let id: unknown;
    let resumed: string | null = null;
    server.intercept = async (request, seen) => {
      if (isCall(seen)) {
        id = ((await request.clone().json()) as { id: unknown }).id;
        return streamed('id: 7\nretry: 10\ndata:\n\n');
      }
      if (seen.http !== 'GET' || !request.headers.has('last-event-id')) return undefined;
      resumed = request.headers.get('last-event-id');
      return streamed(event({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'late' }] } }));
    };
    expect(await callTool(provider, 'test', 'echo')).toEqual({ output: 'late' });
    expect(resumed).toBe('7');
  });

  test.each([
    ['too large', `"${'x'.repeat(11 * 1_048_576)}"`],
    ['too deep', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
  ])('R-mcp-client: one that is %s is refused, as a body and in a stream', async (_, value) => {
    const { server, provider } = await open();
    const body = (id: unknown) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"x":${value}}}`;
    for (const stream of [false, true]) {
      server.intercept = async (request, seen) => {
        if (!isCall(seen)) return undefined;
        const { id } = (await request.clone().json()) as { id: unknown };
        if (stream) return streamed(`data: ${body(id)}\n\n`);
        return new Response(body(id), { headers: { 'content-type': 'application/json' } });
      };
      const failed = await callTool(provider, 'test', 'echo').then(
        () => undefined,
        (error: { code: string }) => error.code,
      );
      expect(['too_large', 'outcome_unknown']).toContain(failed);
    }
    server.intercept = undefined;
    expect((await callTool(provider, 'test', 'echo')).output).toEqual({ echoed: {} });
  });

  test.each<[string, (id: number) => Record<string, unknown>, string]>([
    ['no result', (id) => ({ id }), 'not a message of the protocol'],
    [
      'both',
      (id) => ({ id, result: { content: [] }, error: { code: 1, message: 'x' } }),
      'not a message of the protocol',
    ],
    ['the own id as text', (id) => ({ id: String(id), result: { content: [] } }), 'not the id of the request'],
    ['a text id', () => ({ id: 'other', result: { content: [] } }), 'not the id of the request'],
    ['another number', () => ({ id: 999_999, result: { content: [] } }), 'not the id of the request'],
  ])('R-mcp-client: an answer that violates the protocol ends the call immediately: %s', async (_, answer, words) => {
    const { server, provider } = await open();
    for (const kind of ['body', 'stream'] as const) {
      server.intercept = async (request, seen) => {
        if (!isCall(seen)) return undefined;
        const { id } = (await request.clone().json()) as { id: number };
        const message = { jsonrpc: '2.0', ...answer(id) };
        if (kind === 'body') return Response.json(message);
        // The stream stays open, as if more were to come.
        return streamed(
          new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(event(message))) }),
        );
      };
      const signal = AbortSignal.timeout(20_000);
      await expect(callTool(provider, 'test', 'echo', { signal })).rejects.toMatchObject({
        code: 'outcome_unknown',
        message: expect.stringContaining(words),
      });
      expect(signal.aborted).toBe(false);
    }
    server.intercept = undefined;
    expect((await callTool(provider, 'test', 'echo')).output).toEqual({ echoed: {} });
  });

  test.each([
    ['\\n', '\n'],
    ['\\r\\n', '\r\n'],
  ])('R-mcp-client: the limit of one message is not that of a stream, whose lines end with %s', async (_, end) => {
    const { server, provider } = await open();
    const log = {
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', data: 'x'.repeat(2 ** 20) },
    };
    server.intercept = async (request, seen) => {
      if (!isCall(seen)) return undefined;
      const { id } = (await request.clone().json()) as { id: unknown };
      const result = { content: [], structuredContent: { echoed: {} } };
      const events = [...Array.from({ length: 11 }, () => log), { jsonrpc: '2.0', id, result }];
      return streamed(events.map((one) => event(one).replaceAll('\n', end)).join(''));
    };
    expect((await callTool(provider, 'test', 'echo')).output).toEqual({ echoed: {} });
  });

  test.each([
    ['no JSON', () => new Response('<html>', { headers: { 'content-type': 'application/json' } })],
    ['a page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['another’s answer', () => Response.json({ jsonrpc: '2.0', id: 'other', result: {} })],
    ['content of no kind', () => undefined],
  ])('R-mcp-client: %s does not count as an answer', async (what, answer) => {
    const { server, provider } = await open();
    server.intercept = async (request, seen) => {
      if (!isCall(seen)) return undefined;
      const { id } = (await request.clone().json()) as { id: unknown };
      return answer() ?? Response.json({ jsonrpc: '2.0', id, result: { content: [{ type: 'hologram' }] } });
    };
    const stop = AbortSignal.timeout(1_000);
    const expected = what === 'content of no kind' ? 'invalid_output' : 'outcome_unknown';
    await expect(callTool(provider, 'test', 'echo', { signal: stop })).rejects.toMatchObject({ code: expected });
  });
});

test('R-mcp-client: a server that cannot be reached is an empty toolkit and recovers by itself', async () => {
  const holder = createServer();
  const url = await listen(holder);
  await new Promise((resolve) => holder.close(resolve));
  const provider = createMcpProvider({
    servers: [{ slug: 'test', transport: { kind: 'http', url } }],
    firstRetryMs: 20,
  });
  ends.push(() => provider.close());
  let changes = 0;
  provider.onChange(() => {
    changes += 1;
  });
  expect(await provider.tools('test')).toEqual([]);
  const server = await openTestServer([echoTool], 'stateless');
  ends.push(() => server.close());
  const back = createServer(getRequestListener((request) => fetch(new URL('/mcp', server.url), request as never)));
  await new Promise<void>((resolve) => back.listen(Number(new URL(url).port), '127.0.0.1', resolve));
  ends.push(async () => {
    back.closeAllConnections();
    back.close();
  });
  for (let wait = 0; wait < 200 && changes === 0; wait++) await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await provider.tools('test')).map(({ id }) => id.name)).toEqual(['echo']);
});

test('R-mcp-client: a server of the older library (1.32, stateless) is spoken to in its own revision', async () => {
  const http = createServer(async (request, response) => {
    const server = new McpServer({ name: 'old', version: '1' });
    server.registerTool('greet', { description: 'Greets' }, async () => ({
      content: [{ type: 'text', text: 'hello' }],
    }));
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined as never });
    await server.connect(transport as never);
    await transport.handleRequest(request, response);
  });
  const provider = connect(await listen(http));
  ends.push(async () => {
    http.closeAllConnections();
    http.close();
  });
  expect(await callTool(provider, 'test', 'greet')).toEqual({ output: 'hello' });
});
