/**
 * Another person's private account cannot be seen, used, or distinguished from one that does not exist; its owner can
 * do everything.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { effects } from '../../domain/effects.js';
import { HelveError } from '../../domain/errors.js';
import { allPermissions, type Principal } from '../../domain/principal.js';
import type { ToolDefinition } from '../../domain/tool.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { vault } from './testing/vault-toolkit.js';

/** The vault with a tool that has an effect, and one of which nobody knows whether it had its effect. */
async function addFilling(): Promise<readonly ToolDefinition[]> {
  const tools = await vault.load();
  const fill = tools.map((tool) => ({ ...tool, name: 'fill_vault', annotations: effects.creates }));
  const lose = fill.map((tool) => ({
    ...tool,
    name: 'lose_vault',
    execute: () => Promise.reject(new HelveError('outcome_unknown', 'The answer was lost')),
  }));
  return [...tools, ...fill, ...lose];
}

let helve: TestHelve;
let other: Principal;
beforeEach(async () => {
  helve = await createTestHelve({
    toolkits: [{ ...vault, load: addFilling }],
    connections: [
      { toolkit: 'vault', name: 'Mine', visibility: 'private', credentials: { token: 'canary' } },
      { toolkit: 'vault', name: 'Shared', credentials: { token: 'canary' } },
    ],
    policies: [{ id: 'ask', effect: 'require_approval', when: { tools: ['open_vault'] } }],
  });
  const { secret } = await helve.plane.createApiKey(helve.admin, { permissions: allPermissions });
  other = await helve.plane.authenticate(secret);
});
afterEach(() => helve.close());

/** What was returned or thrown, without the parts that differ in every answer. */
async function said(act: Promise<unknown>): Promise<unknown> {
  const answer = await act.catch((thrown) => thrown.toJSON());
  return JSON.parse(JSON.stringify(answer).replaceAll(/"(executionId|durationMs)":("[^"]*"|[\d.]+),?/g, ''));
}

const open = (principal: Principal, tool: string) => helve.plane.execute({ principal, tool, input: {} });
const approvalOf = async (result: unknown): Promise<string> =>
  (await (result as Promise<{ error: { details: { approvalId: string } } }>)).error.details.approvalId;

describe('approvals', () => {
  test('leak: an approval bound to a private account is listed, shown and decided only for its owner', async () => {
    const mine = await approvalOf(open(helve.admin, 'mine__open_vault'));
    const shared = await approvalOf(open(helve.admin, 'shared__open_vault'));
    const { plane, admin } = helve;
    const ids = async (by: Principal, limit = 9) => (await plane.approvals(by, { limit })).map(({ id }) => id);
    expect(await ids(admin)).toEqual([shared, mine]);
    expect(await ids(other)).toEqual([shared]);
    expect(await said(plane.approval(other, mine))).toEqual(await said(plane.approval(other, 'no-such-approval')));
    const decide = (by: Principal, id: string) => plane.decideApproval(by, id, 'approved', 'api');
    expect(await said(decide(other, mine))).toEqual(await said(decide(other, 'no-such-approval')));
    expect((await plane.approval(admin, mine)).status).toBe('pending');
    expect((await decide(other, shared)).status).toBe('approved');
    expect((await decide(admin, mine)).status).toBe('approved');
    // After the account was removed, no one may see it.
    await plane.removeConnection(admin, 'mine');
    expect([await ids(other), await ids(admin)]).toEqual([[shared], [shared]]);
  });
});

describe('runs', () => {
  test('leak: a plan for a private account is approved only by its owner', async () => {
    const { plane, admin } = helve;
    const plan = async (name: string) =>
      (await plane.runCode(admin, { code: `return await ${name}.fillVault({})`, mode: 'plan' })).id;
    const approve = (by: Principal, id: string) => plane.decideRun(by, id, { decision: 'approve_plan' });
    const mine = await plan('mine');
    expect((await plane.getRun(admin, mine)).planned?.effects).toMatchObject([{ connection: 'mine' }]);
    const refusal = JSON.stringify(await said(approve(other, 'no-such-run')));
    expect(JSON.stringify(await said(approve(other, mine)))).toBe(refusal.replace('no-such-run', mine));
    expect((await plane.getRun(admin, mine)).planned?.status).toBe('pending');
    expect((await approve(other, await plan('shared'))).planned?.status).toBe('approved');
    expect((await approve(admin, mine)).planned?.status).toBe('approved');
  });

  test('leak: whether a call with a private account happened is said only by its owner', async () => {
    const { plane, admin } = helve;
    const lose = (name: string) => plane.runCode(admin, { code: `return await ${name}.loseVault({})` });
    const decide = (by: Principal, id: string) =>
      plane.decideRun(by, id, { decision: 'happened', number: 1, output: { opened: true } });
    const mine = await lose('mine');
    expect(mine).toMatchObject({ status: 'in_doubt', waits: [{ for: 'doubt', number: 1 }] });
    const refusal = JSON.stringify(await said(decide(other, 'no-such-run')));
    expect(JSON.stringify(await said(decide(other, mine.id)))).toBe(refusal.replace('no-such-run', mine.id));
    expect((await plane.getRun(admin, mine.id)).status).toBe('in_doubt');
    const shared = await lose('shared');
    const marks = async (by: Principal, id: string) =>
      (await plane.getRun(by, id)).waits.map((wait) => 'forOthers' in wait && wait.forOthers);
    expect([await marks(other, mine.id), await marks(other, shared.id)]).toEqual([[true], [false]]);
    expect(await marks(admin, mine.id)).toEqual([false]);
    const settled = async (by: Principal, id: string) => {
      await decide(by, id);
      for await (const event of plane.followRun(admin, id, AbortSignal.timeout(10_000)))
        if (event.type === 'settled') return event.run;
      throw new Error('the run did not end');
    };
    const done = { status: 'succeeded', value: { opened: true } };
    expect(await settled(other, shared.id)).toMatchObject(done);
    expect(await settled(admin, mine.id)).toMatchObject(done);
  });
});

describe('calls', () => {
  test('leak: its tools look like tools that do not exist, in every request', async () => {
    const { plane } = helve;
    const asIf = (answer: unknown) => JSON.stringify(answer).replaceAll('mine__', 'none__');
    for (const tool of ['mine__open_vault', 'mine__nothing']) {
      const none = tool.replace('mine', 'none');
      expect(asIf(await said(open(other, tool))), tool).toEqual(JSON.stringify(await said(open(other, none))));
      expect(asIf(await plane.validateAccess(other, tool))).toEqual(
        JSON.stringify(await plane.validateAccess(other, none)),
      );
    }
    expect(await plane.validateAccess(other, 'mine__open_vault')).toMatchObject({ rule: 'tool.unknown' });
    expect(await plane.validateAccess(helve.admin, 'mine__open_vault')).not.toMatchObject({ effect: 'deny' });
    // If it can see only one account, it need not name it.
    expect(await open(other, 'vault.open_vault')).toMatchObject({ error: { code: 'approval_required' } });
  });

  test('attack: the tool of a removed account is not called with another account', async () => {
    await helve.plane.replacePolicies(helve.admin, []);
    expect(await open(helve.admin, 'mine__open_vault')).toMatchObject({ output: { vault: 'Mine' } });
    await helve.plane.removeConnection(helve.admin, 'mine');
    expect(await open(helve.admin, 'mine__open_vault')).toMatchObject({ error: { code: 'tool_not_found' } });
    expect(await open(helve.admin, 'shared__open_vault')).toMatchObject({ output: { vault: 'Shared' } });
  });
});

test('attack: disconnecting everything leaves another person’s private account unchanged', async () => {
  const { plane, admin } = helve;
  expect((await plane.disconnectAll(other)).map(({ connection }) => connection.slug)).toEqual(['shared']);
  expect((await plane.connection(admin, 'mine')).status).toBe('active');
  expect((await plane.disconnectAll(admin)).map(({ connection }) => connection.slug)).toEqual(['mine', 'shared']);
});
