import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';
import { createHttpApp, type Listening, listen, type McpHandler } from './index.js';

let helve: TestHelve;
let server: Listening;
let token: string;

const mcp: McpHandler = async (request, principal, slug) =>
  Response.json({ slug, principal: principal.name, kind: principal.kind, body: await request.text() });

beforeAll(async () => {
  helve = await createTestHelve({ tools: [testTool({ name: 'echo' })] });
  token = (await helve.plane.issueAgentToken(helve.admin, 'tester', {})).secret;
  const app = createHttpApp({
    plane: helve.plane,
    mcp,
    publicUrl: 'https://tools.example.com',
    allowedHosts: ['helve.lan', 'other.lan:81'],
    allowedOrigins: ['https://panel.example.com'],
    maxBodyBytes: 1_000,
  });
  server = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0 });
});
afterAll(() => server.close());

/** Sends a request as bytes, because fetch does not allow a false Host. */
function raw(head: readonly string[], body = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => {
      socket.write(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`);
    });
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

const statusOf = (answer: string): number => Number(answer.split(' ')[1]);

describe('Host', () => {
  test.each([
    '127.0.0.1',
    'localhost:4870',
    '[::1]:4870',
    'LOCALHOST',
    'tools.example.com',
    'helve.lan',
    'helve.lan:81',
    'other.lan:81',
  ])('R-rest: %s is served', async (host) => {
    expect(statusOf(await raw(['GET /health HTTP/1.1', `Host: ${host}`]))).toBe(200);
  });

  test.each([
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil',
    'tools.example.com.evil',
    'other.lan',
    'other.lan:82',
    '10.0.0.1',
  ])('R-rest: %s is refused (DNS rebinding), for REST and MCP alike', async (host) => {
    const refused = await raw(['GET /health HTTP/1.1', `Host: ${host}`]);
    expect(statusOf(refused)).toBe(403);
    expect(refused).toContain('HELVE_PUBLIC_URL');
    const head = ['POST /mcp/tester HTTP/1.1', `Host: ${host}`, `Authorization: Bearer ${token}`, 'Content-Length: 0'];
    expect(statusOf(await raw(head))).toBe(403);
  });

  test('R-rest: an invalid Host is refused', async () => {
    expect(statusOf(await raw(['GET /health HTTP/1.1', 'Host: a b/@evil']))).toBeGreaterThanOrEqual(400);
    expect(statusOf(await raw(['GET /health HTTP/1.1']))).toBeGreaterThanOrEqual(400);
  });
});

describe('Origin', () => {
  const ask = (origin: string, extra: Record<string, string> = {}) =>
    fetch(`${server.url}/health`, { headers: { origin, ...extra } });

  test('R-rest: the own origin, the public one and the allowed ones are served', async () => {
    const behindTls = server.url.replace('http:', 'https:');
    for (const origin of [server.url, behindTls, 'https://tools.example.com', 'https://panel.example.com'])
      expect((await ask(origin)).status, origin).toBe(200);
  });

  test('R-rest: every other origin is refused, and recorded if the request had a valid token', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://tools.example.com'])
      expect((await ask(origin)).status, origin).toBe(403);
    const before = (await helve.audited()).length;
    expect((await ask('https://evil.example', { authorization: 'Bearer helve_wrong' })).status).toBe(403);
    expect(await helve.audited()).toHaveLength(before);
    await ask('https://evil.example', { authorization: `Bearer ${token}` });
    const refused = (await helve.audited()).filter((event) => event.type === 'request.refused');
    expect(refused.at(-1)?.body).toMatchObject({ reason: 'origin not allowed', origin: 'https://evil.example' });
  });
});

describe('bodies', () => {
  test('R-rest: a body over the limit is 413, announced or not', async () => {
    const head = ['POST /api/tools/execute HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
    expect(statusOf(await raw([...head, 'Content-Length: 1001'], 'x'.repeat(1001)))).toBe(413);
    const chunk = `${(600).toString(16)}\r\n${'x'.repeat(600)}\r\n`;
    expect(statusOf(await raw([...head, 'Transfer-Encoding: chunked'], `${chunk}${chunk}0\r\n\r\n`))).toBe(413);
  });

  test('R-rest: a compressed body is 415 and says what to send, for REST and MCP', async () => {
    for (const path of ['/api/tools/execute', '/mcp/tester']) {
      const response = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        },
        body: gzipSync('{"tool":"echo"}'),
      });
      expect([response.status, response.headers.get('accept-encoding')]).toEqual([415, 'identity']);
      expect(await response.json()).toMatchObject({ hint: 'Send it without content-encoding.' });
    }
  });

  test('R-rest: a body in chunks under the limit arrives whole', async () => {
    const head = ['POST /mcp/tester HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${token}`];
    const answer = await raw([...head, 'Transfer-Encoding: chunked'], '3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n');
    expect(answer).toContain('"body":"abcde"');
    const none = await raw(['GET /health HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked'], '0\r\n\r\n');
    expect(statusOf(none)).toBe(200);
  });
});

describe('headers', () => {
  test('R-rest: security headers on every answer, of MCP too; no CORS, no version', async () => {
    const mcpAnswer = await fetch(`${server.url}/mcp/tester`, { headers: { authorization: `Bearer ${token}` } });
    for (const response of [await fetch(`${server.url}/health`), await fetch(`${server.url}/x`), mcpAnswer]) {
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      expect(response.headers.get('server') ?? response.headers.get('x-powered-by')).toBeNull();
    }
  });
});

describe('limits', () => {
  test('R-limits: an address over its rate is 429 with Retry-After; a forwarded-for header changes nothing', async () => {
    const limited = await createTestHelve({ limits: { perIp: 3 } });
    const app = createHttpApp({ plane: limited.plane, publicUrl: 'http://localhost' });
    const listening = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0 });
    const statuses: number[] = [];
    let last: Response | undefined;
    for (const address of ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4']) {
      last = await fetch(`${listening.url}/health`, { headers: { 'x-forwarded-for': address } });
      statuses.push(last.status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await last?.json()).toMatchObject({ code: 'rate_limited', retryable: true });
    await listening.close();
  });
});

describe('a store that is gone', () => {
  /** As on PostgreSQL, where requests are counted in the store. */
  const appWith = (admitRequest: () => Promise<void>) =>
    createHttpApp({
      plane: { ...helve.plane, admitRequest, healthy: async () => false, ready: async () => notReady },
      publicUrl: 'http://127.0.0.1',
    });
  const notReady = { ready: false, reason: 'store_unavailable' } as const;
  const gone = () => Promise.reject(new HelveError('storage_failed', 'refused the connection'));

  test.each([
    ['that refuses', gone],
    ['that does not answer', () => new Promise<void>(() => undefined)],
  ])('R-rest: with a store %s, health and readiness say so', async (_what, admit) => {
    const app = appWith(admit);
    const [health, ready] = await Promise.all([app.request('/health'), app.request('/ready')]);
    expect([health.status, await health.json()]).toEqual([503, { status: 'unavailable' }]);
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'not_ready', reason: 'store_unavailable' }]);
  });

  test('R-rest: everything else fails, and a watcher over its rate is refused', async () => {
    expect((await appWith(gone).request('/api/machine')).status).toBe(503);
    const tooMany = () => Promise.reject(new HelveError('rate_limited', 'too many'));
    expect((await appWith(tooMany).request('/ready')).status).toBe(429);
  });
});

describe('the MCP mount', () => {
  const ask = (path: string, secret?: string) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      body: '{}',
      headers: secret === undefined ? {} : { authorization: `Bearer ${secret}` },
    });

  test('R-mcp-server: the agent’s own address, with its token', async () => {
    expect(await (await ask('/mcp/tester', token)).json()).toMatchObject({
      slug: 'tester',
      principal: 'tester',
      body: '{}',
    });
  });

  test('R-mcp-server: no token, a wrong one or a cookie gets 401 with Bearer', async () => {
    for (const response of [await ask('/mcp/tester'), await ask('/mcp/tester', 'wrong')]) {
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer .*resource_metadata=/);
    }
    const { session } = await helve.plane.redeemAdminLink(await helve.adminLink(helve.workspaceId));
    const headers = { cookie: `helve_session=${session}` };
    expect((await fetch(`${server.url}/mcp/tester`, { method: 'POST', headers })).status).toBe(401);
  });

  test('R-mcp-server: the address may name the agent by its id', async () => {
    expect(await (await ask(`/mcp/${helve.agent.id}`, token)).json()).toMatchObject({ principal: 'tester' });
  });

  test.each([
    ['a store that fails', new HelveError('storage_failed', 'canary'), 503],
    ['a bug', new Error('canary'), 500],
  ])('R-mcp-server: %s while the token is looked up does not say that the token is wrong', async (_, error, status) => {
    const plane = { ...helve.plane, authenticate: () => Promise.reject(error) };
    const app = createHttpApp({ plane, mcp, publicUrl: 'http://localhost', reportError: () => undefined });
    const answer = await app.request('/mcp/tester', { headers: { authorization: `Bearer ${token}` } });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([status, null]);
  });

  test('R-mcp-server: another agent’s address is refused and on record', async () => {
    expect((await ask('/mcp/other', token)).status).toBe(403);
    expect((await helve.audited()).at(-1)?.body).toMatchObject({ reason: 'token of another agent', address: 'other' });
  });

  test('R-mcp-server: a key with agents:act and tools:call acts as the agent, one without either does not', async () => {
    const may = await helve.plane.createApiKey(helve.admin, { permissions: ['agents:act', 'tools:call'] });
    expect(await (await ask('/mcp/tester', may.secret)).json()).toMatchObject({ principal: 'tester', kind: 'agent' });
    for (const permission of ['agents:act', 'tools:call'] as const) {
      const mayNot = await helve.plane.createApiKey(helve.admin, { permissions: [permission] });
      expect((await ask('/mcp/tester', mayNot.secret)).status).toBe(403);
    }
  });
});
