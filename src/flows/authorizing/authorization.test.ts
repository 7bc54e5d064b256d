/** The authorization server's operations without an HTTP server: what is allowed, and to whom. */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Principal } from '../../domain/principal.js';
import { createHelve } from '../../helve.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';

const issuer = 'https://helve.example';
const callback = 'https://app.example/cb';
const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');
type Fields = Record<string, string | undefined>;

let helve: TestHelve;
let clientId: string;
beforeAll(async () => {
  helve = await createTestHelve();
  await helve.plane.createAgent(helve.admin, { slug: 'other' });
  clientId = await announce(callback, `${callback}?kept=1`, 'http://127.0.0.1/cb');
});
afterAll(() => helve.close());

async function announce(...uris: string[]): Promise<string> {
  // Each program registers from its own address, because the number of programs per address is limited.
  const { body } = await helve.plane.registerClient({ redirect_uris: uris, client_name: 'Program' }, randomUUID());
  return String(body?.client_id);
}

const text = (fields: Fields) =>
  new URLSearchParams(Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined));

/** A valid request except for `changes`; undefined omits a parameter. */
const begin = (changes: Fields = {}, person: Principal | undefined = helve.admin) =>
  helve.plane.beginAuthorization(
    issuer,
    text({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: callback,
      state: 'st4te',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      resource: `${issuer}/mcp/tester`,
      ...changes,
    }),
    person,
  );

async function page(changes: Fields = {}): Promise<string> {
  const step = await begin(changes);
  if (step.kind !== 'consent') throw new Error(JSON.stringify(step));
  return step.question.token;
}

async function answered(token: string, decision: 'approved' | 'rejected' = 'approved') {
  const { location } = await helve.plane.decideAuthorization(issuer, helve.admin, token, decision);
  return new URL(location).searchParams;
}

const codeOf = async (changes: Fields = {}) => (await answered(await page(changes))).get('code') ?? '';

const exchange = (code: string, changes: Fields = {}, header?: string) =>
  helve.plane.exchangeToken(
    text({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: callback,
      code,
      code_verifier: verifier,
      ...changes,
    }),
    header,
  );

const refresh = (token: string, changes: Fields = {}) =>
  helve.plane.exchangeToken(
    text({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token, ...changes }),
    undefined,
  );

async function tokens(changes: Fields = {}) {
  const { status, body } = await exchange(await codeOf(changes));
  expect(status).toBe(200);
  return { access: String(body?.access_token), refresh: String(body?.refresh_token) };
}

const countEnded = async () => (await helve.audited()).filter(({ type }) => type === 'authorization.ended').length;

const isIn = (secret: string) =>
  helve.plane.authenticate(secret, `${issuer}/mcp/tester`).then(
    () => true,
    () => false,
  );

describe('the page', () => {
  test.each<[string, string, Fields]>([
    ['another answer address', 'invalid_request', { redirect_uri: 'https://evil.example/cb' }],
    ['no answer address', 'invalid_request', { redirect_uri: undefined }],
    ['the loopback at another path', 'invalid_request', { redirect_uri: 'http://127.0.0.1:5000/other' }],
    ['the loopback at an invalid port', 'invalid_request', { redirect_uri: 'http://127.0.0.1:99999/cb' }],
    ['a port of another host', 'invalid_request', { redirect_uri: 'https://app.example:1/cb' }],
    ['a state that is too long', 'invalid_request', { state: 'x'.repeat(2_001) }],
    ['a state with a line end', 'invalid_request', { state: 'a\nb' }],
    ['an unknown client', 'invalid_client', { client_id: 'client_00000000-0000-0000-0000-000000000000' }],
    ['a client that is no id', 'invalid_client', { client_id: 'program' }],
    ['the implicit flow', 'unsupported_response_type', { response_type: 'token' }],
    ['a request object', 'request_not_supported', { request: 'e30.' }],
    ['a request address', 'request_not_supported', { request_uri: 'https://app.example/r' }],
    ['a fragment', 'invalid_request', { response_mode: 'fragment' }],
    ['PKCE plain', 'invalid_request', { code_challenge_method: 'plain' }],
    ['a short challenge', 'invalid_request', { code_challenge: 'abc' }],
    ['another server', 'invalid_target', { resource: 'https://evils.example/mcp/tester' }],
    ['what is no agent’s name', 'invalid_target', { resource: `${issuer}/mcp/tester/x` }],
    ['an agent that does not exist', 'invalid_target', { resource: `${issuer}/mcp/nobody` }],
    ['an unknown scope', 'invalid_scope', { scope: 'tools:call keys:write' }],
  ])('R-mcp-server: %s is %s, and no one is asked', async (_, error, changes) => {
    expect(await begin(changes)).toMatchObject({ kind: 'problem', error });
  });

  test('R-mcp-server: a parameter twice is refused', async () => {
    const once = { response_type: 'code', client_id: clientId, redirect_uri: callback };
    for (const name of ['state', 'redirect_uri', 'client_id', 'scope']) {
      const query = text({ ...once, scope: 'tools:read', state: 'a', code_challenge: challenge });
      query.set('code_challenge_method', 'S256');
      query.set('resource', `${issuer}/mcp/tester`);
      expect(await helve.plane.beginAuthorization(issuer, query, helve.admin)).toMatchObject({ kind: 'consent' });
      query.append(name, query.get(name) ?? '');
      expect(await helve.plane.beginAuthorization(issuer, query, helve.admin)).toMatchObject({
        error: 'invalid_request',
      });
    }
  });

  test('R-mcp-server: the person is asked about a valid request, with its scopes', async () => {
    for (const redirect_uri of [callback, 'http://127.0.0.1:5000/cb'])
      expect(await begin({ redirect_uri, response_mode: 'query' })).toMatchObject({ kind: 'consent' });
    expect(await begin({ scope: 'tools:read' })).toMatchObject({ question: { scopes: ['tools:read'] } });
    expect(await begin({ scope: ' ' })).toMatchObject({ question: { scopes: ['tools:read', 'tools:call'] } });
  });

  test('R-mcp-server: only a person is asked, and only one who may act as agents', async () => {
    // A person who is not signed in is not asked, and no document is fetched for them.
    const query = (more: Fields) => text({ redirect_uri: callback, ...more });
    const ask = (more: Fields) => helve.plane.beginAuthorization(issuer, query(more), undefined);
    expect(await ask({ client_id: 'https://app.example/client.json' })).toEqual({ kind: 'log_in' });
    expect(await ask({ client_id: clientId })).toMatchObject({ kind: 'problem', error: 'unsupported_response_type' });
    const complete = { response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256' };
    expect(await ask({ client_id: clientId, ...complete, resource: `${issuer}/mcp/tester` })).toEqual({
      kind: 'log_in',
    });
    const key: Principal = { ...helve.admin, kind: 'api_key' };
    const reader: Principal = { ...helve.admin, permissions: ['tools:read'] };
    for (const principal of [key, reader, helve.agent]) {
      await expect(begin({}, principal)).rejects.toMatchObject({ code: 'forbidden' });
      const token = await page();
      for (const decision of ['approved', 'rejected'] as const)
        await expect(helve.plane.decideAuthorization(issuer, principal, token, decision)).rejects.toMatchObject({
          code: 'forbidden',
        });
    }
  });

  test('R-mcp-server: it is answered once, in time, by the person who was asked', async () => {
    const once = await page();
    const stranger: Principal = { ...helve.admin, id: 'somebody-else' };
    const neighbour: Principal = { ...helve.admin, workspaceId: (await helve.ensureWorkspace('other')).workspaceId };
    for (const person of [stranger, neighbour])
      await expect(helve.plane.decideAuthorization(issuer, person, once, 'approved')).rejects.toMatchObject({
        code: 'expired',
      });
    expect((await answered(once)).get('code')).toMatch(/^helve_code_/);
    for (const decision of ['approved', 'rejected'] as const)
      await expect(answered(once, decision)).rejects.toMatchObject({ code: 'expired' });
    await expect(answered('helve_consent_x')).rejects.toMatchObject({ code: 'expired' });
    const late = [await page(), await page()] as const;
    helve.advance(10 * 60_000 + 1_000);
    await expect(answered(late[0])).rejects.toMatchObject({ code: 'expired' });
    await expect(answered(late[1], 'rejected')).rejects.toMatchObject({ code: 'expired' });
  });

  test('R-mcp-server: a refusal issues no code', async () => {
    const answer = await answered(await page({ redirect_uri: `${callback}?kept=1` }), 'rejected');
    expect(Object.fromEntries(answer)).toMatchObject({
      kept: '1',
      error: 'access_denied',
      iss: issuer,
      state: 'st4te',
    });
    expect(answer.get('code')).toBeNull();
  });

  test('R-mcp-server: a request without a state is answered without one, and a wrong address is told how to write it', async () => {
    expect((await answered(await page({ state: undefined }))).has('state')).toBe(false);
    const message = `resource must be the MCP address of an agent, ${issuer}/mcp/<agent>, or ${issuer}/mcp/tasks`;
    expect(await begin({ resource: `${issuer}/mcp/a/b` })).toMatchObject({ message });
  });
});

describe('the token endpoint', () => {
  test.each<[string, string, Fields, string?]>([
    ['another verifier', 'invalid_grant', { code_verifier: 'w'.repeat(43) }],
    ['no verifier', 'invalid_grant', { code_verifier: undefined }],
    ['another answer address', 'invalid_grant', { redirect_uri: `${callback}?kept=1` }],
    ['another resource', 'invalid_target', { resource: `${issuer}/mcp/other` }],
    ['a client secret', 'invalid_client', { client_secret: 'x' }],
    ['a client assertion', 'invalid_client', { client_assertion: 'x' }],
    ['a header of basic authentication', 'invalid_client', {}, 'Basic eDp5'],
    ['no grant type', 'invalid_request', { grant_type: undefined }],
    ['a grant that is not offered', 'unsupported_grant_type', { grant_type: 'password' }],
    ['a verifier with a line end', 'invalid_request', { code_verifier: `${verifier}\n` }],
    ['an unknown client', 'invalid_client', { client_id: 'program' }],
  ])('R-mcp-server: %s is %s', async (_, error, changes, header) => {
    const answer = await exchange(await codeOf(), changes, header);
    expect(answer.body).toMatchObject({ error });
    expect(answer.body).not.toHaveProperty('access_token');
  });

  test('R-mcp-server: a repeated or endless parameter is refused, and the code remains valid', async () => {
    const code = await codeOf();
    const form = text({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: callback,
      code,
      code_verifier: verifier,
    });
    for (const [name, value] of [
      ['code', code],
      ['client_id', clientId],
      ['scope', 'x'.repeat(2_001)],
    ] as const) {
      const more = new URLSearchParams([...form, [name, value]]);
      expect((await helve.plane.exchangeToken(more, undefined)).body).toMatchObject({ error: 'invalid_request' });
    }
    expect((await helve.plane.exchangeToken(form, undefined)).status).toBe(200);
  });

  test('R-mcp-server: a code is valid for a minute; the page’s own token and an unknown code are not codes', async () => {
    const [good, late] = [await codeOf(), await codeOf()];
    expect((await exchange(good, { resource: `${issuer}/mcp/tester` })).status).toBe(200);
    helve.advance(61_000);
    const asked = await page();
    for (const code of [late, asked, 'helve_code_x'])
      expect((await exchange(code)).body).toMatchObject({
        error: 'invalid_grant',
        // It was not used before, and the program is not told that it was.
        error_description: expect.not.stringContaining('moment'),
      });
    // It does not end the person's question either.
    expect((await answered(asked)).get('code')).toMatch(/^helve_code_/);
  });

  test('R-mcp-server: of several uses of a code, or a refresh token, in parallel, exactly one gets tokens', async () => {
    const code = await codeOf();
    const { refresh: token } = await tokens();
    for (const send of [() => exchange(code), () => refresh(token)]) {
      const told = await Promise.all(Array.from({ length: 5 }, send));
      const [won, ...more] = told.filter(({ status }) => status === 200);
      expect(more).toEqual([]);
      for (const { status, body } of told)
        if (status !== 200) expect(body?.error_description).toContain('a moment ago');
      expect(await isIn(String(won?.body?.access_token))).toBe(true);
    }
  });

  test('R-mcp-server: another program’s code is not accepted, and an unused one does not end', async () => {
    const other = await announce(callback);
    const code = await codeOf();
    expect((await exchange(code, { client_id: other })).body).toMatchObject({ error: 'invalid_grant' });
    expect((await exchange(code)).status).toBe(200);
  });

  test.each<[string, Fields, boolean]>([
    ['by the same program immediately', {}, true],
    ['by another program', { client_id: 'OTHER' }, false],
    ['without its verifier', { code_verifier: undefined }, false],
    ['with another verifier', { code_verifier: 'w'.repeat(43) }, false],
    ['with another answer address', { redirect_uri: `${callback}?kept=1` }, false],
  ])('R-mcp-server: a code that is sent again %s', async (_, changes, stays) => {
    const other = await announce(callback);
    const code = await codeOf();
    const { body } = await exchange(code);
    const before = await countEnded();
    const again = { ...changes, ...(changes.client_id === 'OTHER' ? { client_id: other } : {}) };
    expect((await exchange(code, again)).body).toMatchObject({ error: 'invalid_grant' });
    expect(await isIn(String(body?.access_token))).toBe(stays);
    // It ends once, with one audit row.
    await exchange(code, again);
    expect((await countEnded()) - before).toBe(stays ? 0 : 1);
  });

  test('R-mcp-server: a refresh token is valid once, for its program, its agent and what was agreed to', async () => {
    const other = await announce(callback);
    const first = await tokens({ scope: 'tools:read' });
    expect((await refresh(first.access)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await refresh('helve_refresh_x')).body).toMatchObject({ error: 'invalid_grant' });
    expect((await refresh(first.refresh, { client_id: other })).body).toMatchObject({ error: 'invalid_grant' });
    expect((await refresh(first.refresh, { scope: 'tools:call' })).body).toMatchObject({ error: 'invalid_scope' });
    expect((await refresh(first.refresh, { resource: `${issuer}/mcp/other` })).body).toMatchObject({
      error: 'invalid_target',
    });
    const second = await refresh(first.refresh, { scope: 'tools:read' });
    expect(second).toMatchObject({ status: 200, body: { scope: 'tools:read' } });
    expect((await refresh(first.refresh)).body).toMatchObject({ error_description: expect.stringContaining('moment') });
    expect(await isIn(String(second.body?.access_token))).toBe(true);
    helve.advance(11_000);
    expect((await refresh(first.refresh)).body).toMatchObject({ error: 'invalid_grant' });
    expect(await isIn(String(second.body?.access_token))).toBe(false);
    expect((await refresh(String(second.body?.refresh_token))).body).toMatchObject({ error: 'invalid_grant' });
  });

  test('R-mcp-server: a store that is down is a failure of ours, not of the program', async () => {
    const down = await createTestHelve();
    await down.close();
    const form = text({ grant_type: 'refresh_token', client_id: clientId, refresh_token: 'helve_refresh_x' });
    await expect(down.plane.exchangeToken(form, undefined)).rejects.toMatchObject({ code: 'storage_failed' });
  });

  test('R-mcp-server: tokens expire after an hour and after thirty days', async () => {
    const first = await tokens();
    helve.advance(61 * 60_000);
    expect(await isIn(first.access)).toBe(false);
    const { body } = await refresh(first.refresh);
    helve.advance(31 * 24 * 60 * 60_000);
    expect((await refresh(String(body?.refresh_token))).body).toMatchObject({ error: 'invalid_grant' });
  });
});

describe('revoking', () => {
  const revoke = (token: string | undefined, client: string | undefined = clientId) =>
    helve.plane.revokeToken(text({ token, client_id: client }));

  test('R-mcp-server: its own program ends everything issued from it; another changes nothing and learns nothing', async () => {
    const other = await announce(callback);
    const code = await codeOf();
    const { body } = await exchange(code);
    const mine = { access: String(body?.access_token), refresh: String(body?.refresh_token) };
    expect(await revoke(mine.refresh, other)).toEqual({ status: 200 });
    const { secret } = await helve.plane.issueAgentToken(helve.admin, 'tester', {});
    for (const unknown of ['helve_refresh_x', `helve_refresh_${'a'.repeat(43)}`, secret])
      expect(await revoke(unknown)).toEqual({ status: 200 });
    expect(await isIn(secret)).toBe(true);
    for (const [token, client] of [
      [undefined, clientId],
      [mine.access, ''],
      ['', clientId],
      [`${mine.access}\n`, clientId],
    ] as const)
      expect(await revoke(token, client)).toMatchObject({ status: 400 });
    expect(await isIn(mine.access)).toBe(true);
    const before = await countEnded();
    for (let time = 0; time < 2; time++) expect(await revoke(mine.access)).toEqual({ status: 200 });
    expect((await countEnded()) - before).toBe(1);
    expect([await isIn(mine.access), (await refresh(mine.refresh)).status]).toEqual([false, 400]);
    // There are no tokens to continue with, so the program is not told to.
    for (const { body: told } of [await exchange(code), await refresh(mine.refresh)])
      expect(told?.error_description).not.toContain('moment');
  });
});

test('R-mcp-server: processes whose clocks differ agree about codes and about tokens that are sent again', async () => {
  const ahead = await createHelve({ storage: helve.storage, now: () => new Date(Date.now() + 5 * 60_000) });
  const elsewhere = (fields: Fields) => ahead.plane.exchangeToken(text({ client_id: clientId, ...fields }), undefined);
  const redeemed = await elsewhere({
    grant_type: 'authorization_code',
    redirect_uri: callback,
    code: await codeOf(),
    code_verifier: verifier,
  });
  expect(redeemed.status).toBe(200);
  const used = String((await exchange(await codeOf())).body?.refresh_token);
  const { body } = await refresh(used);
  // A moment later, at the other process: that is a retry and no theft.
  expect((await elsewhere({ grant_type: 'refresh_token', refresh_token: used })).status).toBe(400);
  expect((await refresh(String(body?.refresh_token))).status).toBe(200);
});
