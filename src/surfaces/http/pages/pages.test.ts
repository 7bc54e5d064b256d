import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Plane } from '../../../domain/plane.js';
import { allPermissions } from '../../../domain/principal.js';
import { createTestHelve, type TestHelve, testTool } from '../../../testing/index.js';
import { createHttpApp, type HttpApp } from '../index.js';

const own = 'http://localhost';
let helve: TestHelve;
let app: HttpApp;

beforeEach(async () => {
  helve = await createTestHelve({ tools: [testTool({ name: 'guarded', highRisk: true })] });
  app = createHttpApp({ plane: helve.plane, publicUrl: own });
});

function post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}, to = app) {
  return to.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: own, ...headers },
    body: new URLSearchParams(fields).toString(),
  });
}

async function logIn(): Promise<string> {
  const response = await post('/admin/login', { token: await helve.adminLink(helve.workspaceId) });
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

async function pending(input: Record<string, unknown>): Promise<string> {
  await helve.call('guarded', input);
  const [approval] = await helve.plane.approvals(helve.admin, { status: 'pending' });
  return approval!.id;
}

describe('logging in', () => {
  test('R-rest: opening the link uses nothing up; the button does, once', async () => {
    const token = await helve.adminLink(helve.workspaceId);
    for (let look = 0; look < 2; look++) {
      const page = await app.request(`/admin/login?token=${token}`);
      expect(await page.text()).toContain(`value="${token}"`);
    }
    const done = await post('/admin/login', { token });
    expect([done.status, done.headers.get('location')]).toEqual([303, '/']);
    expect((await app.request('/')).headers.get('location')).toBe('/admin');
    const cookie = done.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^helve_session=helve_session_[\w-]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/);
    const again = await post('/admin/login', { token });
    expect(again.status).toBe(401);
    const told = await again.text();
    expect(told).toContain('helve admin');
    // `helve admin` signs in the admin. People who were invited need a link of their own.
    expect(told).toContain('helve users link');
    expect(await (await app.request('/admin/login')).text()).toContain('helve users link');
  });

  test('R-rest: behind https the cookie is Secure', async () => {
    const secure = createHttpApp({ plane: helve.plane, publicUrl: 'https://localhost' });
    const token = await helve.adminLink(helve.workspaceId);
    const done = await post('/admin/login', { token }, { origin: 'https://localhost' }, secure);
    expect(done.headers.get('set-cookie')).toContain('; Secure');
  });

  test('R-rest: another site’s form cannot log anyone in, and the token in the page is escaped', async () => {
    const token = await helve.adminLink(helve.workspaceId);
    const foreign = await post('/admin/login', { token }, { origin: 'https://evil.example' });
    expect([foreign.status, foreign.headers.get('set-cookie')]).toEqual([403, null]);
    // The link was not used by this: the same token still signs in from our own page.
    const own = await post('/admin/login', { token });
    expect(own.headers.get('set-cookie')).toMatch(/helve_session=helve_session_/);
    const page = await (await app.request(`/admin/login?token=${encodeURIComponent('"><script>x')}`)).text();
    expect(page).toContain('&lt;script&gt;x');
    expect(page).not.toContain('<script>');
  });
});

describe('the overview', () => {
  test('R-panel: the pages have the colours of the panel, which people come from and go to', async () => {
    const panel = await readFile(fileURLToPath(new URL('../../../../panel/src/tokens.css', import.meta.url)), 'utf8');
    const style = await (await app.request('/assets/helve.css')).text();
    const pairs = [...panel.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]+), (#[0-9a-f]+)\);/g)];
    const own: Record<string, string> = { ground: 'back', surface: 'card', failed: 'bad', ok: 'good' };
    const shared = pairs.map(([, name = '', ...colours]) => ({ name: own[name] ?? name, colours }));
    const used = shared.filter(({ name }) => style.includes(`--${name}: `));
    expect(used).toHaveLength(9);
    for (const { name, colours } of used)
      expect([...style.matchAll(new RegExp(`--${name}: (#[0-9a-f]+);`, 'g'))].map(([, colour]) => colour)).toEqual(
        colours,
      );
  });

  test('R-rest: without a session the page says how to get one', async () => {
    for (const path of ['/admin', '/approvals/any']) {
      const page = await app.request(path);
      expect(page.status).toBe(401);
      expect(await page.text()).toContain('helve admin');
    }
  });

  test('R-rest: who you are, waiting calls with exact arguments, what happened; everything escaped, no script', async () => {
    await pending({ note: '<img src=x onerror=alert(1)>"\'&' });
    const page = await app.request('/admin', { headers: { cookie: await logIn() } });
    const text = await page.text();
    expect(page.status).toBe(200);
    expect(text).toContain(helve.admin.name);
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(text).not.toMatch(/<img|<script|style=|onclick/);
    expect(text).toContain('refused');
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const style = await app.request('/assets/helve.css');
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
  });

  test('R-rest: only a person has sessions to sign out of', async () => {
    const { secret } = await helve.plane.createApiKey(helve.admin, { permissions: allPermissions });
    const shown = async (headers: Record<string, string>) => (await app.request('/admin', { headers })).text();
    expect(await shown({ cookie: await logIn() })).toContain('Sign out');
    expect(await shown({ authorization: `Bearer ${secret}` })).not.toContain('Sign out');
  });

  test('leak: internal errors reach no page, and are in the log', async () => {
    const inner = 'open /var/lib/helve/keys failed';
    const breaks = () => Promise.reject(new Error(inner));
    const reportError = vi.fn();
    const plane: Plane = { ...helve.plane, approvals: breaks, showSignIn: breaks, redeemAdminLink: breaks };
    const broken = createHttpApp({ plane, publicUrl: own, reportError });
    for (const answer of [
      await broken.request('/admin', { headers: { cookie: await logIn() } }),
      await broken.request('/connect/any'),
      await post('/admin/login', { token: 'any' }, {}, broken),
    ]) {
      expect(answer.status).toBe(500);
      expect(await answer.text()).not.toContain(inner);
    }
    expect(reportError).toHaveBeenCalledTimes(3);
  });
});

describe('deciding', () => {
  test('R-approval: the button approves, through the page, and the call runs once', async () => {
    const id = await pending({ a: 1 });
    const cookie = await logIn();
    expect(await (await app.request(`/approvals/${id}`, { headers: { cookie } })).text()).toContain(
      'Approve this call',
    );
    const done = await post(`/approvals/${id}`, { decision: 'approved' }, { cookie });
    expect([done.status, done.headers.get('location')]).toEqual([303, `/approvals/${id}`]);
    expect(await helve.plane.approval(helve.admin, id)).toMatchObject({ status: 'approved', decidedThrough: 'page' });
    expect((await helve.call('guarded', { a: 1 })).ok).toBe(true);
    expect(await (await app.request(`/approvals/${id}`, { headers: { cookie } })).text()).toContain(
      'Approved and used',
    );
    expect((await post(`/approvals/${id}`, { decision: 'rejected' }, { cookie })).status).toBe(409);
  });

  test('R-approval: a cookie without our own Origin decides nothing, by form or by API, and the refusal is recorded', async () => {
    const id = await pending({ a: 1 });
    const cookie = await logIn();
    const form = { 'content-type': 'application/x-www-form-urlencoded', cookie };
    const body = 'decision=approved';
    expect((await app.request(`/approvals/${id}`, { method: 'POST', headers: form, body })).status).toBe(403);
    expect((await post(`/approvals/${id}`, { decision: 'approved' }, { cookie, origin: 'null' })).status).toBe(403);
    const allowing = createHttpApp({ plane: helve.plane, publicUrl: own, allowedOrigins: ['https://panel.example'] });
    const panel = await post(
      `/approvals/${id}`,
      { decision: 'approved' },
      { cookie, origin: 'https://panel.example' },
      allowing,
    );
    expect(panel.status).toBe(403);
    const api = await app.request(`/api/approvals/${id}/decision`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: '{"decision":"approved"}',
    });
    expect(api.status).toBe(403);
    expect((await helve.plane.approval(helve.admin, id)).status).toBe('pending');
    expect((await helve.audited()).at(-1)?.body).toMatchObject({ reason: 'cross-site request' });
  });

  test('R-approval: with our own Origin the cookie works for the API too', async () => {
    const id = await pending({ a: 1 });
    const response = await app.request(`/api/approvals/${id}/decision`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: await logIn(), origin: own },
      body: '{"decision":"rejected"}',
    });
    expect(await response.json()).toMatchObject({ status: 'rejected', decidedThrough: 'api' });
  });

  test('R-approval: the page names the account that would act, also one that is gone, and none if none would', async () => {
    const id = await pending({ a: 1 });
    const approval = await helve.plane.approval(helve.admin, id);
    const cookie = await logIn();
    const shown = async (more: Partial<typeof approval>) => {
      const plane: Plane = { ...helve.plane, approval: async () => ({ ...approval, ...more }) };
      const page = await createHttpApp({ plane, publicUrl: own }).request(`/approvals/${id}`, { headers: { cookie } });
      return page.text();
    };
    expect(await shown({})).not.toContain('with a');
    expect(await shown({ connectionId: 'gone' })).toContain('with an account that no longer exists (gone)');
  });

  test('R-approval: an invalid decision gets an error page', async () => {
    const cookie = await logIn();
    const unknown = await app.request('/approvals/none', { headers: { cookie } });
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    const id = await pending({ a: 1 });
    expect((await post(`/approvals/${id}`, { decision: 'maybe' }, { cookie })).status).toBe(400);
    const json = await post(`/approvals/${id}`, {}, { cookie, 'content-type': 'application/json' });
    expect(json.status).toBe(415);
  });
});
