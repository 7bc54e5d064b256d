/**
 * Tools that a toolkit has but does not offer are visible where people look: the app's page, `helve doctor`, `helve
 * tools describe`.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createMcpProvider } from '../../providers/mcp/index.js';
import { echoTool, openTestServer } from '../../providers/mcp/testing/servers.js';
import { createTestHelve } from '../../testing/index.js';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

test('R-mcp-client: a refused tool of a server is reported by name, with the reason, except to agents without tools of that server', async () => {
  const badSchema = { type: 'object', properties: { a: { $ref: '#/$defs/none' } } };
  const server = await openTestServer([echoTool, { ...echoTool, name: 'bad', inputSchema: badSchema }]);
  ends.push(() => server.close());
  const provider = createMcpProvider({ servers: [{ slug: 'srv', transport: { kind: 'http', url: server.url } }] });
  const helve = await createTestHelve({ providers: [provider], granted: [] });
  ends.push(() => helve.close());
  const { plane, admin, agent } = helve;
  const why = expect.stringMatching(/#\/\$defs\/none, which does not exist/);
  await plane.toolkitTools(admin, 'srv');
  expect(await plane.unofferedTools(admin, 'srv')).toEqual([{ name: 'bad', reason: why }]);
  expect(await plane.unofferedTools(agent, 'srv')).toEqual([]);
  await expect(plane.unofferedTools(admin, 'none')).rejects.toMatchObject({ code: 'not_found' });
  expect((await plane.machineChecks(admin)).filter(({ check }) => check.startsWith('toolkit '))).toEqual([
    {
      check: 'toolkit srv',
      ok: false,
      detail: expect.stringMatching(/^1 tool is not offered\. bad: .*does not exist/),
    },
  ]);
  for (const name of ['srv__bad', 'SRV_BAD', 'bad'])
    expect((await plane.describeTools(admin, [name])).unknown[0]?.refused).toEqual(name === 'bad' ? undefined : why);
  expect((await plane.describeTools(admin, ['srv__other'])).unknown).toEqual([
    expect.not.objectContaining({ refused: expect.anything() }),
  ]);
  expect((await plane.describeTools(agent, ['srv__bad'])).unknown[0]?.refused).toBeUndefined();
  // An agent that uses the server sees it, also through its own meta-tool.
  await plane.replaceGrants(admin, 'tester', [{ toolkit: 'srv', tools: ['echo'], limits: {}, config: {} }]);
  const told = await helve.call('describe_tools', { names: ['srv__bad'] });
  expect(told).toMatchObject({ ok: true, output: { unknown: [{ name: 'srv__bad', refused: why }] } });
});

test('leak: what a server refuses for the account of one workspace is not shown to another', async () => {
  const badSchema = { type: 'object', properties: { a: { $ref: '#/$defs/none' } } };
  const server = await openTestServer([]);
  server.list = () => {
    const whose = server.requests.at(-1)?.headers.get('authorization')?.replace('Bearer token-of-', '');
    return { tools: [{ name: `canary_of_${whose}`, inputSchema: badSchema }] };
  };
  const folder = await mkdtemp(join(tmpdir(), 'helve-unoffered-'));
  ends.push(
    () => rm(folder, { recursive: true, force: true }),
    () => server.close(),
  );
  const configFile = join(folder, 'helve.yaml');
  const auth = { header: 'authorization', value: 'Bearer {token}' };
  await writeFile(configFile, JSON.stringify({ mcp_servers: { srv: { url: server.url, auth } } }));
  const helve = await createTestHelve({ configFile, reportError: () => undefined });
  ends.push(() => helve.close());
  const { plane, admin } = helve;
  const { workspaceId } = await helve.ensureWorkspace('elsewhere');
  const homes = { here: admin, elsewhere: { ...admin, workspaceId } };
  for (const [place, home] of Object.entries(homes)) {
    const { id } = await plane.addConnection(home, { toolkit: 'srv', name: 'Work' });
    await plane.connect(home, id, { credentials: { token: `token-of-${place}` }, check: false });
    await plane.toolkitTools(home, 'srv');
  }
  const told = async (home: typeof admin, whose: string) =>
    JSON.stringify([
      await plane.unofferedTools(home, 'srv'),
      await plane.machineChecks(home),
      (await plane.describeTools(home, [`srv__canary_of_${whose}`])).unknown[0]?.refused ?? '',
    ]);
  for (const [own, other] of [
    ['here', 'elsewhere'],
    ['elsewhere', 'here'],
  ] as const) {
    expect(await told(homes[own], own)).toContain(`canary_of_${own}`);
    expect(await told(homes[own], other)).not.toContain(`canary_of_${other}`);
    const named = await plane.describeTools(homes[own], [`srv__canary_of_${other}`]);
    expect(named.unknown[0]).not.toHaveProperty('refused');
  }
});

test('R-openapi: refused operations, and a document that cannot be read, are shown on the page of their app', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'helve-unoffered-'));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const paths = {
    '/good': { get: { responses: {} } },
    '/bad': { get: { servers: [{ url: 'ftp://x.example' }], responses: {} } },
  };
  const document = { openapi: '3.1.0', info: { title: 'Shop' }, servers: [{ url: 'https://a.example' }], paths };
  await writeFile(join(folder, 'shop.json'), JSON.stringify(document));
  await writeFile(join(folder, 'torn.json'), '{ "openapi": ');
  const configFile = join(folder, 'helve.yaml');
  await writeFile(configFile, 'openapi:\n  shop:\n    document: shop.json\n  torn:\n    document: torn.json\n');
  const helve = await createTestHelve({ configFile, reportError: () => undefined });
  ends.push(() => helve.close());
  const { plane, admin } = helve;
  await plane.tools(admin);
  expect(await plane.unofferedTools(admin, 'shop')).toEqual([
    { name: 'GET /bad', reason: expect.stringMatching(/ftp:\/\/x\.example/) },
  ]);
  expect(await plane.unofferedTools(admin, 'torn')).toEqual([{ name: '*', reason: expect.stringContaining('torn') }]);
  const checks = (await plane.machineChecks(admin)).filter(({ check }) => check.startsWith('toolkit '));
  expect(checks.map(({ check, ok }) => [check, ok])).toEqual([
    ['toolkit shop', false],
    ['toolkit torn', false],
  ]);
});
