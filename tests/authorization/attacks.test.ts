/**
 * Attacks on the authorization server, a row each, against the whole HTTP application: the rows of the list that concern
 * the server, and others of the same kinds.
 */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocumentFetch } from '../../src/plane/wiring/document-fetch.js';
import { readAttacks } from '../data/attacks.js';
import { houseTools } from '../mcp/house-tools.js';
import { endAll, rowsOf } from '../mcp/real-door.js';
import { startDocuments } from './documents.js';
import {
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
  postJson,
  refresh,
  register,
  toToken,
} from './ground.js';

let ground: Ground;
beforeAll(async () => {
  ground = await openGround({ tools: houseTools });
});
afterAll(endAll);

/** Our own page with an error: no redirect, and nothing to agree to. */
async function expectPage(address: string, cookie = ground.cookie): Promise<string> {
  const page = await openPage(address, cookie);
  const text = await page.text();
  expect([page.status, page.headers.get('location'), page.headers.get('set-cookie')]).toEqual([400, null, null]);
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(consentOf(text)).toBe('');
  expect(text).not.toMatch(/<script|http-equiv/i);
  return text;
}

async function foreignRedirect(uri: string): Promise<void> {
  for (const cookie of [ground.cookie, '']) {
    const text = await expectPage(authorizeAddress(ground, pkce().challenge, { redirect_uri: uri }), cookie);
    expect(text).not.toContain('go back to it');
  }
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
type Signing = 'none' | 'HS256' | 'ES256';

function jwt(signing: Signing, claims: object = {}, header: object = {}, key = 'secret'): string {
  const seconds = Math.floor(Date.now() / 1_000);
  const standard = { iss: ground.url, aud: ground.alice.address, sub: ground.alice.principal.id, exp: seconds + 600 };
  const text = `${part({ alg: signing, typ: 'at+jwt', ...header })}.${part({ ...standard, ...claims })}`;
  if (signing === 'none') return `${text}.`;
  const signature =
    signing === 'HS256'
      ? createHmac('sha256', key).update(text).digest()
      : sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

const greet = { name: 'greet', arguments: { name: 'Ada' } };

/** Lists the tools and calls one: the last test of this file searches the record for traces of that. */
async function refusedToken(token: string): Promise<void> {
  for (const method of ['tools/list', 'tools/call']) {
    const { status, challenge } = await knock(
      ground.alice.address,
      token,
      method,
      method === 'tools/call' ? greet : {},
    );
    expect([status, challenge]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
  }
}

interface Row {
  readonly id: string;
  readonly side: string;
  readonly name: string;
}
const corpus = readAttacks<Row>('oauth-attacks').filter(({ side }) => side === 'server');

const answers: Readonly<Record<string, () => Promise<void>>> = {
  'aud-other': () => refusedToken(jwt('ES256', { aud: 'https://other.example/mcp' })),
  'alg-none': () => refusedToken(jwt('none')),
  async 'cimd-huge'() {
    const documents = await startDocuments();
    const fetchDocument = createDocumentFetch(documents.policy);
    await expect(fetchDocument(`${documents.url}/endless`)).rejects.toMatchObject({ code: 'too_large' });
    const begun = Date.now();
    await expect(fetchDocument(`${documents.url}/slow`)).rejects.toMatchObject({ code: 'timeout' });
    expect(Date.now() - begun).toBeLessThan(6_500);
    await documents.close();
  },
  async 'state-before-consent'() {
    for (const cookie of ['', ground.cookie]) {
      const page = await openPage(authorizeAddress(ground, pkce().challenge), cookie);
      expect(page.headers.get('set-cookie')).toBeNull();
    }
  },
};

describe('R-mcp-server: the list of attacks', () => {
  it.each(corpus)('R-mcp-server: $id $name', async ({ name }) => {
    const uri = /^redirect_uri (.+)$/.exec(name)?.[1];
    if (uri !== undefined) return foreignRedirect(uri);
    const answer = answers[name];
    expect(answer, `nothing answers ${name}`).toBeDefined();
    await answer?.();
  }, 20_000);
});

describe('R-mcp-server: answer addresses', () => {
  it.each([
    'https://app.example/cb/',
    'https://app.example/cb/more',
    'https://app.example/',
    'https://app.example',
    'https://app.example/cb?x=1',
    'https://app.example/cb?',
    'https://app.example/cb#',
    'https://app.example/cb#x',
    'http://app.example/cb',
    'https://app.example:443/cb',
    'https://app.example:8443/cb',
    'https://APP.example/cb',
    'https://app.example./cb',
    'https://sub.app.example/cb',
    'https://app.example.evil.example/cb',
    'https://evil.example/cb',
    'https://app.example@evil.example/cb',
    'https://evil.example#@app.example/cb',
    'https://app.example%2eevil.example/cb',
    'https://app.example/%63b',
    'https://app.example/x/../cb',
    'https://app.example\\@evil.example/cb',
    '//app.example/cb',
    '/cb',
    'cb',
    '',
    ' https://app.example/cb',
    'https://app.example/cb ',
    'https://app.example/cb%00',
    'https://app.example/cb%0d%0aX: y',
    'HTTPS://app.example/cb',
    'javascript:alert(1)//https://app.example/cb',
    'data:text/html,x',
    'com.evil:/cb',
    'file:///etc/passwd',
    'http://127.0.0.1:5001/other',
    'http://localhost/cb',
    'http://127.0.0.1:99999/cb',
    'http://127.0.0.1:1@evil.example/cb',
    'http://127.0.0.1:80/other',
    'https://127.0.0.1/cb',
    'http://127.0.0.1:5000/cb/',
    'http://[::1]:5000/cb',
    'null',
  ])('R-mcp-server: %j is not registered: our error page, and no redirect', foreignRedirect);

  it('R-mcp-server: a program that registered its port, or localhost by name, is not answered at another port', async () => {
    const client_id = await register(ground, ['http://127.0.0.1:5000/cb', 'http://localhost/cb', 'http://[::1]/cb']);
    const status = async (redirect_uri: string) =>
      (await openPage(authorizeAddress(ground, pkce().challenge, { client_id, redirect_uri }), ground.cookie)).status;
    expect(await status('http://127.0.0.1:5001/cb')).toBe(400);
    expect(await status('http://127.0.0.1/cb')).toBe(400);
    expect(await status('http://localhost:5000/cb')).toBe(400);
    expect(await status('http://[::1]:0/cb')).toBe(400);
    expect(await status('http://[::1]:5000/cb')).toBe(200);
    expect(await status('http://127.0.0.1:5000/cb')).toBe(200);
  });

  it('R-mcp-server: no address, or two, are refused too', async () => {
    await expectPage(authorizeAddress(ground, pkce().challenge, { redirect_uri: undefined }));
    await expectPage(`${authorizeAddress(ground, pkce().challenge)}&redirect_uri=https%3A%2F%2Fevil.example%2Fcb`);
    await expectPage(`${authorizeAddress(ground, pkce().challenge)}&redirect_uri=${encodeURIComponent(callback)}`);
  });

  it.each([
    callback,
    `${callback}?kept=1`,
    'http://127.0.0.1/cb',
    'http://127.0.0.1:41234/cb',
    'http://127.0.0.1:5000/cb',
  ])('R-mcp-server: %j is registered, or a free port of a program that registered its number without one', async (redirect_uri) => {
    const page = await openPage(authorizeAddress(ground, pkce().challenge, { redirect_uri }), ground.cookie);
    expect(page.status).toBe(200);
    expect((await page.text()).includes('That is this computer')).toBe(redirect_uri.startsWith('http:'));
  });
});

describe('R-mcp-server: invalid requests', () => {
  const long = 'A'.repeat(3_000);
  it.each<[string, string, Record<string, string | undefined>]>([
    ['no PKCE', 'invalid_request', { code_challenge: undefined, code_challenge_method: undefined }],
    ['PKCE without its method', 'invalid_request', { code_challenge_method: undefined }],
    ['PKCE plain', 'invalid_request', { code_challenge_method: 'plain' }],
    ['PKCE in lower case', 'invalid_request', { code_challenge_method: 's256' }],
    ['PKCE by another hash', 'invalid_request', { code_challenge_method: 'S512' }],
    ['an empty challenge', 'invalid_request', { code_challenge: '' }],
    ['a short challenge', 'invalid_request', { code_challenge: 'abc' }],
    ['a challenge that is not base64url', 'invalid_request', { code_challenge: '+'.repeat(43) }],
    ['the implicit flow', 'unsupported_response_type', { response_type: 'token' }],
    ['the hybrid flow', 'unsupported_response_type', { response_type: 'code token' }],
    ['an ID token', 'unsupported_response_type', { response_type: 'id_token' }],
    ['no response type', 'unsupported_response_type', { response_type: undefined }],
    ['the fragment', 'invalid_request', { response_mode: 'fragment' }],
    ['a form post', 'invalid_request', { response_mode: 'form_post' }],
    ['a request object', 'request_not_supported', { request: 'e30.e30.' }],
    ['a request address', 'request_not_supported', { request_uri: 'http://169.254.169.254/' }],
    ['an unknown scope', 'invalid_scope', { scope: 'admin' }],
    ['a wider scope beside a good one', 'invalid_scope', { scope: 'tools:call keys:write' }],
    ['a star', 'invalid_scope', { scope: '*' }],
    ['a scope of another case', 'invalid_scope', { scope: 'TOOLS:CALL' }],
    ['no resource', 'invalid_target', { resource: undefined }],
    ['another server’s resource', 'invalid_target', { resource: 'https://other.example/mcp/alice' }],
    ['the whole server', 'invalid_target', { resource: 'ORIGIN' }],
    ['a resource with a slash behind', 'invalid_target', { resource: 'ORIGIN/mcp/alice/' }],
    ['a resource with a fragment', 'invalid_target', { resource: 'ORIGIN/mcp/alice#x' }],
    ['a resource with a query', 'invalid_target', { resource: 'ORIGIN/mcp/alice?x' }],
    ['a resource that climbs', 'invalid_target', { resource: 'ORIGIN/mcp/../api' }],
    ['an agent that does not exist', 'invalid_target', { resource: 'ORIGIN/mcp/nobody' }],
    ['an agent like a prototype', 'invalid_target', { resource: 'ORIGIN/mcp/__proto__' }],
    ['a host that starts like ours', 'invalid_target', { resource: 'ORIGIN.evil.example/mcp/alice' }],
    ['an unknown client', 'invalid_client', { client_id: 'client_00000000-0000-0000-0000-000000000000' }],
    ['no client', 'invalid_client', { client_id: undefined }],
    ['a client with markup', 'invalid_client', { client_id: '"><script>alert(1)</script>' }],
    ['a client at http', 'invalid_client', { client_id: 'http://app.example/client.json' }],
    ['a client in a file', 'invalid_client', { client_id: 'file:///etc/passwd' }],
    ['a client without a path', 'invalid_client', { client_id: 'https://app.example/' }],
    ['a client with user information', 'invalid_client', { client_id: 'https://a:b@app.example/client.json' }],
    ['a client with a fragment', 'invalid_client', { client_id: 'https://app.example/client.json#x' }],
    ['a client that climbs', 'invalid_client', { client_id: 'https://app.example/a/../client.json' }],
    ['a client on this machine', 'invalid_client', { client_id: 'https://127.0.0.1/client.json' }],
    ['a client on this machine by name', 'invalid_client', { client_id: 'https://localhost/client.json' }],
    ['a client on this machine in IPv6', 'invalid_client', { client_id: 'https://[::1]/client.json' }],
    ['a client in the cloud’s metadata', 'invalid_client', { client_id: 'https://169.254.169.254/latest' }],
    ['a client in a private network', 'invalid_client', { client_id: 'https://10.0.0.1/client.json' }],
    ['a client behind mapped IPv4', 'invalid_client', { client_id: 'https://[::ffff:7f00:1]/client.json' }],
    ['a state with a line end', 'invalid_request', { state: 'a\r\nSet-Cookie: x=y' }],
    ['a state without end', 'invalid_request', { state: long }],
    ['a scope without end', 'invalid_request', { scope: long }],
  ])('R-mcp-server: %s is %s on our page, and no code', async (what, error, changes) => {
    const own = Object.entries(changes).map(([name, value]) => [name, value?.replace('ORIGIN', ground.url)]);
    const address = authorizeAddress(ground, pkce().challenge, Object.fromEntries(own));
    const text = await expectPage(address);
    expect(text).toContain(`(${error})`);
    // Without the egress checks these would be requested, and fail to connect: the same page for another reason.
    if (/^a client (?:on this machine|in the cloud|in a private|behind mapped)/.test(what))
      expect(text).toMatch(/is not a public address|is a name of a private network/);
    // A link back, if offered, leads to the registered address and names the error and the issuer.
    const back = /href="(http[^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    if (back === undefined) return;
    expect(back.startsWith(`${callback}?`)).toBe(true);
    expect(Object.fromEntries(new URL(back).searchParams)).toMatchObject({ error, iss: ground.url, state: 'st4te' });
  });

  it.each([
    'client_id',
    'state',
    'scope',
    'resource',
    'code_challenge',
    'code_challenge_method',
    'response_type',
  ])('R-mcp-server: %s twice is refused', async (name) => {
    const address = authorizeAddress(ground, pkce().challenge, { scope: 'tools:read' });
    await expectPage(`${address}&${name}=${encodeURIComponent(new URL(address).searchParams.get(name) ?? '')}`);
  });

  it('R-mcp-server: prompt=none authorises nothing without the page', async () => {
    const page = await openPage(`${authorizeAddress(ground, pkce().challenge)}&prompt=none`, ground.cookie);
    expect([page.status, consentOf(await page.text())]).toEqual([200, expect.stringMatching(/^helve_consent_/)]);
  });
});

describe('R-mcp-server: the token endpoint', () => {
  it.each<[string, string, (code: { code: string; verifier: string }) => Record<string, string | undefined>]>([
    ['no verifier', 'invalid_grant', () => ({ code_verifier: undefined })],
    ['another verifier', 'invalid_grant', () => ({ code_verifier: pkce().verifier })],
    ['a short verifier', 'invalid_request', () => ({ code_verifier: 'abc' })],
    ['an empty verifier', 'invalid_grant', () => ({ code_verifier: '' })],
    ['another client', 'invalid_grant', () => ({ client_id: 'OTHER' })],
    ['an unknown client', 'invalid_client', () => ({ client_id: 'client_nobody' })],
    ['no client', 'invalid_client', () => ({ client_id: undefined })],
    ['another answer address', 'invalid_grant', () => ({ redirect_uri: `${callback}?kept=1` })],
    ['no answer address', 'invalid_grant', () => ({ redirect_uri: undefined })],
    ['another agent’s resource', 'invalid_target', () => ({ resource: ground.bob.address })],
    ['another server’s resource', 'invalid_target', () => ({ resource: 'https://other.example/mcp' })],
    ['a client secret', 'invalid_client', () => ({ client_secret: 'x' })],
    ['a client assertion', 'invalid_client', () => ({ client_assertion: jwt('none') })],
    ['no code', 'invalid_request', () => ({ code: undefined })],
    ['an unknown code', 'invalid_grant', () => ({ code: 'helve_code_AAAA' })],
    ['a code cut short', 'invalid_grant', ({ code }) => ({ code: code.slice(0, -1) })],
    ['a code in another case', 'invalid_grant', ({ code }) => ({ code: code.toUpperCase() })],
    ['no grant type', 'invalid_request', () => ({ grant_type: undefined })],
    ['the password grant', 'unsupported_grant_type', () => ({ grant_type: 'password', username: 'a', password: 'b' })],
    ['client credentials', 'unsupported_grant_type', () => ({ grant_type: 'client_credentials' })],
    ['the JWT grant', 'unsupported_grant_type', () => ({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' })],
    ['a grant like a prototype', 'unsupported_grant_type', () => ({ grant_type: 'constructor' })],
    [
      'a refresh token that is a code',
      'invalid_grant',
      ({ code }) => ({ grant_type: 'refresh_token', refresh_token: code }),
    ],
    [
      'an agent’s own token to refresh',
      'invalid_grant',
      () => ({ grant_type: 'refresh_token', refresh_token: ground.alice.token }),
    ],
  ])('R-mcp-server: %s: %s, no token', async (_what, error, change) => {
    const other = await register(ground, [callback]);
    const code = await getCode(ground);
    const changes = Object.entries(change(code)).map(([name, value]) => [name, value === 'OTHER' ? other : value]);
    const { status, body } = await toToken(ground, codeForm(ground, code, Object.fromEntries(changes)));
    expect([400, 401]).toContain(status);
    expect(body.error).toBe(error);
    expect(body.access_token).toBeUndefined();
  });

  it('R-mcp-server: the challenge itself is not accepted as verifier, and one wrong guess uses up the code', async () => {
    const code = await getCode(ground);
    const wrong = await toToken(ground, codeForm(ground, code, { code_verifier: pkce().challenge }));
    expect(wrong.body.error).toBe('invalid_grant');
    expect((await toToken(ground, codeForm(ground, code))).body.error).toBe('invalid_grant');
  });

  it('R-mcp-server: another client that sends the code or the refresh token does not spend it', async () => {
    const other = await register(ground, [callback]);
    const code = await getCode(ground);
    expect((await toToken(ground, codeForm(ground, code, { client_id: other }))).body.error).toBe('invalid_grant');
    const tokens = await toToken(ground, codeForm(ground, code));
    expect(tokens.status).toBe(200);
    expect((await refresh(ground, tokens.body.refresh_token, { client_id: other })).body.error).toBe('invalid_grant');
    expect((await refresh(ground, tokens.body.refresh_token)).status).toBe(200);
  });

  it('R-mcp-server: a parameter twice, JSON, GET, a code in the query, a secret in the header: all are refused', async () => {
    const code = await getCode(ground);
    const form = codeForm(ground, code);
    const twice: [string, string][] = [...Object.entries(form), ['code', code.code]];
    expect((await toToken(ground, twice)).body.error).toBe('invalid_request');
    expect((await postJson(`${ground.url}/oauth/token`, form)).status).toBe(400);
    const query = `${ground.url}/oauth/token?${new URLSearchParams(form).toString()}`;
    expect((await fetch(query)).status).toBe(405);
    expect((await postForm(query, {})).status).toBeGreaterThanOrEqual(400);
    const basic = `Basic ${Buffer.from(`${ground.clientId}:x`).toString('base64')}`;
    expect((await toToken(ground, form, { authorization: basic })).body.error).toBe('invalid_client');
    const foreign = await postForm(`${ground.url}/oauth/token`, form, { origin: 'https://evil.example' });
    expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    const good = await postForm(`${ground.url}/oauth/token`, form);
    expect([good.status, good.headers.get('cache-control')]).toEqual([200, 'no-store']);
  });

  it('R-mcp-server: a refresh token is for the resource it came of', async () => {
    const { refresh_token } = await getTokens(ground);
    expect((await refresh(ground, refresh_token, { resource: ground.bob.address })).body.error).toBe('invalid_target');
    expect((await refresh(ground, refresh_token, { resource: ground.alice.address })).status).toBe(200);
  });
});

describe('R-mcp-server: invalid tokens', () => {
  it.each<[string, () => string | Promise<string>]>([
    ['alg none', () => jwt('none')],
    ['alg None', () => jwt('none', {}, { alg: 'None' })],
    ['a JWT without a signature', () => jwt('HS256').split('.').slice(0, 2).join('.')],
    ['HS256 with a guessed key', () => jwt('HS256')],
    ['HS256 with an empty key', () => jwt('HS256', {}, {}, '')],
    [
      'HS256 with a public key',
      () => jwt('HS256', {}, {}, publicKey.export({ type: 'spki', format: 'pem' }).toString()),
    ],
    ['another’s key', () => jwt('ES256')],
    ['a key of its own in the header', () => jwt('ES256', {}, { jwk: publicKey.export({ format: 'jwk' }) })],
    ['a key at an address of its own', () => jwt('ES256', {}, { jku: 'https://evil.example/keys' })],
    ['a key id that climbs', () => jwt('HS256', {}, { kid: '../../dev/null' }, '')],
    ['an expired JWT', () => jwt('ES256', { exp: 1 })],
    ['a JWT of another issuer', () => jwt('ES256', { iss: 'https://evil.example' })],
    ['a JWT for another audience', () => jwt('ES256', { aud: ['https://other.example'] })],
    ['a code', async () => (await getCode(ground)).code],
    ['a refresh token', async () => (await getTokens(ground)).refresh_token],
    ['a client id', () => ground.clientId],
    [
      'the page’s own token',
      async () => consentOf(await (await openPage(authorizeAddress(ground, pkce().challenge), ground.cookie)).text()),
    ],
    ['an admin link', () => ground.helve.adminLink(ground.helve.workspaceId)],
    ['a token cut short', async () => (await getTokens(ground)).access_token.slice(0, -1)],
    ['a token and more', async () => `${(await getTokens(ground)).access_token}A`],
    ['two tokens', async () => `${ground.alice.token}, Bearer ${ground.alice.token}`],
  ])('R-mcp-server: %s is 401', async (_what, make) => refusedToken(await make()));
});

describe('R-mcp-server: programs that announce themselves', () => {
  const redirects: [string, unknown][] = [
    ...[
      'javascript:alert(1)',
      'data:text/html,x',
      'com.evil:/cb',
      'evil://cb',
      'file:///etc/passwd',
      'blob:https://x/y',
      'http://app.example/cb',
      'http://localhost.evil.example/cb',
      'http://127.0.0.1.evil.example/cb',
      'http://2130706433/cb',
      'http://0.0.0.0/cb',
      'http://127.1/cb',
      'https://app.example/cb#x',
      'https://a:b@app.example/cb',
      'https://@app.example/cb',
      'https://app.example\\@evil.example/cb',
      'https://*.example/cb',
      'https://app.example/cb\nx',
      'https://äpp.example/cb',
      'https://app.example/cb?code=1',
      'https://app.example/cb?iss=https://evil.example',
      'https:app.example',
      'cb',
      '',
      `https://app.example/${'a'.repeat(3_000)}`,
    ].map((uri): [string, unknown] => [uri.slice(0, 60), [callback, uri]]),
    ['no addresses', []],
    ['a text', callback],
    ['nothing', undefined],
    ['a number', [7]],
    ['too many', Array.from({ length: 21 }, (_, index) => `https://app.example/${index}`)],
  ];

  it('R-mcp-server: addresses that are not https or this computer, or are ambiguous: invalid_redirect_uri', async () => {
    // The limit also counts refused requests, so each group gets a door of its own.
    const doors = [await openGround(), await openGround()];
    for (const [index, [what, redirect_uris]] of redirects.entries()) {
      const response = await postJson(`${doors[index % 2]?.url}/oauth/register`, { redirect_uris });
      expect([response.status, ((await response.json()) as { error?: string }).error], what).toEqual([
        400,
        'invalid_redirect_uri',
      ]);
    }
  });

  it('R-mcp-server: invalid JSON, its own keys, no code flow: invalid_client_metadata; a secret is not returned', async () => {
    const fresh = await openGround();
    const ask = async (body: unknown) => {
      const response = await postJson(`${fresh.url}/oauth/register`, body);
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const redirect_uris = [callback];
    for (const body of [
      '{',
      '[]',
      '"x"',
      'null',
      '7',
      { redirect_uris, token_endpoint_auth_method: 'private_key_jwt' },
      { redirect_uris, grant_types: ['client_credentials'] },
      { redirect_uris, response_types: ['token'] },
      { redirect_uris, client_name: 7 },
    ])
      expect(await ask(body)).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^invalid_/) } });
    const given = await ask({
      redirect_uris,
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'admin',
      client_id: 'mine',
    });
    expect(given).toMatchObject({ status: 201, body: { token_endpoint_auth_method: 'none' } });
    expect(given.body.client_secret).toBeUndefined();
    expect(given.body.client_id).not.toBe('mine');
  });

  it('R-mcp-server: a name with markup, other directions or line ends is shown as the text that it is', async () => {
    const fresh = await openGround();
    const client_id = await register(fresh, [callback], `<b onclick=x>\u202eelcaH</b>\n${'A'.repeat(500)}`);
    const page = await (await openPage(authorizeAddress(fresh, pkce().challenge, { client_id }), fresh.cookie)).text();
    expect(page).toContain('&lt;b onclick=x&gt;\\u{202e}elcaH&lt;/b&gt;\\u{a}AAA');
    expect(page).not.toMatch(/<b onclick|\u202e|A{100}/);
  });

  it('R-mcp-server: one address announces at most thirty an hour', async () => {
    const fresh = await openGround();
    const all = await Promise.all(
      Array.from({ length: 40 }, () => postJson(`${fresh.url}/oauth/register`, { redirect_uris: [callback] })),
    );
    expect(all.filter(({ status }) => status === 201)).toHaveLength(29);
    const limited = all.filter(({ status }) => status === 429);
    expect(limited).toHaveLength(11);
    expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

it('R-mcp-server R-audit: no attack called a tool, and the record is whole', async () => {
  expect(await rowsOf(ground, 'execution.started')).toEqual([]);
  expect(await ground.helve.plane.verifyAudit(ground.helve.admin)).toMatchObject({ ok: true });
  // The control: the same call with a valid token is made, and leaves the row that was searched for.
  const { access_token } = await getTokens(ground);
  expect((await knock(ground.alice.address, access_token, 'tools/call', greet)).status).toBe(200);
  expect(await rowsOf(ground, 'execution.started')).toHaveLength(1);
});
