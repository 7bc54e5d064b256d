/** Signing in to an account by its operations, without a browser: who owns the link, and what a callback needs. */
import { afterEach, describe, expect, test } from 'vitest';
import type { Principal } from '../../domain/principal.js';
import { defineToolkit } from '../../domain/tool.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';
import { scopesFor } from './sign-in.js';

const vendor = defineToolkit({
  slug: 'vendor',
  title: 'Vendor',
  description: 'A service for tests',
  category: 'tests',
  auth: { schemes: [{ id: 'oauth2', kind: 'oauth2', title: 'Sign in', provider: 'vendor', scopes: ['openid'] }] },
  service: { servers: () => ({ default: { url: 'https://vendor.invalid' } }) },
  load: async () => [testTool({ name: 'ask' })],
});
const oauth = {
  client_id: 'us',
  client_secret: 'our-secret-0123456789',
  authorization_endpoint: 'https://vendor.invalid/authorize',
  token_endpoint: 'https://vendor.invalid/token',
};

let helve: TestHelve;

async function begin(more: object = { publicUrl: 'http://127.0.0.1:4870' }) {
  const config = JSON.stringify({ oauth: { vendor: oauth } });
  helve = await createTestHelve({ toolkits: [vendor], config, ...more });
  const { id } = await helve.plane.addConnection(helve.admin, { toolkit: 'vendor', name: 'Work' });
  const { redirectUrl = '' } = await helve.plane.connect(helve.admin, id, {});
  return { id, ticket: redirectUrl.split('/').at(-1) ?? '' };
}

/** Opens the link in a browser with these `cookies`, as our page does. */
async function open(ticket: string, cookies = new Map<string, string>()) {
  const { location, cookie } = await helve.plane.startSignIn(ticket, (name) => cookies.get(name));
  cookies.set(cookie.name, cookie.value);
  return { state: new URL(location).searchParams.get('state') ?? '', cookies };
}

const backAt = (query: Record<string, string> | string[][]): URL =>
  new URL(`http://127.0.0.1:4870/oauth/callback?${new URLSearchParams(query)}`);

const finish = (state: string, cookies: ReadonlyMap<string, string>, session?: Principal) =>
  helve.plane.finishSignIn(backAt({ state, error: 'access_denied' }), (name) => cookies.get(name), session);
const status = async (id: string) => (await helve.plane.connection(helve.admin, id)).status;

const over = expect.stringContaining('This sign-in has ended');
const elsewhere = expect.stringContaining('started in another browser');
/** The answer was accepted, and contains the provider's message. */
const taken = expect.stringContaining('access_denied');

const close = () => helve.close();

describe('the link', () => {
  afterEach(close);

  test('R-oauth: without an address of ours there is no callback, and nothing is started', async () => {
    await expect(begin({})).rejects.toMatchObject({ code: 'invalid_config', hint: 'Set HELVE_PUBLIC_URL.' });
    expect((await helve.plane.connections(helve.admin)).map((one) => one.status)).toEqual(['added']);
  });

  test('R-oauth: it belongs to the browser that opened it first, which may open it again', async () => {
    const { ticket } = await begin();
    const first = await open(ticket);
    expect((await open(ticket, first.cookies)).state).toBe(first.state);
    await expect(open(ticket)).rejects.toMatchObject({ code: 'forbidden' });
    const forged = new Map([...first.cookies].map(([name, value]) => [name, `${value}x`]));
    await expect(open(ticket, forged)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(open('helve_connect_x')).rejects.toMatchObject({ code: 'expired' });
    helve.advance(10 * 60_000 + 1_000);
    await expect(open(ticket, first.cookies)).rejects.toMatchObject({ code: 'expired' });
  });
});

describe('the callback', () => {
  afterEach(close);

  test('attack: a sign-in that was begun before the account was disconnected cannot be finished, also when another has begun', async () => {
    const { id, ticket } = await begin();
    const { state, cookies } = await open(ticket);
    await helve.plane.disconnect(helve.admin, id);
    await helve.plane.connect(helve.admin, id, {});
    await expect(open(ticket, cookies)).rejects.toMatchObject({ code: 'expired' });
    expect(await finish(state, cookies)).toMatchObject({ ok: false, problem: over });
    expect(await status(id)).toBe('pending');
  });

  test('R-oauth: a state counts once, in time, and in its own browser', async () => {
    const { id, ticket } = await begin();
    const { state, cookies } = await open(ticket);
    for (const wrong of ['', 'x', 'x'.repeat(501), `${state}x`])
      expect(await finish(wrong, cookies)).toMatchObject({ ok: false, problem: over });
    const twice = backAt([
      ['state', state],
      ['state', state],
      ['error', 'access_denied'],
    ]);
    expect(await helve.plane.finishSignIn(twice, (name) => cookies.get(name), undefined)).toMatchObject({
      problem: over,
    });
    const forged = new Map([...cookies].map(([name, value]) => [name, `${value}x`]));
    for (const browser of [new Map<string, string>(), forged])
      expect(await finish(state, browser)).toMatchObject({ problem: elsewhere });
    expect(await status(id)).toBe('pending');
    expect(await finish(state, cookies)).toMatchObject({ ok: false, problem: taken });
    expect(await status(id)).toBe('error');
    expect(await finish(state, cookies)).toMatchObject({ problem: over });
  });

  test('R-oauth: a state whose link was not opened belongs to no browser', async () => {
    const { ticket } = await begin();
    const { state, cookies } = await open(ticket);
    helve.advance(10 * 60_000 + 1_000);
    expect(await finish(state, cookies)).toMatchObject({ problem: over });
  });

  test('R-oauth: a person who is signed in here as someone else, or elsewhere, cannot finish it', async () => {
    const { ticket } = await begin();
    const { state, cookies } = await open(ticket);
    const another: Principal = { ...helve.admin, id: 'somebody-else' };
    const neighbour: Principal = { ...helve.admin, workspaceId: 'another' };
    for (const session of [another, neighbour])
      expect(await finish(state, cookies, session)).toMatchObject({ problem: elsewhere });
    expect(await finish(state, cookies, helve.admin)).toMatchObject({ problem: taken });
  });

  test.each([
    ['an agent', { kind: 'agent', id: 'some-agent' }],
    ['the command line', { kind: 'user', id: 'system' }],
  ] as const)('R-oauth: a person who is signed in here can finish what %s started', async (_, starter) => {
    const { id } = await begin();
    const { redirectUrl = '' } = await helve.plane.connect({ ...helve.admin, ...starter }, id, {});
    const { state, cookies } = await open(redirectUrl.split('/').at(-1) ?? '');
    expect(await finish(state, cookies, helve.admin)).toMatchObject({ problem: taken });
  });

  test('attack: what an agent started for one person, no other person who is signed in here can finish', async () => {
    const { id } = await begin();
    const ada = { kind: 'user', id: 'ada', name: 'Ada' } as const;
    const agent: Principal = { ...helve.admin, kind: 'agent', id: 'some-agent', onBehalfOf: ada };
    const { redirectUrl = '' } = await helve.plane.connect(agent, id, {});
    const { state, cookies } = await open(redirectUrl.split('/').at(-1) ?? '');
    expect(await finish(state, cookies, helve.admin)).toMatchObject({ problem: elsewhere });
    expect(await finish(state, cookies, { ...helve.admin, ...ada })).toMatchObject({ problem: taken });
  });

  test('R-oauth: a connection that was removed meanwhile stays removed', async () => {
    const { id, ticket } = await begin();
    const { state, cookies } = await open(ticket);
    await helve.plane.disconnect(helve.admin, id);
    expect(await finish(state, cookies)).toMatchObject({ problem: over });
    expect(await status(id)).toBe('revoked');
    const again = await helve.plane.connect(helve.admin, id, {});
    const second = await open(again.redirectUrl?.split('/').at(-1) ?? '');
    await helve.plane.removeConnection(helve.admin, id);
    expect(await finish(second.state, second.cookies)).toMatchObject({ problem: over });
  });
});

test('R-oauth: scopes that another scope includes are not requested', () => {
  const scheme = { id: 'oauth2', kind: 'oauth2', title: '', scopes: ['openid'] } as const;
  const auth = { schemes: [scheme], impliedScopes: { all: ['some'] } };
  const connection = { scopes: ['before'] } as never;
  expect(scopesFor([{ scopes: ['some', 'all'] }, { scopes: ['other'] }], scheme, connection, auth)).toEqual([
    'openid',
    'before',
    'all',
    'other',
  ]);
  expect(scopesFor([{ scopes: ['toString'] }], scheme, {} as never, { schemes: [scheme] })).toEqual([
    'openid',
    'toString',
  ]);
});
