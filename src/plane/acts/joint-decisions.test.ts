/** Approvals for those who decide many: filters, counts, pages, notes, several at once, and the last approved one. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { agentPrincipal, type Principal } from '../../domain/principal.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';
import { vault } from './testing/vault-toolkit.js';

let helve: TestHelve;
let ran: unknown[];
beforeEach(async () => {
  ran = [];
  const guarded = (name: string) =>
    testTool({ name, highRisk: true, execute: async (input) => ({ done: ran.push(input) }) });
  const open = vault.load;
  helve = await createTestHelve({
    nativeToolkits: [],
    tools: [guarded('send'), guarded('wipe')],
    toolkits: [{ ...vault, load: async () => [...(await open()), guarded('empty_vault')] }],
    connections: [{ toolkit: 'vault', name: 'One', credentials: { token: 'one' } }],
  });
});
afterEach(() => helve.close());

async function ask(tool: string, input: object = {}, principal: Principal = helve.agent): Promise<string> {
  const result = await helve.plane.execute({ principal, tool, input });
  if (result.ok || typeof result.error.details?.approvalId !== 'string') throw new Error(JSON.stringify(result));
  return result.error.details.approvalId;
}

test('R-approval: approvals are listed by tool, caller and account, counted by status, and paged', async () => {
  const sent = [await ask('send', { n: 1 }), await ask('send', { n: 2 }), await ask('send', { n: 3 })];
  const wiped = await ask('wipe');
  const emptied = await ask('one__empty_vault');
  const ids = async (query: object) => (await helve.plane.approvals(helve.admin, query)).map(({ id }) => id);
  expect(await ids({ tool: 'send' })).toEqual(sent.toReversed());
  expect(await ids({ toolkit: 'vault' })).toEqual([emptied]);
  expect(await ids({ connection: (await helve.plane.connection(helve.admin, 'one')).id })).toEqual([emptied]);
  expect(await ids({ actor: helve.agent.id })).toHaveLength(5);
  expect(await ids({ actor: 'nobody' })).toEqual([]);
  expect(await ids({ limit: 2 })).toEqual([emptied, wiped]);
  expect(await ids({ limit: 2, before: wiped })).toEqual([sent[2], sent[1]]);
  await helve.plane.decideApproval(helve.admin, wiped, 'rejected', 'api');
  const counts = { pending: 4, approved: 0, rejected: 1, used: 0, withdrawn: 0 };
  expect(await helve.plane.approvalCounts(helve.admin, { status: 'rejected' })).toEqual(counts);
  expect(await helve.plane.approvalCounts(helve.admin, { tool: 'wipe' })).toEqual({ ...counts, pending: 0 });
  const member: Principal = { ...helve.admin, ownAccountsOnly: true };
  expect(await helve.plane.approvalCounts(member, {})).toMatchObject({ pending: 1, rejected: 0 });
  expect(await helve.plane.approvalCounts({ ...member, id: 'other' }, {})).toMatchObject({ pending: 0 });
});

test('R-approval: one that has expired is neither listed nor counted as waiting', async () => {
  const id = await ask('send', { n: 1 });
  const { expiresAt } = await helve.plane.approval(helve.admin, id);
  helve.advance(Date.parse(expiresAt) - Date.now() - 60_000);
  const later = await ask('send', { n: 2 });
  const waiting = async () => (await helve.plane.approvals(helve.admin, { status: 'pending' })).map((one) => one.id);
  expect(await waiting()).toEqual([later, id]);
  helve.advance(60_000);
  expect(await waiting()).toEqual([later]);
  expect(await helve.plane.approvalCounts(helve.admin, {})).toMatchObject({ pending: 1 });
  expect((await helve.plane.approvals(helve.admin, {})).map((one) => one.id)).toEqual([later, id]);
});

test('R-approval: the note on a rejection reaches the caller, the approval and the record', async () => {
  const id = await ask('send', { n: 1 });
  const note = 'Ask Ana first; password=hunter2hunter2';
  await helve.plane.decideApprovals(helve.admin, [id], { decision: 'rejected', note, through: 'panel' });
  const result = await helve.call('send', { n: 1 });
  expect(result).toMatchObject({
    ok: false,
    error: { code: 'approval_rejected', message: expect.stringContaining(note), details: { note } },
  });
  expect(await helve.plane.approval(helve.admin, id)).toMatchObject({ note, decidedThrough: 'panel' });
  const row = (await helve.audited()).find(({ type }) => type === 'approval.decided');
  expect(row?.body).toMatchObject({ through: 'panel', note: expect.stringContaining('Ask Ana first') });
  expect(JSON.stringify(row)).not.toContain('hunter2');
  const tooLong = { decision: 'rejected', note: 'x'.repeat(501), through: 'api' } as const;
  const other = await ask('wipe');
  await expect(helve.plane.decideApprovals(helve.admin, [other], tooLong)).rejects.toMatchObject({
    code: 'invalid_input',
  });
});

test('R-approval: several calls of one tool by one caller are decided together, each once', async () => {
  const ids = [await ask('send', { n: 1 }), await ask('send', { n: 2 }), await ask('send', { n: 3 })];
  await helve.plane.decideApproval(helve.admin, ids[1] ?? '', 'rejected', 'api');
  const outcomes = await helve.plane.decideApprovals(helve.admin, [...ids, ...ids], {
    decision: 'approved',
    through: 'panel',
  });
  expect(outcomes).toEqual([
    { id: ids[0], approval: expect.objectContaining({ status: 'approved' }) },
    { id: ids[1], error: expect.objectContaining({ code: 'conflict' }) },
    { id: ids[2], approval: expect.objectContaining({ status: 'approved' }) },
  ]);
  for (const n of [1, 2, 3]) await helve.call('send', { n });
  expect(ran).toEqual([{ n: 1 }, { n: 3 }]);
});

test('attack: calls of several tools or callers are not decided together, and one that is not visible stops all', async () => {
  const other = agentPrincipal(await helve.plane.createAgent(helve.admin, { slug: 'other' }), helve.workspaceId);
  await helve.plane.replaceGrants(helve.admin, 'other', [
    { toolkit: 'custom', tools: ['send'], limits: {}, config: {} },
  ]);
  const send = await ask('send', { n: 1 });
  const refused = [
    [[send, await ask('wipe')], helve.admin, 'invalid_input'],
    [[send, await ask('send', { n: 2 }, other)], helve.admin, 'invalid_input'],
    [[send, 'nothing'], helve.admin, 'not_found'],
    [[], helve.admin, 'invalid_input'],
    [[send], { ...helve.admin, ownAccountsOnly: true }, 'not_found'],
    [[send], { ...helve.admin, permissions: ['approvals:read'] }, 'forbidden'],
  ] as const;
  for (const [ids, by, code] of refused)
    await expect(helve.plane.decideApprovals(by, ids, { decision: 'approved', through: 'api' })).rejects.toMatchObject({
      code,
    });
  expect(await helve.plane.approvalCounts(helve.admin, {})).toMatchObject({ pending: 3, approved: 0 });
  await helve.call('send', { n: 1 });
  expect(ran).toEqual([]);
  // The control: the same decision on calls of one kind has its effect.
  await helve.plane.decideApprovals(helve.admin, [send], { decision: 'approved', through: 'api' });
  await helve.call('send', { n: 1 });
  expect(ran).toEqual([{ n: 1 }]);
});

test('R-approval: an approval shows the last approved call of the same tool, caller and account', async () => {
  const first = await ask('send', { to: 'a' });
  expect(await helve.plane.approval(helve.admin, first)).not.toHaveProperty('lastApproved');
  await helve.plane.decideApproval(helve.admin, first, 'approved', 'api');
  await helve.call('send', { to: 'a' });
  await helve.plane.decideApproval(helve.admin, await ask('send', { to: 'rejected' }), 'rejected', 'api');
  await helve.plane.decideApproval(helve.admin, await ask('wipe', { to: 'another tool' }), 'approved', 'api');
  const second = await ask('send', { to: 'b' });
  expect((await helve.plane.approval(helve.admin, second)).lastApproved).toMatchObject({
    id: first,
    arguments: { to: 'a' },
    exact: true,
    decidedBy: { id: helve.admin.id },
  });
  const reader: Principal = { ...helve.admin, permissions: ['approvals:read'] };
  expect((await helve.plane.approval(reader, second)).lastApproved).not.toHaveProperty('exact', true);
});
