/** Agents that change Helve itself: only as far as their person may, and only what another look of a person has approved. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Principal, Role } from '../../domain/principal.js';
import { vault } from '../../plane/acts/testing/vault-toolkit.js';
import { createTestHelve, type TestHelve, type TestHelveOptions, testTool } from '../../testing/index.js';
import { platform } from './toolkit.js';

const planted = testTool({ name: 'guarded' });
let helve: TestHelve;
const open = async (more: TestHelveOptions = {}): Promise<void> => {
  await helve?.close();
  helve = await createTestHelve({
    nativeToolkits: [platform],
    toolkits: [vault],
    tools: [planted],
    connections: [{ toolkit: 'vault', name: 'Shared', credentials: { token: 'shared-secret-token' } }],
    publicUrl: 'https://tools.example.com',
    ...more,
  });
  await helve.plane.createAgent(helve.admin, { slug: 'scout' });
};
beforeEach(() => open());
afterEach(() => helve.close());

const nobody = (): Principal => helve.agent;
const refOf = ({ kind, id, name }: Principal) => ({ kind, id, name });
/** The agent for somebody. */
const acting = (person: Principal = helve.admin): Principal => ({ ...helve.agent, onBehalfOf: refOf(person) });
async function join(role: Role): Promise<Principal> {
  const { link } = await helve.plane.createUser(helve.admin, { name: role, role });
  return (await helve.plane.redeemAdminLink(link.slice(link.indexOf('token=') + 6))).principal;
}
const keyWith = async (...permissions: Parameters<typeof helve.plane.createApiKey>[1]['permissions'] & object) =>
  helve.plane.authenticate((await helve.plane.createApiKey(helve.admin, { permissions })).secret);

const call = (tool: string, input: object, more: { principal?: Principal; approvalId?: string } = {}) =>
  helve.execute({ principal: acting(), tool, input, ...more });
async function read(tool: string, input: object = {}, principal = acting()): Promise<any> {
  const result = await call(tool, input, { principal });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.output;
}
const codeOf = (result: { ok: boolean; error?: { code: string } }) => (result.ok ? 'done' : result.error?.code);
const waiting = () => helve.plane.approvals(helve.admin, { status: 'pending' });
const approve = async (by = helve.admin): Promise<string> => {
  const [asked] = await waiting();
  await helve.plane.decideApproval(by, asked?.id ?? '', 'approved', 'api');
  return asked?.id ?? '';
};
const grantedTo = async (agent: string): Promise<string[]> =>
  (await helve.plane.grantCatalogue(helve.admin, agent)).entries.flatMap(({ tools }) =>
    tools.filter(({ granted }) => granted).map(({ modelName }) => modelName),
  );
const agents = async () => (await helve.plane.agents(helve.admin)).map(({ slug }) => slug);
const proposal = async (more: object = {}, principal = acting()) => ({
  agent: 'scout',
  tools: ['guarded', 'shared__open_vault'],
  reason: 'It has to ask the vault',
  version: (await read('list_grants', { agent: 'scout' }, principal)).version,
  ...more,
});

describe('what it is for', () => {
  test('R-levels: an agent is created once a person has approved exactly that, and the record names agent and person', async () => {
    const input = { agent: 'helper', title: 'Helper' };
    expect(codeOf(await call('create_agent', input))).toBe('approval_required');
    expect(await agents()).not.toContain('helper');
    await approve();
    expect(await call('create_agent', input)).toMatchObject({ ok: true, output: input });
    expect(await grantedTo('helper')).toEqual([]);
    const row = (await helve.audited()).findLast(({ type }) => type === 'agent.created');
    expect(row).toMatchObject({ actor: { kind: 'agent', name: 'tester' }, onBehalfOf: refOf(helve.admin) });
    expect(await read('list_agents', { search: 'help' })).toEqual({
      agents: [{ agent: 'helper', title: 'Helper' }],
      total: 1,
    });
  });

  test('R-levels: a proposed grant shows exactly what it grants, is granted once approved, and only once', async () => {
    const input = await proposal();
    expect(codeOf(await call('propose_grant', input))).toBe('approval_required');
    expect(await waiting()).toMatchObject([{ arguments: input, exact: true, tool: 'propose_grant' }]);
    expect(await grantedTo('scout')).toEqual([]);
    const approvalId = await approve();
    expect(await grantedTo('scout')).toEqual([]);
    expect(await call('propose_grant', input)).toMatchObject({
      ok: true,
      output: { agent: 'scout', added: ['guarded', 'shared__open_vault'] },
    });
    expect((await grantedTo('scout')).sort()).toEqual(['guarded', 'shared__open_vault']);
    const row = (await helve.audited()).findLast(({ type }) => type === 'grants.replaced');
    expect(row).toMatchObject({ actor: { name: 'tester' }, onBehalfOf: refOf(helve.admin) });
    // Taken back by a person, it is not granted again by the same approval, nor without one.
    await helve.plane.replaceGrants(helve.admin, 'scout', []);
    expect((await call('propose_grant', input, { approvalId })).ok).toBe(false);
    expect(codeOf(await call('propose_grant', input))).toBe('approval_required');
    expect(await grantedTo('scout')).toEqual([]);
  });

  test('R-levels: accounts are listed by name, and one is connected by the person behind a link without a secret', async () => {
    const listed = await read('list_connections');
    expect(listed).toEqual({ connections: [{ connection: 'shared', name: 'Shared', app: 'vault', status: 'active' }] });
    // As everywhere, an app is the same however its name is written.
    expect(await read('list_connections', { app: 'Vault' })).toEqual(listed);
    expect(await read('list_connections', { app: 'github' })).toEqual({ connections: [] });
    expect(await read('connect_app', { app: 'vault' })).toEqual({
      app: 'vault',
      url: 'https://tools.example.com/panel/connections/connect/vault',
    });
    expect((await call('connect_app', { app: 'nothing' })).ok).toBe(false);
    const { found, total } = await read('list_grants', { agent: 'scout', search: 'VAULT' });
    expect(total).toBe(found.length);
    expect(found.map(({ tool }: { tool: string }) => tool)).toContain('shared__open_vault');
  });

  test('R-levels: its toolkit is no app of the marketplace', async () => {
    const { apps } = await helve.plane.marketplace(helve.admin, { limit: 200 });
    expect(apps.map(({ slug }) => slug)).not.toContain('platform');
  });
});

describe('attack: more than the person may', () => {
  test.each(['member', 'auditor'] as const)('R-levels attack: a %s', async (role) => {
    const person = await join(role);
    const attempts: [string, object][] = [
      ['create_agent', { agent: 'helper' }],
      ['propose_grant', await proposal()],
    ];
    for (const [tool, input] of attempts)
      expect(codeOf(await call(tool, input, { principal: acting(person) })), tool).toBe('forbidden');
    // Nobody is asked about a call that could not run. The control is the same call for an admin.
    expect(await waiting()).toEqual([]);
    for (const [tool, input] of attempts) expect(codeOf(await call(tool, input))).toBe('approval_required');
  });

  test('R-levels attack: an agent that acts for nobody neither changes nor reads anything', async () => {
    const input = await proposal();
    for (const [tool, given] of [
      ['create_agent', { agent: 'helper' }],
      ['propose_grant', input],
      ['list_agents', {}],
      ['list_grants', { agent: 'scout' }],
      ['list_connections', {}],
      ['connect_app', { app: 'vault' }],
    ] as const)
      expect(codeOf(await call(tool, given, { principal: nobody() })), tool).toBe('forbidden');
    expect(await waiting()).toEqual([]);
  });

  test('R-levels attack: a person who lost the right after the approval', async () => {
    const person = await join('admin');
    const principal = acting(person);
    const input = await proposal();
    await call('propose_grant', input, { principal });
    await approve();
    await helve.plane.changeUser(helve.admin, person.id, { role: 'auditor' });
    expect((await call('propose_grant', input, { principal })).ok).toBe(false);
    expect(await grantedTo('scout')).toEqual([]);
  });

  test('R-levels attack: whoever approves may grant too, and no plan, policy or program approves in their place', async () => {
    const policies = [{ id: 'free', effect: 'allow', when: {} }] as const;
    await open({ policies, config: 'approvals: { elicitation_agents: [tester] }' });
    const input = await proposal();
    const asked = await call('propose_grant', input);
    expect(asked).toMatchObject({ error: { code: 'approval_required', details: { elicitation: false } } });
    const id = (await waiting())[0]?.id ?? '';
    const decider = await keyWith('approvals:read', 'approvals:decide', 'tools:call', 'agents:write');
    const { plane } = helve;
    await expect(plane.decideApproval(decider, id, 'approved', 'api')).rejects.toMatchObject({ code: 'forbidden' });
    await expect(plane.answerElicitation(acting(), id, 'approved')).rejects.toMatchObject({ code: 'forbidden' });
    const together = await plane.decideApprovals(decider, [id], { decision: 'approved', through: 'api' });
    expect(together).toMatchObject([{ error: { code: 'forbidden' } }]);
    expect(codeOf(await call('propose_grant', input))).toBe('approval_required');
    // The controls: where a policy allows it, other acts need no approval; and the same approval, by somebody who may grant.
    expect(codeOf(await call('create_agent', { agent: 'helper' }))).toBe('done');
    const granter = await keyWith('approvals:read', 'approvals:decide', 'grants:write');
    await approve(granter);
    expect(codeOf(await call('propose_grant', input))).toBe('done');
  });

  test('R-levels attack: a plan of a program does not stand for the approval of a grant', async () => {
    const input = await proposal();
    const code = `return await platform.proposeGrant(${JSON.stringify(input)})`;
    const plan = await helve.plane.runCode(acting(), { code, mode: 'plan' });
    expect(plan.planned?.effects).toMatchObject([{ tool: 'propose_grant' }]);
    await helve.plane.decideRun(helve.admin, plan.id, { decision: 'approve_plan' });
    const run = await helve.plane.runCode(acting(), { code, plan: plan.id });
    expect(run.waits).toMatchObject([{ approvalId: expect.any(String) }]);
    expect(await grantedTo('scout')).toEqual([]);
  });
});

describe('attack: another thing than was approved', () => {
  const changed: [string, () => Promise<unknown>][] = [
    [
      'the grants of the agent',
      () => helve.plane.changeGrants(helve.admin, 'scout', { add: [{ tools: ['list_agents'] }] }),
    ],
    [
      'the agent behind the name',
      async () => {
        await helve.plane.removeAgent(helve.admin, 'scout');
        await helve.plane.createAgent(helve.admin, { slug: 'scout' });
      },
    ],
    [
      'the account behind the name of the tool',
      async () => {
        await helve.plane.removeConnection(helve.admin, 'shared');
        const { id } = await helve.plane.addConnection(helve.admin, { toolkit: 'vault', name: 'Shared' });
        await helve.plane.connect(helve.admin, id, { credentials: { token: 'other' }, check: false });
      },
    ],
  ];
  test.each(changed)('R-levels attack: %s has changed since the proposal', async (_what, change) => {
    const input = await proposal();
    await call('propose_grant', input);
    await approve();
    await change();
    const before = await grantedTo('scout');
    expect((await call('propose_grant', input)).ok).toBe(false);
    expect(await grantedTo('scout')).toEqual(before);
    // The control: proposed anew, it is granted.
    const anew = await proposal();
    await call('propose_grant', anew);
    await approve();
    expect(codeOf(await call('propose_grant', anew))).toBe('done');
  });

  test.each([
    ['a pattern', '*'],
    ['a toolkit', 'vault'],
    ['an account', 'shared'],
    ['a form without the account', 'open_vault'],
    ['part of a name', 'shared__*'],
  ])('R-levels attack: %s in place of a whole name', async (_what, name) => {
    const refused = await call('propose_grant', await proposal({ tools: ['guarded', name] }));
    expect(codeOf(refused)).toBe('invalid_input');
    expect(await waiting()).toEqual([]);
  });

  test('R-levels attack: an agent or an account of another workspace, and an account of somebody else', async () => {
    const { workspaceId } = await helve.ensureWorkspace('other');
    const { principal: there } = await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId));
    await helve.plane.createAgent(there, { slug: 'theirs' });
    const input = await proposal();
    expect(codeOf(await call('propose_grant', { ...input, agent: 'theirs' }))).toBe('not_found');
    expect(codeOf(await call('list_grants', { agent: 'theirs' }))).toBe('not_found');
    expect(codeOf(await call('propose_grant', input, { principal: acting(there) }))).toBe('forbidden');
    const eve = await join('admin');
    const own = { toolkit: 'vault', name: 'Eves', visibility: 'private' } as const;
    const { id } = await helve.plane.addConnection(eve, own);
    await helve.plane.connect(eve, id, { credentials: { token: 'eve' }, check: false });
    const fresh = await proposal({ tools: ['eves__open_vault'] });
    expect(codeOf(await call('propose_grant', fresh))).toBe('invalid_input');
    expect(JSON.stringify(await read('list_connections'))).not.toContain('Eves');
    expect(await waiting()).toEqual([]);
    // The control: for Eve it can be proposed.
    const hers = await proposal({ tools: ['eves__open_vault'] }, acting(eve));
    expect(codeOf(await call('propose_grant', hers, { principal: acting(eve) }))).toBe('approval_required');
  });
});

test('attack: list_grants says how many tools fit when it shows fewer', async () => {
  await open({ tools: Array.from({ length: 60 }, (_, number) => testTool({ name: `spare_${number}` })) });
  const { found, total } = await read('list_grants', { agent: 'scout', search: 'spare' });
  expect([found.length, total]).toEqual([50, 60]);
  expect(await read('list_grants', { agent: 'scout' })).toMatchObject({ found: [], total: 0 });
});
