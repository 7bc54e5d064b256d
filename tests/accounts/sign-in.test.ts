/** Signing in with OAuth against a real authorisation server, through the HTTP door, with a browser of our own. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHttpApp } from '../../src/surfaces/http/index.js';
import { createTestHelve, type TestHelve } from '../../src/testing/index.js';
import { createBrowser, type TestBrowser } from './support/browser.js';
import { startIssuer, type TestIssuer } from './support/oidc.js';
import { vendor } from './support/vendor.js';

const publicUrl = 'http://127.0.0.1:4870';
const callback = `${publicUrl}/oauth/callback`;
let issuer: TestIssuer;
let helve: TestHelve;
let app: ReturnType<typeof createHttpApp>;

const newBrowser = (): TestBrowser =>
  createBrowser((url) => (url.origin === publicUrl ? (address, init) => app.request(address, init) : fetch));

beforeAll(async () => {
  issuer = await startIssuer(callback);
});
afterAll(() => issuer.close());
beforeEach(async () => {
  Object.assign(issuer, { account: 'ada', tokenDelayMs: 0, loseTokenAnswers: 0 });
  issuer.tokenRequests.length = 0;
  issuer.revocations.length = 0;
  helve = await createTestHelve({
    toolkits: [vendor],
    config: `toolkits:\n  vendor:\n    base_url: ${issuer.url}\n${issuer.config('vendor')}`,
    publicUrl,
  });
  app = createHttpApp({ plane: helve.plane, publicUrl });
});
afterEach(() => helve.close());

async function begin(name = 'Work', tools?: string[]): Promise<{ id: string; link: string }> {
  const { id } = await helve.plane.addConnection(helve.admin, { toolkit: 'vendor', name });
  const { redirectUrl = '' } = await helve.plane.connect(helve.admin, id, tools === undefined ? {} : { tools });
  return { id, link: redirectUrl };
}
const grantAll = async () => {
  const { connections } = { connections: await helve.plane.connections(helve.admin) };
  const grants = connections.map(({ id, toolkit }) => ({
    toolkit,
    connectionId: id,
    tools: ['who_am_i', 'write_thing'],
    limits: {},
    config: {},
  }));
  await helve.plane.replaceGrants(helve.admin, 'tester', grants);
};
const statusOf = async (id: string) => (await helve.plane.connection(helve.admin, id)).status;

describe('signing in', () => {
  test('R-oauth: from a link to a working connection, and the page names the account', async () => {
    const { id, link } = await begin();
    expect(await statusOf(id)).toBe('pending');
    const { url, response } = await newBrowser().go(link);
    expect(url.startsWith(callback)).toBe(true);
    expect(response?.status).toBe(200);
    const page = await response?.text();
    expect(page).toContain('Work is connected as <strong>ada@example.com</strong>');
    expect(response?.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(await helve.plane.connection(helve.admin, id)).toMatchObject({
      status: 'active',
      account: { id: 'ada', email: 'ada@example.com' },
      scopes: expect.arrayContaining(['openid', 'api:write']),
    });
    await grantAll();
    expect(await helve.call('work__who_am_i')).toMatchObject({ ok: true, output: { sub: 'ada' } });
    expect((await helve.audited()).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['connection.added', 'connection.started', 'connection.connected']),
    );
  });

  test('R-oauth: a preview of the link uses nothing up, the browser that opens it can do so twice, and no other can', async () => {
    const { link } = await begin();
    expect((await app.request(link, { method: 'HEAD' })).status).toBe(204);
    expect((await app.request(link, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(204);
    const browser = newBrowser();
    for (let time = 0; time < 2; time++) expect((await browser.go(link, /\/auth\?/)).url).toContain('/auth?');
    const stranger = await newBrowser().go(link, /\/auth\?/);
    expect(stranger.response?.status).toBe(403);
  });

  test('R-instances: two accounts in parallel, each under its own name', async () => {
    await newBrowser().go((await begin('Work')).link);
    issuer.account = 'bob';
    await newBrowser().go((await begin('Home')).link);
    await grantAll();
    expect(await helve.call('work__who_am_i')).toMatchObject({ output: { sub: 'ada' } });
    expect(await helve.call('home__who_am_i')).toMatchObject({ output: { sub: 'bob' } });
  });

  test('R-oauth: scopes of the requested tools; more are added later, and until then a call names the missing one', async () => {
    const { id, link } = await begin('Work', ['who_am_i']);
    await newBrowser().go(link);
    await grantAll();
    expect((await helve.plane.connection(helve.admin, id)).scopes).not.toContain('api:write');
    expect(await helve.call('work__who_am_i')).toMatchObject({ ok: true });
    expect(await helve.call('work__write_thing')).toMatchObject({
      ok: false,
      rule: 'connection.scopes',
      error: { message: 'Connection not accessible', hint: expect.stringMatching(/api:write/) },
    });
    const again = await helve.plane.connect(helve.admin, id, { tools: ['write_thing'] });
    // It continues to work during a new sign-in.
    expect(await helve.call('work__who_am_i')).toMatchObject({ ok: true });
    await newBrowser().go(again.redirectUrl ?? '');
    expect(await helve.call('work__write_thing')).toMatchObject({ ok: true });
    expect((await helve.plane.connection(helve.admin, id)).slug).toBe('work');
  });

  test('R-oauth: a refused consent leaves a connection with the reason', async () => {
    const { id, link } = await begin();
    const browser = newBrowser();
    const { url } = await browser.go(link, /\/auth\?/);
    const state = new URL(url).searchParams.get('state') ?? '';
    const { response } = await browser.go(
      `${callback}?error=access_denied&error_description=%3Cscript%3Ealert(1)%3C/script%3E&state=${state}&iss=${encodeURIComponent(issuer.url)}`,
    );
    expect(response?.status).toBe(400);
    const page = (await response?.text()) ?? '';
    expect(page).not.toContain('<script>');
    expect(page).toContain('access_denied');
    expect(await helve.plane.connection(helve.admin, id)).toMatchObject({
      status: 'error',
      reason: expect.stringContaining('access_denied'),
    });
    expect(issuer.tokenRequests).toEqual([]);
  });
});

describe('renewal and the end', () => {
  async function connected(): Promise<string> {
    const { id, link } = await begin();
    await newBrowser().go(link);
    await grantAll();
    issuer.tokenRequests.length = 0;
    return id;
  }

  test('R-oauth: fifty calls on a token that ran out renew it once', async () => {
    await connected();
    issuer.tokenDelayMs = 100;
    helve.advance(3_600_000);
    const results = await Promise.all(Array.from({ length: 50 }, () => helve.call('work__who_am_i')));
    expect(results.filter(({ ok }) => ok)).toHaveLength(50);
    expect(issuer.tokenRequests).toEqual([{ grant: 'refresh_token', status: 200 }]);
  });

  test('R-oauth: a token that the service refuses before it expires is renewed once, and the call continues', async () => {
    await connected();
    expect((await helve.call('work__who_am_i')).ok).toBe(true);
    issuer.expireTokens();
    const results = await Promise.all(Array.from({ length: 20 }, () => helve.call('work__who_am_i')));
    expect(results.filter(({ ok }) => ok)).toHaveLength(20);
    expect(issuer.tokenRequests).toEqual([{ grant: 'refresh_token', status: 200 }]);
  });

  test('R-oauth: a lost answer breaks the connection once, with its reason, and no further request is sent', async () => {
    const id = await connected();
    issuer.loseTokenAnswers = 1;
    helve.advance(3_600_000);
    expect(await helve.call('work__who_am_i')).toMatchObject({ ok: false, error: { code: 'upstream_failed' } });
    helve.advance(5_000);
    // The provider has used up the old refresh token and treats its second use as theft.
    expect(await helve.call('work__who_am_i')).toMatchObject({ ok: false, error: { code: 'connection_inaccessible' } });
    expect(await helve.plane.connection(helve.admin, id)).toMatchObject({
      status: 'expired',
      reason: expect.stringContaining('invalid_grant'),
    });
    const asked = issuer.tokenRequests.length;
    expect(await helve.call('work__who_am_i')).toMatchObject({ rule: 'connection.status' });
    expect(issuer.tokenRequests.length).toBe(asked);
  });

  test('R-oauth: disconnecting ends it here immediately, and at the provider', async () => {
    const id = await connected();
    const { revocation } = await helve.plane.disconnect(helve.admin, id);
    expect(revocation).toBe('revoked');
    expect(issuer.revocations).toHaveLength(1);
    expect(await helve.call('work__who_am_i')).toMatchObject({
      ok: false,
      error: { message: 'Connection not accessible' },
    });
  });

  test('R-oauth: the kill switch ends every connection of the workspace', async () => {
    await connected();
    issuer.account = 'bob';
    await newBrowser().go((await begin('Home')).link);
    const reports = await helve.plane.disconnectAll(helve.admin);
    expect(reports.map(({ revocation }) => revocation)).toEqual(['revoked', 'revoked']);
    expect((await helve.plane.connections(helve.admin)).map(({ status }) => status)).toEqual(['revoked', 'revoked']);
  });
});
