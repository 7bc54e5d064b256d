/** The list of calls: its filters, its pages, and what a member sees of it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExecutionsQuery } from '../../domain/execution.js';
import type { Principal } from '../../domain/principal.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';
import { vault } from './testing/vault-toolkit.js';

let helve: TestHelve;
let one: string;
/** By name: the ids of calls, in the order in which they ended. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  const fail = testTool({
    name: 'fail',
    execute: async () => {
      throw new Error('It broke');
    },
  });
  helve = await createTestHelve({
    nativeToolkits: [],
    tools: [fail, testTool({ name: 'guarded', highRisk: true })],
    toolkits: [vault],
    connections: ['One', 'Two'].map((name) => ({ toolkit: 'vault', name, credentials: { token: name } })),
  });
  one = (await helve.plane.connection(helve.admin, 'one')).id;
  for (const [name, tool, input] of [
    ['first', 'one__open_vault', { shelf: 'top' }],
    ['second', 'two__open_vault', { shelf: 'low' }],
    ['failed', 'fail', {}],
    ['waiting', 'guarded', {}],
    ['unknown', 'nothing', {}],
    ['last', 'one__open_vault', { shelf: 'low' }],
  ] as const)
    ids[name] = (await helve.call(tool, input)).executionId;
});
afterAll(() => helve.close());

async function list(query: ExecutionsQuery, by: Principal = helve.admin): Promise<string[]> {
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  return (await helve.plane.executions(by, query)).map(({ executionId }) => names.get(executionId) ?? '?');
}

test('R-audit: calls are listed by status, account, rule, tool, caller and words, newest first', async () => {
  expect(await list({})).toEqual(['last', 'unknown', 'waiting', 'failed', 'second', 'first']);
  expect(await list({ status: 'ok' })).toEqual(['last', 'second', 'first']);
  expect(await list({ status: 'failed' })).toEqual(['failed']);
  expect(await list({ status: 'refused' })).toEqual(['unknown', 'waiting']);
  expect(await list({ connection: one })).toEqual(['last', 'first']);
  expect(await list({ rule: 'tool.unknown' })).toEqual(['unknown']);
  expect(await list({ tool: 'one__open_vault', status: 'ok', connection: one })).toEqual(['last', 'first']);
  expect(await list({ text: 'It broke' })).toEqual(['failed']);
  expect(await list({ actor: helve.agent.id, status: 'failed' })).toEqual(['failed']);
  expect(await list({ actor: helve.admin.id })).toEqual([]);
  expect(await list({ connection: 'none' })).toEqual([]);
});

test('R-audit: a rule finds the calls that it allowed, an account those that were interrupted, and both lists agree', async () => {
  const { calls } = await helve.plane.listCalls(helve.admin, {});
  const rule = calls.find(({ executionId }) => executionId === ids.second)?.rule ?? '';
  expect(rule).toMatch(/^grant:/);
  expect(await list({ rule })).toEqual(['second']);
  for (const other of new Set(calls.map((one) => one.rule ?? ''))) {
    const page = await helve.plane.listCalls(helve.admin, { rule: other });
    const found = await helve.plane.executions(helve.admin, { rule: other });
    expect(found.map(({ executionId }) => executionId)).toEqual(page.calls.map(({ executionId }) => executionId));
  }
});

test('R-audit: pages follow each other without a gap, with and without a filter', async () => {
  for (const filter of [{}, { status: 'ok' }, { connection: one }] as const) {
    const all = await list(filter);
    const paged: string[] = [];
    for (let before: number | undefined; ; ) {
      const page = await helve.plane.executions(helve.admin, { ...filter, limit: 1, ...(before ? { before } : {}) });
      if (page.length === 0) break;
      before = page[0]?.seq;
      paged.push(page[0]?.executionId ?? '');
    }
    expect(paged).toEqual(all.map((name) => ids[name]));
  }
});

test('leak: what an agent called for one person is not shown when it acts for another one', async () => {
  const plane = await createTestHelve({ nativeToolkits: [], tools: [testTool({ name: 'echo' })] });
  const actingFor = (id: string): Principal => ({ ...plane.agent, onBehalfOf: { kind: 'user', id, name: id } });
  const [ann, ben] = [actingFor('ann'), actingFor('ben')];
  const { executionId } = await plane.plane.execute({ principal: ann, tool: 'echo', input: { secret: 'of Ann' } });
  const seenBy = async (by: Principal) => {
    const events: (string | undefined)[] = [];
    for await (const event of plane.plane.events(by, { after: 0, live: false }, AbortSignal.timeout(10_000)))
      if (event.type === 'execution.finished') events.push(event.executionId);
    const record = await plane.plane.execution(by, executionId).catch((error: { code: string }) => error.code);
    return {
      events,
      executions: (await plane.plane.executions(by, {})).map((one) => one.executionId),
      calls: (await plane.plane.listCalls(by, {})).calls.map((one) => one.executionId),
      record: typeof record === 'string' ? record : record.executionId,
    };
  };
  const all = [executionId];
  expect(await seenBy(ann)).toEqual({ events: all, executions: all, calls: all, record: executionId });
  const none = { events: [], executions: [], calls: [], record: 'not_found' };
  for (const other of [ben, plane.agent]) expect(await seenBy(other)).toEqual(none);
  await plane.close();
});

test('leak: without audit:read a caller sees its own calls, and a member those with their accounts', async () => {
  const stranger: Principal = { ...helve.admin, id: 'stranger', permissions: ['tools:read'] };
  expect(await list({}, stranger)).toEqual([]);
  expect(await list({ actor: helve.agent.id }, stranger)).toEqual([]);
  const owner: Principal = { ...helve.admin, permissions: ['tools:read'], ownAccountsOnly: true };
  expect(await list({}, owner)).toEqual(['last', 'second', 'first']);
  expect((await helve.plane.execution(owner, ids.first ?? '')).tool).toBe('Vault.openVault');
  const other: Principal = { ...owner, id: 'other' };
  expect(await list({}, other)).toEqual([]);
  await expect(helve.plane.execution(other, ids.first ?? '')).rejects.toMatchObject({ code: 'not_found' });
});
