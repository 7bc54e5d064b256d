/** What is counted is foreseen without counting: calls that wait for a person, and limits of calls. */
import { afterEach, expect, test } from 'vitest';
import { createTestHelve, type TestHelve, type TestHelveOptions, testTool } from '../../testing/index.js';

let helve: TestHelve;
afterEach(() => helve.close());

const pay = testTool({ name: 'pay', highRisk: true });
const open = async (limits: TestHelveOptions['limits'] = {}) => {
  const noLimits = { perIp: null, perCredential: null, perPrincipal: null, perTool: null };
  const config = 'approvals: { pending_per_agent: 2 }';
  helve = await createTestHelve({
    tools: [pay, testTool({ name: 'echo' })],
    config,
    limits: { ...noLimits, ...limits },
  });
};
const explain = (input: { readonly n?: number; readonly text?: string }) =>
  helve.plane.explain(helve.admin, { agent: 'tester', tool: 'pay', input });
const waiting = async () => (await helve.plane.approvals(helve.admin, { status: 'pending' })).length;

test('R-explain R-approval: that too many calls wait already is told, and telling adds none', async () => {
  await open();
  for (const n of [1, 2]) {
    expect(await explain({ n })).toMatchObject({ verdict: 'require_approval' });
    expect(await waiting()).toBe(n - 1);
    await helve.call('pay', { n });
  }
  expect(await explain({ n: 3 })).toMatchObject({
    verdict: 'deny',
    rule: 'limit.pending',
    steps: expect.arrayContaining([expect.objectContaining({ layer: 'approval', verdict: 'deny' })]),
  });
  expect(await helve.call('pay', { n: 3 })).toMatchObject({ rule: 'limit.pending' });
  // One that waits already is not a new one.
  expect(await explain({ n: 2 })).toMatchObject({ verdict: 'require_approval' });
  helve.advance(61 * 60_000);
  expect(await explain({ n: 3 })).toMatchObject({ verdict: 'require_approval' });
});

test('R-explain R-approval: arguments that are too long for a person are told', async () => {
  await open();
  const long = { text: 'x'.repeat(1_000_001) };
  expect(await explain({ text: 'x' })).toMatchObject({ verdict: 'require_approval' });
  expect(await explain(long)).toMatchObject({ verdict: 'deny', rule: 'approval.invalid' });
  expect(await helve.call('pay', long)).toMatchObject({ rule: 'approval.invalid', error: { code: 'too_large' } });
});

test('R-explain R-approval: the rule of a call that waits is the one under which it was asked', async () => {
  await open();
  const asked = await helve.call('pay', { n: 1 });
  const { plane, admin } = helve;
  const { grants } = await plane.grantCatalogue(admin, 'tester');
  // The same grants again have other ids.
  await plane.replaceGrants(
    admin,
    'tester',
    grants.map(({ toolkit, tools, limits, config }) => ({ toolkit, tools, limits, config })),
  );
  const again = (await explain({ n: 2 })).rule;
  expect(again).toMatch(/^grant:/);
  const told = await explain({ n: 1 });
  expect(told).toMatchObject({ verdict: 'require_approval', rule: asked.ok ? '' : asked.rule });
  expect(told.rule).not.toBe(again);
  expect(await helve.call('pay', { n: 1 })).toMatchObject({ rule: told.rule });
});

test.each([
  'perPrincipal',
  'perTool',
] as const)('R-explain R-limits: the limit %s is foreseen, and not used up', async (name) => {
  await open({ [name]: 2 });
  const ask = (tool: string) => helve.plane.explain(helve.admin, { agent: 'tester', tool, input: {} });
  for (const verdict of ['allow', 'allow', 'deny']) {
    for (let again = 0; again < 3; again++) expect(await ask('echo')).toMatchObject({ verdict });
    expect((await helve.call('echo', {})).ok).toBe(verdict === 'allow');
  }
  expect((await ask('echo')).rule).toBe('limit.rate');
  // The limit of the caller is for every request, that of a tool for its own calls only.
  const [told, made] = [await ask('nothing'), await helve.call('nothing', {})];
  expect([told.rule, made.ok ? '' : made.rule]).toEqual(
    name === 'perPrincipal' ? ['limit.rate', 'limit.rate'] : ['tool.unknown', 'tool.unknown'],
  );
});
