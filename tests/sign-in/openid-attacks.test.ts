/** Attacks on signing in with an OpenID provider. Each has a control: the same steps without the attack sign somebody in. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startIdentityProvider, type TestIdentityProvider } from './support/identity-provider.js';
import { callbackUrl, openScene, publicUrl, type Scene } from './support/scene.js';

const roles = { member: ['staff'], admin: ['owners'] };
const ada = { sub: '7', email: 'ada@example.com', email_verified: true, name: 'Ada', groups: ['staff'] };
const eve = { ...ada, sub: '66', email: 'eve@example.com', name: 'Eve' };
const minuteMs = 60_000;

let acme: TestIdentityProvider;
let other: TestIdentityProvider;
let scene: Scene;
const servers: Server[] = [];

beforeEach(async () => {
  acme = await startIdentityProvider([callbackUrl('acme')]);
  other = await startIdentityProvider([callbackUrl('other')]);
  acme.person = ada;
  other.person = eve;
  const more = { roles, create_users: true };
  scene = await openScene([acme.config('acme', more), other.config('other', more)]);
});
afterEach(async () => {
  await scene.close();
  await Promise.all([acme.close(), other.close()]);
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

const tokenRequests = ({ paths }: TestIdentityProvider): number => paths.filter((path) => path === '/token').length;
const get = (url: string, cookie: string) => scene.app.request(url, { headers: { cookie } });
const sessionIn = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .find((pair) => /^helve_session=./.test(pair)) ?? '';
/** The control of each attack. */
const expectAda = async (): Promise<void> =>
  expect(await scene.whoIs((await scene.signIn('acme')).cookie)).toMatchObject({ name: 'Ada' });

describe('the callback', () => {
  test('R-people: attack: a callback link that is opened in another browser signs nobody in, before and after its use', async () => {
    const { browser, url } = await scene.stopAtCallback('acme');
    const thief = scene.browser();
    const before = await scene.visit(thief, url);
    expect([before.status, before.cookie]).toEqual([410, '']);
    expect(before.page).toContain('started in another browser, or took more than ten minutes');
    // A thief who has started a sign-in of their own has a cookie, but another one.
    await scene.stopAtCallback('acme', thief);
    expect((await scene.visit(thief, url)).cookie).toBe('');
    expect(tokenRequests(acme)).toBe(0);
    // The control: where it began, the link still works; after that it is used up, for everybody.
    const cookies = browser.cookies(url);
    expect(await scene.whoIs((await scene.visit(browser, url)).cookie)).toMatchObject({ name: 'Ada' });
    expect((await scene.visit(scene.browser(), url)).cookie).toBe('');
    expect(tokenRequests(acme)).toBe(1);
    const replayed = await get(url, cookies);
    expect([replayed.status, sessionIn(replayed)]).toEqual([410, '']);
    expect(await replayed.text()).toContain('already finished');
    expect(tokenRequests(acme)).toBe(1);
    expect(await scene.refusals()).toContainEqual(
      expect.objectContaining({ problem: 'This sign-in was already finished' }),
    );
  });

  test('R-people: attack: a one-time link that was used signs in no other browser', async () => {
    const token = await scene.helve.adminLink(scene.helve.workspaceId);
    const press = () =>
      scene.app.request('/admin/login', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: publicUrl },
        body: new URLSearchParams({ token }).toString(),
      });
    expect(await scene.whoIs(sessionIn(await press()))).toMatchObject({ role: 'admin' });
    const again = await press();
    expect([again.status, sessionIn(again)]).toEqual([401, '']);
  });

  test('R-people: attack: a state that was used takes no second code', async () => {
    const { browser, url } = await scene.stopAtCallback('acme');
    const cookies = browser.cookies(url);
    await scene.visit(browser, url);
    const fresh = new URL((await scene.stopAtCallback('acme')).url).searchParams.get('code') ?? '';
    const address = new URL(url);
    address.searchParams.set('code', fresh);
    const again = await get(address.href, cookies);
    expect([again.status, sessionIn(again), tokenRequests(acme)]).toEqual([410, '', 1]);
  });

  test('R-people: attack: of several uses at the same time, one signs in', async () => {
    const { browser, url } = await scene.stopAtCallback('acme');
    const cookies = browser.cookies(url);
    const answers = await Promise.all(Array.from({ length: 5 }, () => get(url, cookies)));
    expect(answers.map((answer) => sessionIn(answer) !== '').filter(Boolean)).toHaveLength(1);
    expect(tokenRequests(acme)).toBe(1);
  });

  test('R-people: attack: a sign-in that took more than ten minutes is over', async () => {
    const late = await scene.stopAtCallback('acme');
    scene.helve.advance(10 * minuteMs + 1_000);
    expect((await scene.visit(late.browser, late.url)).cookie).toBe('');
    const inTime = await scene.stopAtCallback('acme');
    scene.helve.advance(9 * minuteMs);
    expect((await scene.visit(inTime.browser, inTime.url)).cookie).not.toBe('');
  });

  test('R-people: attack: a changed, missing or doubled state, and a changed cookie, fit nothing', async () => {
    const { browser, url } = await scene.stopAtCallback('acme');
    const cookies = browser.cookies(url);
    const state = new URL(url).searchParams.get('state') ?? '';
    const changed = (change: (address: URL) => void): string => {
      const address = new URL(url);
      change(address);
      return address.href;
    };
    const [name, value = ''] = cookies.split('=');
    const content = JSON.parse(Buffer.from(value, 'base64url').toString()) as unknown[];
    const lead = (path: string): string =>
      `${name}=${Buffer.from(JSON.stringify([content[0], content[1], path])).toString('base64url')}`;
    const attempts: [address: string, cookie: string][] = [
      [changed(({ searchParams }) => searchParams.delete('state')), cookies],
      [changed(({ searchParams }) => searchParams.set('state', `${state.slice(0, -1)}_`)), cookies],
      [changed(({ searchParams }) => searchParams.append('state', state)), cookies],
      [url, ''],
      [url, `${name}=`],
      [url, `${name}=bm9uc2Vuc2U`],
      [url, lead('/runs/1')],
      [url, lead('//evil.example')],
    ];
    for (const [address, cookie] of attempts) {
      const answer = await get(address, cookie);
      expect([answer.status, sessionIn(answer)], `${address} ${cookie}`).toEqual([410, '']);
    }
    expect(tokenRequests(acme)).toBe(0);
    expect(sessionIn(await get(url, lead('/')))).not.toBe('');
  });
});

describe('the session', () => {
  test('R-people: attack: a cookie that was there before the sign-in is not kept, and is not the person’s', async () => {
    acme.person = eve;
    const planted = await scene.signIn('acme');
    acme.person = ada;
    const begun = await scene.stopAtCallback('acme');
    const cookie = sessionIn(await get(begun.url, `${planted.cookie}; ${begun.browser.cookies(begun.url)}`));
    expect(cookie).not.toBe(planted.cookie);
    expect(await scene.whoIs(cookie)).toMatchObject({ name: 'Ada' });
    expect(await scene.whoIs(planted.cookie)).toMatchObject({ name: 'Eve' });
    // A value of the attacker's choice is no session either, neither before nor after.
    const { browser, url } = await scene.stopAtCallback('acme');
    const chosen = `helve_session=helve_session_${'a'.repeat(43)}`;
    const answer = await get(url, `${browser.cookies(url)}; ${chosen}`);
    expect(sessionIn(answer)).toMatch(/^helve_session=helve_session_[\w-]{43}$/);
    expect(sessionIn(answer)).not.toBe(chosen);
    expect(await scene.whoIs(chosen)).toBeUndefined();
  });

  test('R-people: attack: nobody is signed in as the attacker by the attacker’s callback', async () => {
    acme.person = eve;
    const { url } = await scene.stopAtCallback('acme');
    const victim = scene.browser();
    expect((await scene.visit(victim, url)).cookie).toBe('');
    // The control: with the cookie of the attacker's browser the same address signs in.
    const own = await scene.stopAtCallback('acme');
    expect(await scene.whoIs((await scene.visit(own.browser, own.url)).cookie)).toMatchObject({ name: 'Eve' });
  });

  test('R-people: attack: another site’s request with the cookie changes nothing', async () => {
    acme.person = { ...ada, groups: ['owners'] };
    const { cookie } = await scene.signIn('acme');
    const add = (origin: Record<string, string>) =>
      scene.app.request('/api/users', {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json', ...origin },
        body: JSON.stringify({ name: 'Planted', role: 'admin' }),
      });
    const planted = async () => (await scene.users()).filter(({ name }) => name === 'Planted').length;
    const foreign: Record<string, string>[] = [{ origin: 'https://evil.example' }, { origin: 'null' }, {}];
    for (const origin of foreign) expect((await add(origin)).status).toBe(403);
    expect(await planted()).toBe(0);
    expect((await add({ origin: publicUrl })).status).toBe(201);
    expect(await planted()).toBe(1);
  });

  test('R-people: attack: no page can be shown in a frame', async () => {
    const { cookie } = await scene.signIn('acme');
    const pages = scene.app.routes.filter(({ method, path }) => method === 'GET' && !path.startsWith('/api/'));
    const seen: string[] = [];
    for (const path of new Set(pages.map((route) => route.path.replace(/:(\w+)(?:\{[^/]*\})?/g, '$1'))))
      for (const as of [cookie, '']) {
        const page = await get(path.replaceAll('provider', 'acme'), as);
        if (!page.headers.get('content-type')?.startsWith('text/html')) continue;
        seen.push(path);
        expect(page.headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'");
        expect(page.headers.get('x-frame-options'), path).toBe('DENY');
      }
    for (const path of [
      '/admin',
      '/admin/login',
      '/admin/login/provider/callback',
      '/approvals/id',
      '/oauth/authorize',
    ])
      expect(seen).toContain(path);
  });
});

describe('two providers', () => {
  test('R-people: attack: the answer of one provider is not taken at the address of another', async () => {
    const { browser, url } = await scene.stopAtCallback('acme');
    const moved = url.replace(callbackUrl('acme'), callbackUrl('other'));
    // The browser also has a sign-in in progress there.
    await scene.stopAtCallback('other', browser);
    const mixed = await scene.visit(browser, moved);
    expect([mixed.status, mixed.cookie, tokenRequests(other)]).toEqual([410, '', 0]);
    // Nor under the cookie's name there.
    const renamed = browser.cookies(url).replace(/helve_sign_in_acme=([\w-]+).*/, 'helve_sign_in_other=$1');
    expect(sessionIn(await get(moved, renamed))).toBe('');
    expect(tokenRequests(other)).toBe(0);
    expect(await scene.whoIs((await scene.visit(browser, url)).cookie)).toMatchObject({ name: 'Ada' });
  });

  test('R-people: attack: an answer that names another issuer is refused before its code is sent anywhere', async () => {
    const named = async (issuer: string | undefined) => {
      const { browser, url } = await scene.stopAtCallback('acme');
      const address = new URL(url);
      if (issuer === undefined) address.searchParams.delete('iss');
      else address.searchParams.set('iss', issuer);
      return scene.visit(browser, address.href);
    };
    for (const issuer of [other.url, undefined]) expect((await named(issuer)).cookie).toBe('');
    expect([tokenRequests(acme), tokenRequests(other)]).toEqual([0, 0]);
    expect((await named(acme.url)).cookie).not.toBe('');
  });

  test('R-people: attack: the same subject at another provider is another person', async () => {
    const { id } = (await scene.whoIs((await scene.signIn('acme')).cookie)) ?? {};
    other.person = { ...ada, email: 'else@example.com' };
    const there = await scene.whoIs((await scene.signIn('other')).cookie);
    expect(there).toMatchObject({ name: 'Ada' });
    expect(there?.id).not.toBe(id);
    // Nor does a verified address of somebody who is known from elsewhere let in as them.
    other.person = { ...ada, sub: 'unseen' };
    const refused = await scene.signIn('other');
    expect([refused.status, refused.cookie]).toEqual([403, '']);
  });
});

describe('the ID token', () => {
  const seconds = Math.floor(Date.now() / 1_000);
  const wrong: [what: string, change: Record<string, unknown>][] = [
    ['with another nonce', { nonce: 'n'.repeat(43) }],
    ['without a nonce', { nonce: undefined }],
    ['for another client', { aud: 'somebody' }],
    ['for several clients, issued to another', { aud: ['helve', 'somebody'], azp: 'somebody' }],
    ['of another issuer', { iss: 'https://elsewhere.example' }],
    ['that has expired', { exp: seconds - 3_600, iat: seconds - 7_200 }],
    ['without an end', { exp: undefined }],
    ['without a subject', { sub: undefined }],
  ];
  test.each(wrong)('R-people: attack: %s proves nothing, although the provider signed it', async (_what, change) => {
    acme.forge = (claims) => ({ ...claims, ...change });
    const refused = await scene.signIn('acme');
    expect([refused.status, refused.cookie]).toEqual([502, '']);
    expect(refused.page).toContain('does not prove who you are');
    expect(tokenRequests(acme)).toBe(1);
    // The control: signed again in the same way, without the change.
    acme.forge = (claims) => claims;
    await expectAda();
  });

  test.each(['another key', 'no key'] as const)('R-people: attack: signed with %s proves nothing', async (key) => {
    acme.forge = (claims) => ({ ...claims, groups: ['owners'] });
    acme.forgeWith = key;
    const refused = await scene.signIn('acme');
    expect([refused.status, refused.cookie]).toEqual([502, '']);
    expect((await scene.users()).map(({ name }) => name)).not.toContain('Ada');
    acme.forgeWith = 'own key';
    expect(await scene.whoIs((await scene.signIn('acme')).cookie)).toMatchObject({ role: 'admin' });
  });

  test('R-people: a refusal shows and records no code, token or secret', async () => {
    acme.forgeWith = 'another key';
    acme.forge = (claims) => claims;
    const { browser, url } = await scene.stopAtCallback('acme');
    const refused = await scene.visit(browser, url);
    const code = new URL(url).searchParams.get('code') ?? '';
    const everything = refused.page + JSON.stringify(await scene.helve.audited());
    for (const secret of [code, acme.clientSecret, 'eyJ']) expect(everything).not.toContain(secret);
    expect(everything).toContain('sign-in refused');
  });
});

describe('where it leads', () => {
  test.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/.//evil.example',
    '/%0a/evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/admin\r\nset-cookie: a=b',
  ])('R-people: attack: after the sign-in no browser leaves this server for %j', async (returnTo) => {
    const start = await scene.app.request(`/admin/login/acme?${new URLSearchParams({ return_to: returnTo })}`);
    const [cookie = ''] = (start.headers.get('set-cookie') ?? '').split(';');
    const callback = await scene.browser().go(start.headers.get('location') ?? '', /\/callback\?/);
    const end = await get(callback.url, cookie);
    expect(end.status).toBe(303);
    const location = end.headers.get('location') ?? '';
    expect(location).toMatch(/^\/(?![/\\])/);
    expect(new URL(location, publicUrl).origin).toBe(publicUrl);
    // The control: a path of this server is followed.
    expect((await scene.signIn('acme', { returnTo: '/admin?kept=yes' })).url).toBe(`${publicUrl}/admin?kept=yes`);
  });

  test('R-people: attack: a provider’s description leads into no network that the operator did not open', async () => {
    let hits = 0;
    const inner = await listen((_request, response) => {
      hits += 1;
      response.writeHead(500, { connection: 'close' }).end();
    });
    const description = { token_endpoint: `${inner}/token`, jwks_uri: `${inner}/keys` };
    const attempt = async (settings: object): Promise<number> => {
      await exchangeAt(await describeProvider(description), {}, settings);
      return hits;
    };
    expect(await attempt({})).toBe(0);
    // The control: the operator opens it.
    expect(await attempt({ egress: { allowed_addresses: [inner.replace('http://', '')] } })).toBe(1);
  });

  test.each([
    'javascript:alert(1)',
    'ftp://127.0.0.1/auth',
    'nothing',
    undefined,
  ])('R-people: attack: a provider’s description sends no browser to %j', async (endpoint) => {
    const start = async (authorization_endpoint: string | undefined): Promise<Response> => {
      const { url } = await describeProvider({ authorization_endpoint });
      const here = await openScene([{ name: 'evil', issuer: url, client_id: 'c' }]);
      return Promise.resolve(here.app.request('/admin/login/evil')).finally(here.close);
    };
    const refused = await start(endpoint);
    expect([refused.status, refused.headers.get('location')]).toEqual([502, null]);
    expect((await start('http://127.0.0.1/auth')).headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1\/auth\?/);
  });
});

describe('the client', () => {
  const basic = `Basic ${Buffer.from('c:s-e_c').toString('base64')}`;
  test.each([
    ['in the header, without other word', undefined, 's-e_c', { header: basic, secret: null }],
    [
      'in the header, where it may be either',
      ['client_secret_post', 'client_secret_basic'],
      's-e_c',
      { header: basic, secret: null },
    ],
    ['in the form, where it must', ['client_secret_post'], 's-e_c', { header: undefined, secret: 's-e_c' }],
    ['nowhere, if it has no secret', ['none'], undefined, { header: undefined, secret: null }],
  ])('R-people: shows its secret %s', async (_where, methods, secret, expected) => {
    const requests: { header: string | undefined; secret: string | null }[] = [];
    const token = await listen(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      requests.push({ header: request.headers.authorization, secret: new URLSearchParams(body).get('client_secret') });
      response.writeHead(400, { 'content-type': 'application/json', connection: 'close' });
      response.end('{"error":"invalid_grant"}');
    });
    const provider = await describeProvider({ token_endpoint: token, token_endpoint_auth_methods_supported: methods });
    const settings = { egress: { allowed_addresses: [token.replace('http://', '')] } };
    const { page } = await exchangeAt(provider, secret === undefined ? {} : { client_secret: secret }, settings);
    expect(requests).toEqual([expected]);
    expect(page).toContain('does not prove who you are: invalid_grant');
  });

  test('R-people: a refusal of the provider, or of the person there, is said without its words', async () => {
    const { browser, url } = await scene.stopAtCallback('acme');
    const address = new URL(url);
    address.searchParams.delete('code');
    address.searchParams.set('error', 'access_denied');
    address.searchParams.set('error_description', 'call 555-0100 now');
    const refused = await scene.visit(browser, address.href);
    expect([refused.status, refused.cookie, tokenRequests(acme)]).toEqual([403, '', 0]);
    expect(refused.page).toContain('acme refused the sign-in: access_denied');
    expect(refused.page).not.toContain('555-0100');
  });
});

async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A provider that only describes itself, as the test says. */
async function describeProvider(more: Readonly<Record<string, unknown>>): Promise<{ readonly url: string }> {
  const url: string = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
    const usual = { issuer: url, authorization_endpoint: `${url}/auth`, jwks_uri: `${url}/keys` };
    response.end(JSON.stringify({ ...usual, ...more }));
  });
  return { url };
}

/** Brings a code back to a Helve that knows only this provider. It signs nobody in. */
async function exchangeAt({ url }: { readonly url: string }, more: object, settings: object) {
  const here = await openScene([{ name: 'evil', issuer: url, client_id: 'c', ...more }], settings);
  try {
    const start = await here.app.request('/admin/login/evil');
    const state = new URL(start.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const [cookie = ''] = (start.headers.get('set-cookie') ?? '').split(';');
    const query = new URLSearchParams({ state, code: 'any' });
    const end = await here.app.request(`${callbackUrl('evil')}?${query}`, { headers: { cookie } });
    expect(end.status).toBeGreaterThanOrEqual(400);
    expect(sessionIn(end)).toBe('');
    return { page: await end.text() };
  } finally {
    await here.close();
  }
}
