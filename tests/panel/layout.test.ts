/** Every page as a designer would measure it: nothing too wide, in five widths, both languages, both themes, and large text. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vault } from '../../src/plane/acts/testing/vault-toolkit.js';
import { testTool } from '../../src/testing/index.js';
import { expectAccessible, type Ground, startGround } from './ground.js';

let ground: Ground;
let places: string[];
const widths = [320, 390, 768, 1280, 1920];
const long = 'a_name_that_is_as_long_as_names_of_operations_in_large_catalogues_are';

beforeAll(async () => {
  ground = await startGround({
    nativeToolkits: [],
    toolkits: [vault],
    tools: [testTool({ name: long }), testTool({ name: 'pay', highRisk: true }), testTool({ name: 'refused' })],
    granted: [long, 'pay', 'open_vault'],
    connections: [
      {
        toolkit: 'vault',
        name: `Safe ${long}`.slice(0, 60),
        credentials: { token: 'canary' },
        visibility: 'workspace',
      },
    ],
  });
  const { helve } = ground;
  await helve.call(long, { text: 'x'.repeat(400), list: Array.from({ length: 20 }, (_, at) => ({ at, long })) });
  await helve.call('refused', {});
  await helve.call('pay', { to: 'y'.repeat(300) });
  const [executed] = await helve.plane.executions(helve.admin, { limit: 1 });
  const [approval] = await helve.plane.approvals(helve.admin, { status: 'pending' });
  const [connection] = await helve.plane.connections(helve.admin);
  places = [
    '',
    'approvals',
    `approvals/${approval?.id}`,
    'calls',
    `calls/${executed?.executionId}`,
    'runs',
    'agents',
    'agents/tester/tools',
    'agents/tester/can',
    'agents/tester/access',
    'agents/tester/calls',
    'agents/tester/settings',
    'connections',
    `connections/${connection?.id}`,
    'connections/connect',
    'connections/connect/vault',
    'catalogue',
    'catalogue/apps/vault',
    'catalogue/sync',
    'find?q=pay&agent=tester',
    'find/explain?agent=tester&tool=pay',
    'record',
    'settings',
    'settings/policies',
    'settings/people',
    'settings/credentials',
    'settings/definitions',
    'no/such/page',
  ];
});
afterAll(() => ground.close());

test.each(['en', 'es'])('R-panel: every page fits, and is accessible in both themes, in %s', {
  timeout: 240_000,
}, async (language) => {
  const visit = await ground.visit('admin');
  const { page } = visit;
  await page.evaluate((chosen) => localStorage.setItem('helve.language', chosen), language);
  const wrong: string[] = [];
  for (const place of places) {
    await visit.open(place);
    await page.waitForFunction(() => document.querySelector('[role="status"] > span') === null);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (tooWide > 0) wrong.push(`${place} at ${width}: ${tooWide} px too wide`);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (tooWide > 0) wrong.push(`${place} with text of 200 %: ${tooWide} px too wide`);
    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
  }
  expect(wrong).toEqual([]);
  await visit.end();
});
