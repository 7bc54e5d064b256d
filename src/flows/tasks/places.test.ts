import { afterEach, describe, expect, it } from 'vitest';
import type { IssueView } from '../../domain/issue-acts.js';
import type { JsonObject } from '../../domain/json.js';
import { allPermissions, type Permission } from '../../domain/principal.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { newId } from '../../util/hash.js';
import { startMonth } from './billing-clock.js';

let helve: TestHelve;
afterEach(() => helve.close());

/** A model that never answers: the issue stays in the hands of its agent. */
const silent = { modelId: 'silent', doGenerate: () => new Promise<never>(() => {}) };
const repo = 'github:acme/shop';

const open = async () => {
  helve = await createTestHelve({ models: { language: silent } });
  const { plane, admin } = helve;
  return { plane, admin };
};

async function keyWith(...missing: readonly Permission[]) {
  const permissions = allPermissions.filter((one) => !missing.includes(one));
  return helve.plane.authenticate((await helve.plane.createApiKey(helve.admin, { permissions })).secret);
}

const send = (kind: 'repo' | 'project' | 'org', id: string, event: JsonObject & { readonly type: string }) =>
  helve.storage.workspace(helve.workspaceId).actors.send({ to: { kind, id }, id: newId(), event });

/** The first state of the issue that fits. */
async function until(id: string, fits: (issue: IssueView) => boolean): Promise<IssueView> {
  for await (const { snapshot } of helve.plane.followActor(
    helve.admin,
    { kind: 'issue', id },
    AbortSignal.timeout(20_000),
  ))
    if (snapshot) {
      const issue = await helve.plane.getIssue(helve.admin, id);
      if (fits(issue)) return issue;
    }
  throw new Error(`It never came: ${JSON.stringify(await helve.plane.getIssue(helve.admin, id))}`);
}

/** Waits until the actor is as it should be. */
async function untilActor(kind: 'org' | 'repo' | 'project', id: string, fits: (context: JsonObject) => boolean) {
  const actor = { kind, id };
  for await (const { snapshot } of helve.plane.followActor(helve.admin, actor, AbortSignal.timeout(20_000)))
    if (fits(snapshot.context)) return snapshot.context;
  throw new Error('It never came');
}

describe('R-inheritance: an app that does not exist', () => {
  it('is refused with the nearest name at every level, so that a mistyped name disables nothing silently', async () => {
    const { plane, admin } = await open();
    const agent = helve.agent.id;
    const { id } = await plane.createIssue(admin, { title: 'It breaks', tools: { disabled: ['Web Search'] } });
    const refused = { code: 'invalid_input', hint: 'Did you mean web_search?' };
    const wrong = { disabled: ['math', 'WebSerch'] };
    const message = 'disabled/1: there is no app "WebSerch"';
    for (const level of ['org', 'repo', 'project', 'issue'] as const)
      await expect(
        plane.putToolConfig(admin, { level, id: level === 'issue' ? id : level === 'repo' ? repo : 'x' }, wrong),
        level,
      ).rejects.toMatchObject({ ...refused, message });
    await expect(plane.createIssue(admin, { title: 'It breaks', tools: wrong })).rejects.toMatchObject(refused);
    await expect(plane.updateIssue(admin, id, { tools: wrong })).rejects.toMatchObject(refused);
    await expect(plane.assignIssue(admin, id, { agent, tools: wrong })).rejects.toMatchObject(refused);
    const place = { kind: 'org', id: 'own' } as const;
    await expect(plane.updatePlace(admin, place, { defaultTools: wrong })).rejects.toMatchObject(refused);
    await expect(plane.putToolConfig(admin, { level: 'org', id: 'x' }, { requiredApps: ['Zzz'] })).rejects.toThrow(
      'Zzz',
    );
    expect(await plane.getIssue(admin, id)).toMatchObject({ state: 'idle', tools: { disabled: ['Web Search'] } });
  });

  it('stays in a config that names it already, because the app may have been removed since', async () => {
    const { plane, admin } = await open();
    const place = { level: 'org', id: 'own' } as const;
    const config = { disabled: ['gone'] };
    const by = { updatedBy: { kind: 'user', id: 'u', name: 'u' }, updatedAt: new Date().toISOString() } as const;
    await helve.storage.workspace(helve.workspaceId).issues.putConfig({ ...place, config, ...by }, undefined, []);
    const more = await plane.putToolConfig(admin, place, { disabled: ['gone', 'math'] });
    expect(more.disabled).toEqual(['gone', 'math']);
  });
});

describe('R-levels: places of tasks', () => {
  it('R-machines: are read in words, with what belongs to them, and are made by their first change', async () => {
    const { plane, admin } = await open();
    await expect(plane.getPlace(admin, 'repo', repo)).rejects.toMatchObject({ code: 'not_found' });
    const made = await plane.updatePlace(admin, { kind: 'repo', id: repo }, { toolConfig: { disabled: ['math'] } });
    expect(made).toMatchObject({ id: repo, state: 'active', org: 'github:acme', autoAssign: [], children: {} });
    expect(made.toolConfig).toEqual({ disabled: ['math'] });
    expect(await plane.getToolConfig(admin, { level: 'repo', id: repo })).toMatchObject({ disabled: ['math'] });
    const { id } = await plane.createIssue(admin, { title: 'It breaks', repo, project: 'board' });
    expect((await plane.getPlace(admin, 'repo', repo)).children).toEqual({ issue: { idle: 1 } });
    expect((await plane.getPlace(admin, 'org', 'github:acme')).children).toEqual({
      issue: { idle: 1 },
      project: { open: 1 },
      repo: { active: 1 },
    });
    await plane.updateIssue(admin, id, { title: 'It breaks often' });
    expect((await plane.listPlaces(admin, 'repo')).places.map((place) => place.id)).toEqual([repo]);
    expect((await plane.listPlaces(admin, 'project', { org: 'github:acme' })).places).toHaveLength(1);
    expect((await plane.listPlaces(admin, 'project', { org: 'other' })).places).toEqual([]);
    expect((await plane.updatePlace(admin, { kind: 'repo', id: repo }, { paused: true })).state).toBe('paused');
    expect((await plane.updatePlace(admin, { kind: 'repo', id: repo }, { paused: false })).state).toBe('active');
    const org = await plane.updatePlace(admin, { kind: 'org', id: 'github:acme' }, { limits: { maxRunning: 2 } });
    expect(org.limits).toEqual({ maxRunning: 2 });
    const free = await plane.updatePlace(admin, { kind: 'org', id: 'github:acme' }, { limits: { maxRunning: null } });
    expect(free.limits).toEqual({});
    const rows = (await helve.audited()).filter(({ type }) => type === 'task_place.changed');
    expect(rows.map(({ body }) => body.fields)).toEqual([['paused'], ['paused'], ['limits'], ['limits']]);
  });

  it('R-levels: a rule assigns the agent that was meant, for whoever wrote it', async () => {
    const { plane, admin } = await open();
    const place = { kind: 'repo', id: repo } as const;
    await expect(plane.updatePlace(admin, place, { autoAssign: [{ agent: 'testr' }] })).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'autoAssign/0/agent: there is no agent "testr"',
      hint: 'Did you mean tester?',
    });
    const rule = { label: 'bug', agent: helve.agent.id };
    const byKey = await keyWith('agents:act');
    await expect(plane.updatePlace(byKey, place, { autoAssign: [rule] })).rejects.toMatchObject({ code: 'forbidden' });
    await plane.updatePlace(admin, place, { autoAssign: [rule] });
    const stored = { label: 'bug', agent: 'tester', onBehalfOf: { id: admin.id } };
    expect((await plane.getPlace(admin, 'repo', repo)).autoAssign).toMatchObject([stored]);
    // What another leaves as it was stays whose it was, and needs no right to act.
    const again = [{ label: 'bug', agent: 'tester' }];
    expect((await plane.updatePlace(byKey, place, { autoAssign: again })).autoAssign).toMatchObject([stored]);
    const subject = { ref: `${repo}#12`, labels: ['bug'] };
    await send('repo', repo, { type: 'WEBHOOK_RECEIVED', event: 'issues.opened', subject });
    await untilActor('org', 'github:acme', ({ running }) => (running as string[]).length > 0);
    const issue = await until(`${repo}#12`, ({ state }) => state === 'executing');
    expect(issue).toMatchObject({ agent: 'tester', onBehalfOf: { id: admin.id } });
    // The name now belongs to another agent, which was not meant.
    await plane.removeAgent(admin, 'tester');
    await plane.createAgent(admin, { slug: 'tester' });
    await send('repo', repo, {
      type: 'WEBHOOK_RECEIVED',
      event: 'issues.opened',
      subject: { ...subject, ref: `${repo}#13` },
    });
    await untilActor('org', 'github:acme', ({ waiting }) => (waiting as object[]).length > 0);
    const blocked = await until(`${repo}#13`, ({ state }) => state === 'blocked');
    expect(blocked.blockedBy).toEqual([{ reason: 'worker', message: 'There is no agent tester' }]);
  });

  it('R-levels: moving a card does what the rules of the column say, for whoever wrote them', async () => {
    const { plane, admin } = await open();
    const place = { kind: 'project', id: 'board' } as const;
    const { id } = await plane.createIssue(admin, { title: 'It breaks', project: 'board' });
    const rules = [{ column: 'In progess', do: 'assign', agent: 'tester' }] as const;
    await expect(plane.updatePlace(admin, place, { automation: rules })).rejects.toMatchObject({
      message: 'automation/0/column: there is no column "In progess"',
      hint: 'Did you mean In progress?',
    });
    await plane.updatePlace(admin, place, {
      automation: [
        { column: 'In progress', do: 'assign', agent: 'tester' },
        { column: 'Cancelled', do: 'cancel' },
      ],
    });
    const move = (column: string, issue = id) => plane.moveCard(admin, 'board', { issue, column });
    const { columns } = await untilActor('project', 'board', (context) => JSON.stringify(context.columns).includes(id));
    expect((columns as JsonObject[])[0]).toEqual({ name: 'To do', issues: [id] });
    await expect(move('Dune')).rejects.toMatchObject({ code: 'invalid_input', hint: 'Did you mean Done?' });
    await expect(move('Done', 'other')).rejects.toMatchObject({ code: 'conflict' });
    const mover = await keyWith('agents:act', 'grants:write');
    const moved = await plane.moveCard(mover, 'board', { issue: id, column: 'In progress' });
    expect(moved.titles).toEqual({ [id]: 'It breaks' });
    expect(await until(id, ({ state }) => state === 'executing')).toMatchObject({ onBehalfOf: { id: admin.id } });
    await move('Cancelled');
    await until(id, ({ state }) => state === 'cancelled');
    const rows = (await helve.audited()).filter(({ type }) => type === 'card.moved');
    expect(rows.map(({ actor, body }) => [actor.id, body.column])).toEqual([
      [mover.id, 'In progress'],
      [admin.id, 'Cancelled'],
    ]);
  });

  it('R-machines: an issue that is given to another project has its card there, and only there', async () => {
    const { plane, admin } = await open();
    const { id } = await plane.createIssue(admin, { title: 'It breaks', project: 'board' });
    const has = (context: JsonObject) => JSON.stringify(context.columns).includes(id);
    await untilActor('project', 'board', has);
    // It does not exist yet.
    await plane.updateIssue(admin, id, { project: 'other' });
    await untilActor('project', 'other', has);
    await untilActor('project', 'board', (context) => !has(context));
  });

  it('R-machines: a billing period begins by an act, and with each month once', async () => {
    const { plane, admin } = await open();
    const parts = { actors: undefined as never, storage: helve.storage, now: () => new Date() };
    await plane.updatePlace(admin, { kind: 'org', id: 'own' }, { limits: { maxTokens: 100 } });
    const use = async (tokens: number) => {
      await send('org', 'own', { type: 'USAGE_ADDED', tokens });
      return untilActor('org', 'own', ({ billing }) => (billing as { tokens: number }).tokens >= tokens);
    };
    await use(150);
    expect(await plane.getPlace(admin, 'org', 'own')).toMatchObject({ state: 'full', billing: { tokens: 150 } });
    const begun = await plane.startBillingPeriod(admin, 'own');
    expect(begun).toMatchObject({ state: 'open', billing: { tokens: 0 } });
    const { actors } = helve.storage.workspace(helve.workspaceId);
    const host = {
      list: ({ workspaceId: _, ...query }: { workspaceId: string }) => actors.list(query),
      send: async (to: { kind: 'org'; id: string }, event: never, { id }: { id: string }) =>
        (await actors.send({ to, event, id })) === 'accepted',
    };
    const month = (at: string) =>
      startMonth({ ...parts, actors: host as never, now: () => new Date(`${at}T00:00:01Z`) });
    const inMonth = (name: string) => untilActor('org', 'own', ({ period }) => period === name);
    await use(40);
    // It is not known when the first one began, so what was used stays.
    await month('2030-01-15');
    expect(await inMonth('2030-01')).toMatchObject({ billing: { tokens: 40 } });
    await month('2030-02-01');
    expect(await inMonth('2030-02')).toMatchObject({ billing: { tokens: 0 } });
    await use(7);
    // The clock of another process is behind.
    await month('2030-02-28');
    await send('org', 'own', { type: 'BILLING_PERIOD_STARTED', period: '2030-01' });
    await use(1);
    const { billing } = await untilActor(
      'org',
      'own',
      (context) => (context.billing as { tokens: number }).tokens !== 7,
    );
    expect(billing).toMatchObject({ tokens: 8 });
    expect(await plane.getPlace(admin, 'org', 'own')).toMatchObject({ billing: { tokens: 8, period: '2030-02' } });
  });
});
