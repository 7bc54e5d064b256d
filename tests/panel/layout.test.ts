/** Every page as a designer would measure it: nothing too wide, in five widths, both languages, both themes, and large text. */
import { afterAll, beforeAll, test } from 'vitest';
import { vault } from '../../src/plane/acts/testing/vault-toolkit.js';
import { testTool } from '../../src/testing/index.js';
import { expectFits, fittings } from './fits.js';
import { type Ground, startGround } from './ground.js';

let ground: Ground;
let places: string[];
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
  await helve.plane.createNotificationChannel(helve.admin, {
    kind: 'webhook',
    name: long,
    url: 'https://ops.example/x',
  });
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
    'settings/notifications',
    'no/such/page',
  ];
});
afterAll(() => ground.close());

test.each(fittings)('R-panel: every page fits, and is accessible, in $language', {
  timeout: 240_000,
}, async ({ language, themes }) => {
  const visit = await ground.visit('admin');
  await visit.page.evaluate((chosen) => localStorage.setItem('helve.language', chosen), language);
  await expectFits(visit, { places, language, themes });
  await visit.end();
});
