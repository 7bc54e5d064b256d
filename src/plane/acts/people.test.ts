/** People: what each role may do, how they are invited, disabled and removed, and what becomes of their sessions and accounts. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Principal, Role, User } from '../../domain/principal.js';
import { rolePermissions, roles } from '../../domain/roles.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';
import { newSecret, sha256 } from '../../util/hash.js';
import { vault } from './testing/vault-toolkit.js';

let helve: TestHelve;
beforeEach(async () => {
  const tools = vault.load;
  helve = await createTestHelve({
    toolkits: [{ ...vault, load: async () => [...(await tools()), testTool({ name: 'empty_vault', highRisk: true })] }],
    tools: [testTool({ name: 'guarded', highRisk: true })],
    connections: [{ toolkit: 'vault', name: 'Shared', credentials: { token: 'shared' } }],
  });
});
afterEach(() => helve.close());

const secretIn = (link: string): string => link.slice(link.indexOf('token=') + 'token='.length);

/** Somebody who was invited, and has signed in. */
async function join(role: Role, name = role as string): Promise<{ by: Principal; session: string; id: string }> {
  const { user, link } = await helve.plane.createUser(helve.admin, { name, role });
  const { principal, session } = await helve.plane.redeemAdminLink(secretIn(link));
  return { by: principal, session, id: user.id };
}

const code = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => 'done',
    (error) => error.code,
  );

describe('R-people: roles', () => {
  test('R-people: nobody makes anybody more powerful than themselves, nor acts on somebody who is', async () => {
    const { plane, admin } = helve;
    const key = await plane.createApiKey(admin, {
      permissions: ['users:read', 'users:write', ...rolePermissions.member],
    });
    const by = await plane.authenticate(key.secret);
    const { user } = await plane.createUser(by, { name: 'Mia', role: 'member' });
    const attempts = [
      plane.createUser(by, { name: 'Eve', role: 'admin' }),
      plane.createUser(by, { name: 'Eve', role: 'auditor' }),
      plane.changeUser(by, user.id, { role: 'admin' }),
      plane.changeUser(by, admin.id, { disabled: true }),
      plane.removeUser(by, admin.id),
      plane.issueSignInLink(by, admin.id),
    ];
    expect(await Promise.all(attempts.map(code))).toEqual(attempts.map(() => 'forbidden'));
    expect((await plane.users(admin)).map(({ role }) => role).toSorted()).toEqual(['admin', 'member']);
  });

  test('R-people: a person is named by id, address or name; an address never means somebody who is called like it', async () => {
    const { plane, admin } = helve;
    const { user: mia } = await plane.createUser(admin, { name: 'Mia', role: 'member', email: 'mia@example.com' });
    const { user: bo } = await plane.createUser(admin, { name: 'Bo', role: 'member' });
    const { user: namesake } = await plane.createUser(admin, { name: 'Bo', role: 'member' });
    await plane.createUser(admin, { name: 'ada@example.com', role: 'member' });
    for (const named of [mia.id, 'mia@example.com', 'Mia'])
      expect(await plane.changeUser(admin, named, { role: 'auditor' })).toMatchObject({ id: mia.id, role: 'auditor' });
    expect((await plane.issueSignInLink(admin, 'Mia')).link).toContain('token=');
    await expect(plane.changeUser(admin, 'ada@example.com', { role: 'admin' })).rejects.toMatchObject({
      code: 'not_found',
      hint: expect.stringContaining('a name'),
    });
    const ids = [bo.id, namesake.id].toSorted();
    const error = await plane.removeUser(admin, 'Bo').catch((thrown) => thrown);
    expect([error.code, error.hint.match(/[0-9a-f-]{36}/g).toSorted()]).toEqual(['ambiguous', ids]);
    await plane.removeUser(admin, 'Mia');
    expect((await plane.users(admin)).map(({ id }) => id)).not.toContain(mia.id);
  });

  /** Does this in the moment after a person was read for the nth time. */
  function afterReading(id: string, nth: number, change: (user: User) => Promise<unknown>): void {
    const storage = helve.storage as { workspace: TestHelve['storage']['workspace'] };
    const { workspace } = storage;
    let read = 0;
    storage.workspace = (workspaceId) => {
      const found = workspace(workspaceId);
      const findUser = async (wanted: string) => {
        const user = await found.findUser(wanted);
        if (user && wanted === id && ++read === nth) await change(user);
        return user;
      };
      return { ...found, findUser };
    };
  }

  test('attack: whoever is disabled while somebody renames them, or while they come for the first time, stays disabled', async () => {
    const { plane, admin } = helve;
    const { id } = await join('admin', 'Eve');
    /** As another process does it. */
    const disable = (person: User) =>
      helve.storage
        .workspace(helve.workspaceId)
        .change([], (tables) => tables.changeUser({ ...person, status: 'disabled', role: 'member' }));
    afterReading(id, 1, disable);
    await plane.changeUser(admin, id, { name: 'Evelyn' });
    const { user, link } = await plane.createUser(admin, { name: 'Bob', role: 'admin' });
    // The link is looked up first, and then the person is welcomed.
    afterReading(user.id, 2, disable);
    expect(await code(plane.redeemAdminLink(secretIn(link)))).toBe('forbidden');
    const people = new Map((await plane.users(admin)).map((one) => [one.id, one]));
    expect(people.get(id)).toMatchObject({ name: 'Evelyn', role: 'member', status: 'disabled' });
    expect(people.get(user.id)).toMatchObject({ name: 'Bob', status: 'disabled' });
  });

  test('attack: whoever is disabled while they sign in, or get a link, has neither a session nor a link once they are enabled', async () => {
    const { plane, admin } = helve;
    const { id } = await join('member', 'Eve');
    const workspace = helve.storage.workspace(helve.workspaceId);
    /** As another process does it. */
    const disable = (person: User) =>
      workspace.change([], async (tables) => {
        await tables.changeUser({ ...person, status: 'disabled' });
        await tables.endUserAccess(id, new Date().toISOString());
      });
    const listLive = async () =>
      (await workspace.listCredentials()).filter((one) => one.principalId === id && one.revokedAt === undefined);
    const { link } = await plane.issueSignInLink(admin, id);
    // The link is looked up first, and then whether the person has come before.
    afterReading(id, 2, disable);
    expect([await code(plane.redeemAdminLink(secretIn(link))), await listLive()]).toEqual(['forbidden', []]);
    await plane.changeUser(admin, id, { disabled: false });
    afterReading(id, 1, disable);
    expect([await code(plane.issueSignInLink(admin, id)), await listLive()]).toEqual(['conflict', []]);
  });

  test('R-people: many people come, and are changed, at the same time', async () => {
    const { plane, admin } = helve;
    const names = Array.from({ length: 30 }, (_, number) => `Person ${number}`);
    const invited = await Promise.all(names.map((name) => plane.createUser(admin, { name, role: 'auditor' })));
    await Promise.all(invited.map(({ link }) => plane.redeemAdminLink(secretIn(link))));
    await Promise.all(invited.map(({ user }) => plane.changeUser(admin, user.id, { role: 'member' })));
    const [, ...people] = await plane.users(admin);
    expect(new Set(people.map(({ role, status }) => `${role} ${status}`))).toEqual(new Set(['member active']));
  });

  test('R-people R-visibility: an account that is made private while it is handed over stays private', async () => {
    const { plane, admin } = helve;
    const [eve, mia] = [await join('admin', 'Eve'), await join('admin', 'Mia')];
    const { id } = await plane.addConnection(eve.by, { toolkit: 'vault', name: 'Own' });
    afterReading(mia.id, 1, () => plane.changeConnection(eve.by, id, { visibility: 'private' }));
    await plane.removeUser(admin, eve.id, { accounts: 'hand_over', to: mia.id });
    expect(await plane.connection(mia.by, id)).toMatchObject({ ownerId: mia.id, visibility: 'private' });
  });

  test('R-people: a changed role holds for sessions that are open', async () => {
    const { plane, admin } = helve;
    const { session, id } = await join('admin', 'Eve');
    const now = async () => plane.authenticateSession(session);
    expect(await code(plane.createAgent(await now(), { slug: 'one' }))).toBe('done');
    await plane.changeUser(admin, id, { role: 'auditor' });
    expect(await code(plane.createAgent(await now(), { slug: 'two' }))).toBe('forbidden');
    expect(await code(plane.agents(await now()))).toBe('done');
  });
});

describe('R-people: keys with a role', () => {
  test.each(roles)('R-people: a key with the role %s may do what the role may, at each request', async (role) => {
    const { plane, admin, storage, workspaceId } = helve;
    const { credential, secret } = await plane.createApiKey(admin, { name: 'k', role });
    expect(credential).toMatchObject({ role, permissions: rolePermissions[role] });
    const by = await plane.authenticate(secret);
    expect(by).toMatchObject({ kind: 'api_key', permissions: rolePermissions[role] });
    // An account of somebody else: a member’s key sees only what it owns itself.
    expect((await plane.connections(by)).map(({ slug }) => slug)).toEqual(role === 'member' ? [] : ['shared']);
    // As an older Helve stored it, in which the role had other permissions.
    const older = { ...credential, id: 'older', principalId: 'older', hash: sha256('x'), permissions: [] };
    const key = newSecret('helve_key');
    await storage
      .workspace(workspaceId)
      .change([], (tables) => tables.insertCredential({ ...older, hash: sha256(key) }));
    expect((await plane.authenticate(key)).permissions).toEqual(rolePermissions[role]);
    const listed = (await plane.credentials(admin)).find(({ id }) => id === 'older');
    expect(listed).toMatchObject({ role, permissions: rolePermissions[role] });
    // The control: without a role, what is stored counts.
    const { role: _role, ...plain } = older;
    const bare = newSecret('helve_key');
    await storage
      .workspace(workspaceId)
      .change([], (tables) => tables.insertCredential({ ...plain, id: 'bare', hash: sha256(bare) }));
    expect((await plane.authenticate(bare)).permissions).toEqual([]);
  });

  test('R-people: nobody creates or revokes a key with a role that exceeds their own permissions', async () => {
    const { plane, admin } = helve;
    const { secret } = await plane.createApiKey(admin, { permissions: ['keys:write', ...rolePermissions.member] });
    const by = await plane.authenticate(secret);
    for (const role of ['admin', 'auditor'] as const) {
      expect(await code(plane.createApiKey(by, { role }))).toBe('forbidden');
      const { credential } = await plane.createApiKey(admin, { role });
      expect(await code(plane.revokeCredential(by, credential.id))).toBe('forbidden');
    }
    const { credential } = await plane.createApiKey(by, { role: 'member' });
    expect(await code(plane.revokeCredential(by, credential.id))).toBe('done');
  });

  test('R-people: a key has either permissions or a role', async () => {
    const { plane, admin } = helve;
    expect(await code(plane.createApiKey(admin, {}))).toBe('invalid_input');
    expect(await code(plane.createApiKey(admin, { role: 'member', permissions: ['tools:read'] }))).toBe(
      'invalid_input',
    );
    expect((await plane.credentials(admin)).filter(({ kind }) => kind === 'api_key')).toEqual([]);
  });
});

describe('R-people: invitations and sessions', () => {
  test('R-people: a link works once; the person is then active, and can be invited again', async () => {
    const { plane, admin } = helve;
    const { user, link } = await plane.createUser(admin, { name: ' Ada ', email: 'ada@example.com', role: 'member' });
    expect(user).toMatchObject({ name: 'Ada', email: 'ada@example.com', status: 'invited' });
    const { principal } = await plane.redeemAdminLink(secretIn(link));
    expect(principal).toMatchObject({ kind: 'user', id: user.id, name: 'Ada' });
    expect(await code(plane.redeemAdminLink(secretIn(link)))).toBe('unauthenticated');
    expect((await plane.users(admin)).find(({ id }) => id === user.id)?.status).toBe('active');
    const again = await plane.issueSignInLink(admin, user.id);
    expect((await plane.redeemAdminLink(secretIn(again.link))).principal.id).toBe(user.id);
    for (const wrong of [{ name: ' ' }, { name: 'x', email: 'nobody' }])
      expect(await code(plane.createUser(admin, { role: 'member', ...wrong }))).toBe('invalid_input');
  });

  test('R-people: a person sees and ends their own sessions, and no others', async () => {
    const { plane } = helve;
    const [ada, ben] = [await join('member', 'Ada'), await join('member', 'Ben')];
    const { link } = await plane.issueSignInLink(helve.admin, ada.id);
    const second = await plane.redeemAdminLink(secretIn(link));
    expect(await plane.currentSession(ada.by)).toMatchObject({
      user: { id: ada.id, name: 'Ada', role: 'member' },
      permissions: rolePermissions.member,
      expiresAt: expect.any(String),
    });
    const mine = await plane.sessions(ada.by);
    expect(mine.map(({ id, current }) => [id, current]).toSorted()).toEqual(
      [
        [ada.by.credentialId, true],
        [second.principal.credentialId, false],
      ].toSorted(),
    );
    expect(await code(plane.endSession(ben.by, ada.by.credentialId ?? ''))).toBe('not_found');
    expect(await code(plane.authenticateSession(ada.session))).toBe('done');
    await plane.endSession(ada.by, second.principal.credentialId ?? '');
    expect(await code(plane.authenticateSession(second.session))).toBe('unauthenticated');
    expect(await code(plane.currentSession(helve.agent))).toBe('forbidden');
  });

  test('R-people: programs act for a person only while they could authorise them', async () => {
    const { storage, plane, admin, workspaceId } = helve;
    const { id } = await join('admin', 'Eve');
    const workspace = storage.workspace(workspaceId);
    const user = { kind: 'user', id, name: 'Eve' } as const;
    const facts = {
      clientId: 'c',
      clientName: 'Program',
      redirectUri: 'https://app.example/cb',
      scopes: ['tools:read'],
    } as const;
    await workspace.authorizations.insert({
      ...facts,
      id: 'asked',
      workspaceId,
      status: 'exchanged',
      agentId: helve.agent.id,
      user,
      resource: 'https://helve.example/mcp/tester',
      challenge: 'x',
      secretHash: 'asked',
      createdAt: new Date().toISOString(),
      expiresAt: '2099-01-01T00:00:00.000Z',
    });
    const status = async () => (await workspace.authorizations.find('asked'))?.status;
    await plane.changeUser(admin, id, { name: 'Eva' });
    expect(await status()).toBe('exchanged');
    await plane.changeUser(admin, id, { role: 'auditor' });
    expect(await status()).toBe('ended');
  });

  test('R-people: a person who is disabled cannot sign in, nor go on', async () => {
    const { plane, admin } = helve;
    const { session, id } = await join('auditor');
    const { link } = await plane.issueSignInLink(admin, id);
    expect(await code(plane.authenticateSession(session))).toBe('done');
    await plane.changeUser(admin, id, { disabled: true });
    expect(await code(plane.authenticateSession(session))).toBe('unauthenticated');
    expect(await code(plane.redeemAdminLink(secretIn(link)))).toBe('unauthenticated');
    expect(await code(plane.issueSignInLink(admin, id))).toBe('conflict');
    await plane.changeUser(admin, id, { disabled: false });
    expect(await code(plane.issueSignInLink(admin, id))).toBe('done');
  });

  test('R-people: the last active admin stays one, however many try at the same time', async () => {
    const { plane, admin } = helve;
    const { by, id } = await join('admin', 'Eve');
    const both = await Promise.all([
      code(plane.changeUser(admin, id, { role: 'member' })),
      code(plane.changeUser(by, admin.id, { disabled: true })),
    ]);
    expect(both.toSorted()).toEqual(['conflict', 'done']);
    const left = (await plane.users(helve.admin)).filter(({ role, status }) => role === 'admin' && status === 'active');
    expect(left).toHaveLength(1);
    expect(await code(plane.removeUser(admin, left[0]?.id ?? ''))).toBe('conflict');
  });
});

describe('R-visibility: a member', () => {
  test('leak: sees, changes and decides only what is bound to their own accounts', async () => {
    const { plane, admin } = helve;
    const { by } = await join('member', 'Mia');
    const own = await plane.addConnection(by, { toolkit: 'vault', name: 'Mine' });
    await plane.connect(by, own.slug, { credentials: { token: 'mine' } });
    expect((await plane.connections(by)).map(({ slug }) => slug)).toEqual(['mine']);
    for (const attempt of [
      plane.connection(by, 'shared'),
      plane.changeConnection(by, 'shared', { name: 'Taken' }),
      plane.removeConnection(by, 'shared'),
    ])
      expect(await code(attempt)).toBe('not_found');
    expect(await code(plane.disconnectAll(by))).toBe('forbidden');
    const asked = async (tool: string): Promise<string> => {
      const result = await plane.execute({ principal: admin, tool, input: {} });
      return result.ok ? '' : String(result.error.details?.approvalId);
    };
    const [mine, shared] = [await asked('mine__empty_vault'), await asked('shared__empty_vault')];
    // One of a call that acts with no account.
    expect(await asked('guarded')).not.toBe('');
    expect((await plane.approvals(by, {})).map(({ id }) => id)).toEqual([mine]);
    expect(await code(plane.decideApproval(by, shared, 'approved', 'api'))).toBe('not_found');
    expect((await plane.decideApproval(by, mine, 'approved', 'api')).status).toBe('approved');
    expect((await plane.approval(admin, shared)).status).toBe('pending');
  });
});

describe('R-visibility: the owner of an account', () => {
  const granted = async (connectionId: string): Promise<readonly string[]> =>
    (await helve.plane.grantCatalogue(helve.admin, 'tester')).grants
      .filter((grant) => grant.connectionId === connectionId)
      .flatMap(({ tools }) => tools);

  test('R-visibility: takes it away from an agent, without being allowed to grant; nobody else’s, and nothing else', async () => {
    const { plane, admin } = helve;
    const [mia, max] = [await join('member', 'Mia'), await join('member', 'Max')];
    const mine = await plane.addConnection(mia.by, { toolkit: 'vault', name: 'Mine' });
    await plane.connect(mia.by, mine.slug, { credentials: { token: 'mine' } });
    await plane.changeGrants(admin, 'tester', { add: [{ account: mine.slug }] });
    const [shared] = await plane.connections(admin);
    const call = () => helve.call('mine__open_vault');
    expect(await call()).toMatchObject({ ok: true });
    const before = await granted(mine.id);
    expect(before.length).toBeGreaterThan(0);
    expect(await code(plane.withdrawConnection(max.by, mine.slug, 'tester'))).toBe('not_found');
    expect(await code(plane.withdrawConnection(mia.by, 'shared', 'tester'))).toBe('not_found');
    const key = await plane.createApiKey(admin, { permissions: ['connections:read', 'connections:write'] });
    const mayNotGrant = await plane.authenticate(key.secret);
    expect(await code(plane.withdrawConnection(mayNotGrant, mine.slug, 'tester'))).toBe('forbidden');
    expect(await granted(mine.id)).toEqual(before);

    expect(await plane.withdrawConnection(mia.by, mine.slug, 'tester')).toEqual({ removed: before });
    expect(await granted(mine.id)).toEqual([]);
    expect((await granted(shared?.id ?? '')).length).toBeGreaterThan(0);
    expect(await call()).toMatchObject({ ok: false });
    expect((await helve.audited()).at(-2)).toMatchObject({
      type: 'grants.replaced',
      actor: { id: mia.id },
      body: { agent: 'tester', withdrawn: [{ connectionId: mine.id, connection: 'mine', tools: before }] },
    });
    // What is gone, and an agent that there never was, look the same.
    for (const agent of ['tester', 'nobody'])
      expect(await code(plane.withdrawConnection(mia.by, mine.slug, agent))).toBe('not_found');
  });

  test('R-visibility: whoever may change grants does it for others', async () => {
    const { plane, admin } = helve;
    const [shared] = await plane.connections(admin);
    const key = await plane.createApiKey(admin, { permissions: ['connections:write', 'grants:write'] });
    await plane.withdrawConnection(await plane.authenticate(key.secret), 'shared', 'tester');
    expect(await granted(shared?.id ?? '')).toEqual([]);
  });
});

describe('R-people: somebody who leaves', () => {
  async function withAccount() {
    const { plane, admin } = helve;
    const leaver = await join('member', 'Lea');
    const { slug } = await plane.addConnection(leaver.by, { toolkit: 'vault', name: 'Lea', visibility: 'private' });
    await plane.connect(leaver.by, slug, { credentials: { token: 'lea' } });
    expect(await code(plane.removeUser(admin, leaver.id))).toBe('conflict');
    expect(await code(plane.authenticateSession(leaver.session))).toBe('done');
    return { ...leaver, slug, heir: await join('member', 'Hal') };
  }

  test('R-people: their accounts go to somebody else, with their names', async () => {
    const { plane, admin } = helve;
    const { id, slug, heir, session } = await withAccount();
    expect(await code(plane.removeUser(admin, id, { accounts: 'hand_over', to: id }))).toBe('invalid_input');
    await plane.removeUser(admin, id, { accounts: 'hand_over', to: heir.id });
    expect(await code(plane.authenticateSession(session))).toBe('unauthenticated');
    expect(await plane.connection(heir.by, slug)).toMatchObject({ slug, ownerId: heir.id, status: 'active' });
    expect((await plane.users(admin)).map(({ name }) => name)).not.toContain('Lea');
  });

  test('R-people: or they are removed, which the record says', async () => {
    const { plane, admin } = helve;
    const { id, slug, by } = await withAccount();
    await plane.removeUser(admin, id, { accounts: 'remove' });
    expect(await code(plane.connection(by, slug))).toBe('not_found');
    const rows = await helve.audited();
    expect(rows.slice(-3).map(({ type }) => type)).toContain('user.removed');
    expect(rows.filter(({ type }) => type === 'connection.removed')).toMatchObject([{ onBehalfOf: { id } }]);
  });
});
