/** Several workspaces: who adds one, who signs in to it first, and what neither sees of the other. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { allPermissions } from '../../domain/principal.js';
import { beforeNextChange } from '../../testing/before-next-change.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';

let helve: TestHelve;
beforeEach(async () => {
  helve = await createTestHelve({ tools: [testTool({ name: 'echo' })] });
});
afterEach(() => helve.close());

const secretIn = (link: string): string => link.slice(link.indexOf('token=') + 'token='.length);
const code = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => 'done',
    (error) => error.code,
  );
const add = async (slug = 'team') => {
  const admin = { name: 'Ben', email: 'ben@example.com' };
  const made = await helve.plane.createWorkspace(helve.admin, { slug, name: 'The team', admin });
  const { principal } = await helve.plane.redeemAdminLink(secretIn(made.link));
  return { ...made, ben: principal };
};

test('R-people: a new workspace has one admin, who signs in with the link, once, and starts from nothing', async () => {
  const { plane, admin } = helve;
  const { workspace, user, link, ben } = await add();
  expect(workspace).toMatchObject({ slug: 'team', name: 'The team' });
  expect(ben).toMatchObject({ workspaceId: workspace.id, id: user.id, permissions: allPermissions });
  expect(await code(plane.redeemAdminLink(secretIn(link)))).toBe('unauthenticated');
  expect(await plane.users(ben)).toEqual([{ ...user, status: 'active' }]);
  expect(await plane.agents(ben)).toEqual([]);
  // The same slug as in the other workspace.
  const { id } = await plane.createAgent(ben, { slug: 'tester' });
  await plane.replaceGrants(ben, 'tester', [{ toolkit: 'custom', tools: ['echo'], limits: {}, config: {} }]);
  const called = await helve.execute({ principal: { agent: 'tester', workspace: 'team' }, tool: 'echo', input: {} });
  expect(called).toMatchObject({ ok: true });
  expect((await plane.agents(admin)).map((agent) => agent.id)).not.toContain(id);
  expect((await plane.users(admin)).map(({ name }) => name)).not.toContain('Ben');
  expect((await plane.executions(admin, {})).length).toBe(0);
  expect((await plane.executions(ben, {})).length).toBe(1);
});

test('R-people: all workspaces are listed for the first one, and only their own for the others', async () => {
  const { plane, admin } = helve;
  const { ben } = await add();
  const slugs = async (by: typeof admin) => (await plane.workspaces(by)).map(({ slug }) => slug);
  expect([await slugs(admin), await slugs(ben)]).toEqual([['default', 'team'], ['team']]);
});

test('R-people: nobody of another workspace adds one, nor anybody with less than every permission', async () => {
  const { plane, admin } = helve;
  const { ben } = await add();
  const [, ...most] = allPermissions;
  const key = await plane.createApiKey(admin, { permissions: most });
  for (const by of [ben, await plane.authenticate(key.secret), helve.agent])
    expect(await code(plane.createWorkspace(by, { slug: 'more', admin: { name: 'Eve' } }))).toBe('forbidden');
  expect((await plane.workspaces(admin)).map(({ slug }) => slug)).toEqual(['default', 'team']);
  const full = await plane.createApiKey(admin, { permissions: allPermissions });
  const by = await plane.authenticate(full.secret);
  expect(await code(plane.createWorkspace(by, { slug: 'more', admin: { name: 'Eve' } }))).toBe('done');
});

test('R-people: a slug that is taken or none, and a name that is none, add nothing', async () => {
  const { plane, admin } = helve;
  await add();
  const attempts: [slug: string, name: string, result: string][] = [
    ['team', 'Eve', 'conflict'],
    ['default', 'Eve', 'conflict'],
    ['The Team', 'Eve', 'invalid_input'],
    ['../up', 'Eve', 'invalid_input'],
    ['other', ' ', 'invalid_input'],
  ];
  for (const [slug, name, result] of attempts)
    expect([slug, await code(plane.createWorkspace(admin, { slug, admin: { name } }))]).toEqual([slug, result]);
  expect(await plane.workspaces(admin)).toHaveLength(2);
});

test('R-people R-operate: a workspace that another process is adding at the same time gets no second admin', async () => {
  const { plane, admin, storage } = helve;
  const theirs = {
    id: 'ben',
    name: 'Ben',
    role: 'admin',
    status: 'invited',
    createdAt: '2026-01-01T00:00:00.000Z',
  } as const;
  beforeNextChange(helve, (change) => change([], ({ insertUser }) => insertUser(theirs)));
  expect(await code(plane.createWorkspace(admin, { slug: 'team', admin: { name: 'Eve' } }))).toBe('conflict');
  const { id = '' } = (await storage.system.findWorkspace('team')) ?? {};
  expect(await storage.workspace(id).listUsers()).toEqual([theirs]);
});

test('R-people: one that an interrupted attempt left without people is finished by the next', async () => {
  const { workspaceId } = await helve.ensureWorkspace('team');
  const { workspace } = await add();
  expect(workspace.id).toBe(workspaceId);
});

test('R-people R-audit: both records say that it was added, and only the first one says by whom', async () => {
  const { workspace, ben } = await add();
  const created = (await helve.audited()).filter(({ type }) => type === 'workspace.created');
  expect(created.at(-1)).toMatchObject({
    actor: { id: helve.admin.id },
    body: { workspaceId: workspace.id, slug: 'team' },
  });
  const theirs = await helve.plane.audit(ben, { limit: 100 });
  expect(theirs.map(({ type }) => type)).toContain('workspace.created');
  expect(JSON.stringify(theirs)).not.toContain(helve.admin.id);
});
