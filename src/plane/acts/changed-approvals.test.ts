/** A pending approval ends when somebody looks at it after its call has changed, and says why; others stay. */
import { afterEach, expect, test } from 'vitest';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';

const ran: unknown[] = [];
const configSchema = { type: 'object', properties: { outside: { type: 'boolean' } } } as const;
const tools = ['deliver', 'other'].map((name) =>
  testTool({
    name,
    highRisk: true,
    configSchema,
    async execute(_, { config }) {
      ran.push(config);
      return null;
    },
  }),
);
const mail = {
  slug: 'mail',
  title: 'Mail',
  description: 'Mail',
  category: 'test',
  auth: {
    schemes: [
      { id: 'token', kind: 'api_key' as const, title: 'T', fields: [{ name: 'token', title: 'T', secret: true }] },
    ],
  },
  load: async () => [testTool({ name: 'send', highRisk: true })],
};

let helve: TestHelve;
afterEach(() => helve.close());

async function open(): Promise<void> {
  ran.length = 0;
  const credentials = { token: 'token-12345' };
  helve = await createTestHelve({
    nativeToolkits: [],
    tools,
    toolkits: [mail],
    connections: [{ toolkit: 'mail', name: 'One', visibility: 'workspace', credentials }],
  });
}

async function ask(tool: string): Promise<string> {
  const asked = await helve.call(tool, {});
  expect(asked).toMatchObject({ ok: false, error: { code: 'approval_required' } });
  return asked.ok ? '' : String(asked.error.details?.approvalId);
}

/** Changes the `tool_config` of `deliver`. */
async function configure(): Promise<void> {
  const { grants } = await helve.plane.grantCatalogue(helve.admin, 'tester');
  const changed = grants.map(({ toolkit, connectionId, tools: granted, limits, config }) => ({
    toolkit,
    tools: granted,
    limits,
    config: toolkit === 'custom' ? { deliver: { outside: true } } : config,
    ...(connectionId === undefined ? {} : { connectionId }),
  }));
  await helve.plane.replaceGrants(helve.admin, 'tester', changed);
}

const pending = async () => (await helve.plane.approvals(helve.admin, { status: 'pending' })).map(({ id }) => id);

test.each<[string, 'deliver' | 'send', RegExp, () => Promise<unknown>]>([
  ['the policies', 'deliver', /^The policies have changed/, () => helve.plane.replacePolicies(helve.admin, [])],
  ['the tool_config', 'deliver', /^The definition, tool_config or settings of its tool have changed/, configure],
  [
    'the sign-in of an account that nobody vouches for',
    'send',
    /^Its account has signed in again/,
    () => helve.plane.connect(helve.admin, 'one', { credentials: { token: 'token-67890' } }),
  ],
])('R-approval: a pending approval ends when it is listed after a change of %s', async (_what, tool, why, change) => {
  await open();
  const id = await ask(tool);
  expect(await pending()).toEqual([id]);
  helve.advance(1_000);
  await change();
  expect(await pending()).toEqual([]);
  const ended = { id, status: 'withdrawn', note: expect.stringMatching(why) };
  expect(await helve.plane.approvals(helve.admin, {})).toMatchObject([ended]);
  expect(await helve.plane.approval(helve.admin, id)).toMatchObject(ended);
  expect(await helve.plane.approvalCounts(helve.admin, {})).toMatchObject({ pending: 0, withdrawn: 1 });
  await expect(helve.plane.decideApproval(helve.admin, id, 'approved', 'api')).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/^The approval is already withdrawn: /),
  });
  // Once in the record, in the name of the caller whose question it was.
  const rows = (await helve.audited()).filter(({ type }) => type === 'approval.withdrawn');
  expect(rows).toMatchObject([
    { actor: { id: helve.agent.id }, body: { approvalId: id, reason: expect.stringMatching(why) } },
  ]);
  // The control: the call asks again, and is made when a person agrees to it as it is now.
  const again = await ask(tool);
  expect(await pending()).toEqual([again]);
  await helve.plane.decideApproval(helve.admin, again, 'approved', 'api');
  expect(await helve.call(tool, {})).toMatchObject({ ok: true });
});

test('R-approval: a pending approval ends when it is decided after a change, and nothing is approved', async () => {
  await open();
  const id = await ask('deliver');
  await configure();
  await expect(helve.plane.decideApproval(helve.admin, id, 'approved', 'api')).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('tool_config'),
  });
  expect(await helve.plane.approval(helve.admin, id)).toMatchObject({ status: 'withdrawn' });
});

test('R-approval: a change of one tool ends no approval of another, and none that was decided', async () => {
  await open();
  const decided = await ask('deliver');
  await helve.plane.decideApproval(helve.admin, decided, 'approved', 'api');
  const others = [await ask('send'), await ask('other')];
  await configure();
  expect((await pending()).sort()).toEqual(others.sort());
  expect(await helve.plane.approval(helve.admin, decided)).toMatchObject({ status: 'approved' });
});

test('R-durable-runs: a program that waits for an approval whose call has changed asks again', async () => {
  await open();
  const run = await helve.plane.runCode(helve.agent, { code: 'return await custom.deliver({})' });
  expect(run).toMatchObject({ status: 'waiting' });
  const [first] = await pending();
  await configure();
  expect(await pending()).not.toContain(first);
  await expect.poll(pending).toHaveLength(1);
  const [second = ''] = await pending();
  expect(second).not.toBe(first);
  await helve.plane.decideApproval(helve.admin, second, 'approved', 'api');
  await expect.poll(async () => (await helve.plane.getRun(helve.agent, run.id)).status).toBe('succeeded');
  expect(ran).toEqual([{ outside: true }]);
});
