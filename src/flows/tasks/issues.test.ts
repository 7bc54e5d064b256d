import { afterEach, describe, expect, it } from 'vitest';
import { allPermissions } from '../../domain/principal.js';
import { vault } from '../../plane/acts/testing/vault-toolkit.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { untilIssue } from '../../testing/until-issue.js';

let helve: TestHelve;
afterEach(() => helve.close());

/** A model that never answers: the issue stays in the hands of its agent. */
const silent = { modelId: 'silent', doGenerate: () => new Promise<never>(() => {}) };

const open = async () => {
  helve = await createTestHelve({ publicUrl: 'http://localhost', toolkits: [vault], models: { language: silent } });
  return { plane: helve.plane, admin: helve.admin };
};

describe('R-task-mcp: issues', () => {
  it('R-machines: an issue is filed, changed, commented and listed, and each is on record', async () => {
    const { plane, admin } = await open();
    const filed = await plane.createIssue(admin, { title: 'It breaks', body: 'Often', repo: 'github:acme/shop' });
    expect(filed).toMatchObject({
      state: 'idle',
      org: 'github:acme',
      repo: 'github:acme/shop',
      attempts: 0,
      labels: [],
    });
    const changed = await plane.updateIssue(admin, filed.id, { labels: ['bug'], limits: { maxAttempts: 5 } });
    expect(changed).toMatchObject({ title: 'It breaks', labels: ['bug'], limits: { maxAttempts: 5 } });
    const comment = await plane.commentIssue(admin, filed.id, 'Since yesterday');
    const second = await plane.createIssue(admin, { title: 'Another' });
    expect((await plane.listIssues(admin)).issues.map(({ id }) => id)).toEqual([second.id, filed.id]);
    const page = await plane.listIssues(admin, { limit: 1 });
    expect((await plane.listIssues(admin, { after: page.next ?? '' })).issues.map(({ id }) => id)).toEqual([filed.id]);
    expect(await plane.listIssues(admin, { state: 'done' })).toEqual({ issues: [] });
    for (const query of [{ repo: 'github:acme/shop' }, { org: 'github:acme' }, { text: 'OFTEN' }, { text: 'breaks' }])
      expect([query, (await plane.listIssues(admin, query)).issues.map(({ id }) => id)]).toEqual([query, [filed.id]]);
    expect(await plane.getIssueTimeline(admin, filed.id)).toEqual([
      { what: 'created', at: filed.createdAt, by: filed.createdBy },
      expect.objectContaining({ what: 'event', type: 'CONFIGURED', state: 'idle' }),
      { what: 'comment', at: comment.createdAt, comment },
    ]);
    const events = (await helve.audited()).map(({ type }) => type).filter((type) => type.startsWith('issue.'));
    expect(events).toEqual(['issue.created', 'issue.changed', 'issue.commented', 'issue.created']);
  });

  it('R-machines: limits that a change does not name stay, and are shown', async () => {
    const { plane, admin } = await open();
    const { id } = await plane.createIssue(admin, { title: 'It breaks', limits: { maxTokens: 900, maxSteps: 7 } });
    const { limits } = await plane.updateIssue(admin, id, { limits: { maxSteps: 5 } });
    expect(limits).toEqual({ maxTokens: 900, maxSteps: 5 });
    // It goes by what it shows.
    const { snapshot } = await plane.getActor(admin, { kind: 'issue', id });
    expect(snapshot.context.limits).toMatchObject({ ...limits });
  });

  it('R-machines: two people who change an issue at the same time lose nothing of each other', async () => {
    const { plane, admin } = await open();
    const { id } = await plane.createIssue(admin, { title: 'It breaks' });
    const changes = [{ title: 'It broke' }, { body: 'Often' }, { labels: ['bug'] }];
    await Promise.all(changes.map((change) => plane.updateIssue(admin, id, change)));
    expect(await plane.getIssue(admin, id)).toMatchObject({ title: 'It broke', body: 'Often', labels: ['bug'] });
  });

  it('attack: an issue that is blocked by the tools of before a change, while it is made, looks again', async () => {
    const { plane, admin } = await open();
    const { id } = await plane.createIssue(admin, { title: 'It breaks', tools: { requiredApps: ['vault'] } });
    const storage = helve.storage as { workspace: TestHelve['storage']['workspace'] };
    const { workspace } = storage;
    storage.workspace = (of) => {
      const found = workspace(of);
      const change: typeof found.issues.change = async (...given) => {
        storage.workspace = workspace;
        await plane.assignIssue(admin, id, { agent: 'tester' });
        await untilIssue(helve, id, ({ state }) => state === 'blocked');
        return found.issues.change(...given);
      };
      return { ...found, issues: { ...found.issues, change } };
    };
    await plane.updateIssue(admin, id, { tools: {} });
    expect(await untilIssue(helve, id, ({ state }) => state === 'executing')).toMatchObject({ blockedBy: [] });
  });

  it('R-machines: an assigned issue is prepared with the tools of its agent, and can be unassigned, cancelled and retried', async () => {
    const { plane, admin } = await open();
    const { id } = await plane.createIssue(admin, { title: 'It breaks', tools: { disabled: ['math'] } });
    await expect(plane.unassignIssue(admin, id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(plane.assignIssue(admin, id, { agent: 'nobody' })).rejects.toMatchObject({ code: 'not_found' });
    const assigned = await plane.assignIssue(admin, id, { agent: 'tester' });
    expect(assigned).toMatchObject({ agent: 'tester', onBehalfOf: { id: admin.id } });
    const { id: agentId } = helve.agent;
    for (const query of [{ agent: 'tester' }, { agent: agentId }, { agent: agentId, person: admin.id, limit: 1 }])
      expect([query, (await plane.listIssues(admin, query)).issues.map((one) => one.id)]).toEqual([query, [id]]);
    for (const query of [{ agent: 'nobody' }, { person: 'nobody' }, { person: admin.id, state: 'done' as const }])
      expect([query, (await plane.listIssues(admin, query)).issues]).toEqual([query, []]);
    expect(await untilIssue(helve, id, ({ state }) => state === 'executing')).toMatchObject({
      phase: 'working',
      attempts: 1,
    });
    expect(await plane.cancelIssue(admin, id)).toMatchObject({ state: 'cancelled' });
    await expect(plane.cancelIssue(admin, id)).rejects.toMatchObject({ code: 'conflict' });
    expect(['preparing', 'executing']).toContain((await plane.retryIssue(admin, id)).state);
    expect(await plane.unassignIssue(admin, id)).toMatchObject({ state: 'idle', attempts: 0 });
    expect((await plane.getIssue(admin, id)).agent).toBeUndefined();
  });

  it('R-inheritance: a missing app blocks the issue with a link, and the account and the grant let it go on', async () => {
    const { plane, admin } = await open();
    await plane.putToolConfig(admin, { level: 'org', id: 'own' }, { requiredApps: ['Vault'] });
    const { id } = await plane.createIssue(admin, { title: 'It breaks' });
    await plane.assignIssue(admin, id, { agent: 'tester' });
    const blocked = await untilIssue(helve, id, ({ state }) => state === 'blocked');
    expect(blocked.blockedBy).toEqual([
      {
        reason: 'account',
        app: 'vault',
        message: expect.stringMatching(/^No account of vault is connected/),
        connectUrl: 'http://localhost/panel/connections/connect/vault',
      },
    ]);
    const connection = await plane.addConnection(admin, { toolkit: 'vault', name: 'work' });
    await plane.connect(admin, connection.slug, { credentials: { token: 'x' } });
    const granting = await untilIssue(
      helve,
      id,
      ({ state, blockedBy }) => state === 'blocked' && blockedBy[0]?.reason === 'grant',
    );
    expect(granting.blockedBy[0]).not.toHaveProperty('connectUrl');
    await plane.changeGrants(admin, 'tester', { add: [{ account: connection.slug }] });
    expect(await untilIssue(helve, id, ({ state }) => state === 'executing')).toMatchObject({ blockedBy: [] });
    const actor = await plane.getActor(admin, { kind: 'issue', id });
    expect(actor.snapshot.context.tools).toMatchObject({
      names: expect.arrayContaining(['work__open_vault']),
      requiredApps: ['vault'],
    });
    expect((await plane.getActor(admin, { kind: 'org', id: 'own' })).snapshot.context.connectedApps).toEqual(['vault']);
  });

  it('a repository is named with its service, as deliveries name it, wherever it is written', async () => {
    const { plane, admin } = await open();
    const bare = 'acme/site';
    const config = { disabled: ['math'] };
    const writes: readonly (() => Promise<unknown>)[] = [
      () => plane.createIssue(admin, { title: 'It breaks', repo: bare }),
      () => plane.updatePlace(admin, { kind: 'repo', id: bare }, { paused: true }),
      () => plane.updatePlace(admin, { kind: 'repo', id: bare }, { toolConfig: config }),
      () => plane.putToolConfig(admin, { level: 'repo', id: bare }, config),
      () => plane.setRecipe(admin, 'triage', { repo: bare, steps: [{ prompt: 'Read it', tools: [] }] }),
    ];
    for (const write of writes)
      await expect(write()).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringMatching(/^(?:repo|id): "acme\/site" does not name a repository$/),
        hint: 'If it is at GitHub, name it github:acme/site.',
      });
    for (const repo of ['site', 'github:github:acme/site', 'github:acme/site#1', 'github:acme/a/b'])
      await expect(plane.createIssue(admin, { title: 'It breaks', repo })).rejects.toMatchObject({
        hint: expect.stringContaining('linear:acme/ENG'),
      });
    expect((await plane.listIssues(admin)).issues).toEqual([]);
    expect((await plane.listPlaces(admin, 'repo')).places).toEqual([]);
  });

  it('R-inheritance: the tools of an issue are those that every level and the grants of its agent allow', async () => {
    const { plane, admin } = await open();
    const repo = 'github:acme/shop';
    await plane.putToolConfig(admin, { level: 'org', id: 'github:acme' }, { disabled: ['Math'] });
    await plane.putToolConfig(
      admin,
      { level: 'repo', id: repo },
      { enabled: ['math', 'vault'], requiredApps: ['math'] },
    );
    const { id } = await plane.createIssue(admin, { title: 'It breaks', repo, tools: { enabled: ['vault'] } });
    expect(await plane.getEffectiveToolConfig(admin, { level: 'issue', id })).toMatchObject({
      apps: ['vault'],
      impossible: ['math'],
      why: { math: { level: 'org', way: 'disabled', requiredBy: 'repo' }, vault: { level: 'issue', way: 'enabled' } },
    });
    expect(await plane.getEffectiveToolConfig(admin, { level: 'repo', id: repo })).toMatchObject({ apps: ['vault'] });
    expect(await plane.getToolConfig(admin, { level: 'org', id: 'github:acme' })).toMatchObject({ disabled: ['Math'] });
    await plane.assignIssue(admin, id, { agent: 'tester' });
    const { blockedBy } = await untilIssue(helve, id, ({ state }) => state === 'blocked');
    expect(blockedBy).toEqual([
      { reason: 'excluded', app: 'math', message: 'math is required by the repo and excluded by the org' },
    ]);
    // What blocked it is changed: it looks again by itself.
    await plane.putToolConfig(admin, { level: 'repo', id: repo }, {});
    expect((await untilIssue(helve, id, ({ state }) => state === 'executing')).state).toBe('executing');
    const { tools } = (await plane.getActor(admin, { kind: 'issue', id })).snapshot.context as {
      tools: { names: string[] };
    };
    expect(tools.names).not.toContain('calculate');
    expect(tools.names.length).toBeGreaterThan(0);
  });

  it.each([
    'somebody who cannot sign in any more',
    'somebody who may not act as agents any more',
    'a key that was revoked',
  ])('R-machines: nobody works for %s', async (whom) => {
    const { plane, admin } = await open();
    const { user, link } = await plane.createUser(admin, { name: 'Mia', role: 'admin' });
    const person = await plane.redeemAdminLink(link.slice(link.indexOf('token=') + 'token='.length));
    const key = await plane.createApiKey(admin, { name: 'Mia', permissions: allPermissions });
    const isKey = whom.startsWith('a key');
    const mia = isKey ? await plane.authenticate(key.secret) : person.principal;
    const { id } = await plane.createIssue(mia, { title: 'It breaks' });
    await plane.assignIssue(mia, id, { agent: 'tester' });
    await untilIssue(helve, id, ({ state }) => state === 'executing');
    await plane.cancelIssue(admin, id);
    if (isKey) await plane.revokeCredential(admin, key.credential.id);
    else await plane.changeUser(admin, user.id, whom.includes('sign in') ? { disabled: true } : { role: 'auditor' });
    await plane.retryIssue(admin, id);
    const { blockedBy } = await untilIssue(helve, id, ({ state }) => state === 'blocked');
    expect(blockedBy[0]).toMatchObject({
      reason: 'worker',
      message: expect.stringMatching(/^Mia, for whom the agent would work/),
    });
  });

  it('R-task-mcp: another workspace reaches none of it, although the ids are known', async () => {
    const { plane, admin } = await open();
    const { id } = await plane.createIssue(admin, { title: 'It breaks' });
    const elsewhere = await helve.ensureWorkspace('elsewhere');
    const { principal: stranger } = await plane.redeemAdminLink(await helve.adminLink(elsewhere.workspaceId));
    expect(await plane.listIssues(stranger)).toEqual({ issues: [] });
    for (const act of [
      () => plane.getIssue(stranger, id),
      () => plane.commentIssue(stranger, id, 'x'),
      () => plane.assignIssue(stranger, id, { agent: 'tester' }),
      () => plane.cancelIssue(stranger, id),
      () => plane.getEffectiveToolConfig(stranger, { level: 'issue', id }),
    ])
      await expect(act()).rejects.toMatchObject({ code: 'not_found' });
    expect(await plane.getIssue(admin, id)).toMatchObject({ state: 'idle' });
  });
});
