/** A person's session: what its cookie accepts, and how it ends. */
import { beforeEach, describe, expect, test } from 'vitest';
import { allPermissions } from '../../../domain/principal.js';
import { createTestHelve, type TestHelve } from '../../../testing/index.js';
import { createHttpApp, type HttpApp } from '../index.js';

const own = 'http://localhost';
let helve: TestHelve;
let app: HttpApp;

beforeEach(async () => {
  helve = await createTestHelve();
  app = createHttpApp({ plane: helve.plane, publicUrl: own });
});

function post(path: string, fields: Record<string, string>, cookie = '', to = app, origin = own) {
  return to.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin, cookie },
    body: new URLSearchParams(fields).toString(),
  });
}

async function signIn(to = app, origin = own): Promise<string> {
  const done = await post('/admin/login', { token: await helve.adminLink(helve.workspaceId) }, '', to, origin);
  return done.headers.get('set-cookie')?.split(';')[0] ?? '';
}

const show = async (cookie: string, to = app) => (await to.request('/admin', { headers: { cookie } })).status;
const rest = (method: string, path: string, headers: Record<string, string>) => app.request(path, { method, headers });
const rows = async (type: string) => (await helve.audited()).filter((event) => event.type === type);

describe('the cookie', () => {
  test('R-rest: accepts a session, and neither a token nor a key nor a link, on pages, in REST and where programs are authorised', async () => {
    const { secret: token } = await helve.plane.issueAgentToken(helve.admin, 'tester', {});
    const { secret: key } = await helve.plane.createApiKey(helve.admin, { permissions: allPermissions });
    const link = await helve.adminLink(helve.workspaceId);
    for (const secret of [token, key, link]) {
      const cookie = `helve_session=${secret}`;
      expect(await show(cookie)).toBe(401);
      expect((await rest('GET', '/api/tools/workspace', { cookie })).status).toBe(401);
      const made = await rest('POST', '/api/admin-links', { cookie, origin: own });
      expect(made.status).toBe(401);
      expect((await post('/oauth/authorize', { decision: 'approved' }, cookie)).status).toBe(401);
    }
    const cookie = await signIn();
    expect(await show(cookie)).toBe(200);
    expect((await rest('GET', '/api/tools/workspace', { cookie })).status).toBe(200);
    expect((await rest('POST', '/api/admin-links', { cookie, origin: own })).status).toBe(201);
  });

  test('R-rest: changes things only from Helve’s own pages, and reads from anywhere', async () => {
    app = createHttpApp({
      plane: helve.plane,
      publicUrl: 'https://helve.example',
      allowedOrigins: ['https://panel.example'],
    });
    const { session } = await helve.plane.redeemAdminLink(await helve.adminLink(helve.workspaceId));
    const cookie = `__Host-helve_session=${session}`;
    const make = async (origin: Record<string, string>) =>
      (await rest('POST', '/api/admin-links', { cookie, host: 'localhost:4870', ...origin })).status;
    // By the name that the operator configured, and by the address of the request.
    for (const origin of ['https://helve.example', 'http://localhost:4870', 'https://localhost:4870'])
      expect(await make({ origin }), origin).toBe(201);
    for (const origin of ['https://panel.example', 'http://helve.example', 'http://localhost:4871', 'null'])
      expect(await make({ origin }), origin).toBe(403);
    expect(await make({})).toBe(403);
    expect((await rows('request.refused')).at(-1)?.body).toMatchObject({ reason: 'cross-site request' });
    for (const method of ['GET', 'HEAD'])
      expect((await rest(method, '/api/tools/workspace', { cookie, host: 'localhost:4870' })).status).toBe(200);
  });

  test('R-rest: over https the cookie is bound to the host, and the plain name is not read', async () => {
    const origin = 'https://helve.example';
    const secure = createHttpApp({ plane: helve.plane, publicUrl: origin });
    const to = async (path: string, cookie: string) =>
      (await secure.request(path, { headers: { cookie, host: 'helve.example' } })).status;
    const done = await secure.request('/admin/login', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin, host: 'helve.example' },
      body: new URLSearchParams({ token: await helve.adminLink(helve.workspaceId) }).toString(),
    });
    const cookie = done.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      /^__Host-helve_session=helve_session_[\w-]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const [pair = ''] = cookie.split(';');
    expect(await to('/admin', pair)).toBe(200);
    expect(await to('/admin', pair.replace('__Host-', ''))).toBe(401);
  });
});

describe('signing out', () => {
  test('R-rest: the button on the page ends the session, clears the cookie and is on record', async () => {
    const [mine, other] = [await signIn(), await signIn()];
    expect(await (await app.request('/admin', { headers: { cookie: mine } })).text()).toContain(
      'action="/admin/logout"',
    );
    const done = await post('/admin/logout', {}, mine);
    expect(done.status).toBe(200);
    expect(done.headers.get('set-cookie')).toMatch(/^helve_session=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/);
    expect([await show(mine), await show(other)]).toEqual([401, 200]);
    expect((await rows('credential.revoked')).at(-1)).toMatchObject({ actor: { kind: 'user' } });
  });

  test('R-rest: another site’s form cannot sign anyone out', async () => {
    const cookie = await signIn();
    expect((await post('/admin/logout', {}, cookie, app, 'https://evil.example')).status).toBe(403);
    expect(await show(cookie)).toBe(200);
  });

  test('R-rest: in REST, of this session or of all; never of another person’s credentials', async () => {
    const [first, second, third] = [await signIn(), await signIn(), await signIn()];
    const { secret: key } = await helve.plane.createApiKey(helve.admin, { permissions: allPermissions });
    expect((await rest('DELETE', '/api/session', { cookie: first, origin: own })).status).toBe(204);
    expect([await show(first), await show(second), await show(third)]).toEqual([401, 200, 200]);
    const all = await rest('DELETE', '/api/sessions', { cookie: second, origin: own });
    // The test's own admin also has a session.
    expect([all.status, await all.json()]).toEqual([200, { ended: 3 }]);
    expect([await show(second), await show(third)]).toEqual([401, 401]);
    expect((await rest('GET', '/api/agents', { authorization: `Bearer ${key}` })).status).toBe(200);
  });

  test('R-rest: the page signs out everywhere too', async () => {
    const [first, second] = [await signIn(), await signIn()];
    expect((await post('/admin/logout', { everywhere: 'yes' }, first)).status).toBe(200);
    expect([await show(first), await show(second)]).toEqual([401, 401]);
  });

  test('R-rest: a key or an agent’s token has no session to end', async () => {
    const cookie = await signIn();
    const { secret: key } = await helve.plane.createApiKey(helve.admin, { permissions: allPermissions });
    const { secret: token } = await helve.plane.issueAgentToken(helve.admin, 'tester', {});
    for (const secret of [key, token])
      for (const path of ['/api/session', '/api/sessions'])
        expect((await rest('DELETE', path, { authorization: `Bearer ${secret}` })).status).toBe(403);
    expect(await show(cookie)).toBe(200);
  });
});

describe('time', () => {
  test('R-rest: a session that is unused for two hours ends, which is recorded', async () => {
    const [used, idle] = [await signIn(), await signIn()];
    for (let hour = 0; hour < 3; hour++) {
      helve.advance(60 * 60_000);
      expect(await show(used)).toBe(200);
    }
    expect(await show(idle)).toBe(401);
    expect((await rows('credential.revoked')).at(-1)?.body).toMatchObject({ reason: 'idle' });
    const before = (await rows('credential.revoked')).length;
    expect(await show(idle)).toBe(401);
    expect(await rows('credential.revoked')).toHaveLength(before);
  });

  test('R-rest: a session ends after twelve hours, however much it is used', async () => {
    const cookie = await signIn();
    for (let hour = 1; hour < 12; hour++) {
      helve.advance(60 * 60_000);
      expect(await show(cookie), `hour ${hour}`).toBe(200);
    }
    helve.advance(61 * 60_000);
    expect(await show(cookie)).toBe(401);
  });

  test('R-rest: both times are settings', async () => {
    helve = await createTestHelve({ config: 'sessions: { idle_minutes: 10, absolute_hours: 1 }' });
    app = createHttpApp({ plane: helve.plane, publicUrl: own });
    const [idle, used] = [await signIn(), await signIn()];
    helve.advance(9 * 60_000);
    expect(await show(used)).toBe(200);
    helve.advance(2 * 60_000);
    expect([await show(idle), await show(used)]).toEqual([401, 200]);
    for (let minute = 19; minute < 60; minute += 8) {
      helve.advance(8 * 60_000);
      expect(await show(used), `minute ${minute}`).toBe(200);
    }
    helve.advance(2 * 60_000);
    expect(await show(used)).toBe(401);
  });
});
