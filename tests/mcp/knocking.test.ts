/** Who may connect to an agent's address, and with what; and the rows of attacks on MCP's transport. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readAttacks } from '../data/attacks.js';
import { conformanceExtras } from './conformance-fixture.js';
import { houseTools } from './house-tools.js';
import { bearer, type Caller, endAll, openRealDoor, type RealDoor, rowsOf, rpc, type Sent, send } from './real-door.js';

const greet = rpc('tools/call', { name: 'greet', arguments: { name: 'Ada' } });

describe('R-mcp-server: tokens', () => {
  let real: RealDoor;
  beforeAll(async () => {
    real = await openRealDoor({ tools: houseTools });
  });
  afterEach(async () => expect(await rowsOf(real, 'execution.started')).toEqual([]));
  afterAll(endAll);

  it.each([
    ['no such token', `Bearer helve_${'A'.repeat(43)}`],
    ['no token of ours', 'Bearer alice'],
    ['an empty token', 'Bearer '],
    ['another scheme', 'Basic YWxpY2U6YWxpY2U='],
    ['a token ten thousand characters long', `Bearer helve_${'A'.repeat(10_000)}`],
  ])('R-mcp-server: %s is 401 and says how to authenticate', async (_what, authorization) => {
    for (const method of ['POST', 'GET', 'DELETE']) {
      const body = method === 'POST' ? greet : undefined;
      const response = await send(real.alice, body, { method, headers: { authorization } });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(await response.json()).toMatchObject({ code: 'unauthenticated' });
    }
  });

  it('R-mcp-server: no token at all is 401, whether or not there is such an agent', async () => {
    for (const agent of ['alice', 'nobody', '..%2Falice', '__proto__']) {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${real.url}/mcp/${agent}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(greet),
      });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  it('R-mcp-server: a token in the query or in a cookie does not count', async () => {
    const { token, address } = real.alice;
    for (const [url, cookie] of [
      [`${address}?access_token=${token}&token=${token}`, ''],
      [address, `helve_session=${token}`],
    ] as const) {
      const headers = { 'content-type': 'application/json', cookie };
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(greet) });
      expect(response.status).toBe(401);
    }
  });

  it('R-mcp-server: one agent’s token at another’s address is 403, and on record', async () => {
    const { alice, bob, helve } = real;
    for (const address of [bob.address, `${real.url}/mcp/nobody`, `${real.url}/mcp/ALICE`]) {
      const response = await send({ ...alice, address }, greet);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: 'forbidden', hint: expect.stringContaining('/mcp/alice') });
    }
    const refused = await rowsOf(real, 'request.refused');
    expect(refused.map(({ body }) => body)).toEqual(
      ['bob', 'nobody', 'ALICE'].map((address) => ({
        reason: 'token of another agent',
        agent: alice.principal.id,
        address,
      })),
    );
    expect(await helve.plane.verifyAudit(helve.admin)).toMatchObject({ ok: true });
  });

  it('R-mcp-server: an admin at an agent’s address calls as that agent, and the record names both', async () => {
    const other = await openRealDoor({ tools: houseTools });
    const { plane, admin } = other.helve;
    const permissions = ['agents:act', 'tools:read', 'tools:call'] as const;
    const { secret } = await plane.createApiKey(admin, { name: 'panel', permissions });
    expect((await send({ ...other.bob, token: secret }, greet)).status).toBe(200);
    expect(await rowsOf(other, 'execution.started')).toMatchObject([
      { actor: { kind: 'agent', name: 'bob' }, onBehalfOf: { kind: 'api_key', name: 'panel' } },
    ]);
    const { secret: weak } = await plane.createApiKey(admin, { name: 'weak', permissions: ['tools:call'] });
    expect((await send({ ...other.bob, token: weak }, greet)).status).toBe(403);
  });

  it('R-mcp-server: revoking a token also ends its session', async () => {
    const { plane, admin } = real.helve;
    const { secret, credential } = await plane.issueAgentToken(admin, 'bob', {});
    const again: Caller = { ...real.bob, token: secret };
    const clientInfo = { name: 'raw', version: '0' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const opened = await send(again, rpc('initialize', params));
    await opened.text();
    const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    expect((await send(again, rpc('ping'), { headers })).status).toBe(200);
    await plane.revokeCredential(admin, credential.id);
    expect((await send(again, rpc('ping'), { headers })).status).toBe(401);
  });
});

interface Row {
  readonly id: string;
  readonly name: string;
  readonly request: string | { readonly headers: Readonly<Record<string, string>> };
}

const attacks = readAttacks<Row>('mcp-transport');

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '0' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};

/** A request of 2026-07-28, written by hand. */
function modern(caller: Caller, method: string, params: Record<string, unknown> = {}, named?: string) {
  const headers: Sent['headers'] = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(named === undefined ? {} : { 'mcp-name': named }),
  };
  return send(caller, rpc(method, { ...params, _meta: envelope }), { headers });
}

const answers: Readonly<Record<string, (real: RealDoor, row: Row) => Promise<void>>> = {
  'mcp-transport-0006': foreignOrigin,
  'mcp-transport-0007': foreignOrigin,
  async 'mcp-transport-0044'(real) {
    const params = { name: 'erase', arguments: { target: 'disk' } };
    const inputResponses = { approval: { action: 'accept', content: { approve: true } } };
    const withState = (length: number) =>
      modern(real.alice, 'tools/call', { ...params, inputResponses, requestState: 'A'.repeat(length) }, 'erase');
    expect((await withState(10_000_000)).status).toBe(413);
    expect(await (await withState(3_000_000)).json()).toMatchObject({ error: { code: -32602 } });
    expect(await rowsOf(real, 'approval.decided')).toEqual([]);
  },
  async 'mcp-transport-0052'(real) {
    const uri = 'test://static-text';
    const list = (await (await modern(real.alice, 'tools/list')).json()) as any;
    expect(list.result).toMatchObject({ cacheScope: 'private', tools: expect.any(Array) });
    const read = (await (await modern(real.alice, 'resources/read', { uri }, uri)).json()) as any;
    expect(read.result).toMatchObject({ cacheScope: 'private', contents: [{ uri }] });
  },
  async 'mcp-transport-0066'(real) {
    for (const method of ['__proto__', 'constructor']) {
      expect(await (await send(real.alice, rpc(method))).json()).toMatchObject({ error: { code: -32601 } });
      expect(await (await modern(real.alice, method)).json()).toMatchObject({ error: { code: -32601 } });
    }
  },
  async 'mcp-transport-0096'({ url }) {
    const response = await fetch(`${url}/health`);
    expect(await response.text()).toBe('{"status":"ok"}');
    expect([...response.headers.keys()].filter((name) => /server|powered|version/.test(name))).toEqual([]);
  },
};

/** Rows that no server can satisfy. */
const notOurs: Readonly<Record<string, string>> = {
  'mcp-transport-0093': 'concerns servers that Helve starts: src/providers/mcp/stdio.test.ts floods one',
};

async function foreignOrigin(real: RealDoor, { request }: Row): Promise<void> {
  const origin = (request as Exclude<Row['request'], string>).headers.Origin ?? '';
  const before = (await rowsOf(real, 'request.refused')).length;
  const response = await send(real.alice, greet, { headers: { origin } });
  expect(response.status).toBe(403);
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
  const refused = (await rowsOf(real, 'request.refused')).slice(before);
  expect(refused.map(({ body }) => body)).toEqual([{ reason: 'origin not allowed', origin, path: '/mcp/alice' }]);
}

describe('R-mcp-server: attacks', () => {
  let real: RealDoor;
  beforeAll(async () => {
    real = await openRealDoor({ tools: houseTools, extras: conformanceExtras });
  });
  afterAll(endAll);

  it.each(attacks.filter(({ id }) => !(id in notOurs)))('R-mcp-server: $id $name', async (row) => {
    const answer = answers[row.id];
    expect(answer, `nothing answers ${row.id}`).toBeDefined();
    await answer?.(real, row);
    expect(await rowsOf(real, 'execution.started')).toEqual([]);
  });

  it('R-mcp-server: the gate accepts its own origin, and no token makes a foreign one acceptable', async () => {
    const own = await send(real.alice, rpc('ping'), { headers: { origin: real.url } });
    expect(own.status).toBe(200);
    for (const origin of ['null', 'http://localhost.evil.example', `${real.url}.evil.example`]) {
      const response = await fetch(real.alice.address, { headers: { ...bearer(real.alice), origin } });
      expect(response.status).toBe(403);
    }
  });
});
