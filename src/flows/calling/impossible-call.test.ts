/** A person is asked only about calls that could run. */
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../domain/tool.js';
import { createTestHelve, type TestHelve, type TestHelveOptions } from '../../testing/index.js';

let helve: TestHelve;
afterEach(() => helve?.close());

const waiting = async () => (await helve.plane.approvals(helve.admin, { status: 'pending' })).length;
const open = async (options: TestHelveOptions) => {
  helve = await createTestHelve(options);
};

const checked: string[] = [];
const launch = defineTool({
  name: 'launch',
  title: 'Launch',
  description: 'For tests',
  inputSchema: z.strictObject({ pad: z.string() }),
  configSchema: z.strictObject({ pads: z.array(z.string()).default(['north']) }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  highRisk: true,
  capabilities: [],
  check({ pad }, { config }) {
    checked.push(pad);
    if (!config.pads.includes(pad)) throw new Error(`There is no pad ${pad}`);
  },
  execute: async ({ pad }) => ({ launched: pad }),
});

test('R-approval: a call that could not run is refused immediately and recorded, and no one is asked', async () => {
  await open({ tools: [launch] });
  expect(await helve.call('launch', { pad: 'south' })).toMatchObject({
    ok: false,
    rule: 'call.impossible',
    error: { message: 'There is no pad south' },
  });
  expect(await waiting()).toBe(0);
  expect((await helve.audited()).at(-1)).toMatchObject({
    type: 'execution.refused',
    body: { rule: 'call.impossible' },
  });
  // A call that could run is submitted for approval, and runs once approved.
  const asked = await helve.call('launch', { pad: 'north' });
  expect(asked).toMatchObject({ error: { code: 'approval_required' } });
  expect(await waiting()).toBe(1);
  const [approval] = await helve.plane.approvals(helve.admin, { status: 'pending' });
  await helve.plane.decideApproval(helve.admin, approval?.id ?? '', 'approved', 'api');
  expect(await helve.call('launch', { pad: 'north' })).toMatchObject({ ok: true, output: { launched: 'north' } });
});

test('R-approval: a call that needs no approval is not checked before it runs', async () => {
  checked.length = 0;
  await open({ tools: [launch], policies: [{ id: 'free', effect: 'allow', when: { tools: ['launch'] } }] });
  expect(await helve.call('launch', { pad: 'north' })).toMatchObject({ ok: true });
  expect(checked).toEqual([]);
});

const ask = (tool: string) => [{ id: 'ask', effect: 'require_approval', when: { tools: [tool] } }] as const;

test.each<[string, object, RegExp]>([
  ['run_ssh_command', { host: 'web', command: 'uptime' }, /is not one that you may use/],
  ['send_email', { to: 'a@x.example', subject: 'x', body: 'y' }, /Not allowed: to a@x.example/],
  ['webhook', { url: 'https://hooks.example/x', payload: {} }, /./],
  ['query_database', { connection: 'shop', sql: 'select 1' }, /shop/],
])('R-approval: %s of something that is not set up asks no one', async (tool, input, message) => {
  await open({ policies: ask(tool) });
  expect(await helve.call(tool, input)).toMatchObject({
    rule: 'call.impossible',
    error: { message: expect.stringMatching(message) },
  });
  expect(await waiting()).toBe(0);
});
