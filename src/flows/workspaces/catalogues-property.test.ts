/** What an agent is shown is built from the sections of its grants, and is what the whole workspace would give it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Connection } from '../../domain/connection.js';
import type { Grant, WorkspaceConfiguration } from '../../domain/grant.js';
import type { Provider } from '../../domain/provider.js';
import type { ProviderKind } from '../../domain/provider-kind.js';
import type { Toolkit } from '../../domain/tool.js';
import { createRegistry } from '../../registry/index.js';
import { expectEqual } from '../../testing/expect-equal.js';
import { testProviderTool } from '../../testing/provider-tool.js';
import { targetsWithinReach, withinReach } from '../calling/index.js';
import { createCatalogues } from './catalogues.js';

/** Two of them give their tools the same slug, so that they compete for names. */
const slugs: Readonly<Record<ProviderKind, readonly string[]>> = {
  native: ['math', 'mail', 'meta'],
  mcp: ['notes', 'Notes', 'work'],
  openapi: ['shop'],
  composio: ['mail', 'crm', 'crm_', 'idle'],
};
const needAccounts = new Set(['mail', 'crm', 'crm_', 'shop']);

function toolkitOf(slug: string, provider: ProviderKind): Toolkit {
  const facts = { slug, title: slug, description: '', category: 'x', provider, internal: false };
  const needsConnection = needAccounts.has(slug);
  const own = [{ id: 'token', kind: 'api_key', title: 'Token', fields: [] }] as const;
  const hosted = [{ id: 'hosted', kind: 'api_key', title: 'Hosted', fields: [], hostedBy: 'composio' }] as const;
  return {
    ...facts,
    needsConnection,
    ...(needsConnection && { auth: { schemes: provider === 'composio' ? hosted : own } }),
    ...(provider === 'composio' && { onDemand: true }),
  };
}

function providerOf(kind: ProviderKind, read: string[]): Provider {
  return {
    kind,
    toolkits: async () => slugs[kind].map((slug) => toolkitOf(slug, kind)),
    async tools(toolkit) {
      if (!slugs[kind].includes(toolkit)) return [];
      read.push(toolkit);
      return ['look', 'burn', 'look_again', 'own'].map((name) => ({
        ...testProviderTool({ toolkit, name }),
        intrinsic: toolkit === 'meta' && name === 'own',
      }));
    },
    execute: async () => ({ output: {} }),
    close: async () => undefined,
    ...(kind === 'composio' && { accounts: {} as NonNullable<Provider['accounts']> }),
  };
}

function open(kinds = Object.keys(slugs) as ProviderKind[]) {
  const read: string[] = [];
  const registry = createRegistry(kinds.map((kind) => providerOf(kind, read)));
  let configuration: WorkspaceConfiguration;
  const configurations = { get: async () => configuration } as never;
  const reportError = (error: unknown) => expect(error).toBeUndefined();
  const parts = { registry, configurations, storage: undefined as never, now: () => new Date(), reportError };
  const catalogues = createCatalogues(parts);
  const use = (next: WorkspaceConfiguration) => {
    configuration = next;
  };
  return { catalogues, use, read };
}

const account = fc.record({
  id: fc.constantFrom('c1', 'c2', 'c3', 'c4', 'c5'),
  toolkit: fc.constantFrom('mail', 'mail', 'crm', 'crm_', 'shop', 'gone'),
  slug: fc.constantFrom('work', 'home', 'notes', 'crm', 'mail', 'other', 'one', 'two'),
  scheme: fc.constantFrom('token', 'hosted'),
});
const accounts = fc.uniqueArray(account, { selector: ({ id }) => id, maxLength: 5 }).map((all) =>
  all.map(
    (one): Connection => ({
      ...one,
      name: one.slug,
      status: 'active',
      visibility: 'workspace',
      ownerId: 'u',
      settings: {},
      // Some were made at the same time.
      createdAt: one.id < 'c3' ? '2026-01-01' : '2026-01-02',
    }),
  ),
);
const grants = fc.array(
  fc.record({
    agentId: fc.constantFrom('a1', 'a2'),
    toolkit: fc.constantFrom('math', 'mail', 'crm', 'crm_', 'shop', 'notes', 'Notes', 'work', 'idle', 'gone'),
    connectionId: fc.constantFrom(undefined, 'c1', 'c2', 'c3', 'c4', 'c5'),
  }),
  { maxLength: 8 },
);
const workspace = fc.record({ accounts, grants, chosen: fc.boolean() });

function configurationOf({
  accounts: connections,
  grants: made,
  chosen,
}: typeof workspace extends fc.Arbitrary<infer T> ? T : never): WorkspaceConfiguration {
  const order = (one: Connection, other: Connection) => (one.createdAt + one.id < other.createdAt + other.id ? -1 : 1);
  return {
    workspaceId: 'w',
    revision: 1,
    policyVersion: 1,
    agents: [],
    policies: [],
    pins: [],
    toolkits: chosen ? [{ toolkit: 'idle', enabled: true }] : [],
    connections: connections.toSorted(order),
    grants: made.map((one, at): Grant => {
      const account = connections.find(({ id }) => id === one.connectionId);
      const toolkit = account?.toolkit ?? one.toolkit;
      return { ...one, toolkit, id: `g${at}`, tools: [], limits: {}, config: {} } as Grant;
    }),
  };
}

describe('sections of grants', () => {
  test('attack: an agent’s tools are those of the whole workspace, with their names, in their order, after every change', async () => {
    const runs = { shown: 0, contested: 0, left: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(workspace, { minLength: 1, maxLength: 4 }), async (states) => {
        const { catalogues, use } = open();
        for (const state of states) {
          const configuration = configurationOf(state);
          use(configuration);
          const fresh = open();
          fresh.use(configuration);
          const whole = await fresh.catalogues.find('w');
          for (const id of ['a1', 'a2']) {
            const principal = { kind: 'agent', id } as const;
            const part = await catalogues.find('w', targetsWithinReach(configuration, principal));
            const named = (of: typeof whole) =>
              withinReach(of, configuration, principal).map(({ name, tool, connectionId, slug, provider }) => [
                name,
                `${tool.id.toolkit}.${tool.id.name}`,
                connectionId,
                slug,
                provider.kind,
              ]);
            const expected = named(whole);
            expectEqual(named(part), expected);
            for (const { name } of part.entries) expectEqual([name, whole.hasName(name)], [name, true]);
            runs.shown += expected.length;
            runs.contested += expected.filter(([name = '']) => /_[0-9a-f]{24}$/.test(String(name))).length;
            runs.left += whole.entries.length - part.entries.length;
          }
        }
      }),
      { numRuns: 300 },
    );
    for (const [what, count] of Object.entries(runs)) expect([what, count > 500, count]).toEqual([what, true, count]);
  });

  test('R-operate: only the toolkits of the grants are read, and a change of another account builds nothing again', async () => {
    const { catalogues, use, read } = open();
    const connections = ['c1', 'c2'].map(
      (id): Connection => ({
        id,
        toolkit: id === 'c1' ? 'crm' : 'mail',
        slug: id,
        name: id,
        scheme: 'hosted',
        status: 'active',
        visibility: 'workspace',
        ownerId: 'u',
        settings: {},
        createdAt: '2026-01-01',
      }),
    );
    const base = { accounts: connections, grants: [], chosen: false };
    use(configurationOf(base));
    const targets = [{ toolkit: 'crm', connectionId: 'c1' }];
    const first = await catalogues.find('w', targets);
    expect(first.entries.filter(({ slug }) => slug === 'c1')).toHaveLength(4);
    expect(read).not.toContain('shop');
    expect(read).not.toContain('notes');
    const changed = (id: string, change: Partial<Connection>) =>
      use(
        configurationOf({ ...base, accounts: connections.map((one) => (one.id === id ? { ...one, ...change } : one)) }),
      );
    changed('c2', { slug: 'renamed' });
    expect(await catalogues.find('w', targets)).toBe(first);
    changed('c1', { status: 'error', visibility: 'private' });
    expect(await catalogues.find('w', targets)).toBe(first);
    changed('c1', { slug: 'renamed' });
    const second = await catalogues.find('w', targets);
    expect(second.entries.filter(({ slug }) => slug === 'renamed')).toHaveLength(4);
  });

  test('R-operate: without toolkits from documents and servers an unknown name builds one catalogue, not two', async () => {
    const configuration = configurationOf({ accounts: [], grants: [], chosen: true });
    for (const [kinds, isOne] of [
      [['native', 'composio'], true],
      [['native', 'mcp'], false],
    ] as const) {
      const { catalogues, use } = open([...kinds]);
      use(configuration);
      const found = await catalogues.find('w', 'no such tool');
      expect([kinds, (await catalogues.own('w')) === found]).toEqual([kinds, isOne]);
      expect([kinds, (await catalogues.find('w')) === found]).toEqual([kinds, true]);
    }
  });
});
