/**
 * A token endpoint that answers wrongly, slowly, hugely, from elsewhere, or with its own input; and malicious providers
 * that a workspace configures. A refusal leaves the connection unusable and reveals no code, verifier or secret.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mayRenewAt, revocationEndpointFor } from '../../src/flows/connecting/oauth-clients.js';
import { openAttackScene, type Scene } from './support/attack-scene.js';
import { json, type Liar, startLiar, type TokenRequest, truthful } from './support/liar.js';

const patienceMs = 1_500;
let liar: Liar;
let elsewhere: Liar;
let scene: Scene;

beforeAll(async () => {
  [liar, elsewhere] = await Promise.all([startLiar(), startLiar()]);
  scene = await openAttackScene(liar.url, liar.config('vendor'), { egress: { timeoutMs: patienceMs } });
});
afterAll(async () => {
  await scene.close();
  await Promise.all([liar.close(), elsewhere.close()]);
});
beforeEach(() => {
  Object.assign(liar, { answer: truthful, account: 'ada' });
  liar.tokenRequests.length = 0;
  elsewhere.paths.length = 0;
});

type Answers = (response: ServerResponse, request: TokenRequest) => void;
const token = { access_token: 'a-token-of-the-liar-0123', token_type: 'Bearer', expires_in: 3_600 };
const says =
  (body: unknown, status = 200): Answers =>
  (response) =>
    json(response, body, status);
const writes =
  (text: string | Buffer, type = 'application/json', headers: Record<string, string> = {}): Answers =>
  (response) =>
    response.writeHead(200, { 'content-type': type, ...headers }).end(text);
const redirects =
  (status: number): Answers =>
  (response) =>
    response.writeHead(status, { location: `${elsewhere.url}/token` }).end();

/** Repeats everything it was sent in an error of its own. */
const repeats: Answers = (response, { form, authorization }) =>
  json(response, { error: 'invalid_grant', error_description: `${form} ${authorization} ${[...form.values()]}` }, 400);

const refusals: readonly (readonly [string, Answers])[] = [
  ['redirects to another server (301)', redirects(301)],
  ['redirects to another server (302)', redirects(302)],
  ['redirects to another server, with the body (307)', redirects(307)],
  ['redirects to another server, with the body (308)', redirects(308)],
  ['answers with ten megabytes', writes(JSON.stringify({ ...token, more: 'x'.repeat(10_000_000) }))],
  [
    'answers with a bomb',
    writes(gzipSync(JSON.stringify({ ...token, more: '0'.repeat(50_000_000) })), 'application/json', {
      'content-encoding': 'gzip',
    }),
  ],
  ['never answers', () => undefined],
  ['answers a letter at a time, endlessly', (response) => void drip(response)],
  ['hangs up', (response) => void response.destroy()],
  [
    'hangs up in the middle',
    (response) => void response.writeHead(200).write('{"access_token":', () => response.destroy()),
  ],
  ['answers with a page', writes('<html><script>alert(1)</script>Please log in</html>', 'text/html')],
  ['answers with a page that says it is JSON', writes('<html>no</html>')],
  ['answers with half of it', writes('{"access_token":"a-token-of-the-liar-0123","token_')],
  ['answers with a list', says([token])],
  ['answers with a text', says('a-token-of-the-liar-0123')],
  ['answers with nothing', writes('')],
  ['answers with null', says(null)],
  ['gives no token', says({ token_type: 'Bearer' })],
  ['gives an empty token', says({ ...token, access_token: '' })],
  ['gives a number for a token', says({ ...token, access_token: 12_345_678 })],
  ['gives an object for a token', says({ ...token, access_token: { toString: 'x' } })],
  ['gives a token with a line end in it', says({ ...token, access_token: 'abcdefgh\r\nx-evil: 1' })],
  ['gives a token with a letter that no header takes', says({ ...token, access_token: 'abcdefgh\u0000é' })],
  ['gives a token of 40 kB', says({ ...token, access_token: 'x'.repeat(40_000) })],
  [
    'hides the token behind __proto__',
    writes('{"__proto__":{"access_token":"a-token-of-the-liar-0123","token_type":"Bearer"}}'),
  ],
  ['gives a token that must be signed with (mac)', says({ ...token, token_type: 'mac' })],
  ['gives a token that is bound to a key (DPoP)', says({ ...token, token_type: 'DPoP' })],
  ['says error under status 200', says({ ...token, error: 'invalid_grant' })],
  ['gives a token under status 500', says(token, 500)],
  ['gives a token under status 401', says(token, 401)],
  ['gives a token under status 204', (response) => void response.writeHead(204).end()],
  ['has used the code up', says({ error: 'invalid_grant' }, 400)],
  ['does not know the client', says({ error: 'invalid_client' }, 401)],
  ['repeats what it was sent', repeats],
];

async function drip(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  while (!response.destroyed) {
    response.write(' ');
    await setTimeout(50);
  }
}

describe('a token endpoint that', () => {
  test.each(refusals)('R-oauth: %s: refused, requested once, and nothing of it is stored', async (_name, answer) => {
    liar.answer = answer;
    const from = performance.now();
    const attempt = await scene.signIn();
    expect(attempt.answer.status).toBe(400);
    expect(performance.now() - from).toBeLessThan(patienceMs + 3_000);
    expect(liar.tokenRequests).toHaveLength(1);
    expect(elsewhere.paths).toEqual([]);
    expect(await scene.status(attempt.id)).toBe('error');
    const said = `${attempt.answer.page} ${await scene.everything()}`;
    const { form, authorization } = liar.tokenRequests[0] as TokenRequest;
    const secrets = [
      'a-token-of-the-liar',
      liar.clientSecret,
      authorization.slice(6),
      form.get('code'),
      form.get('code_verifier'),
    ];
    for (const secret of secrets) expect(said).not.toContain(secret);
    expect(attempt.answer.page).not.toContain('<script');
    // The same state does not get a second try.
    liar.answer = truthful;
    expect((await scene.back(attempt.browser, { code: 'x', state: attempt.state })).status).toBe(400);
    expect(liar.tokenRequests).toHaveLength(1);
  });

  test('R-oauth: is slow does not keep others waiting', async () => {
    const { id } = await scene.signIn();
    const slug = await scene.grant(id);
    let finish: (() => void) | undefined;
    liar.answer = (response) => {
      finish = () => truthful(response);
    };
    const slow = scene.signIn();
    await expect.poll(() => finish).toBeDefined();
    expect((await scene.helve.call(`${slug}__who_am_i`)).ok).toBe(true);
    finish?.();
    expect((await slow).answer.status).toBe(200);
  });

  const oddities: readonly (readonly [string, object])[] = [
    ['says no token_type', { token_type: undefined }],
    ['calls it by a name of its own', { token_type: 'bot' }],
    ['says that it ended already', { expires_in: -3_600 }],
    ['says that it lives for no time', { expires_in: 0 }],
    ['says that it lives longer than dates go', { expires_in: 1e300 }],
    ['writes the seconds as a text', { expires_in: '3600' }],
    ['writes no number for the seconds', { expires_in: 'soon' }],
    ['writes an object for the seconds', { expires_in: {} }],
    ['gives an object to renew it with', { refresh_token: { a: 1 } }],
    ['issues an unsigned ID token', { id_token: 'e30.e30.' }],
    ['gives scopes as a list', { scope: ['openid', 'api:write'] }],
    ['gives an object for the scopes', { scope: { openid: true } }],
  ];
  test.each(oddities)('R-oauth: %s: harmless, and calls continue without a renewal', async (_name, odd) => {
    liar.answer = says({ ...token, scope: 'openid api:write', ...odd });
    const { id, answer } = await scene.signIn();
    expect(answer.status).toBe(200);
    const slug = await scene.grant(id);
    for (let call = 0; call < 3; call++)
      expect(await scene.helve.call(`${slug}__who_am_i`)).toMatchObject({ ok: true });
    expect(liar.tokenRequests).toHaveLength(1);
  });

  test('R-oauth: grants fewer scopes than requested: tools that need more say so and do not call', async () => {
    liar.answer = says({ ...token, scope: 'openid' });
    const slug = await scene.grant((await scene.signIn()).id);
    expect((await scene.helve.call(`${slug}__who_am_i`)).ok).toBe(true);
    const before = liar.paths.length;
    expect(await scene.helve.call(`${slug}__write_thing`)).toMatchObject({ ok: false, rule: 'connection.scopes' });
    expect(liar.paths.length).toBe(before);
  });

  test('R-oauth: grants more than requested: no agent gets more than its grant', async () => {
    liar.answer = says({ ...token, scope: 'openid api:write admin:everything' });
    const { id } = await scene.signIn();
    const grant = { toolkit: 'vendor', connectionId: id, tools: ['who_am_i'], limits: {}, config: {} };
    await scene.helve.plane.replaceGrants(scene.helve.admin, 'tester', [grant]);
    const { slug } = await scene.helve.plane.connection(scene.helve.admin, id);
    expect(await scene.helve.call(`${slug}__write_thing`)).toMatchObject({ ok: false, error: { code: 'not_granted' } });
  });
});

describe('renewal at an endpoint that', () => {
  async function runOut(): Promise<{ id: string; call: () => ReturnType<Scene['helve']['call']> }> {
    const { id } = await scene.signIn();
    const slug = await scene.grant(id);
    scene.helve.advance(3_600_000);
    liar.tokenRequests.length = 0;
    return { id, call: () => scene.helve.call(`${slug}__who_am_i`) };
  }

  test.each(refusals)('R-oauth: %s: no call is sent, and the endpoint is not hammered', async (_name, answer) => {
    const { id, call } = await runOut();
    liar.answer = answer;
    const paths = liar.paths.length;
    expect((await call()).ok).toBe(false);
    expect((await call()).ok).toBe(false);
    expect(liar.tokenRequests).toHaveLength(1);
    expect(liar.paths.slice(paths)).toEqual(['/token']);
    expect(elsewhere.paths).toEqual([]);
    expect(['active', 'expired']).toContain(await scene.status(id));
    const said = await scene.everything();
    const sent = liar.tokenRequests[0]?.form.get('refresh_token') ?? '';
    expect(sent).toMatch(/^refresh-token-/);
    for (const secret of [sent, 'a-token-of-the-liar', liar.clientSecret]) expect(said).not.toContain(secret);
  });

  test('R-oauth: after a temporary failure it is tried again later, and the connection stays active', async () => {
    const { id, call } = await runOut();
    liar.answer = says({ error: 'server_error' }, 503);
    expect(await call()).toMatchObject({ ok: false, error: { code: 'upstream_failed', retryable: true } });
    expect(await scene.status(id)).toBe('active');
    liar.answer = truthful;
    scene.helve.advance(5_000);
    expect((await call()).ok).toBe(true);
    expect(liar.tokenRequests).toHaveLength(2);
  });

  test('R-oauth: issues no new refresh token: the old one stays in use', async () => {
    const { call } = await runOut();
    liar.answer = says(token);
    expect((await call()).ok).toBe(true);
    const [first] = liar.tokenRequests;
    scene.helve.advance(3_600_000);
    expect((await call()).ok).toBe(true);
    expect(liar.tokenRequests[1]?.form.get('refresh_token')).toBe(first?.form.get('refresh_token'));
  });

  test('R-oauth: an account that is connected again while its old tokens are refused stays connected', async () => {
    const { id, call } = await runOut();
    const asked = new Promise<() => void>((resolve) => {
      liar.answer = (response) => resolve(() => json(response, { error: 'invalid_grant' }, 400));
    });
    const late = call();
    const release = await asked;
    liar.answer = truthful;
    await scene.signIn({ id });
    release();
    await late;
    expect(await scene.status(id)).toBe('active');
    expect((await call()).ok).toBe(true);
  });
});

describe('a workspace that describes a provider', () => {
  const put = (overrides: object) =>
    scene.helve.plane.putAuthClient(scene.helve.admin, 'vendor', {
      clientId: 'own',
      clientSecret: 'own-secret-0123456789',
      overrides,
    });
  const remove = () => scene.helve.plane.removeAuthClient(scene.helve.admin, 'vendor');

  const addresses = [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'http://example.com/token',
    'ftp://example.com/',
    '//example.com',
    'https://',
    'not an address',
    '',
  ];
  test.each(
    ['authorizationEndpoint', 'tokenEndpoint', 'revocationEndpoint'].flatMap((key) =>
      addresses.map((url) => [key, url]),
    ),
  )('R-oauth: %s %j is refused as an address', async (key, url) => {
    await expect(put({ [key ?? '']: url })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test.each([
    'authorizationEndpoint',
    'tokenEndpoint',
  ])('R-oauth: whose %s it names does not get codes at the address that the operator registered', async (key) => {
    await put({ [key]: 'https://elsewhere.example/' });
    try {
      const id = await scene.add();
      const { redirectUrl = '' } = await scene.helve.plane.connect(scene.helve.admin, id, {});
      const start = await scene.app.request(redirectUrl, {
        method: 'POST',
        headers: { host: '127.0.0.1:4870', origin: 'http://127.0.0.1:4870' },
      });
      const asked = new URL(start.headers.get('location') ?? '').searchParams;
      expect(asked.get('redirect_uri')).toMatch(/\/oauth\/callback\/[0-9a-f]{16}$/);
    } finally {
      await remove();
    }
  });

  test('R-oauth: unknown keys and other types are refused', async () => {
    for (const overrides of [
      { slug: 'x' },
      { pkce: 'plain' },
      { tokenAuth: 'x' },
      { authorizationParameters: { a: 1 } },
      { constructor: 1 },
    ])
      await expect(put(overrides)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('R-oauth: an agent may not', async () => {
    const { plane, agent } = scene.helve;
    await expect(plane.putAuthClient(agent, 'vendor', { clientId: 'x' })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(plane.removeAuthClient(agent, 'vendor')).rejects.toMatchObject({ code: 'forbidden' });
  });

  const inside = [
    'https://127.0.0.1:1/token',
    'https://localhost/token',
    'https://169.254.169.254/latest',
    'https://[::1]/t',
    'https://10.0.0.1/t',
    'https://[::ffff:7f00:1]/t',
    'https://0x7f.1/t',
  ];
  test.each(inside)('R-oauth: an internal token endpoint (%s) is not contacted', async (tokenEndpoint) => {
    await put({ tokenEndpoint });
    try {
      const attempt = await scene.begin();
      const redirectUri = attempt.authorization.searchParams.get('redirect_uri');
      const { response } = await attempt.browser.go(`${redirectUri}?code=a-code-0123456789&state=${attempt.state}`);
      expect(response?.status).toBe(400);
      expect(await scene.reason(attempt.id)).toMatch(/address|host|allowed/i);
    } finally {
      await remove();
    }
  });

  test('R-oauth: refresh tokens of others do not go to an endpoint that it names', async () => {
    const { id } = await scene.signIn();
    const slug = await scene.grant(id);
    await put({ tokenEndpoint: 'https://collector.example.com/token' });
    try {
      scene.helve.advance(3_600_000);
      liar.tokenRequests.length = 0;
      expect(await scene.helve.call(`${slug}__who_am_i`)).toMatchObject({
        ok: false,
        error: { code: 'connection_inaccessible' },
      });
      expect(await scene.reason(id)).toContain('the token endpoint of vendor has changed since then');
      expect(liar.tokenRequests).toEqual([]);
    } finally {
      await remove();
    }
  });

  test('R-oauth: nor to an address that it names for revocation', async () => {
    const { id } = await scene.signIn();
    await put({ revocationEndpoint: 'https://collector.example.com/revoke' });
    const { revocation } = await scene.helve.plane.disconnect(scene.helve.admin, id).finally(remove);
    expect(revocation).toBe('unsupported');
  });

  test('R-oauth: its own parameters do not replace the protective ones', async () => {
    const evil = { state: 'fixed', redirect_uri: 'https://evil.example/', response_type: 'token', client_id: 'evil' };
    const challenge = { code_challenge: 'x', code_challenge_method: 'plain', scope: 'everything' };
    await put({ authorizationParameters: { ...evil, ...challenge, prompt: 'consent' } });
    try {
      const { authorization, state, browser } = await scene.begin();
      const query = authorization.searchParams;
      expect(Object.fromEntries(query)).toMatchObject({
        response_type: 'code',
        client_id: 'own',
        code_challenge_method: 'S256',
        prompt: 'consent',
      });
      expect([query.getAll('state'), query.getAll('redirect_uri').length]).toEqual([[state], 1]);
      expect(state).not.toBe('fixed');
      expect(query.get('code_challenge')).toHaveLength(43);
      expect(query.get('redirect_uri')).not.toContain('evil');
      await scene.back(browser, { error: 'x', state });
    } finally {
      await remove();
    }
  });

  test('R-oauth: issuers that must name themselves, and one that does not', async () => {
    await put({ issuer: liar.url, issuerRequired: true });
    try {
      const missing = await scene.signIn();
      expect(missing.answer.status).toBe(400);
      expect(liar.tokenRequests).toEqual([]);
      for (const iss of [`${liar.url}/`, `${liar.url}/tenant`, liar.url.toUpperCase(), 'https://accounts.google.com']) {
        const attempt = await scene.begin();
        expect((await scene.back(attempt.browser, { code: 'c', state: attempt.state, iss })).status).toBe(400);
      }
      expect(liar.tokenRequests).toEqual([]);
      const named = await scene.begin();
      expect((await scene.back(named.browser, { code: 'c', state: named.state, iss: liar.url })).status).toBe(200);
    } finally {
      await remove();
    }
  });

  test('R-oauth: an address with an unfilled customer part is refused', async () => {
    await put({ tokenEndpoint: 'https://{subdomain}.example.com/token' }).catch(() => undefined);
    const connect = scene.helve.plane.connect(scene.helve.admin, await scene.add(), {});
    await expect(connect.finally(remove)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('address of its own for each customer'),
    });
  });
});

describe('where tokens may go', () => {
  const at = (slug: string, host: string) => ({
    slug,
    name: slug,
    authorizationEndpoint: `https://${host}/auth`,
    tokenEndpoint: `https://${host}/token`,
    revocationEndpoint: `https://${host}/revoke`,
  });
  const client = (slug: string, now: string, installed: string) => ({
    clientId: 'c',
    named: [],
    source: 'workspace' as const,
    provider: at(slug, now),
    installed: at(slug, installed),
  });

  test('R-oauth: to be renewed: at their issuer, or where the operator says', () => {
    const cases: [slug: string, now: string, installed: string, givenBy: string | undefined, may: boolean][] = [
      ['vendor', 'a.example', 'a.example', undefined, true],
      ['vendor', 'a.example', 'a.example', 'https://b.example/token', true],
      ['vendor', 'b.example', 'a.example', 'https://b.example/token', true],
      ['vendor', 'b.example', 'a.example', 'https://a.example/token', false],
      ['vendor', 'b.example', 'a.example', undefined, false],
      // A server that names its own revocation endpoint: its current claim does not prove that it issued the stored token.
      ['mcp:kit', 'b.example', 'b.example', 'https://b.example/token', true],
      ['mcp:kit', 'b.example', 'b.example', 'https://a.example/token', false],
      ['mcp:kit', 'b.example', 'b.example', undefined, false],
    ];
    for (const [slug, now, installed, givenBy, may] of cases)
      expect([slug, now, givenBy, mayRenewAt(client(slug, now, installed), givenBy)]).toEqual([
        slug,
        now,
        givenBy,
        may,
      ]);
  });

  test('R-oauth: to be ended: the same', () => {
    const end = (slug: string, now: string, installed: string, givenBy?: string) =>
      revocationEndpointFor(client(slug, now, installed), givenBy);
    expect(end('vendor', 'a.example', 'a.example')).toBe('https://a.example/revoke');
    expect(end('vendor', 'b.example', 'a.example')).toBeUndefined();
    expect(end('vendor', 'b.example', 'a.example', 'https://a.example/token')).toBeUndefined();
    expect(end('vendor', 'b.example', 'a.example', 'https://b.example/token')).toBe('https://b.example/revoke');
    expect(end('mcp:kit', 'b.example', 'b.example', 'https://a.example/token')).toBeUndefined();
    expect(end('mcp:kit', 'b.example', 'b.example', 'https://b.example/token')).toBe('https://b.example/revoke');
  });
});
