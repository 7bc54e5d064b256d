/** Pages of tools, which look only at what they show, are together the whole list. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ToolsQuery } from '../../domain/execution.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';

let helve: TestHelve;
beforeEach(async () => {
  const names = ['look', 'look_up', 'burn', 'Zap', 'a-1', 'a_1', 'zoom'];
  helve = await createTestHelve({
    tools: [...names.map((name) => testTool({ name })), testTool({ name: 'wipe', risk: 'destructive' })],
    granted: ['look', 'Zap', 'zoom'],
  });
  await helve.plane.replacePolicies(helve.admin, [{ id: 'no', effect: 'deny', when: { tools: ['*.burn'] } }]);
});
afterEach(() => helve.close());

test.each([
  'admin',
  'agent',
] as const)('R-registry: for the %s, all pages of every length are the whole list in the order of its names', async (who) => {
  const { plane, [who]: principal } = helve;
  for (const all of [true, false]) {
    const list = async (query: ToolsQuery) => (await plane.tools(principal, { all, ...query })).map(({ name }) => name);
    const whole = await list({});
    const sorted = whole.toSorted((one, other) => (one < other ? -1 : 1));
    expect([whole.includes('Zap'), whole.includes('burn'), whole.includes('wipe')]).toEqual([true, false, false]);
    for (const limit of [1, 2, 7, 1_000]) {
      const pages: string[][] = [];
      for (let after = ''; pages.at(-1)?.length !== 0; after = pages.at(-1)?.at(-1) ?? after)
        pages.push(await list({ after, limit }));
      expect(pages.flat()).toEqual(sorted);
      expect(pages.every((page) => page.length <= limit)).toBe(true);
    }
    expect(await list({ after: 'b' })).toEqual(sorted.filter((name) => name > 'b'));
    for (const name of [...sorted, 'burn', 'wipe', 'nothing', 'Look', 'call_tool'])
      expect([name, await list({ name })]).toEqual([name, whole.includes(name) ? [name] : []]);
  }
});
