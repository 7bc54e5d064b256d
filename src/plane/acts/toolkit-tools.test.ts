/** The tools of a toolkit: pages of them in few words, and one with its whole definition. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';

let helve: TestHelve;
const many = 1_059;
beforeAll(async () => {
  const shape = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`field_${at}`, z.string().describe('What it is for').optional()]),
  );
  helve = await createTestHelve({
    nativeToolkits: [],
    tools: Array.from({ length: many }, (_, at) =>
      testTool({
        name: `tool_${at}`,
        description: `Reads the planet ${at === 7 ? 'Saturn' : 'Earth'}. A second sentence that says much more.`,
        inputSchema: z.strictObject(shape),
        annotations: { readOnlyHint: at === 7, destructiveHint: at === 8, idempotentHint: true, openWorldHint: false },
      }),
    ),
    granted: ['tool_7'],
  });
});
afterAll(() => helve?.close());

const list = (query: Parameters<TestHelve['plane']['toolSummaries']>[2]) =>
  helve.plane.toolSummaries(helve.admin, 'custom', query);

test('R-panel: a page has no schemas, and is a small part of the whole list', async () => {
  const page = await list({ limit: 100 });
  expect(page.total).toBe(many);
  expect(page.tools).toHaveLength(100);
  const whole = JSON.stringify(await helve.plane.toolkitTools(helve.admin, 'custom')).length;
  expect(whole).toBeGreaterThan(1_000_000);
  expect(JSON.stringify(page).length).toBeLessThan(whole / 40);
  const found = await list({ search: 'saturn PLANET' });
  expect(found).toEqual({
    tools: [
      {
        name: 'tool_7',
        title: expect.any(String),
        summary: 'Reads the planet Saturn',
        risk: 'read',
        effect: 'reads',
        enabled: true,
      },
    ],
    total: 1,
  });
  expect((await list({ search: 'tool_8', limit: 1 })).tools[0]).toMatchObject({ name: 'tool_8', effect: 'replaces' });
});

test('R-panel: pages go on in both directions, each tool once', async () => {
  const all: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await list({ limit: 500, ...(after && { after }) });
    all.push(...page.tools.map(({ name }) => name));
    after = page.next;
    if (after === undefined) break;
  }
  expect(all).toHaveLength(many);
  expect(all).toEqual([...new Set(all)].sort());
  const back = await list({ limit: 10, before: all[500] ?? '' });
  expect(back.tools.map(({ name }) => name)).toEqual(all.slice(490, 500));
  await expect(list({ after: 'a', before: 'b' })).rejects.toMatchObject({ code: 'invalid_input' });
});

test('R-panel R-grants: one tool has its whole definition; an agent sees those that it may call', async () => {
  const { plane, admin } = helve;
  const found = await plane.toolkitTool(admin, 'custom', 'tool_7');
  expect(found.enabled).toBe(true);
  expect(Object.keys(found.tool.inputSchema.properties ?? {})).toHaveLength(20);
  await expect(plane.toolkitTool(admin, 'custom', 'tool_77x')).rejects.toMatchObject({ code: 'not_found' });
  const agent = await plane.actAs(admin, 'tester');
  expect((await plane.toolSummaries(agent, 'custom', {})).tools.map(({ name }) => name)).toEqual(['tool_7']);
  await expect(plane.toolkitTool(agent, 'custom', 'tool_8')).rejects.toMatchObject({ code: 'not_found' });
  expect((await plane.toolkitTool(agent, 'custom', 'tool_7')).tool.id.name).toBe('tool_7');
});

test('R-grants: what can be granted is described in one sentence, if that is asked for', async () => {
  const read = async (isShort: boolean) =>
    (await helve.plane.grantCatalogue(helve.admin, 'tester', { isShort })).entries
      .flatMap(({ tools }) => tools)
      .find(({ name }) => name === 'tool_7')?.description;
  expect(await read(true)).toBe('Reads the planet Saturn');
  expect(await read(false)).toContain('A second sentence');
});
