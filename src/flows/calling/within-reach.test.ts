/** The entries that are looked at for a principal leave out none that it may call. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Connection } from '../../domain/connection.js';
import type { Grant, WorkspaceConfiguration } from '../../domain/grant.js';
import { agentPermissions, type Principal } from '../../domain/principal.js';
import { testProviderTool } from '../../testing/provider-tool.js';
import { atOnce } from '../../util/slices.js';
import { createCatalogue } from './catalogue.js';
import { decideCall } from './decision.js';
import { withinReach } from './within-reach.js';

const connections = ['c1', 'c2', 'c3'].map(
  (id): Connection => ({
    id,
    toolkit: id === 'c3' ? 'notes' : 'mail',
    name: id,
    slug: `slug-${id}`,
    status: 'active',
    visibility: 'workspace',
    ownerId: 'u',
    scheme: 'token',
    settings: {},
    createdAt: '2026-01-01T00:00:00.000Z',
  }),
);
const of = (toolkit: string) => connections.filter((one) => one.toolkit === toolkit);
const provider = { kind: 'native' } as never;
const tool = (toolkit: string, name: string, intrinsic = false) => ({
  ...testProviderTool({ toolkit, name }),
  intrinsic,
});
const catalogue = atOnce(
  createCatalogue([
    { tool: tool('math', 'calculate'), provider },
    { tool: tool('mail', 'send'), provider, connections: of('mail') },
    { tool: tool('discovery', 'search_tools', true), provider },
    { tool: tool('mail', 'read'), provider, connections: of('mail') },
    { tool: tool('notes', 'send'), provider, connections: of('notes') },
    { tool: tool('notes', 'own', true), provider, connections: of('notes') },
  ]),
);
const grant = fc.record({
  agentId: fc.constantFrom('a1', 'a2'),
  toolkit: fc.constantFrom('math', 'mail', 'notes', 'gone'),
  connectionId: fc.constantFrom(undefined, 'c1', 'c2', 'c3', 'gone'),
  tools: fc.subarray(['calculate', 'send', 'read', 'own']),
});

test('attack: what is not looked at would be refused, and the others keep their order', () => {
  let left = 0;
  let allowed = 0;
  fc.assert(
    fc.property(fc.array(grant, { maxLength: 6 }), fc.constantFrom('agent', 'user'), (made, kind) => {
      const grants = made.map((one, at): Grant => ({ ...one, id: `g${at}`, limits: {}, config: {} }) as Grant);
      const configuration = {
        workspaceId: 'w',
        revision: 1,
        policyVersion: 1,
        agents: [],
        grants,
        policies: [],
        toolkits: [],
        connections,
        pins: [],
      } satisfies WorkspaceConfiguration;
      const principal = { kind, id: 'a1', name: 'a1', workspaceId: 'w', permissions: agentPermissions } as Principal;
      const may = ({ tool: one, connectionId }: (typeof catalogue.entries)[number]): boolean =>
        decideCall({ configuration, principal, tool: one, connectionId }).decision.effect !== 'deny';
      const expected = catalogue.entries.filter(may);
      const looked = withinReach(catalogue, configuration, principal);
      expect(looked.filter(may)).toEqual(expected);
      left += catalogue.entries.length - looked.length;
      allowed += expected.length;
    }),
  );
  expect(Math.min(left, allowed)).toBeGreaterThan(50);
});

test('R-registry: one toolkit with one account, or without', () => {
  const names = (toolkit: string, connectionId?: string) => catalogue.of(toolkit, connectionId).map(({ name }) => name);
  expect(names('mail', 'c2')).toEqual(['slug-c2__send', 'slug-c2__read']);
  expect([names('mail'), names('math'), names('math', 'c1')]).toEqual([[], ['calculate'], []]);
  for (const toolkit of ['mail', 'math', 'gone'])
    for (const account of [undefined, 'c1', 'c3'])
      for (const name of ['send', 'calculate', 'read']) {
        const found = catalogue.of(toolkit, account).find(({ tool: one }) => one.id.name === name);
        expect(catalogue.findIn(toolkit, account, name)).toBe(found);
      }
});
