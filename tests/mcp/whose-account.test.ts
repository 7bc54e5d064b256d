/** The account that would act is shown wherever a person decides: on the page, at the command line and in a question of MCP. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { ToolkitDefinition } from '../../src/domain/tool.js';
import { testTool } from '../../src/testing/index.js';
import { run } from '../e2e/support/server.js';
import { atEnd, endAll, openRealDoor, rpc, send } from './real-door.js';

afterEach(endAll);

const mail: ToolkitDefinition = {
  slug: 'mail',
  title: 'Mail',
  description: 'Mail',
  category: 'test',
  auth: {
    schemes: [{ id: 'token', kind: 'api_key', title: 'Token', fields: [{ name: 'token', title: 'T', secret: true }] }],
  },
  load: async () => [testTool({ name: 'send', highRisk: true })],
};

const connections = ['Work', 'Home'].map((name) => ({ toolkit: 'mail', name, credentials: { token: `of-${name}-1` } }));

/** A waiting call of alice with her account `Work`; another account would work too. */
async function open() {
  const real = await openRealDoor({
    toolkits: [mail],
    connections,
    granted: [],
    config: 'approvals: { elicitation_agents: [alice] }',
  });
  const { plane, admin } = real.helve;
  const account = (await plane.connections(admin)).find(({ name }) => name === 'Work');
  const slug = account?.slug ?? '';
  await plane.replaceGrants(admin, 'alice', [
    { toolkit: 'mail', connectionId: slug, tools: ['send'], limits: {}, config: {} },
  ]);
  const tools = await real.helve.tools({ principal: real.alice.principal });
  const tool = tools.find((one) => one.tool.id.name === 'send');
  return { ...real, plane, admin, slug, tool: tool?.name ?? '' };
}

async function waiting({ plane, admin, alice, tool }: Awaited<ReturnType<typeof open>>): Promise<string> {
  await plane.execute({ principal: alice.principal, tool, input: {} });
  const [approval] = await plane.approvals(admin, {});
  return approval?.id ?? '';
}

test('R-approval: the page names the account that acts', async () => {
  const real = await open();
  const id = await waiting(real);
  const login = await fetch(`${real.url}/admin/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: real.url, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token: await real.helve.adminLink(real.helve.workspaceId) }),
  });
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = await (await fetch(`${real.url}/approvals/${id}`, { headers: { cookie } })).text();
  expect(page).toMatch(new RegExp(`with the account <strong>${real.slug} \\(workspace, added by [^)]+\\)</strong>`));
});

test('R-approval: the command line names the account that acts, in the list, for one call and when it is decided', async () => {
  const real = await open();
  const id = await waiting(real);
  const dataDir = await mkdtemp(join(tmpdir(), 'helve-whose-'));
  atEnd(() => rm(dataDir, { recursive: true }));
  const { secret } = await real.plane.createApiKey(real.admin, {
    name: 'cli',
    permissions: ['approvals:read', 'approvals:decide'],
  });
  await writeFile(join(dataDir, 'cli.json'), JSON.stringify({ url: real.url, key: secret }));
  const account = `${real.slug} (workspace, added by`;
  for (const command of [['approvals'], ['approval', id], ['approve', id]]) {
    const { stdout, stderr } = await run([...command, '--data', dataDir]);
    expect({ stderr, said: stdout.includes(account) }, `${command[0]}: ${stdout}`).toEqual({ stderr: '', said: true });
  }
});

test('R-approval: an MCP question names the account that acts', async () => {
  const real = await open();
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '0' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': real.tool };
  const call = rpc('tools/call', { name: real.tool, arguments: {}, _meta: envelope });
  const asked = await (await send(real.alice, call, { headers })).text();
  expect(asked).toContain(`with the account ${real.slug}`);
});
