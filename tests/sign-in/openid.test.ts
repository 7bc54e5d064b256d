/** Signing in with an account at a real OpenID provider: who is let in, as what, and for how long. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startIdentityProvider, type TestIdentityProvider } from './support/identity-provider.js';
import { callbackUrl, openScene, publicUrl, type Scene } from './support/scene.js';

const roles = { admin: ['owners'], auditor: ['checkers'], member: ['staff', 'checkers'] };
const ada = { sub: '7', email: 'ada@example.com', email_verified: true, name: 'Ada', groups: ['staff'] };

let acme: TestIdentityProvider;
let scene: Scene;

beforeEach(async () => {
  acme = await startIdentityProvider([callbackUrl('acme')]);
  acme.person = ada;
});
afterEach(async () => {
  await scene.close();
  await acme.close();
});

const open = async (more: object = { roles, create_users: true }, settings: object = {}): Promise<Scene> => {
  scene = await openScene([acme.config('acme', { title: 'Acme <Login>', ...more })], settings);
  return scene;
};
const invite = async (email: string, role: 'admin' | 'member' = 'member') =>
  (await scene.helve.plane.createUser(scene.helve.admin, { name: 'Invited', email, role })).user;

describe('the way in', () => {
  test('R-people: the sign-in page has a button for each provider, escaped, and leads back to the page that was asked for', async () => {
    await open();
    const page = await (await scene.app.request('/approvals/7?a=b')).text();
    expect(page).toContain(
      '<a class="button" href="/admin/login/acme?return_to=%2Fapprovals%2F7%3Fa%3Db">Sign in with Acme &lt;Login&gt;</a>',
    );
    expect(page).toContain('helve admin');
    expect(await (await scene.app.request('/admin/login')).text()).toContain('href="/admin/login/acme"');
    const asked = await scene.app.request('/admin/login?return_to=%2Fpanel%2Fcalls');
    expect(await asked.text()).toContain('href="/admin/login/acme?return_to=%2Fpanel%2Fcalls"');
    const foreign = await scene.app.request('/admin/login?return_to=%2F%2Fevil.example');
    expect(await foreign.text()).not.toContain('evil.example');
    const { url, status, cookie } = await scene.signIn('acme', { returnTo: '/admin?from=here' });
    expect([url, status]).toEqual([`${publicUrl}/admin?from=here`, 200]);
    expect(await scene.whoIs(cookie)).toMatchObject({ name: 'Ada', role: 'member' });
  });

  test('R-people: asks with PKCE, state and nonce, at an address that is the provider’s own, and over https with a cookie of this host', async () => {
    await open();
    const response = await scene.app.request('/admin/login/acme');
    const asked = new URL(response.headers.get('location') ?? '');
    expect(asked.origin + asked.pathname).toBe(`${acme.url}/auth`);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      response_type: 'code',
      redirect_uri: callbackUrl('acme'),
      scope: 'openid profile email groups',
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(response.headers.get('set-cookie')).toMatch(
      /^helve_sign_in_acme=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const { createHttpApp } = await import('../../src/surfaces/http/index.js');
    const secure = createHttpApp({ plane: scene.helve.plane, publicUrl: 'https://helve.example' });
    const over = await secure.request('https://helve.example/admin/login/acme', { headers: { host: 'helve.example' } });
    expect(over.headers.get('set-cookie')).toMatch(
      /^__Host-helve_sign_in_acme=[\w-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test('R-people: the sign-in is on record, and the session ends as the settings say', async () => {
    await open();
    const { cookie } = await scene.signIn('acme');
    const rows = await scene.helve.audited();
    const used = rows.find(({ type, body }) => type === 'credential.used' && body.kind === 'identity');
    expect(used).toMatchObject({ actor: { kind: 'user', name: 'Ada' }, body: { provider: 'acme' } });
    expect(rows.find(({ type, actor }) => type === 'user.created' && actor.name === 'Ada')?.body).toMatchObject({
      role: 'member',
      provider: 'acme',
      subject: '7',
    });
    expect(JSON.stringify(rows)).not.toContain(acme.clientSecret);
    scene.helve.advance(119 * 60_000);
    expect(await scene.whoIs(cookie)).toBeDefined();
    scene.helve.advance(121 * 60_000);
    expect(await scene.whoIs(cookie)).toBeUndefined();
    const { cookie: again } = await scene.signIn('acme');
    for (let hour = 1; hour < 12; hour++) {
      scene.helve.advance(60 * 60_000);
      expect(await scene.whoIs(again), `hour ${hour}`).toBeDefined();
    }
    scene.helve.advance(61 * 60_000);
    expect(await scene.whoIs(again)).toBeUndefined();
  });

  test('R-people: groups and address may be only in UserInfo, and groups below another claim', async () => {
    acme.claimsInToken = false;
    await open();
    expect(await scene.whoIs((await scene.signIn('acme')).cookie)).toMatchObject({ role: 'member', name: 'Ada' });
    expect(acme.paths).toContain('/me');
    await scene.close();
    acme.claimsInToken = true;
    acme.forge = ({ groups, ...claims }) => ({ ...claims, realm: { 'app.roles': 'owners', roles: groups } });
    await open({ roles, create_users: true, groups_claim: 'realm.roles' });
    expect(await scene.whoIs((await scene.signIn('acme')).cookie)).toMatchObject({ role: 'member' });
  });
});

describe('who is let in', () => {
  test('R-people: the same person is found again by issuer and subject, whatever else has changed', async () => {
    await open();
    const first = await scene.whoIs((await scene.signIn('acme')).cookie);
    acme.person = { ...ada, email: 'new@example.com', name: 'Countess' };
    expect(await scene.whoIs((await scene.signIn('acme')).cookie)).toEqual(first);
    // The control: another subject with the same address and name is somebody else, and is not let in as the first.
    acme.person = { ...ada, sub: '8' };
    const other = await scene.signIn('acme');
    expect([other.status, other.cookie]).toEqual([403, '']);
    expect(other.page).toContain('but not with');
    acme.person = { ...ada, sub: '8', email: 'eve@example.com' };
    const somebody = await scene.whoIs((await scene.signIn('acme')).cookie);
    expect(somebody?.id).not.toBe(first?.id);
  });

  test('R-people: without create_users only an invited person is let in, by a verified address, once', async () => {
    await open({ roles });
    const refused = await scene.signIn('acme');
    expect([refused.status, refused.cookie]).toEqual([403, '']);
    expect(refused.page).toContain('Nobody here has invited ada@example.com');
    const user = await invite('Ada@Example.com');
    for (const person of [
      { ...ada, email_verified: false },
      { ...ada, email: 'ada@example.com.evil.example' },
    ]) {
      acme.person = person;
      expect((await scene.signIn('acme')).status).toBe(403);
    }
    acme.person = ada;
    expect(await scene.whoIs((await scene.signIn('acme')).cookie)).toMatchObject({ id: user.id, name: 'Invited' });
    expect((await scene.users()).find(({ id }) => id === user.id)?.status).toBe('active');
    // The invitation is used up: the same address with another subject is not that person.
    acme.person = { ...ada, sub: 'thief' };
    expect((await scene.signIn('acme')).status).toBe(403);
  });

  test('R-people: attack: the address of one document is not verified by the flag of another', async () => {
    await open({ roles });
    await invite('ada@example.com');
    acme.claimsInToken = false;
    acme.person = { ...ada, sub: 'eve', email: 'eve@example.com', email_verified: true };
    acme.forge = (claims) => ({ ...claims, email: 'ada@example.com' });
    expect(await scene.signIn('acme')).toMatchObject({ status: 403, cookie: '' });
    // The control: UserInfo says both.
    acme.person = { ...acme.person, email: 'ada@example.com' };
    expect((await scene.signIn('acme')).cookie).not.toBe('');
  });

  test('R-people: attack: an address with letters that only look the same in lower case is another one', async () => {
    await open({ roles });
    await invite('Kim@Example.com');
    // The sign for kelvin becomes a k in lower case.
    acme.person = { ...ada, email: '\u212aim@example.com' };
    expect(await scene.signIn('acme')).toMatchObject({ status: 403, cookie: '' });
    acme.person = { ...ada, email: 'kIM@example.com' };
    expect((await scene.signIn('acme')).cookie).not.toBe('');
  });

  test('R-people: an address that two people have lets in as neither, and the flag of an address may be text', async () => {
    await open({ roles });
    acme.forge = (claims) => ({ ...claims, email_verified: 'true' });
    const [first] = [await invite('ada@example.com'), await invite('ada@example.com')];
    expect((await scene.signIn('acme')).status).toBe(403);
    await scene.helve.plane.removeUser(scene.helve.admin, first.id);
    acme.forge = (claims) => ({ ...claims, email_verified: 'false' });
    expect((await scene.signIn('acme')).status).toBe(403);
    acme.forge = (claims) => ({ ...claims, email_verified: 'true' });
    expect((await scene.signIn('acme')).cookie).not.toBe('');
  });

  test('R-people: without roles in the settings, an invited person keeps the role of the invitation', async () => {
    await open({});
    await invite('ada@example.com', 'admin');
    acme.person = { ...ada, groups: [] };
    expect(await scene.whoIs((await scene.signIn('acme')).cookie)).toMatchObject({ role: 'admin' });
  });

  test('R-people: groups give the role at each sign-in, the highest wins, and open sessions follow', async () => {
    await open();
    const { cookie } = await scene.signIn('acme');
    const steps: [groups: string[], role: string][] = [
      [['staff', 'owners', 'none'], 'admin'],
      [['checkers'], 'auditor'],
      [['staff'], 'member'],
    ];
    for (const [groups, role] of steps) {
      acme.person = { ...ada, groups };
      expect(await scene.whoIs((await scene.signIn('acme')).cookie)).toMatchObject({ role });
      // The cache of a second.
      scene.helve.advance(1_100);
      expect(await scene.whoIs(cookie)).toMatchObject({ role });
      const may = await scene.app.request('/api/users', { headers: { cookie } });
      expect(may.status).toBe(role === 'member' ? 403 : 200);
    }
    const changes = (await scene.helve.audited()).filter(
      ({ type, actor }) => type === 'user.changed' && actor.name === 'Ada',
    );
    expect(changes.map(({ body }) => body.role)).toEqual(['admin', 'auditor', 'member']);
  });

  test('R-people: somebody without a group is refused with a page that says so, and what was open ends', async () => {
    await open();
    const { cookie } = await scene.signIn('acme');
    expect(await scene.whoIs(cookie)).toBeDefined();
    for (const groups of [[], ['others'], undefined]) {
      const { groups: _, ...rest } = ada;
      acme.person = groups === undefined ? rest : { ...rest, groups };
      const refused = await scene.signIn('acme');
      expect([refused.status, refused.cookie]).toEqual([403, '']);
      expect(refused.page).toContain('None of your groups at Acme &lt;Login&gt;');
    }
    scene.helve.advance(1_100);
    expect(await scene.whoIs(cookie)).toBeUndefined();
    expect(await scene.refusals()).toContainEqual(
      expect.objectContaining({ reason: 'sign-in refused', provider: 'acme', code: 'forbidden' }),
    );
    acme.person = ada;
    expect(await scene.whoIs((await scene.signIn('acme')).cookie)).toBeDefined();
  });

  test('R-people: a disabled person is refused, and let in again once enabled', async () => {
    await open();
    const { cookie } = await scene.signIn('acme');
    const id = (await scene.whoIs(cookie))?.id ?? '';
    await scene.helve.plane.changeUser(scene.helve.admin, id, { disabled: true });
    const refused = await scene.signIn('acme');
    expect([refused.status, refused.cookie]).toEqual([403, '']);
    expect(refused.page).toContain('Ada is disabled here');
    await scene.helve.plane.changeUser(scene.helve.admin, id, { disabled: false });
    expect(await scene.whoIs((await scene.signIn('acme')).cookie)).toMatchObject({ id });
  });

  test('R-people: the last active admin is not demoted by a change of groups', async () => {
    await open();
    acme.person = { ...ada, groups: ['owners'] };
    const { cookie } = await scene.signIn('acme');
    const id = (await scene.whoIs(cookie))?.id;
    for (const user of await scene.users())
      if (user.id !== id) await scene.helve.plane.changeUser(scene.helve.admin, user.id, { disabled: true });
    acme.person = { ...ada, groups: ['staff'] };
    const refused = await scene.signIn('acme');
    expect([refused.status, refused.cookie]).toEqual([409, '']);
    expect(refused.page).toContain('last active admin');
    expect(await scene.whoIs(cookie)).toMatchObject({ role: 'admin' });
  });

  test('R-people: somebody who was removed is a stranger again', async () => {
    await open();
    const id = (await scene.whoIs((await scene.signIn('acme')).cookie))?.id ?? '';
    await scene.helve.plane.removeUser(scene.helve.admin, id);
    const again = await scene.whoIs((await scene.signIn('acme')).cookie);
    expect(again?.id).not.toBe(id);
  });

  test('R-people: a provider signs in to its own workspace only', async () => {
    await open({ roles, create_users: true, workspace: 'second' });
    const before = await scene.signIn('acme');
    expect([before.status, before.cookie]).toEqual([500, '']);
    const { workspaceId } = await scene.helve.ensureWorkspace('second');
    const { cookie } = await scene.signIn('acme');
    const session = await (await scene.app.request('/api/session', { headers: { cookie } })).json();
    expect(session).toMatchObject({ workspace: { id: workspaceId } });
    expect((await scene.users()).map(({ name }) => name)).not.toContain('Ada');
  });
});
