/** Refusals and requests for approval count like calls, and cannot flood a person. */
import { afterEach, expect, test } from 'vitest';
import { createTestHelve, type TestHelve, type TestHelveOptions, testTool } from '../../testing/index.js';

let helve: TestHelve;
afterEach(() => helve.close());

const pay = testTool({ name: 'pay', highRisk: true });
const open = async (options: TestHelveOptions) => {
  helve = await createTestHelve({ tools: [pay, testTool({ name: 'echo' })], ...options });
};
const codeOf = async (tool: string, input: object) => {
  const result = await helve.call(tool, input);
  return result.ok ? 'ok' : result.error.code;
};

test.each([
  ['of a tool that does not exist', 'nothing', 'tool_not_found'],
  ['with arguments that do not fit', 'calculate', 'invalid_input'],
  ['that wait for a person', 'pay', 'approval_required'],
])('R-limits: calls %s count against their caller', async (_, tool, code) => {
  await open({ limits: { perPrincipal: 3, perTool: null } });
  for (const n of [1, 2, 3]) expect(await codeOf(tool, { n })).toBe(code);
  expect(await codeOf(tool, { n: 4 })).toBe('rate_limited');
  expect(await codeOf('echo', {})).toBe('rate_limited');
});

test('leak: what the tool marks as secret is not recorded of a call through call_tool that is over the limit', async () => {
  const inputSchema = { type: 'object', properties: { answer: { type: 'string', writeOnly: true } } };
  const mark = testTool({ name: 'mark', inputSchema, execute: async () => ({}) });
  await open({ tools: [mark], limits: { perPrincipal: 1, perTool: null } });
  for (const code of ['ok', 'rate_limited'])
    expect(await codeOf('call_tool', { tool: 'mark', arguments: { answer: 'canary-5501' } })).toBe(code);
  const rows = await helve.audited();
  expect(rows.at(-1)).toMatchObject({ type: 'execution.refused', tool: 'Custom.mark', body: { through: 'call_tool' } });
  expect(JSON.stringify(rows)).not.toContain('canary-5501');
});

test('R-limits: a call that runs counts once, also when it is authorised twice', async () => {
  await open({ limits: { perPrincipal: 3, perTool: null } });
  for (const n of [1, 2, 3]) expect(await codeOf('echo', { n })).toBe('ok');
  expect(await codeOf('echo', {})).toBe('rate_limited');
});

test('R-approval: only a limited number of calls of one caller may wait; other callers and the same call are not blocked', async () => {
  await open({ config: 'approvals: { pending_per_agent: 3 }' });
  const asked = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => codeOf('pay', { n })));
  expect(asked.filter((code) => code === 'approval_required')).toHaveLength(3);
  expect(asked.filter((code) => code === 'rate_limited')).toHaveLength(3);
  const { plane, admin } = helve;
  const waiting = await plane.approvals(admin, { status: 'pending' });
  expect(waiting).toHaveLength(3);
  const refused = await helve.call('pay', { n: 7 });
  expect(refused).toMatchObject({
    ok: false,
    rule: 'limit.pending',
    error: { hint: expect.stringContaining('person') },
  });
  // A call that is already waiting is not a new one.
  const known = waiting[0]?.arguments ?? {};
  expect(await codeOf('pay', known)).toBe('approval_required');
  // Another caller has its own limit.
  const other = await helve.execute({ principal: { user: 'admin' }, tool: 'pay', input: { n: 1 } });
  expect(other).toMatchObject({ error: { code: 'approval_required' } });
  // Decided approvals free their slots, and so do expired ones.
  await plane.decideApproval(admin, waiting[0]?.id ?? '', 'rejected', 'api');
  expect(await codeOf('pay', { n: 8 })).toBe('approval_required');
  expect(await codeOf('pay', { n: 9 })).toBe('rate_limited');
  helve.advance(61 * 60_000);
  expect(await codeOf('pay', { n: 9 })).toBe('approval_required');
});
