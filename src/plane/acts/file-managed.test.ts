/** An agent that `helve.yaml` declares is changed only there. */
import { afterEach, expect, test } from 'vitest';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';

let helve: TestHelve;
afterEach(() => helve.close());

test('attack: no act changes, grants to or removes an agent that helve.yaml declares', async () => {
  helve = await createTestHelve({
    tools: [testTool({ name: 'look' }), testTool({ name: 'burn' })],
    config: 'agents:\n  - { name: scout, tools: [look] }\n',
  });
  await helve.setUp();
  const { plane, admin } = helve;
  const acts = [
    () => plane.changeAgent(admin, 'scout', { toolMode: 'meta' }),
    () => plane.removeAgent(admin, 'scout'),
    () => plane.replaceGrants(admin, 'scout', []),
    () => plane.changeGrants(admin, 'scout', { add: [{ tools: ['burn'] }] }),
  ];
  for (const act of acts) {
    const refusal = { code: 'conflict', message: 'The agent scout is declared in helve.yaml' };
    await expect(act(), String(act)).rejects.toMatchObject(refusal);
  }
  const { agent, grants } = await plane.grantCatalogue(admin, 'scout');
  expect([agent.managedBy, agent.toolMode ?? 'auto', grants.map(({ tools }) => tools)]).toEqual([
    'file',
    'auto',
    [['look']],
  ]);
});
