/** OAuth clients: what is missing in them, where their tokens go, and those for servers that say themselves where to sign in. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Scripted, sendJson, startScripted } from '../../../tests/counterparts/scripted.js';
import type { AuthScheme } from '../../domain/connection.js';
import type { Provider } from '../../domain/provider.js';
import { defineToolkit } from '../../domain/tool.js';
import { createHelve } from '../../helve.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';
import { createOAuthClients } from './index.js';

const open: { close(): Promise<void> }[] = [];
let server: Scripted;
let elsewhere: Scripted;
let helve: TestHelve;
beforeAll(async () => {
  [server, elsewhere] = await Promise.all([startScripted(), startScripted()]);
});
afterAll(() => Promise.all([server?.close(), elsewhere?.close()]));
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
beforeEach(() => {
  server.seen.length = 0;
  elsewhere.seen.length = 0;
});

async function start(options: Parameters<typeof createTestHelve>[0]): Promise<void> {
  helve = await createTestHelve({ publicUrl: 'https://helve.example', ...options });
  open.push(helve);
}

const add = async (toolkit: string) => (await helve.plane.addConnection(helve.admin, { toolkit, name: 'Work' })).id;

describe('a client of the operator', () => {
  const vendor = defineToolkit({
    slug: 'vendor',
    title: 'Vendor',
    description: 'A service for tests',
    category: 'tests',
    auth: {
      schemes: [
        { id: 'oauth2', kind: 'oauth2', title: 'Sign in', provider: 'vendor' },
        { id: 'token', kind: 'api_key', title: 'Token' },
      ],
    },
    service: { servers: () => ({ default: { url: 'https://vendor.invalid' } }) },
    load: async () => [testTool({ name: 'ask' })],
  });
  const endpoints = {
    authorization_endpoint: 'https://vendor.invalid/authorize',
    token_endpoint: 'https://vendor.invalid/token',
  };
  const client = { client_id: 'us', client_secret: 'our-secret', ...endpoints };
  const configured = (oauth: object, publicUrl = 'https://helve.example') =>
    start({ nativeToolkits: [vendor], config: JSON.stringify({ oauth: { vendor: oauth } }), publicUrl });
  const connect = async () => helve.plane.connect(helve.admin, await add('vendor'), {});

  test('R-oauth: one without an id is refused', async () => {
    await configured(endpoints);
    await expect(connect()).rejects.toMatchObject({
      code: 'conflict',
      message: 'There is no OAuth client for vendor',
    });
  });

  test.each(['authorization_endpoint', 'token_endpoint'])('R-oauth: one without its %s is refused', async (missing) => {
    await configured({ ...client, [missing]: undefined });
    await expect(connect()).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each([
    ['nothing', client, 'https://helve.example', []],
    ['nothing on this machine', client, 'http://127.0.0.1:4870', []],
    ['nothing on this machine by name', client, 'http://localhost:4870', []],
    ['nothing on this machine, IPv6', client, 'http://[::1]:4870', []],
    ['an open redirect address', client, 'http://helve.example', ['redirect address without https:']],
    ['a missing secret', { ...client, client_secret: undefined }, undefined, ['The client has no secret']],
    ['nothing if it needs no secret', { ...client, client_secret: undefined, token_auth: 'none' }, undefined, []],
    ['a missing client, and nothing else', endpoints, undefined, ['There is no OAuth client']],
  ])('R-oauth: is checked: %s', async (_, oauth, publicUrl, problems) => {
    await configured(oauth, publicUrl);
    const checks = await helve.plane.authChecks(helve.admin);
    expect(checks.flatMap((check) => check.problems)).toEqual(
      problems.map((problem) => expect.stringContaining(problem)),
    );
  });
});

test('R-oauth: tokens are not sent to an address in this network that only a toolkit names', async () => {
  const endpoint = `${server.url}/token`;
  const described = { slug: 'described', name: 'Described', authorizationEndpoint: endpoint, tokenEndpoint: endpoint };
  const tool = { name: 'ask', title: 'Ask', description: '', inputSchema: { type: 'object' } };
  const provider: Provider = {
    kind: 'openapi',
    toolkits: async () => [
      {
        slug: 'described',
        title: 'Described',
        description: '',
        category: 'x',
        provider: 'openapi',
        needsConnection: true,
        internal: false,
        auth: { schemes: [{ id: 'oauth2', kind: 'oauth2', title: 'Sign in', provider: 'described' }] },
        service: { servers: () => ({ default: { url: elsewhere.url, named: true } }) },
        oauthProviders: [described],
      },
    ],
    tools: async () => [
      {
        ...tool,
        id: { toolkit: 'described', name: tool.name },
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
        risk: 'read',
        highRisk: false,
        capabilities: [],
        examples: [],
        provider: 'openapi',
        hasEffects: true,
        intrinsic: false,
        scopes: [],
        timeoutMs: 5_000,
      },
    ],
    async execute({ connection }) {
      const service = connection?.service({ servers: () => ({ default: { url: elsewhere.url, named: true } }) }, {});
      return { output: (await service?.json({ path: '/ask' })) ?? null };
    },
    close: async () => undefined,
  };
  elsewhere.answer = (_, response) => sendJson(response, 401, {});
  const oauth = { described: { client_id: 'us', client_secret: 'our-secret' } };
  const credentials = { access_token: 'an-access-token', refresh_token: 'a-refresh-token' };
  await start({
    nativeToolkits: [],
    providers: [provider],
    config: JSON.stringify({ oauth }),
    connections: [{ toolkit: 'described', name: 'Work', credentials }],
  });
  expect(await helve.call('work__ask')).toMatchObject({ ok: false });
  expect(elsewhere.seen.map(({ url }) => url)).toEqual(['/ask']);
  expect(server.seen).toEqual([]);
});

describe('a server that says where to sign in', () => {
  let issuer: string;
  let metadata: object;
  let registered: string[][];
  const at = (path: string): string => `${server.url}${path}`;

  beforeEach(() => {
    issuer = at('/one');
    metadata = {};
    registered = [];
    server.answer = ({ url, body }, response) => {
      const { pathname } = new URL(url, server.url);
      if (pathname === '/mcp') return sendJson(response, 401, {}, { 'www-authenticate': 'Bearer scope="read"' });
      if (pathname.startsWith('/.well-known/oauth-protected-resource'))
        return sendJson(response, 200, { resource: at('/mcp'), authorization_servers: [issuer] });
      if (pathname.startsWith('/.well-known/oauth-authorization-server'))
        return sendJson(response, 200, {
          issuer,
          authorization_endpoint: at('/authorize'),
          token_endpoint: at('/token'),
          registration_endpoint: at('/register'),
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
          ...metadata,
        });
      if (pathname === '/register') {
        registered.push((JSON.parse(body) as { redirect_uris: string[] }).redirect_uris);
        return sendJson(response, 201, { client_id: `client-${registered.length}` });
      }
      if (pathname === '/token') return sendJson(response, 200, { access_token: 'a-token', token_type: 'Bearer' });
      sendJson(response, 404, {});
    };
  });

  const ownAddress = 'http://127.0.0.1:4870';
  const configured = (more: object = {}, publicUrl: string | (() => string) = ownAddress, auth = 'oauth') => {
    const kit = { url: at('/mcp'), auth, authorization_servers: [server.url] };
    const config = JSON.stringify({ mcp_servers: { kit, unused: kit }, ...more });
    return start({ nativeToolkits: [], config, publicUrl });
  };

  /** Connects, and opens the link in a browser. */
  async function begin(id: string) {
    const { redirectUrl = '' } = await helve.plane.connect(helve.admin, id, {});
    const ticket = redirectUrl.split('/').at(-1) ?? '';
    const { location, cookie } = await helve.plane.startSignIn(ticket, () => undefined);
    const asked = new URL(location).searchParams;
    const back = new URL(`${asked.get('redirect_uri')}?code=a-code&state=${asked.get('state')}`);
    const finish = () => helve.plane.finishSignIn(back, () => cookie.value, undefined);
    return { clientId: asked.get('client_id'), redirectUri: asked.get('redirect_uri'), finish };
  }

  test('R-oauth: registers us once for each issuer and each address of ours', async () => {
    let address = ownAddress;
    await configured({}, () => address);
    const id = await add('kit');
    const clients = [(await begin(id)).clientId, (await begin(id)).clientId];
    issuer = at('/two');
    clients.push((await begin(id)).clientId);
    address = 'http://127.0.0.1:4871';
    clients.push((await begin(id)).clientId);
    expect(clients).toEqual(['client-1', 'client-1', 'client-2', 'client-3']);
    expect(new Set(registered.flat()).size).toBe(3);
  });

  test('attack: two who begin to sign in at the same time get one client, and both finish', async () => {
    await configured();
    const ids = [await add('kit'), await add('kit')];
    const { answer } = server;
    const waiting: (() => void)[] = [];
    const exchanged: (string | null)[] = [];
    server.answer = (seen, response) => {
      if (seen.url === '/token') exchanged.push(new URLSearchParams(seen.body).get('client_id'));
      if (seen.url !== '/register') return answer(seen, response);
      // Neither is registered before both have asked.
      waiting.push(() => void answer(seen, response));
      if (waiting.length === 2) for (const go of waiting) go();
    };
    const [one, other] = await Promise.all(ids.map(begin));
    expect(await one?.finish()).toMatchObject({ ok: true });
    expect(await other?.finish()).toMatchObject({ ok: true });
    // A code, and later a token, is worth something only to the client that it was given to.
    expect(exchanged).toEqual([one?.clientId, other?.clientId]);
    expect(one?.clientId).toBe(other?.clientId);
  });

  test('R-oauth: gets the operator’s client if there is one', async () => {
    await configured({ oauth: { 'mcp:kit': { client_id: 'us' } } });
    expect([(await begin(await add('kit'))).clientId, registered]).toEqual(['us', []]);
  });

  const ours = { client_id: 'us', client_secret: 'our-secret-0123456789' };
  const askedFor = (path: string) => server.seen.filter(({ url }) => url === path);

  test('R-oauth: gets the secret of the operator’s client only for the issuer for which it got it first', async () => {
    await configured({ oauth: { 'mcp:kit': ours } });
    const id = await add('kit');
    expect(await (await begin(id)).finish()).toMatchObject({ ok: true });
    expect(askedFor('/token')[0]?.headers.authorization).toMatch(/^Basic /);
    issuer = at('/two');
    metadata = { token_endpoint: at('/stolen') };
    const again = begin(id).then(({ finish }) => finish());
    await expect(again).rejects.toMatchObject({ code: 'upstream_failed', message: expect.stringContaining(issuer) });
    expect(askedFor('/stolen')).toEqual([]);
  });

  test('R-oauth: gets the operator’s client only for the issuer that the operator names, and may change to that one', async () => {
    await configured({ oauth: { 'mcp:kit': { ...ours, issuer: at('/two') } } });
    const id = await add('kit');
    await expect(begin(id)).rejects.toMatchObject({ code: 'upstream_failed', hint: expect.stringContaining('issuer') });
    issuer = at('/two');
    expect(await (await begin(id)).finish()).toMatchObject({ ok: true });
  });

  test('R-oauth: gets the secret that the operator’s client has now, and at the next sign-in the client that the operator names now', async () => {
    await configured({ oauth: { 'mcp:kit': ours } });
    expect(await (await begin(await add('kit'))).finish()).toMatchObject({ ok: true });
    const found = (now: object) => {
      const clients = createOAuthClients({ oauth: { 'mcp:kit': now } }, helve.registry, helve.storage, {} as never);
      return clients.get(helve.workspaceId, 'mcp:kit');
    };
    expect(await found({ ...ours, client_secret: 'replaced' })).toMatchObject({ clientSecret: 'replaced' });
    const kit = { url: at('/mcp'), auth: 'oauth', authorization_servers: [server.url] };
    const config = JSON.stringify({ mcp_servers: { kit }, oauth: { 'mcp:kit': { client_id: 'other' } } });
    const later = await createHelve({ nativeToolkits: [], config, publicUrl: ownAddress, storage: helve.storage });
    open.unshift(later);
    await later.plane.connect(helve.admin, 'work', {});
    expect(await helve.storage.workspace(helve.workspaceId).listAuthConfigs()).toMatchObject([{ clientId: 'other' }]);
  });

  test('R-oauth: gets an address as our client only if others can trust that address', async () => {
    metadata = { client_id_metadata_document_supported: true };
    await configured();
    expect((await begin(await add('kit'))).clientId).toBe('client-1');
    await configured({}, 'https://helve.example');
    expect((await begin(await add('kit'))).clientId).toBe('https://helve.example/client-metadata.json');
  });

  test('R-oauth: has its own address to come back to, which the checks name when somebody has signed in; no workspace names its client', async () => {
    await configured();
    expect(await helve.plane.authChecks(helve.admin)).toEqual([]);
    const { redirectUri, finish } = await begin(await add('kit'));
    expect(await helve.plane.authChecks(helve.admin)).toMatchObject([{ redirectUri }]);
    const own = helve.plane.putAuthClient(helve.admin, 'mcp:kit', { clientId: 'ours' });
    await expect(own).rejects.toMatchObject({ code: 'conflict' });
    expect(await finish()).toMatchObject({ ok: true });
    expect((await helve.plane.disconnect(helve.admin, 'work')).revocation).toBe('unsupported');
  });

  test('R-oauth: whose client is removed during a sign-in ends it', async () => {
    await configured();
    const { finish } = await begin(await add('kit'));
    await helve.plane.removeAuthClient(helve.admin, 'mcp:kit');
    expect(await finish()).toMatchObject({ ok: false, problem: expect.stringContaining('no OAuth provider') });
  });

  test.each([
    'authorization_endpoint',
    'token_endpoint',
  ])('R-oauth: whose %s changes during a sign-in does not get its code', async (changed) => {
    await configured();
    const id = await add('kit');
    const { finish } = await begin(id);
    metadata = { [changed]: at('/another') };
    await begin(id);
    expect(await finish()).toMatchObject({ ok: false, problem: expect.stringContaining('were changed') });
    expect(server.seen.filter(({ url }) => url === '/token' || url === '/another')).toEqual([]);
  });

  test('attack: an older sign-in that is finished later does not replace the account of a newer one', async () => {
    await configured();
    const id = await add('kit');
    const older = await begin(id);
    const newer = await begin(id);
    helve.advance(1_000);
    expect(await newer.finish()).toMatchObject({ ok: true });
    expect(await older.finish()).toMatchObject({ ok: false, problem: expect.stringContaining('was connected since') });
    expect(server.seen.filter(({ url }) => url === '/token')).toHaveLength(1);
    expect(await helve.plane.connection(helve.admin, id)).toMatchObject({ status: 'active' });
  });

  test('R-oauth: that is disconnected while it exchanges the code stays so, and its tokens are revoked', async () => {
    metadata = { revocation_endpoint: at('/revoke') };
    await configured();
    const { finish } = await begin(await add('kit'));
    const { answer } = server;
    server.answer = async (seen, response) => {
      if (seen.url === '/token') await helve.plane.disconnect(helve.admin, 'work');
      await answer(seen, response);
    };
    expect(await finish()).toMatchObject({ ok: false, problem: expect.stringContaining('disconnected meanwhile') });
    expect(await helve.plane.connections(helve.admin)).toMatchObject([{ status: 'revoked' }]);
    expect(askedFor('/revoke')).toHaveLength(1);
  });

  test('R-oauth: gives a program its token at the endpoint that it names', async () => {
    await configured({}, undefined, 'client_credentials');
    const credentials = { client_id: 'us', client_secret: 'our-secret-0123456789' };
    await helve.plane.connect(helve.admin, await add('kit'), { credentials });
    await helve.plane.toolkitTools(helve.admin, 'kit').catch(() => undefined);
    expect(server.seen.map(({ url }) => url)).toContain('/token');
  });

  test('R-oauth: gets the secret of a program only at the endpoint that it named first', async () => {
    const program: AuthScheme = {
      id: 'program',
      kind: 'service_account',
      title: 'A program',
      fields: [{ name: 'client_secret', title: 'Client secret', secret: true }],
      discover: { server: at('/mcp'), named: [server.url] },
      async exchange({ tokenEndpoint = '', fields, service }) {
        const form = [['client_secret', fields.client_secret ?? '']] as const;
        await service.json({ method: 'POST', path: tokenEndpoint, form });
        answers += 1;
        return { accessToken: `token-${answers}` };
      },
    };
    let answers = 0;
    const robot = defineToolkit({
      slug: 'robot',
      title: 'Robot',
      description: 'A service for tests',
      category: 'tests',
      auth: { schemes: [program] },
      service: { servers: () => ({ default: { url: elsewhere.url, named: true } }) },
      load: async () => [
        testTool({ name: 'ask', execute: async (_, { service }) => (await service?.json({ path: '/ask' })) ?? null }),
      ],
    });
    let accepted = 'token-1';
    elsewhere.answer = ({ headers }, response) =>
      sendJson(response, headers.authorization === `Bearer ${accepted}` ? 200 : 401, {});
    const credentials = { client_secret: 'our-secret-0123456789' };
    await start({ nativeToolkits: [robot], connections: [{ toolkit: 'robot', name: 'Work', credentials }] });
    expect(await helve.call('work__ask')).toMatchObject({ ok: true });
    accepted = 'token-2';
    expect(await helve.call('work__ask')).toMatchObject({ ok: true });
    expect(askedFor('/token')).toHaveLength(2);
    accepted = 'token-3';
    metadata = { token_endpoint: at('/stolen') };
    expect(await helve.call('work__ask')).toMatchObject({ ok: false, error: { code: 'connection_inaccessible' } });
    expect(askedFor('/stolen')).toEqual([]);
    expect(await helve.plane.connection(helve.admin, 'work')).toMatchObject({
      status: 'expired',
      reason: expect.stringContaining('token endpoint'),
    });
  });

  test('R-vault: an assertion that an exchange sends is removed if the endpoint repeats it', async () => {
    const part = 'a1b2c3d4e5f6a7b8c9d0';
    const assertion = `eyJ${part}.eyJ${part}.${part}-signature`;
    const program: AuthScheme = {
      id: 'program',
      kind: 'service_account',
      title: 'A program',
      fields: [{ name: 'key', title: 'Key', secret: true }],
      async exchange({ service }) {
        await service.json({ method: 'POST', path: '/exchange', form: [['assertion', assertion]] });
        return { accessToken: 'never' };
      },
    };
    const robot = defineToolkit({
      slug: 'robot',
      title: 'Robot',
      description: 'A service for tests',
      category: 'tests',
      auth: { schemes: [program] },
      service: { servers: () => ({ default: { url: elsewhere.url, named: true } }) },
      load: async () => [
        testTool({ name: 'ask', execute: async (_, { service }) => (await service?.json({ path: '/ask' })) ?? null }),
      ],
    });
    elsewhere.answer = ({ body }, response) =>
      sendJson(response, 400, { error: `The signature of ${new URLSearchParams(body).get('assertion')} is wrong` });
    const credentials = { key: 'our-key-0123456789' };
    await start({ nativeToolkits: [robot], connections: [{ toolkit: 'robot', name: 'Work', credentials }] });
    const result = await helve.call('work__ask');
    expect(result).toMatchObject({ ok: false });
    expect(elsewhere.seen.map(({ body }) => body).join()).toContain(assertion);
    const { reason } = await helve.plane.connection(helve.admin, 'work');
    expect(reason).toContain('The signature of [');
    expect(JSON.stringify([result, reason, await helve.audited()])).not.toContain(assertion);
  });

  test('R-oauth: cannot point to an address in this network that the operator did not name', async () => {
    metadata = { token_endpoint: `${elsewhere.url}/token` };
    await configured();
    const { finish } = await begin(await add('kit'));
    expect(await finish()).toMatchObject({ ok: false });
    expect(elsewhere.seen).toEqual([]);
  });
});
