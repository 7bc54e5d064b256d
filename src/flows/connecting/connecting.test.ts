/** Accounts at a scripted service: what may be filled in, what happens meanwhile, and what a refusal does. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Scripted, sendJson, startScripted } from '../../../tests/counterparts/scripted.js';
import type { AuthScheme, ToolkitAuth } from '../../domain/connection.js';
import { defineToolkit, type ToolDefinition } from '../../domain/tool.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';

let server: Scripted;
let helve: TestHelve;
beforeAll(async () => {
  server = await startScripted();
});
afterAll(() => server?.close());
afterEach(() => helve.close());
beforeEach(() => {
  server.seen.length = 0;
  server.answer = (_, response) => sendJson(response, 200, { id: 'ada' });
});

const key = { name: 'key', title: 'Key', secret: true };
const exchange: AuthScheme['exchange'] = async ({ fields }) => ({ accessToken: `traded-for-${fields.key}` });
const schemes: readonly AuthScheme[] = [
  {
    id: 'token',
    kind: 'api_key',
    title: 'Token',
    fields: [
      { name: 'token', title: 'Token', secret: true, pattern: '[a-z0-9-]+' },
      { name: 'second', title: 'Second', secret: true, optional: true },
      { name: 'region', title: 'Region', secret: false, optional: true },
    ],
    placement: [{ in: 'header', name: 'x-token', value: '{token}' }],
  },
  { id: 'oauth', kind: 'oauth2', title: 'Sign in', provider: 'vendor' },
  { id: 'lonely', kind: 'oauth2', title: 'Sign in elsewhere' },
  {
    id: 'traded',
    kind: 'service_account',
    title: 'Traded',
    provider: 'vendor',
    fields: [key],
    exchange,
  },
  { id: 'traded_here', kind: 'service_account', title: 'Traded', fields: [key], exchange },
];

const ask = testTool({
  name: 'ask',
  execute: async (input, { service }) => service.json({ path: '/ask', ...(input as object) }),
});
const peek = testTool({ name: 'peek', execute: async (_, { connection }) => connection.fields() as never });

interface Scene {
  readonly scheme?: string;
  readonly auth?: Partial<ToolkitAuth>;
  readonly tools?: readonly ToolDefinition[];
  readonly hasService?: boolean;
  readonly credentials?: Readonly<Record<string, string>>;
}

/** A plane with one account, connected and granted if there are credentials for it. */
async function open({ scheme = 'token', auth, tools = [ask, peek], hasService = true, credentials }: Scene = {}) {
  const service = { servers: () => ({ default: { url: server.url, named: true } }) };
  const vendor = defineToolkit({
    slug: 'vendor',
    title: 'Vendor',
    description: 'A service for tests',
    category: 'tests',
    auth: auth === undefined ? { schemes } : Object.assign(auth, { schemes }),
    ...(hasService ? { service } : {}),
    load: async () => tools,
  });
  const endpoints = { authorization_endpoint: `${server.url}/authorize`, token_endpoint: `${server.url}/token` };
  helve = await createTestHelve({
    toolkits: [vendor],
    config: JSON.stringify({ oauth: { vendor: { client_id: 'us', client_secret: 'our-secret', ...endpoints } } }),
    publicUrl: 'http://127.0.0.1:4870',
    ...(credentials && { connections: [{ toolkit: 'vendor', name: 'Work', scheme, credentials }] }),
  });
  if (!credentials) await helve.plane.addConnection(helve.admin, { toolkit: 'vendor', name: 'Work', scheme });
}

const connect = (credentials: object, more: object = {}) =>
  helve.plane.connect(helve.admin, 'work', { credentials: credentials as Record<string, string>, ...more });
const disconnect = () => helve.plane.disconnect(helve.admin, 'work');
const stored = async () => (await helve.plane.connections(helve.admin)).find(({ slug }) => slug === 'work');
const paths = () => server.seen.map(({ method, url }) => `${method} ${url}`);
const call = (input: object = {}) => helve.call('work__ask', input);
const identify: ToolkitAuth['identify'] = (service) => service.json({ path: '/me' });
const lost = { ok: false, error: { code: 'connection_inaccessible' } };

describe('what is filled in', () => {
  test.each([
    [{ token: '' }, /credentials\/token: is missing/],
    [{ token: 'a'.repeat(20_001) }, /credentials\/token: is not a text of at most 20000 characters/],
    [{ token: 'a', region: 7 }, /credentials\/region: is not a text of at most 20000 characters/],
  ])('R-oauth: is checked: %j', async (credentials, message) => {
    await open();
    await expect(connect(credentials)).rejects.toThrow(message);
    expect(await stored()).toMatchObject({ status: 'added' });
  });

  test('R-oauth: nothing at all is not a sign-in for a token', async () => {
    await open();
    await expect(helve.plane.connect(helve.admin, 'work', {})).rejects.toThrow(/credentials\/token: is missing/);
  });

  test('R-vault: only what is no secret is in the settings, and nothing that was left empty', async () => {
    await open();
    await connect({ token: 'a-token', second: 'another', region: 'north' });
    expect((await stored())?.settings).toEqual({ region: 'north' });
    await connect({ token: 'a-token', region: '' });
    expect((await stored())?.settings).toEqual({});
  });

  test('R-oauth: of a sign-in made elsewhere, the time and the scopes are read', async () => {
    await open({ scheme: 'oauth' });
    const tokens = { access_token: 'an-access-token' };
    await expect(connect({ ...tokens, expires_at: 'soon' })).rejects.toThrow(/expires_at: is not a time/);
    await connect({ ...tokens, expires_at: '2099-01-01T00:00:00Z', scope: ' read  write ' });
    expect(await stored()).toMatchObject({ status: 'active', scopes: ['read', 'write'] });
  });

  test('R-instances: a toolkit without accounts says so', async () => {
    await open();
    const input = { toolkit: 'math' };
    await expect(helve.plane.addConnection(helve.admin, input)).rejects.toThrow(/math needs no connection/);
  });

  test.each(['', ' ', 'a'.repeat(101), 'two\nlines'])('R-instances: %j is no name for an account', async (name) => {
    await open();
    const message = /name has 1 to 100 visible characters/;
    await expect(helve.plane.changeConnection(helve.admin, 'work', { name })).rejects.toThrow(message);
  });

  test('R-instances: a new name gives the account a new slug, unless that is its own', async () => {
    await open();
    const rename = (name: string) => helve.plane.changeConnection(helve.admin, 'work', { name });
    expect(await rename('WORK')).toMatchObject({ slug: 'work' });
    expect(await rename('Home')).toMatchObject({ slug: 'home' });
  });

  test('R-oauth: scopes are requested for tools that there are', async () => {
    await open({ scheme: 'oauth' });
    const named = (tool: string) => helve.plane.connect(helve.admin, 'work', { tools: [tool] });
    expect(await named('ask')).toMatchObject({ redirectUrl: expect.stringContaining('/connect/') });
    await expect(named('aks')).rejects.toThrow(/vendor has no tool "aks"/);
  });
});

test('R-oauth: many accounts are connected at the same time, and disconnected at once', async () => {
  await open();
  const { plane, admin } = helve;
  const names = Array.from({ length: 30 }, (_, number) => `Account ${number}`);
  const added = await Promise.all(names.map((name) => plane.addConnection(admin, { toolkit: 'vendor', name })));
  const credentials = { token: 'a-token' };
  await Promise.all(added.map(({ id }) => plane.connect(admin, id, { credentials })));
  const states = async () =>
    new Set((await plane.connections(admin)).map(({ name, status }) => name === 'Work' || status));
  expect(await states()).toEqual(new Set([true, 'active']));
  await plane.disconnectAll(admin);
  expect(await states()).toEqual(new Set([true, 'revoked']));
});

describe('while the service is asked whose account it is', () => {
  test('R-visibility: the account can be looked at', async () => {
    let seen: unknown;
    await open({ auth: { identify } });
    server.answer = async (_, response) => {
      seen = await helve.plane.connection(helve.admin, 'work').catch((error: unknown) => error);
      sendJson(response, 200, { id: 'ada' });
    };
    await connect({ token: 'a-token', region: 'north' });
    expect(seen).toMatchObject({ status: 'pending' });
  });

  test.each([
    ['takes', 200],
    ['refuses', 401],
  ])('R-visibility: disconnecting wins, although it %s the credentials', async (_, status) => {
    await open({ auth: { identify } });
    await connect({ token: 'a-token' });
    server.answer = async (_seen, response) => {
      await disconnect();
      sendJson(response, status, { id: 'ada' });
    };
    await expect(connect({ token: 'b-token' })).rejects.toThrow();
    expect(await stored()).toMatchObject({ status: 'revoked' });
    server.seen.length = 0;
    expect(await call()).toMatchObject({ ok: false });
    expect(paths()).toEqual([]);
  });

  test.each([
    ['takes', 200],
    ['refuses', 401],
  ])('R-visibility: an account that is renamed and made private stays so, although it %s the credentials', async (_, status) => {
    await open({ auth: { identify } });
    server.answer = async (_seen, response) => {
      await helve.plane.changeConnection(helve.admin, 'work', { name: 'Mine', visibility: 'private' });
      sendJson(response, status, { id: 'ada' });
    };
    const connecting = connect({ token: 'a-token' });
    if (status === 200) expect(await connecting).toMatchObject({ connection: { visibility: 'private' } });
    else await expect(connecting).rejects.toMatchObject({ code: 'invalid_input' });
    const [account, ...others] = await helve.plane.connections(helve.admin);
    const state = status === 200 ? 'active' : 'error';
    expect(account).toMatchObject({ name: 'Mine', slug: 'mine', visibility: 'private', status: state });
    expect(others).toEqual([]);
  });

  test('attack: of two who connect it at the same time, the later one wins with everything that they gave', async () => {
    await open({ auth: { identify } });
    const release = new Map<string, () => void>();
    server.answer = async ({ headers }, response) => {
      const token = String(headers['x-token']);
      await new Promise<void>((go) => release.set(token, go));
      sendJson(response, 200, { id: token.slice(-3) });
    };
    const isAsked = (token: string) => expect.poll(() => release.has(token)).toBe(true);
    const early = connect({ token: 'of-eve', region: 'evil' });
    const ended = expect(early).rejects.toMatchObject({ code: 'conflict' });
    await isAsked('of-eve');
    const later = connect({ token: 'of-ada', region: 'north' });
    await isAsked('of-ada');
    release.get('of-eve')?.();
    await ended;
    release.get('of-ada')?.();
    await later;
    const account = { status: 'active', account: { id: 'ada' }, settings: { region: 'north' } };
    expect(await stored()).toMatchObject(account);
  });

  test('R-oauth: a refusal gives the service’s reason, and the account can be connected after all', async () => {
    await open({ auth: { identify } });
    server.answer = (_, response) => sendJson(response, 401, { message: 'Bad token' });
    await expect(connect({ token: 'a-token' })).rejects.toThrow(/does not take the credentials: .*Bad token/);
    expect(await stored()).toMatchObject({ status: 'error' });
    server.answer = (_, response) => sendJson(response, 200, { id: 'ada' });
    await connect({ token: 'b-token' });
    await disconnect();
    await connect({ token: 'c-token' });
    expect(await stored()).toMatchObject({ status: 'active', account: { id: 'ada' } });
  });

  test('R-oauth: leaving out the question does not hand an account’s grants to another', async () => {
    await open({ auth: { identify } });
    await connect({ token: 'a-token' });
    server.answer = (_, response) => sendJson(response, 200, { id: 'eve' });
    await expect(connect({ token: 'b-token' }, { check: false })).rejects.toMatchObject({ code: 'conflict' });
  });

  test('R-oauth: an account whose toolkit no longer asks keeps its identity, and so does one that has nowhere to ask', async () => {
    const auth: { identify?: ToolkitAuth['identify'] } = { identify };
    await open({ auth });
    await connect({ token: 'a-token' });
    delete auth.identify;
    await connect({ token: 'b-token' });
    expect(await stored()).toMatchObject({ status: 'active', account: { id: 'ada' } });
    await helve.close();
    await open({ auth: { identify }, hasService: false });
    await connect({ token: 'a-token' });
    expect(await stored()).toMatchObject({ status: 'active' });
  });
});

describe('a call', () => {
  test('R-vault: cannot read credentials that the sign-in method does not expose', async () => {
    await open({ credentials: { token: 'a-token' } });
    expect(await helve.call('work__peek')).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  });

  test('R-pipeline: is sent on by the service only if it can be sent twice', async () => {
    await open({ credentials: { token: 'a-token' } });
    server.answer = ({ url }, response) =>
      url === '/there' ? sendJson(response, 200, {}) : sendJson(response, 302, {}, { location: '/there' });
    for (const method of ['GET', 'HEAD', 'POST']) await call({ method });
    expect(paths()).toEqual(['GET /ask', 'GET /there', 'HEAD /ask', 'HEAD /there', 'POST /ask']);
  });

  test('R-visibility: sends nothing with an account that is disconnected meanwhile', async () => {
    const late = testTool({
      name: 'ask',
      execute: async (_, { service }) => {
        await disconnect();
        return service.json({ path: '/ask' });
      },
    });
    await open({ credentials: { token: 'a-token' }, tools: [late] });
    expect(await call()).toMatchObject(lost);
    expect(paths()).toEqual([]);
  });

  test('R-visibility: that the service refuses does not bring back an account that was disconnected meanwhile', async () => {
    await open({ credentials: { token: 'a-token' } });
    server.answer = async (_, response) => {
      await disconnect();
      sendJson(response, 401, {});
    };
    expect(await call()).toMatchObject(lost);
    expect(await stored()).toMatchObject({ status: 'revoked' });
  });

  test('R-oauth: that the service refuses says nothing about credentials that are newer', async () => {
    await open({ credentials: { token: 'a-token' } });
    server.answer = async (_, response) => {
      await connect({ token: 'b-token' });
      sendJson(response, 401, {});
    };
    expect(await call()).toMatchObject({ ok: false, error: { message: expect.stringContaining('connected again') } });
    expect(await stored()).toMatchObject({ status: 'active' });
  });

  test.each([
    ['oauth', { access_token: 'an-access-token', refresh_token: 'a-refresh-token' }],
    ['traded', { key: 'a-key' }],
    ['traded_here', { key: 'a-key' }],
  ])('R-oauth: %s: a token that is refused even when it is new ends the account', async (scheme, credentials) => {
    await open({ scheme, credentials });
    server.answer = ({ url }, response) =>
      url === '/token'
        ? sendJson(response, 200, { access_token: 'a-new-access-token', token_type: 'Bearer' })
        : sendJson(response, 401, {});
    expect(await call()).toMatchObject(lost);
    expect(await stored()).toMatchObject({ status: 'error' });
  });

  test('R-oauth: a token that cannot be renewed ends the account, and the token endpoint is not asked', async () => {
    await open({ scheme: 'oauth', credentials: { access_token: 'an-access-token' } });
    server.answer = (_, response) => sendJson(response, 401, {});
    expect(await call()).toMatchObject(lost);
    expect(await stored()).toMatchObject({ status: 'expired', reason: expect.stringContaining('nothing to renew') });
    expect(paths()).toEqual(['GET /ask']);
  });

  test('R-oauth: renews a token as the client of the workspace, if it has one', async () => {
    const credentials = { access_token: 'an-access-token', refresh_token: 'a-refresh-token' };
    await open({ scheme: 'oauth', credentials });
    await helve.plane.putAuthClient(helve.admin, 'vendor', { clientId: 'own', clientSecret: 'own-secret' });
    server.answer = ({ headers }, response) => {
      const isClient = headers.authorization === `Basic ${Buffer.from('own:own-secret').toString('base64')}`;
      if (isClient) sendJson(response, 200, { access_token: 'a-new-token', token_type: 'Bearer' });
      else sendJson(response, headers.authorization === 'Bearer a-new-token' ? 200 : 401, {});
    };
    expect(await call()).toMatchObject({ ok: true });
  });

  test('R-oauth: does not send a refresh token to an endpoint that the workspace names', async () => {
    const credentials = { access_token: 'an-access-token', refresh_token: 'a-refresh-token' };
    await open({ scheme: 'oauth', credentials });
    const overrides = { tokenEndpoint: 'https://collector.invalid/token' };
    await helve.plane.putAuthClient(helve.admin, 'vendor', { clientId: 'own', overrides });
    server.answer = (_, response) => sendJson(response, 401, {});
    expect(await call()).toMatchObject(lost);
    expect(await stored()).toMatchObject({ status: 'expired', reason: expect.stringContaining('has changed since') });
  });
});

describe('disconnecting', () => {
  test.each([
    ['a token', 'token', { token: 'a-token' }],
    ['a key that was traded for a token', 'traded', { key: 'a-key' }],
    ['an account without a provider', 'lonely', { access_token: 'an-access-token' }],
  ])('R-visibility: %s has nothing to revoke at a provider', async (_, scheme, credentials) => {
    await open({ scheme, credentials });
    await call();
    server.seen.length = 0;
    expect((await disconnect()).revocation).toBe('nothing');
    expect(paths()).toEqual([]);
  });

  test('R-visibility: an account that was never connected has nothing to revoke', async () => {
    await open();
    expect((await disconnect()).revocation).toBe('nothing');
  });
});
