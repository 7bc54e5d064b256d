/** Lists, counts and figures of calls: filters, pages in both directions, running calls, and what a member sees. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallsFilter, CallsQuery } from '../../domain/calls.js';
import type { Principal } from '../../domain/principal.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';
import { vault } from './testing/vault-toolkit.js';

let helve: TestHelve;
let one: string;
let release: () => void = () => undefined;
let running: Promise<unknown>;
let begun: () => void = () => undefined;
const entered = new Promise<void>((resolve) => {
  begun = resolve;
});
/** By name: the ids of calls, in the order in which they ended. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  const fail = testTool({
    name: 'fail',
    execute: async () => {
      throw new Error('It broke');
    },
  });
  const slow = testTool({
    name: 'slow',
    execute: async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
        begun();
      });
      return {};
    },
  });
  helve = await createTestHelve({
    nativeToolkits: [],
    tools: [fail, slow, testTool({ name: 'guarded', highRisk: true })],
    toolkits: [vault],
    connections: ['One', 'Two'].map((name) => ({ toolkit: 'vault', name, credentials: { token: name } })),
  });
  one = (await helve.plane.connection(helve.admin, 'one')).id;
  const calls = [
    ['first', 'one__open_vault', { shelf: 'top' }, 'mcp'],
    ['second', 'two__open_vault', { shelf: 'low' }, 'api'],
    ['failed', 'fail', { query: 'invoice', password: 'hunter2hunter2' }, 'api'],
    ['waiting', 'guarded', {}, 'mcp'],
    ['unknown', 'nothing', {}, 'mcp'],
    ['last', 'one__open_vault', { shelf: 'low' }, 'mcp'],
  ] as const;
  for (const [name, tool, input, door] of calls) ids[name] = (await helve.call(tool, input, { door })).executionId;
  running = helve.call('slow', { a: 1 }, { onStart: (id) => (ids.running = id) });
  await entered;
});
afterAll(async () => {
  release();
  await running;
  await helve.close();
});

const nameOf = (id: string): string => Object.keys(ids).find((name) => ids[name] === id) ?? '?';
async function list(query: CallsQuery, by: Principal = helve.admin): Promise<string[]> {
  return (await helve.plane.listCalls(by, query)).calls.map(({ executionId }) => nameOf(executionId));
}

const all = ['running', 'last', 'unknown', 'waiting', 'failed', 'second', 'first'];
const ended = all.slice(1);

test('R-audit: calls are listed with the running ones first, without arguments and results', async () => {
  expect(await list({})).toEqual(all);
  const { calls } = await helve.plane.listCalls(helve.admin, {});
  const [now, last] = calls;
  expect(now).toMatchObject({ status: 'running', tool: 'Custom.slow', startedAt: expect.any(String), risk: 'write' });
  expect(now).not.toHaveProperty('finishedAt');
  expect(last).toMatchObject({ status: 'ok', connectionId: one, door: 'mcp', durationMs: expect.any(Number) });
  expect(Date.parse(last?.startedAt ?? '')).toBeLessThanOrEqual(Date.parse(last?.finishedAt ?? ''));
  expect(last?.summary).toBe('shelf: low');
  expect(calls[4]).toMatchObject({
    summary: 'query: invoice · password: [redacted]',
    error: { code: 'tool_failed', message: 'It broke' },
  });
  expect(JSON.stringify(calls)).not.toContain('hunter2');
  expect(JSON.stringify(calls)).not.toContain('"output"');
});

const filters: readonly (readonly [CallsFilter | (() => CallsFilter), readonly string[]])[] = [
  [{ status: 'running' }, ['running']],
  [{ status: 'ok' }, ['last', 'second', 'first']],
  [{ status: 'failed' }, ['failed']],
  [{ status: 'refused' }, ['unknown', 'waiting']],
  [() => ({ connection: one }), ['last', 'first']],
  [{ rule: 'tool.unknown' }, ['unknown']],
  [{ error: 'approval_required' }, ['waiting']],
  [{ tool: 'one__open_vault' }, ['last', 'second', 'first']],
  [{ toolkit: 'vault', status: 'ok' }, ['last', 'second', 'first']],
  [{ toolkit: 'Vault' }, ['last', 'second', 'first']],
  [{ door: 'mcp', status: 'ok' }, ['last', 'first']],
  [{ risk: 'read' }, ['last', 'second', 'first']],
  [{ risk: 'write' }, ['running', 'waiting', 'failed']],
  [{ risk: 'destructive' }, []],
  [{ text: 'It broke' }, ['failed']],
  [{ text: 'It broke', status: 'ok' }, []],
  [{ minDurationMs: 3_600_000 }, []],
  [{ since: '2999-01-01T00:00:00.000Z' }, []],
  [{ until: '2000-01-01T00:00:00.000Z' }, []],
  [{ actor: 'nobody' }, []],
];

test.each(
  filters,
)('R-audit: the list keeps to the filter %s, and the counts agree with it', async (given, expected) => {
  const filter = typeof given === 'function' ? given() : given;
  expect(await list(filter)).toEqual(expected);
  const facets = await helve.plane.callFacets(helve.admin, filter);
  expect(facets.total).toBe(expected.length);
});

test('R-audit: counts name each value; the filter on a field leaves its other values', async () => {
  const facets = await helve.plane.callFacets(helve.admin, { status: 'ok' });
  expect(facets.status).toEqual([
    { value: 'ok', count: 3 },
    { value: 'refused', count: 2 },
    { value: 'failed', count: 1 },
    { value: 'running', count: 1 },
  ]);
  expect(facets.tool).toEqual([{ value: 'Vault.openVault', count: 3 }]);
  expect(facets.actor).toEqual([{ value: helve.agent.id, count: 3, name: 'tester' }]);
  expect(facets.connection).toContainEqual({ value: one, count: 2, name: 'One' });
  expect(facets.door).toEqual([
    { value: 'mcp', count: 2 },
    { value: 'api', count: 1 },
  ]);
  expect((await helve.plane.callFacets(helve.admin, {})).rule).toContainEqual({ value: 'tool.unknown', count: 1 });
});

test('R-audit: pages follow each other in both directions without a gap', async () => {
  const older: string[] = [];
  let page = await helve.plane.listCalls(helve.admin, { limit: 2 });
  const pages = [page];
  for (;;) {
    older.push(
      ...page.calls.filter(({ status }) => status !== 'running').map(({ executionId }) => nameOf(executionId)),
    );
    if (page.next === undefined) break;
    page = await helve.plane.listCalls(helve.admin, { limit: 2, before: page.next });
    pages.push(page);
  }
  expect(older).toEqual(ended);
  const back: string[] = [];
  while (page.previous !== undefined) {
    page = await helve.plane.listCalls(helve.admin, { limit: 2, after: page.previous });
    back.unshift(...page.calls.map(({ executionId }) => nameOf(executionId)));
  }
  expect(back).toEqual(ended.slice(0, 4));
  await expect(helve.plane.listCalls(helve.admin, { before: 9, after: 3 })).rejects.toMatchObject({
    code: 'invalid_input',
  });
});

test('R-audit: one call has its duration, its approval, and its neighbours under the filter', async () => {
  const call = await helve.plane.getCall(helve.admin, ids.second ?? '', { status: 'ok' });
  expect([nameOf(call.previous ?? ''), nameOf(call.next ?? '')]).toEqual(['last', 'first']);
  expect(call.durationMs).toBeGreaterThanOrEqual(0);
  // The name in the record can mean several accounts.
  expect(call).toMatchObject({ tool: 'Vault.openVault', modelName: 'two__open_vault' });
  const [approval] = await helve.plane.approvals(helve.admin, { status: 'pending' });
  await helve.plane.decideApproval(helve.admin, approval?.id ?? '', 'approved', 'api');
  const done = await helve.call('guarded', {});
  const used = await helve.plane.getCall(helve.admin, done.executionId, {});
  expect(used).not.toHaveProperty('previous');
  expect(used.approval).toMatchObject({ id: approval?.id, status: 'used', decidedAt: expect.any(String) });
});

test('R-approval: a call that waits leads to the approval that it waits for', async () => {
  const [approval] = await helve.plane.approvals(helve.admin, { tool: 'guarded' });
  const waiting = await helve.plane.getCall(helve.admin, ids.waiting ?? '', {});
  expect(waiting.approval).toMatchObject({ id: approval?.id, status: approval?.status });
  expect((await helve.plane.getCall(helve.admin, ids.unknown ?? '', {})).approval).toBeUndefined();
});

describe('figures', () => {
  test('R-audit: figures by tool, agent and minute count outcomes, durations and characters', async () => {
    const tools = await helve.plane.callMetrics(helve.admin, { by: 'tool', actor: helve.agent.id });
    const opened = tools.groups.find(({ key }) => key === 'Vault.openVault');
    expect(opened).toMatchObject({ calls: 3, ok: 3, failed: 0, p50: expect.any(Number), p99: expect.any(Number) });
    expect(opened?.characters).toBeGreaterThan(0);
    expect(tools.groups.find(({ key }) => key === 'nothing')).toMatchObject({ calls: 1, refused: 1 });
    expect(tools.groups.find(({ key }) => key === 'nothing')).not.toHaveProperty('p50');
    const agents = await helve.plane.callMetrics(helve.admin, { by: 'agent' });
    expect(agents.groups).toEqual([expect.objectContaining({ key: helve.agent.id, name: 'tester' })]);
    const minutes = await helve.plane.callMetrics(helve.admin, { by: 'minute' });
    expect(minutes.seconds).toBe(60);
    expect(minutes.groups.reduce((sum, { calls }) => sum + calls, 0)).toBe(minutes.total.calls);
    const hours = await helve.plane.callMetrics(helve.admin, { by: 'minute', minutes: 60 });
    expect(hours.seconds).toBe(3_600);
    expect(hours.groups.length).toBeLessThanOrEqual(2);
    expect(hours.groups.reduce((sum, { calls }) => sum + calls, 0)).toBe(minutes.total.calls);
    const longer = await helve.plane.callMetrics(helve.admin, { by: 'minute', since: '2020-01-01T00:00:00.000Z' });
    expect(longer.seconds).toBeGreaterThan(60);
    expect(longer.total.calls).toBe(minutes.total.calls);
  });
});

test('leak: without audit:read a caller gets its own calls, and a member those with their accounts', async () => {
  const stranger: Principal = { ...helve.admin, id: 'stranger', permissions: ['tools:read'] };
  const owner: Principal = { ...helve.admin, permissions: ['tools:read'], ownAccountsOnly: true };
  const other: Principal = { ...owner, id: 'other' };
  expect(await list({}, owner)).toEqual(['last', 'second', 'first']);
  expect((await helve.plane.callFacets(owner, {})).total).toBe(3);
  expect((await helve.plane.callMetrics(owner, { by: 'tool' })).total.calls).toBe(3);
  expect((await helve.plane.getCall(owner, ids.last ?? '', {})).next).toBe(ids.second);
  for (const by of [stranger, other]) {
    expect(await list({}, by)).toEqual([]);
    expect(await list({ actor: helve.agent.id, text: 'It broke' }, by)).toEqual([]);
    expect(await helve.plane.callFacets(by, {})).toMatchObject({ total: 0, actor: [], tool: [] });
    expect((await helve.plane.callMetrics(by, { by: 'agent' })).groups).toEqual([]);
    await expect(helve.plane.getCall(by, ids.first ?? '', {})).rejects.toMatchObject({ code: 'not_found' });
  }
});
