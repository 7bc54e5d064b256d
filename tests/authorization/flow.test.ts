/** One person, one program, one agent: from the first 401 to a call, and every way in which the access ends. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { houseTools } from '../mcp/house-tools.js';
import { endAll, rowsOf } from '../mcp/real-door.js';
import {
  answerPage,
  authorizeAddress,
  callback,
  codeForm,
  consentOf,
  type Ground,
  getCode,
  getTokens,
  knock,
  openGround,
  openPage,
  pkce,
  postForm,
  refresh,
  signIn,
  toToken,
} from './ground.js';

let ground: Ground;
beforeAll(async () => {
  ground = await openGround({ tools: houseTools });
});
afterAll(endAll);

const greet = { name: 'greet', arguments: { name: 'Ada' } };

describe('R-mcp-server: finding the way', () => {
  it('R-mcp-server: no token: 401 with the address of the metadata, the same for an agent that does not exist', async () => {
    for (const agent of ['alice', 'nobody']) {
      const { status, challenge } = await knock(`${ground.url}/mcp/${agent}`, undefined);
      expect(status).toBe(401);
      const place = `${ground.url}/.well-known/oauth-protected-resource/mcp/${agent}`;
      expect(challenge).toBe(`Bearer resource_metadata="${place}", scope="tools:read tools:call"`);
      expect(await (await fetch(place)).json()).toMatchObject({
        resource: `${ground.url}/mcp/${agent}`,
        authorization_servers: [ground.url],
        bearer_methods_supported: ['header'],
      });
    }
    const wrong = await knock(ground.alice.address, `helve_agent_${'A'.repeat(43)}`);
    expect(wrong).toMatchObject({ status: 401, challenge: expect.stringContaining('error="invalid_token"') });
  });

  it('R-mcp-server: the server declares exactly the capabilities that it has', async () => {
    const response = await fetch(`${ground.url}/.well-known/oauth-authorization-server`);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toMatchObject({
      issuer: ground.url,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
    expect((await fetch(`${ground.url}/.well-known/openid-configuration`)).status).toBe(404);
    expect(
      (await fetch(`${ground.url}/.well-known/oauth-protected-resource/mcp/${encodeURIComponent('"><x')}`)).status,
    ).toBe(404);
  });
});

describe('R-mcp-server: letting a program in', () => {
  it('R-mcp-server: the page shows who asks, where the answer goes and what for; no frame, no script, no new cookie', async () => {
    const page = await openPage(authorizeAddress(ground, pkce().challenge), ground.cookie);
    const text = await page.text();
    expect(page.status).toBe(200);
    for (const part of ['Test program', 'app.example', callback, 'alice', 'tools:read', 'tools:call'])
      expect(text).toContain(part);
    expect(text).not.toContain('<script');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://app.example;");
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('set-cookie')).toBeNull();
  });

  it('R-mcp-server: without a session the log-in page, which leads back here, and no cookie', async () => {
    const address = authorizeAddress(ground, pkce().challenge);
    const page = await openPage(address, '');
    const text = await page.text();
    expect(page.status).toBe(401);
    expect(page.headers.get('set-cookie')).toBeNull();
    expect(text).toContain('helve admin');
    const back = /href="(\/oauth\/authorize\?[^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(new URL(back, ground.url).href).toBe(new URL(address).href);
  });

  it('R-mcp-server: agreed: a code with state and iss; refused: access_denied with both', async () => {
    const good = await answerPage(ground, authorizeAddress(ground, pkce().challenge));
    expect(good.origin + good.pathname).toBe(callback);
    expect(Object.fromEntries(good.searchParams)).toEqual({
      code: expect.stringMatching(/^helve_code_/),
      state: 'st4te',
      iss: ground.url,
    });
    const bad = await answerPage(ground, authorizeAddress(ground, pkce().challenge), 'rejected');
    expect(Object.fromEntries(bad.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'st4te',
      iss: ground.url,
    });
    expect(bad.searchParams.has('code')).toBe(false);
    expect(await rowsOf(ground, 'authorization.refused')).toHaveLength(1);
  });

  it('R-mcp-server: the token calls as the agent, for the person, and both are on record', async () => {
    const tokens = await getTokens(ground);
    expect(tokens.expires_in).toBeGreaterThan(3_590);
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'tools:read tools:call' });
    const answer = await knock(ground.alice.address, tokens.access_token, 'tools/call', greet);
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('Ada')]);
    const [call] = await rowsOf(ground, 'execution.finished');
    expect(call).toMatchObject({
      actor: { name: 'alice' },
      onBehalfOf: { kind: 'user', name: ground.helve.admin.name },
    });
    const listed = await ground.helve.plane.credentials(ground.helve.admin);
    expect(listed.filter(({ authorizationId }) => authorizationId)).not.toEqual([]);
    expect(JSON.stringify(await ground.helve.audited())).not.toContain(tokens.access_token);
  });

  it('R-mcp-server: authorised only to see tools, it sees them; using one is 403 insufficient_scope', async () => {
    const { access_token, scope } = await getTokens(ground, { scope: 'tools:read' });
    expect(scope).toBe('tools:read');
    expect((await knock(ground.alice.address, access_token)).status).toBe(200);
    const refused = await knock(ground.alice.address, access_token, 'tools/call', greet);
    expect(refused).toMatchObject({ status: 403, challenge: expect.stringContaining('error="insufficient_scope"') });
  });

  it('R-mcp-server: from another’s page it is 403, no tool runs, and it is on record', async () => {
    const { access_token } = await getTokens(ground);
    const before = (await rowsOf(ground, 'execution.started')).length;
    const headers = { authorization: `Bearer ${access_token}`, origin: 'https://evil.example' };
    const response = await fetch(ground.alice.address, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(403);
    expect((await rowsOf(ground, 'execution.started')).length).toBe(before);
    expect((await rowsOf(ground, 'request.refused')).at(-1)?.body).toMatchObject({ reason: 'origin not allowed' });
  });

  it('R-mcp-server: an agent’s own token and an API key knock as ever', async () => {
    expect((await knock(ground.alice.address, ground.alice.token)).status).toBe(200);
    const { secret } = await ground.helve.plane.createApiKey(ground.helve.admin, {
      permissions: ['tools:read', 'tools:call', 'agents:act'],
    });
    expect((await knock(ground.alice.address, secret)).status).toBe(200);
  });
});

describe('R-mcp-server: the page’s answer', () => {
  async function question() {
    const page = await openPage(authorizeAddress(ground, pkce().challenge), ground.cookie);
    return { consent: consentOf(await page.text()), decision: 'approved' };
  }
  const post = (fields: Record<string, string>, headers: Record<string, string>) =>
    postForm(`${ground.url}/oauth/authorize`, fields, headers);

  it('R-mcp-server: good once', async () => {
    const fields = await question();
    const own = { cookie: ground.cookie, origin: ground.url };
    expect((await post(fields, own)).status).toBe(303);
    const again = await post(fields, own);
    expect([again.status, again.headers.get('location')]).toEqual([410, null]);
  });

  it('R-mcp-server: from another site, from no site, without a session or without the page: refused', async () => {
    const fields = await question();
    const { cookie, url: origin } = ground;
    for (const headers of [
      { cookie, origin: 'https://evil.example' },
      { cookie, origin: 'null' },
      { cookie } as Record<string, string>,
    ])
      expect((await post(fields, headers)).status).toBe(403);
    expect((await post(fields, { origin })).status).toBe(401);
    expect((await post({ decision: 'approved' }, { cookie, origin })).status).toBe(410);
    expect((await post({ ...fields, decision: 'perhaps' }, { cookie, origin })).status).toBe(400);
    expect((await post(fields, { cookie, origin })).status).toBe(303);
  });

  it('R-mcp-server: by a person of another workspace, a key or an agent: refused', async () => {
    const fields = await question();
    const elsewhere = await signIn(ground, ground.outsider.principal.workspaceId);
    expect((await post(fields, { cookie: elsewhere, origin: ground.url })).status).toBe(410);
    const { secret } = await ground.helve.plane.createApiKey(ground.helve.admin, { permissions: ['agents:act'] });
    for (const token of [secret, ground.alice.token]) {
      expect((await post(fields, { authorization: `Bearer ${token}` })).status).toBe(403);
      expect((await post(fields, { cookie: `helve_session=${token}`, origin: ground.url })).status).toBe(401);
    }
  });

  it('R-mcp-server: a late request is refused', async () => {
    const late = await openGround();
    const page = await openPage(authorizeAddress(late, pkce().challenge), late.cookie);
    const consent = consentOf(await page.text());
    late.helve.advance(11 * 60_000);
    const fields = { consent, decision: 'approved' };
    const done = await postForm(`${late.url}/oauth/authorize`, fields, { cookie: late.cookie, origin: late.url });
    expect(done.status).toBe(410);
  });
});

describe('R-mcp-server: codes and tokens end', () => {
  it('R-mcp-server: a code that comes back ends the tokens that came of it', async () => {
    const code = await getCode(ground);
    const first = await toToken(ground, codeForm(ground, code));
    expect(first.status).toBe(200);
    ground.helve.advance(11_000);
    expect(await toToken(ground, codeForm(ground, code))).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect((await knock(ground.alice.address, first.body.access_token)).status).toBe(401);
    expect((await refresh(ground, first.body.refresh_token)).body.error).toBe('invalid_grant');
    expect((await rowsOf(ground, 'authorization.ended')).at(-1)?.body).toMatchObject({
      reason: 'the code was sent again',
    });
  });

  it('R-mcp-server: refresh tokens rotate; one that comes back ends the family', async () => {
    const first = await getTokens(ground);
    const second = await refresh(ground, first.refresh_token);
    expect(second.status).toBe(200);
    expect(second.body.refresh_token).not.toBe(first.refresh_token);
    expect((await knock(ground.alice.address, second.body.access_token)).status).toBe(200);
    ground.helve.advance(11_000);
    const again = await refresh(ground, first.refresh_token);
    expect(again).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await refresh(ground, second.body.refresh_token)).body.error).toBe('invalid_grant');
    for (const token of [first.access_token, second.body.access_token])
      expect((await knock(ground.alice.address, token)).status).toBe(401);
  });

  it('R-mcp-server: refreshing can narrow the scope but not widen it, and a refused attempt uses nothing up', async () => {
    const first = await getTokens(ground, { scope: 'tools:read' });
    expect((await refresh(ground, first.refresh_token, { scope: 'tools:read tools:call' })).body.error).toBe(
      'invalid_scope',
    );
    const whole = await getTokens(ground);
    const narrow = await refresh(ground, whole.refresh_token, { scope: 'tools:read' });
    expect(narrow).toMatchObject({ status: 200, body: { scope: 'tools:read' } });
    expect((await knock(ground.alice.address, narrow.body.access_token, 'tools/call', greet)).status).toBe(403);
    expect((await refresh(ground, first.refresh_token)).status).toBe(200);
  });

  it('R-mcp-server: a program revokes its token: everything that came from it ends; another program’s is not affected', async () => {
    const tokens = await getTokens(ground);
    const revoke = (fields: Record<string, string>) => postForm(`${ground.url}/oauth/revoke`, fields);
    expect((await revoke({ token: tokens.refresh_token, client_id: 'client_of_another' })).status).toBe(200);
    expect((await knock(ground.alice.address, tokens.access_token)).status).toBe(200);
    expect((await revoke({ token: tokens.refresh_token, client_id: ground.clientId })).status).toBe(200);
    expect((await knock(ground.alice.address, tokens.access_token)).status).toBe(401);
    expect((await revoke({ token: 'nonsense', client_id: ground.clientId })).status).toBe(200);
    expect((await revoke({ token: tokens.refresh_token })).status).toBe(400);
    // A program may not revoke an agent's own token.
    expect((await revoke({ token: ground.alice.token, client_id: ground.clientId })).status).toBe(200);
    expect((await knock(ground.alice.address, ground.alice.token)).status).toBe(200);
  });

  it('R-mcp-server: the operator revokes one credential, and the whole of it ends', async () => {
    const tokens = await getTokens(ground);
    const { plane, admin } = ground.helve;
    const found = (await plane.credentials(admin)).find(
      ({ prefix, kind }) => kind === 'agent_token' && tokens.access_token.startsWith(prefix),
    );
    await plane.revokeCredential(admin, found?.id ?? '');
    expect((await knock(ground.alice.address, tokens.access_token)).status).toBe(401);
    expect((await refresh(ground, tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('R-mcp-server: expired codes, access tokens and refresh tokens are refused', async () => {
    const late = await openGround({ tools: houseTools });
    const code = await getCode(late);
    const tokens = await getTokens(late);
    late.helve.advance(61_000);
    expect((await toToken(late, codeForm(late, code))).body.error).toBe('invalid_grant');
    late.helve.advance(60 * 60_000);
    expect((await knock(late.alice.address, tokens.access_token)).status).toBe(401);
    const second = await refresh(late, tokens.refresh_token);
    expect(second.status).toBe(200);
    late.helve.advance(31 * 24 * 60 * 60_000);
    expect((await refresh(late, second.body.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('R-mcp-server: removing the agent revokes every token', async () => {
    const gone = await openGround({ tools: houseTools });
    const tokens = await getTokens(gone);
    await gone.helve.plane.removeAgent(gone.helve.admin, 'alice');
    expect((await knock(gone.alice.address, tokens.access_token)).status).toBe(401);
    expect((await refresh(gone, tokens.refresh_token)).body.error).toBe('invalid_grant');
  });
});

describe('R-mcp-server: a token is for one address', () => {
  it('R-mcp-server: at another agent’s address, at REST and as a session it is 401', async () => {
    const { access_token, refresh_token } = await getTokens(ground);
    expect((await knock(ground.bob.address, access_token)).status).toBe(401);
    expect((await rowsOf(ground, 'request.refused')).at(-1)).toMatchObject({
      actor: { name: 'alice' },
      body: { reason: 'token of another address', address: ground.bob.address },
    });
    expect((await knock(`${ground.url}/mcp/tasks`, access_token)).status).toBe(401);
    expect((await knock(`${ground.url}/mcp/tasks`, ground.alice.token)).status).toBe(200);
    expect((await knock(ground.alice.address, refresh_token)).status).toBe(401);
    for (const path of ['/api/tools/workspace', '/api/agents', '/api/credentials'])
      expect((await fetch(ground.url + path, { headers: { authorization: `Bearer ${access_token}` } })).status).toBe(
        401,
      );
    expect((await openPage(`${ground.url}/admin`, `helve_session=${access_token}`)).status).toBe(401);
    const { status } = await fetch(`${ground.alice.address}?access_token=${access_token}`, { method: 'POST' });
    expect(status).toBe(401);
  });

  it('R-mcp-server: an outsider’s person lets a program in to their own agent of that name, not to ours', async () => {
    const theirs = { ...ground, cookie: await signIn(ground, ground.outsider.principal.workspaceId) };
    const { access_token } = await getTokens(theirs);
    const before = await rowsOf(ground, 'execution.finished');
    expect((await knock(ground.alice.address, access_token, 'tools/call', greet)).status).toBe(200);
    expect(await rowsOf(ground, 'execution.finished')).toEqual(before);
    const { workspaceId } = ground.outsider.principal;
    const admin = { ...ground.helve.admin, workspaceId };
    expect(await ground.helve.plane.audit(admin, { types: ['execution.finished'] })).toMatchObject([
      { workspaceId, actor: { id: ground.outsider.principal.id }, onBehalfOf: { kind: 'user' } },
    ]);
    const theirsOnly = await openPage(
      authorizeAddress(ground, pkce().challenge, { resource: ground.bob.address }),
      theirs.cookie,
    );
    expect([theirsOnly.status, await theirsOnly.text()]).toEqual([400, expect.stringContaining('no such agent')]);
  });
});
