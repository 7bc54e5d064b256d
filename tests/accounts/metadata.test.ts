/**
 * Servers with invalid sign-in metadata: addresses that a browser would execute, values of the wrong type, no PKCE, another
 * server's identity. And what a person sees before and after.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { authorizationUrl } from '../../src/connections/index.js';
import { createHttpApp } from '../../src/surfaces/http/index.js';
import { createTestHelve, type TestHelve } from '../../src/testing/index.js';
import { createBrowser } from './support/browser.js';

const publicUrl = 'http://127.0.0.1:4870';
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

interface Place {
  readonly url: string;
  /** Merged into the metadata; undefined removes a key. */
  metadata: Record<string, unknown>;
  authorizationServers: readonly string[];
  scope: string;
  /** Redirect addresses that were registered. */
  readonly registered: string[][];
  readonly tokenRequests: URLSearchParams[];
}

/** An MCP server that is its own authorization server. */
async function startPlace(): Promise<Place> {
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const send = (value: unknown, status = 200, headers = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
    };
    const path = new URL(request.url ?? '', place.url).pathname;
    if (path === '/mcp') return send({}, 401, { 'www-authenticate': 'Bearer scope="read"' });
    if (path.startsWith('/.well-known/oauth-protected-resource'))
      return send({ resource: `${place.url}/mcp`, authorization_servers: place.authorizationServers });
    if (path.startsWith('/.well-known/oauth-authorization-server')) return send(metadata());
    if (path === '/register') {
      place.registered.push((JSON.parse(body) as { redirect_uris: string[] }).redirect_uris);
      return send({ client_id: `client-${place.registered.length}` }, 201);
    }
    if (path !== '/token') return send({}, 404);
    place.tokenRequests.push(new URLSearchParams(body));
    return send({ access_token: 'token-0123456789', token_type: 'bearer', expires_in: 3_600, scope: place.scope });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const place: Place = {
    url,
    metadata: {},
    authorizationServers: [url],
    scope: 'read',
    registered: [],
    tokenRequests: [],
  };
  const metadata = () => ({
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    registration_endpoint: `${url}/register`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    ...place.metadata,
  });
  return place;
}

async function openScene(places: Readonly<Record<string, Place>>, more = '', address = publicUrl) {
  const servers = Object.entries(places).map(
    ([slug, { url }]) => `  ${slug}: { url: "${url}/mcp", auth: oauth, authorization_servers: ["${url}"] }\n`,
  );
  const reported: unknown[] = [];
  const helve = await createTestHelve({
    nativeToolkits: [],
    publicUrl: address,
    config: `mcp_servers:\n${servers.join('')}${more}`,
    reportError: (error) => reported.push(error),
  });
  open.push(helve);
  const app = createHttpApp({ plane: helve.plane, publicUrl: address, reportError: (error) => reported.push(error) });
  const browser = createBrowser((url) => (url.origin === address ? (at, init) => app.request(at, init) : fetch));
  return { helve, app, browser };
}

async function connect(helve: TestHelve, toolkit = 'evil'): Promise<string> {
  const { id } = await helve.plane.addConnection(helve.admin, { toolkit, name: `Account at ${toolkit}` });
  return (await helve.plane.connect(helve.admin, id, {})).redirectUrl ?? '';
}

describe('R-oauth: metadata of a server that must not be trusted', () => {
  const addresses: readonly [string, unknown][] = [
    ['a script', 'javascript:alert(document.domain)//'],
    ['a page in itself', 'data:text/html,<script>alert(1)</script>'],
    ['a file', 'file:///etc/passwd'],
    ['a number', 42],
    ['a list', ['https://a.example']],
    ['no address', 'nowhere'],
    ['nothing', ''],
    ['a user and a password', 'https://user:word@a.example/authorize'],
    ['a fragment', 'https://a.example/authorize#here'],
  ];
  const keys = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'];
  test.each(
    keys.flatMap((key) => addresses.map(([what, value]) => ({ key, what, value }))),
  )('R-oauth R-rest: $key is $what: refused with the key, and without a redirect', async ({ key, value }) => {
    const evil = await startPlace();
    evil.metadata = { [key]: value };
    const { helve, app } = await openScene({ evil });
    const { secret } = await helve.plane.createApiKey(helve.admin, {
      name: 'test',
      permissions: ['connections:read', 'connections:write'],
    });
    const response = await app.request(`${publicUrl}/api/tools/connect`, {
      method: 'POST',
      headers: { host: '127.0.0.1:4870', authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: '{"toolkit":"evil"}',
    });
    expect(response.status).toBe(502);
    const problem = (await response.json()) as Record<string, string>;
    expect(problem).toMatchObject({ code: 'upstream_failed', detail: expect.stringContaining(`its ${key} is no`) });
    expect(problem.redirectUrl).toBeUndefined();
    expect((await helve.plane.connections(helve.admin)).map(({ status }) => status)).not.toContain('pending');
  });

  test.each([
    ['code_challenge_methods_supported', 'S256'],
    ['code_challenge_methods_supported', [256]],
    ['token_endpoint_auth_methods_supported', { none: true }],
  ])('R-oauth: %s is %j: refused with the key', async (key, value) => {
    const evil = await startPlace();
    evil.metadata = { [key]: value };
    const { helve } = await openScene({ evil });
    await expect(connect(helve)).rejects.toMatchObject({
      code: 'upstream_failed',
      message: expect.stringContaining(`its ${key} is not a list`),
    });
  });

  test.each([
    ['javascript:alert(1)'],
    ['data:text/plain,x'],
    ['no address'],
  ])('R-oauth: an authorization server at %s is refused, and not replaced by another', async (address) => {
    const evil = await startPlace();
    evil.authorizationServers = [address];
    const { helve } = await openScene({ evil });
    await expect(connect(helve)).rejects.toMatchObject({
      code: 'upstream_failed',
      message: expect.stringContaining('is not an https: address'),
    });
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'nowhere',
  ])('R-oauth: stored addresses are checked before a browser is sent there: %s', async (authorizationEndpoint) => {
    const provider = { slug: 'mcp:evil', name: 'Evil', authorizationEndpoint, tokenEndpoint: 'https://a.example/t' };
    const request = { redirectUri: publicUrl, state: 's', verifier: 'v', scopes: [] };
    await expect(authorizationUrl({ provider, clientId: 'c' }, request)).rejects.toMatchObject({
      code: 'invalid_config',
    });
    const good = { ...provider, authorizationEndpoint: 'https://a.example/authorize' };
    expect(await authorizationUrl({ provider: good, clientId: 'c' }, request)).toContain(
      'https://a.example/authorize?',
    );
  });
});

describe('R-oauth: a server without PKCE metadata', () => {
  test.each([
    ['says nothing', undefined, 'does not state that it supports PKCE'],
    ['says an empty list', [], 'does not support PKCE'],
    ['takes only plain', ['plain'], 'does not support PKCE'],
  ])('R-oauth: %s: refused, with a remedy for the operator', async (_, methods, message) => {
    const evil = await startPlace();
    evil.metadata = { code_challenge_methods_supported: methods };
    const { helve } = await openScene({ evil });
    await expect(connect(helve)).rejects.toMatchObject({
      code: 'upstream_failed',
      message: expect.stringContaining(message),
      hint: expect.stringContaining('oauth."mcp:evil".pkce'),
    });
    expect(evil.registered).toEqual([]);
  });

  test.each([
    ['S256', 'S256'],
    ['none', null],
  ])('R-oauth: the operator sets %s, and it is applied', async (pkce, method) => {
    const evil = await startPlace();
    evil.metadata = { code_challenge_methods_supported: undefined };
    const { helve, browser } = await openScene({ evil }, `oauth:\n  "mcp:evil": { pkce: ${pkce} }\n`);
    const { url } = await browser.go(await connect(helve), /\/authorize\?/);
    expect(new URL(url).searchParams.get('code_challenge_method')).toBe(method);
    expect(evil.registered).toHaveLength(1);
  });
});

describe('R-oauth: one address to come back to for each issuer', () => {
  test('R-oauth: an answer at the address of another issuer is refused, and ends nothing', async () => {
    const [honest, evil] = [await startPlace(), await startPlace()];
    const { helve, browser } = await openScene({ honest, evil });
    const at = async (toolkit: string) => {
      const { url } = await browser.go(await connect(helve, toolkit), /\/authorize\?/);
      const asked = new URL(url).searchParams;
      return { state: asked.get('state') ?? '', redirectUri: asked.get('redirect_uri') ?? '' };
    };
    const [ofHonest, ofEvil] = [await at('honest'), await at('evil')];
    expect(ofHonest.redirectUri).not.toBe(ofEvil.redirectUri);
    expect([honest.registered, evil.registered]).toEqual([[[ofHonest.redirectUri]], [[ofEvil.redirectUri]]]);
    const back = async (redirectUri: string, state: string) =>
      (await browser.go(`${redirectUri}?code=the-code-of-honest&state=${state}`)).response;
    for (const address of [ofHonest.redirectUri, `${publicUrl}/oauth/callback`]) {
      const refused = await back(address, ofEvil.state);
      expect(refused?.status).toBe(400);
      expect(await refused?.text()).toContain('came to the address of another provider');
    }
    expect(evil.tokenRequests).toEqual([]);
    expect((await back(ofEvil.redirectUri, ofEvil.state))?.status).toBe(200);
    expect(evil.tokenRequests.map((form) => form.get('redirect_uri'))).toEqual([ofEvil.redirectUri]);
  });

  test('R-oauth: a code does not go to a token endpoint that replaced another during the sign-in', async () => {
    const evil = await startPlace();
    const { helve, browser } = await openScene({ evil });
    const { url } = await browser.go(await connect(helve), /\/authorize\?/);
    const link = await connect(helve);
    // Each sign-in reads the metadata again, and the new values then apply to the whole workspace.
    evil.metadata = { token_endpoint: `${evil.url}/token?of=another` };
    const { url: later } = await browser.go(await connect(helve), /\/authorize\?/);
    const back = async (address: string) => {
      const asked = new URL(address).searchParams;
      const to = `${asked.get('redirect_uri')}?code=a-code&state=${asked.get('state')}`;
      return (await browser.go(to)).response;
    };
    for (const refused of [await back(url), (await browser.go(link)).response]) {
      expect(refused?.ok).toBe(false);
      expect(await refused?.text()).toContain('were changed during this sign-in');
    }
    expect(evil.tokenRequests).toEqual([]);
    expect((await back(later))?.status).toBe(200);
    expect(evil.tokenRequests).toHaveLength(1);
  });

  test('R-oauth: two servers that accept an address as client get different ones', async () => {
    const address = 'https://helve.example';
    const [one, two] = [await startPlace(), await startPlace()];
    for (const place of [one, two]) place.metadata = { client_id_metadata_document_supported: true };
    const { helve, app, browser } = await openScene({ one, two }, '', address);
    const clients: string[] = [];
    for (const toolkit of ['one', 'two']) {
      const { url } = await browser.go(await connect(helve, toolkit), /\/authorize\?/);
      const asked = new URL(url).searchParams;
      const client = asked.get('client_id') ?? '';
      clients.push(client);
      const response = await app.request(client, { headers: { host: 'helve.example' } });
      expect(await response.json()).toMatchObject({ client_id: client, redirect_uris: [asked.get('redirect_uri')] });
    }
    expect(new Set(clients).size).toBe(2);
    for (const wrong of ['x.json', '0123456789abcdef', `${'0'.repeat(16)}.html`])
      expect(
        (await app.request(`${address}/client-metadata/${wrong}`, { headers: { host: 'helve.example' } })).status,
      ).toBe(404);
  });
});

describe('R-oauth: what a person sees', () => {
  test('R-oauth: before: who requests access to which account, where it leads and the scopes; nothing has happened yet', async () => {
    const evil = await startPlace();
    const { helve, app } = await openScene({ evil });
    const link = await connect(helve);
    const response = await app.request(link, { headers: { host: '127.0.0.1:4870' } });
    expect([response.status, response.headers.get('location'), response.headers.getSetCookie()]).toEqual([
      200,
      null,
      [],
    ]);
    expect(response.headers.get('content-security-policy')).toContain(`form-action 'self' ${evil.url}`);
    const page = await response.text();
    const { host } = new URL(evil.url);
    for (const shown of [helve.admin.name, 'Account at evil', 'default', host, 'read', `Go on to ${host}`])
      expect(page).toContain(shown);
    const [flow] = await helve.plane.connections(helve.admin);
    expect(flow?.status).toBe('pending');
  });

  test.each([
    ['as much as was asked', 'read', []],
    ['more than was asked', 'read write:all', ['write:all']],
  ])('R-oauth: after: %s', async (_, scope, wider) => {
    const evil = await startPlace();
    evil.scope = scope;
    const { helve, browser } = await openScene({ evil });
    const { url } = await browser.go(await connect(helve), /\/authorize\?/);
    const asked = new URL(url).searchParams;
    const { response } = await browser.go(`${asked.get('redirect_uri')}?code=a-code&state=${asked.get('state')}`);
    expect(response?.status).toBe(200);
    const page = (await response?.text()) ?? '';
    expect(page.includes('granted more scopes than Helve requested')).toBe(wider.length > 0);
    for (const more of wider) expect(page).toContain(`<code>${more}</code>`);
    const rows = (await helve.audited()).filter(({ type }) => type === 'connection.connected');
    expect(rows.map(({ body }) => body.widerScopes)).toEqual([wider.length > 0 ? wider : undefined]);
  });
});
