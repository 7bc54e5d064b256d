/**
 * An approval, and a plan, are valid for a call with the settings of the configuration file that a person approved it under: each is
 * changed as an operator would, with a restart, and the same approval then runs nothing.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { ToolResult } from '../domain/execution.js';
import type { Policy } from '../domain/grant.js';
import type { Principal } from '../domain/principal.js';
import type { ToolkitDefinition } from '../domain/tool.js';
import { createHelve, type Helve } from '../helve.js';
import { testTool } from '../testing/index.js';
import { defined } from '../util/defined.js';

const ran: unknown[] = [];
const store: ToolkitDefinition = {
  slug: 'store',
  title: 'Store',
  description: 'Store',
  category: 'test',
  load: async () => [
    testTool({
      name: 'save',
      highRisk: true,
      settingsSchema: z.looseObject({}),
      async execute(_, { settings }) {
        ran.push(settings);
        return null;
      },
    }),
  ],
};
const bank: ToolkitDefinition = {
  slug: 'bank',
  title: 'Bank',
  description: 'Bank',
  category: 'test',
  auth: {
    schemes: [
      {
        id: 'token',
        kind: 'api_key',
        title: 'T',
        fields: [
          { name: 'token', title: 'T', secret: true },
          { name: 'branch', title: 'B', secret: false },
        ],
      },
    ],
    identify: async () => ({ id: 'ada' }),
  },
  service: {
    servers: ({ base_url = 'https://bank.test' }, { branch = 'main' }) => ({
      default: { url: `${base_url}/${branch}` },
    }),
  },
  load: async () => [
    testTool({
      name: 'pay',
      highRisk: true,
      async execute() {
        ran.push('paid');
        return null;
      },
    }),
  ],
};

let folder: string;
let helve: Helve;
let admin: Principal;

async function open(config: string): Promise<void> {
  await helve?.close();
  helve = await createHelve({ dataDir: folder, config, toolkits: [store, bank] });
  const { workspaceId } = await helve.ensureWorkspace('default');
  ({ principal: admin } = await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId)));
}

beforeEach(async () => {
  ran.length = 0;
  folder = await mkdtemp(join(tmpdir(), 'helve-settings-'));
});
afterEach(async () => {
  await helve.close();
  await rm(folder, { recursive: true });
});

/** The agent is made once, and granted the tool. */
async function grant(toolkit: string, tool: string, connectionId?: string): Promise<void> {
  await helve.plane.createAgent(admin, { slug: 'tester' });
  const target = { toolkit, ...defined({ connectionId }) };
  await helve.plane.replaceGrants(admin, 'tester', [{ ...target, tools: [tool], limits: {}, config: {} }]);
}

const call = (tool: string, approvalId?: string): Promise<ToolResult> =>
  helve.execute({ principal: { agent: 'tester' }, tool, input: {}, ...(approvalId ? { approvalId } : {}) });

async function approve(tool: string): Promise<string> {
  const asked = await call(tool);
  expect(asked).toMatchObject({ ok: false, error: { code: 'approval_required' } });
  const id = asked.ok ? '' : String(asked.error.details?.approvalId);
  await helve.plane.decideApproval(admin, id, 'approved', 'api');
  return id;
}

/** The approval holds for no call under the present settings, found or presented. */
async function expectEnded(tool: string, approvalId: string): Promise<void> {
  expect(await call(tool, approvalId)).toMatchObject({ ok: false, rule: 'approval.invalid' });
  expect(await call(tool)).toMatchObject({ ok: false, error: { code: 'approval_required' } });
  expect(ran).toEqual([]);
}

const settings = (members: object): string => `toolkits: ${JSON.stringify({ store: members })}`;
const database = (url: string) => settings({ connections: { shop: { url } } });

test.each([
  [
    'another host',
    database('postgres://app:secret-1@staging.test/shop'),
    database('postgres://app:secret-1@live.test/shop'),
  ],
  [
    'another database',
    database('postgres://app:secret-1@db.test/staging'),
    database('postgres://app:secret-1@db.test/live'),
  ],
  ['another user', database('postgres://reader:secret-1@db.test/x'), database('postgres://writer:secret-1@db.test/x')],
  ['settings where there were none', '', settings({ base_url: 'https://live.test' })],
  [
    'another address under the name of a secret',
    settings({ env: { DATABASE_URL: 'postgres://app:secret-1@staging.test/shop' } }),
    settings({ env: { DATABASE_URL: 'postgres://app:secret-1@live.test/shop' } }),
  ],
  [
    'another item at the end of a long list',
    settings({ hosts: [...Array(60).keys()] }),
    settings({ hosts: [...Array(59).keys(), 'x'] }),
  ],
])('R-approval: an approval is not valid under %s of its toolkit', async (_what, before, after) => {
  await open(before);
  await grant('store', 'save');
  const approvalId = await approve('save');
  await open(after);
  await expectEnded('save', approvalId);
  // The control: under the settings that it was given for, it runs.
  await open(before);
  expect(await call('save', approvalId)).toMatchObject({ ok: true });
  expect(ran).toHaveLength(1);
});

test.each([
  [
    'the password of an address',
    database('postgres://app:secret-1@db.test/shop'),
    database('postgres://app:other@db.test/shop'),
  ],
  [
    'a key',
    settings({ api_key: 'one', base_url: 'https://x.test' }),
    settings({ base_url: 'https://x.test', api_key: 'two' }),
  ],
  [
    'the settings of another toolkit',
    settings({ host: 'a' }),
    `${settings({ host: 'a' }).slice(0, -1)},"bank":{"base_url":"https://b.test"}}`,
  ],
])('R-approval: an approval stays valid when %s changes', async (_what, before, after) => {
  await open(before);
  await grant('store', 'save');
  const approvalId = await approve('save');
  await open(after);
  expect(await call('save', approvalId)).toMatchObject({ ok: true });
});

test('R-approval: an approval is not valid for another server of the service, by the settings or by the account', async () => {
  await open('');
  const { id } = await helve.plane.addConnection(admin, { toolkit: 'bank', name: 'One', visibility: 'workspace' });
  const connect = (branch: string) =>
    helve.plane.connect(admin, id, { credentials: { token: 'token-12345', branch }, check: true });
  await connect('main');
  await grant('bank', 'pay', id);
  const approvalId = await approve('pay');
  await connect('other');
  await expectEnded('pay', approvalId);
  await connect('main');
  await open('toolkits: { bank: { base_url: "https://live.test" } }');
  await expectEnded('pay', approvalId);
  // The control: the same account, at the server that it was given for.
  await open('');
  expect(await call('pay', approvalId)).toMatchObject({ ok: true });
});

test('R-approval: a plan is not valid after the settings of a toolkit have changed', async () => {
  const staging = database('postgres://app:secret-1@staging.test/shop');
  await open(staging);
  await grant('store', 'save');
  const code = 'await store.save({})';
  const plan = async () => {
    const { id } = await helve.runCode({ principal: { agent: 'tester' }, code, mode: 'plan' });
    await helve.plane.decideRun(admin, id, { decision: 'approve_plan' });
    return id;
  };
  const before = await plan();
  await open(database('postgres://app:secret-1@live.test/shop'));
  expect(await helve.runCode({ principal: { agent: 'tester' }, code, plan: before })).toMatchObject({
    status: 'failed',
    error: { code: 'conflict', message: expect.stringContaining('settings') },
  });
  expect(ran).toEqual([]);
  // The control: a plan that was made under the present settings.
  expect(await helve.runCode({ principal: { agent: 'tester' }, code, plan: await plan() })).toMatchObject({
    status: 'succeeded',
  });
  expect(ran).toHaveLength(1);
});

const document = (server: string) => ({
  openapi: '3.0.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: server }],
  paths: { '/orders': { post: { operationId: 'createOrder', responses: { 200: { description: 'ok' } } } } },
});
const asking: Policy[] = [{ id: 'ask', effect: 'require_approval', when: { toolkits: ['shop'] } }];

test.each([
  'its base_url',
  'a server in its document',
])('R-approval: an approval is not valid for a toolkit of a document with another %s', async (what) => {
  const file = join(folder, 'shop.json');
  const shop = (base: string) => `openapi: { shop: { document: ${file}, base_url: "${base}" } }`;
  const change = async (server: string) => {
    await writeFile(file, JSON.stringify(document(what === 'its base_url' ? 'https://shop.test' : server)));
    await open(what === 'its base_url' ? shop(server) : `openapi: { shop: { document: ${file} } }`);
  };
  await change('http://127.0.0.1:9/staging');
  await helve.plane.replacePolicies(admin, asking);
  await grant('shop', 'create_order');
  const approvalId = await approve('shop__create_order');
  await change('http://127.0.0.1:9/live');
  await expectEnded('shop__create_order', approvalId);
});
