/** Kept counts of offered tools: after each kind of change they are what a fresh decision gives. */
import { expect, test } from 'vitest';
import type { Provider } from '../../domain/provider.js';
import type { Tool } from '../../domain/tool.js';
import { createCatalogue } from '../../flows/calling/index.js';
import type { PlaneParts } from '../../flows/parts.js';
import { createTestHelve, testTool } from '../../testing/index.js';
import { testProviderTool } from '../../testing/provider-tool.js';
import { atOnce } from '../../util/slices.js';
import { createOffers } from './offered-tools.js';
import { vault } from './testing/vault-toolkit.js';

test('R-panel: after each kind of change, a page of agents counts the tools that each agent is offered now', async () => {
  const helve = await createTestHelve({
    nativeToolkits: [],
    tools: [testTool({ name: 'look' }), testTool({ name: 'touch' })],
    toolkits: [vault],
    connections: [{ toolkit: 'vault', name: 'Safe', credentials: { token: 'canary' } }],
  });
  const { plane, admin } = helve;
  await plane.createAgent(admin, { slug: 'second' });
  const [account] = await plane.connections(admin);
  const safe = account?.slug ?? '';
  const deny = { id: 'no-touch', effect: 'deny' as const, when: { tools: ['custom.touch'], agents: ['second'] } };
  const both = [{ toolkit: 'custom', tools: ['look', 'touch'], limits: {}, config: {} }];
  const seen: number[][] = [];
  const count = async () => {
    const listed = async () => (await plane.listAgents(admin, {})).agents.map(({ usage }) => usage.offered ?? -1);
    const first = await listed();
    // The second page of the same configuration is answered with what was kept.
    expect(await listed()).toEqual(first);
    const names = (await plane.listAgents(admin, {})).agents.map(({ slug }) => slug);
    expect(names).toEqual(['second', 'tester']);
    const effective = names.map(async (name) => (await plane.effectiveTools(admin, name)).tools.length);
    expect(first).toEqual(await Promise.all(effective));
    seen.push(first);
  };
  await count();
  await plane.replaceGrants(admin, 'second', both);
  await count();
  await plane.replacePolicies(admin, [deny]);
  await count();
  await plane.changeAgent(admin, 'second', { name: 'other' });
  await count();
  await plane.replacePolicies(admin, []);
  await count();
  await plane.enableTools(admin, 'custom', { enabled: true, enabledTools: ['touch'] });
  await count();
  await plane.disconnect(admin, safe);
  await count();
  await plane.removeConnection(admin, safe);
  await count();
  expect(seen).toEqual([
    [0, 3],
    [2, 3],
    [1, 3],
    [1, 3],
    [2, 3],
    [1, 2],
    [1, 1],
    [1, 1],
  ]);
  await helve.close();
});

test('R-panel: tools that change while a page is made are counted again on the next page', async () => {
  const agent = { id: 'a1', slug: 'tester', name: 'tester', createdAt: '', managedBy: 'api' } as const;
  const grants = [{ id: 'g1', agentId: 'a1', toolkit: 'notes', tools: ['look'], limits: {}, config: {} }];
  const empty = { policies: [], toolkits: [], connections: [], pins: [] };
  const configuration = { workspaceId: 'w', revision: 1, policyVersion: 1, agents: [agent], grants, ...empty };
  const registry = { generation: 1 };
  let risk: Tool['risk'] = 'read';
  const catalogue = async () => {
    const tool = { ...testProviderTool({ toolkit: 'notes', name: 'look' }), risk };
    return atOnce(createCatalogue([{ tool, provider: { kind: 'mcp' } as Provider }]));
  };
  const configurations = { get: async () => configuration, getFresh: async () => configuration };
  const readOffers = createOffers({ registry, catalogue, configurations } as unknown as PlaneParts);
  const first = await readOffers(configuration, [agent]);
  // The server has changed the tool after the page has read it.
  risk = 'destructive';
  registry.generation = 2;
  expect(first.offeredTo(agent)).toHaveLength(1);
  const second = await readOffers(configuration, [agent]);
  expect(second.offeredTo(agent)).toHaveLength(0);
});
