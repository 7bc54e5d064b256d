/** The overview: its figures agree with the calls, and lead to them. */
import { afterEach, expect, test } from 'vitest';
import { testTool } from '../../src/testing/index.js';
import { type Ground, startGround } from './ground.js';

let ground: Ground;
afterEach(() => ground.close());

test('R-panel R-audit: the figures of the last day show durations, refusals by rule and what results take of the context', async () => {
  ground = await startGround({
    nativeToolkits: [],
    tools: [testTool({ name: 'look' }), testTool({ name: 'pay' })],
    granted: ['look'],
  });
  const { helve } = ground;
  for (const at of [1, 2, 3]) await helve.call('look', { at });
  for (const at of [1, 2]) await helve.call('pay', { at });
  const visit = await ground.visit('admin');
  const { page } = visit;
  await page.getByRole('img', { name: /^How long calls took: p50 .* ms · p95 .* ms/ }).waitFor();
  await page.getByRole('img', { name: 'Calls over time: ok 3 · failed 0 · refused 2 · interrupted 0' }).waitFor();
  const [sent] = (await helve.plane.callMetrics(helve.admin, { by: 'agent' })).groups;
  const rowOf = (table: string, name: string) => page.getByRole('region', { name: table }).getByRole('row', { name });
  const cells = async (table: string, name: string) => (await rowOf(table, name).innerText()).split(/\s+/);
  expect(await cells('What results take of the context', 'tester')).toEqual([
    'tester',
    '5',
    `${sent?.characters}`,
    '0',
  ]);
  expect(await cells('Refused, by rule', 'grant.tools')).toEqual(['grant.tools', '2']);
  await visit.use('grant.tools');
  await page.waitForURL(/\/panel\/calls\?.*rule=grant\.tools/);
  await page.getByText('2 calls', { exact: true }).waitFor();
  await visit.end();
});

test('R-panel: the first steps are done once any of the agents has tools and called one', async () => {
  ground = await startGround({ nativeToolkits: [], tools: [testTool({ name: 'look' })] });
  const { helve } = ground;
  await helve.plane.createAgent(helve.admin, { slug: 'a-first' });
  await helve.call('look');
  const visit = await ground.visit('admin');
  const steps = visit.page.getByRole('heading', { name: 'First steps' }).locator('..').getByRole('listitem');
  await expect
    .poll(() => steps.allInnerTexts())
    .toEqual([
      'Add an agent\n(done)',
      'Connect an account',
      'Give the agent tools\n(done)',
      expect.stringMatching(/\(done\)$/),
    ]);
  await visit.end();
});

test('R-panel R-grants: a limit whose argument the tool does not list is named with the argument that was probably meant', async () => {
  const inputSchema = { type: 'object', properties: { repository: { type: 'string' } } };
  ground = await startGround({
    nativeToolkits: [],
    tools: [testTool({ name: 'close', inputSchema })],
    toolLimits: { close: { properties: { repositry: { const: 'shop' } } } },
  });
  const visit = await ground.visit('auditor');
  await visit.open('agents/tester/tools');
  const said =
    'A limit on custom.close may have no effect: the tool does not list the argument “repositry”. Did you mean “repository”?';
  await visit.page.getByText(said, { exact: true }).waitFor();
  await visit.end();
});
