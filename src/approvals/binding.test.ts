/**
 * An approval is valid for one exact call: each thing that it is bound to is changed separately, and the same approval
 * then runs nothing.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { agentPrincipal, type Principal } from '../domain/principal.js';
import type { Provider } from '../domain/provider.js';
import type { Tool, ToolkitDefinition } from '../domain/tool.js';
import { createTestHelve, type TestHelve, testTool } from '../testing/index.js';
import { testProviderTool } from '../testing/provider-tool.js';
import { sha256 } from '../util/hash.js';

const runs: unknown[] = [];
const mail: ToolkitDefinition = {
  slug: 'mail',
  title: 'Mail',
  description: 'Mail',
  category: 'test',
  auth: {
    schemes: [{ id: 'token', kind: 'api_key', title: 'T', fields: [{ name: 'token', title: 'T', secret: true }] }],
  },
  load: async () => [
    testTool({
      name: 'send',
      highRisk: true,
      async execute(input) {
        runs.push(input);
        return 'sent';
      },
    }),
  ],
};

let helve: TestHelve;
let names: string[];
let other: Principal;

beforeEach(async () => {
  runs.length = 0;
  const credentials = { token: 'token-12345' };
  const connections = ['One', 'Two'].map((name) => ({
    toolkit: 'mail',
    name,
    visibility: 'workspace' as const,
    credentials,
  }));
  helve = await createTestHelve({ toolkits: [mail], connections });
  const { plane, admin } = helve;
  names = (await helve.tools({ principal: admin }))
    .filter(({ tool }) => tool.id.name === 'send')
    .map(({ name }) => name);
  const created = await plane.createAgent(admin, { slug: 'other' });
  const { grants } = await plane.grantCatalogue(admin, 'tester');
  const copies = grants.map(({ toolkit, connectionId, tools, limits, config }) => ({
    toolkit,
    tools,
    limits,
    config,
    ...(connectionId === undefined ? {} : { connectionId }),
  }));
  await plane.replaceGrants(admin, 'other', copies);
  other = agentPrincipal(created, helve.workspaceId);
});
afterEach(() => helve.close());

interface Call {
  readonly principal?: Principal;
  readonly account?: 0 | 1;
  readonly input?: object;
  readonly approvalId?: string;
}

function send({ principal = ada(), account = 0, input = { to: 'ada', amount: 5 }, approvalId }: Call = {}) {
  const given = approvalId === undefined ? {} : { approvalId };
  return helve.execute({ principal, tool: names[account] ?? '', input, ...given });
}

const ada = (person = 'ada'): Principal => ({ ...helve.agent, onBehalfOf: { kind: 'user', id: person, name: person } });

async function approved(): Promise<string> {
  const asked = await send();
  const id = asked.ok ? '' : String(asked.error.details?.approvalId);
  await helve.plane.decideApproval(helve.admin, id, 'approved', 'api');
  return id;
}

test.each<[string, () => Call]>([
  ['another connection', () => ({ account: 1 })],
  ['another agent', () => ({ principal: { ...other, onBehalfOf: ada().onBehalfOf! } })],
  ['another person', () => ({ principal: ada('bo') })],
  ['no person', () => ({ principal: helve.agent })],
  ['other arguments', () => ({ input: { to: 'ada', amount: 6 } })],
])('R-approval: an approval is not valid for %s', async (_, changed) => {
  const approvalId = await approved();
  expect(await send(changed())).toMatchObject({ ok: false, error: { code: 'approval_required' } });
  expect(await send({ ...changed(), approvalId })).toMatchObject({ ok: false, rule: 'approval.invalid' });
  expect(runs).toEqual([]);
  // The control: the call that it was given for runs.
  expect(await send({ approvalId })).toMatchObject({ ok: true });
  expect(runs).toHaveLength(1);
});

test('R-approval: an approval is not valid after another sign-in if the service does not say whose account it is', async () => {
  const approvalId = await approved();
  helve.advance(1_000);
  await helve.plane.connect(helve.admin, 'one', { credentials: { token: 'token-67890' } });
  expect(await send({ approvalId })).toMatchObject({ ok: false, rule: 'approval.invalid' });
  expect(await send()).toMatchObject({ ok: false, error: { code: 'approval_required' } });
  expect(runs).toEqual([]);
  await approved();
  expect(await send()).toMatchObject({ ok: true });
});

test('R-approval: an approval stays valid when the same account signs in again', async () => {
  await helve.close();
  const auth = { schemes: mail.auth?.schemes ?? [], identify: async () => ({ id: 'ada@mail' }) };
  const credentials = { token: 'token-12345' };
  helve = await createTestHelve({
    toolkits: [{ ...mail, auth, service: { servers: () => ({}) } }],
    connections: [{ toolkit: 'mail', name: 'One', visibility: 'workspace', credentials, check: true }],
  });
  const approvalId = await approved();
  helve.advance(1_000);
  await helve.plane.connect(helve.admin, 'one', { credentials: { token: 'token-67890' } });
  expect(await send({ approvalId })).toMatchObject({ ok: true });
});

test('R-approval: an approval is valid until it expires, looked up or presented', async () => {
  const approvalId = await approved();
  helve.advance(60 * 60_000 + 1);
  expect(await send({ approvalId })).toMatchObject({ ok: false, error: { code: 'expired' } });
  expect(await send()).toMatchObject({ ok: false, error: { code: 'approval_required' } });
  expect(runs).toEqual([]);
});

test('R-approval: an expired approval is not decided', async () => {
  const asked = await send();
  const id = asked.ok ? '' : String(asked.error.details?.approvalId);
  helve.advance(60 * 60_000 + 1);
  await expect(helve.plane.decideApproval(helve.admin, id, 'approved', 'api')).rejects.toMatchObject({
    code: 'expired',
  });
});

test('R-approval: an approval runs one call, looked up or presented, sequentially or in parallel', async () => {
  const approvalId = await approved();
  const many = await Promise.all([send(), send(), send({ approvalId }), send({ approvalId })]);
  expect(many.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await send({ approvalId })).toMatchObject({ ok: false });
  expect(await send()).toMatchObject({ ok: false, error: { code: 'approval_required' } });
  expect(runs).toHaveLength(1);
});

/** A server with one tool, whose description the test can change. */
async function withServer() {
  let text = 'first';
  let announce = (): void => undefined;
  const toolkit = {
    slug: 'bank',
    title: 'Bank',
    description: 'For tests',
    category: 'tests',
    provider: 'mcp',
  } as const;
  const describe = (): Tool =>
    testProviderTool(
      { toolkit: 'bank', name: 'pay' },
      { definition: { hash: sha256(text), text: JSON.stringify({ description: text }) } },
    );
  const provider: Provider = {
    kind: 'mcp',
    toolkits: async () => [{ ...toolkit, needsConnection: false, internal: false }],
    tools: async () => [describe()],
    async execute({ input }) {
      runs.push(input);
      return { output: null };
    },
    onChange(listener) {
      announce = listener;
      return () => undefined;
    },
    close: async () => undefined,
  };
  await helve.close();
  helve = await createTestHelve({ nativeToolkits: [], providers: [provider] });
  const { plane, admin } = helve;
  await plane.replacePolicies(admin, [{ id: 'ask', effect: 'require_approval', when: { tools: ['bank.pay'] } }]);
  return {
    pay: (approvalId?: string) =>
      helve.execute({
        principal: ada(),
        tool: 'bank__pay',
        input: { to: 'bo' },
        ...(approvalId ? { approvalId } : {}),
      }),
    /** The server describes its tool otherwise, and somebody agrees to that. */
    async change(): Promise<void> {
      helve.advance(1_000);
      text = 'second';
      announce();
      await plane.acceptDefinition(admin, 'bank', 'pay', sha256(text));
    },
  };
}

test('R-approval: an approval is not valid for a tool whose maker changed its definition since', async () => {
  const { pay, change } = await withServer();
  const asked = await pay();
  const approvalId = asked.ok ? '' : String(asked.error.details?.approvalId);
  await helve.plane.decideApproval(helve.admin, approvalId, 'approved', 'api');
  await change();
  expect(await pay(approvalId)).toMatchObject({ ok: false, rule: 'approval.invalid' });
  expect(await pay()).toMatchObject({ ok: false, error: { code: 'approval_required' } });
  expect(runs).toEqual([]);
});

test('R-approval: a plan is not valid for a tool whose maker changed its definition since', async () => {
  const { change } = await withServer();
  const { plane, admin } = helve;
  const code = "await bank.pay({ to: 'bo' })";
  const plan = await plane.runCode(ada(), { code, mode: 'plan' });
  await plane.decideRun(admin, plan.id, { decision: 'approve_plan' });
  await change();
  const run = await plane.runCode(ada(), { code, plan: plan.id });
  expect(run).toMatchObject({ status: 'failed', error: { code: 'conflict' } });
  expect(runs).toEqual([]);
});

/** A tool that can be set up to do more than it could when a person was asked. */
async function withToolConfig() {
  const delivered: unknown[] = [];
  const deliver = testTool({
    name: 'deliver',
    highRisk: true,
    configSchema: { type: 'object', properties: { outside: { type: 'boolean' } } },
    async execute(_, { config }) {
      delivered.push(config);
      return null;
    },
  });
  await helve.close();
  helve = await createTestHelve({ nativeToolkits: [], tools: [deliver] });
  const { plane, admin } = helve;
  const configure = (outside: boolean) =>
    plane.replaceGrants(admin, 'tester', [
      { toolkit: 'custom', tools: ['deliver'], limits: {}, config: { deliver: { outside } } },
    ]);
  await configure(false);
  return {
    configure,
    delivered,
    custom: (given = {}) => helve.execute({ principal: ada(), tool: 'deliver', input: {}, ...given }),
  };
}

test('R-approval: an approval is not valid after the tool_config has changed', async () => {
  const { configure, delivered, custom } = await withToolConfig();
  const asked = await custom();
  const approvalId = asked.ok ? '' : String(asked.error.details?.approvalId);
  await helve.plane.decideApproval(helve.admin, approvalId, 'approved', 'api');
  await configure(true);
  expect(await custom({ approvalId })).toMatchObject({ ok: false, rule: 'approval.invalid' });
  expect(await custom()).toMatchObject({ ok: false, error: { code: 'approval_required' } });
  expect(delivered).toEqual([]);
  // The control: under the tool_config that it was given for, it runs.
  await configure(false);
  expect(await custom({ approvalId })).toMatchObject({ ok: true });
  expect(delivered).toEqual([{ outside: false }]);
});

test('R-approval: a plan is not valid after the tool_config has changed', async () => {
  const { configure, delivered } = await withToolConfig();
  const { plane, admin } = helve;
  const code = 'await custom.deliver({})';
  const approvedPlan = async () => {
    const { id } = await plane.runCode(ada(), { code, mode: 'plan' });
    await plane.decideRun(admin, id, { decision: 'approve_plan' });
    return id;
  };
  const plan = await approvedPlan();
  await configure(true);
  const run = await plane.runCode(ada(), { code, plan });
  expect(run).toMatchObject({ status: 'failed', error: { code: 'conflict' } });
  expect(delivered).toEqual([]);
  // The control: a plan that was made under the present tool_config.
  expect(await plane.runCode(ada(), { code, plan: await approvedPlan() })).toMatchObject({ status: 'succeeded' });
  expect(delivered).toEqual([{ outside: true }]);
});
