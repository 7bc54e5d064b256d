/** What is kept of a workspace's apps is only what the same principal would be told again. */
import { expect, test } from 'vitest';
import type { Connection } from '../../domain/connection.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { Principal } from '../../domain/principal.js';
import { createStandings } from './standings.js';

const connection: Connection = {
  id: 'c1',
  toolkit: 'mail',
  name: 'Mail',
  slug: 'mail',
  status: 'active',
  visibility: 'private',
  ownerId: 'ada',
  scheme: 'token',
  settings: {},
  createdAt: '2026-01-01T00:00:00.000Z',
};
const before: WorkspaceConfiguration = {
  workspaceId: 'w',
  revision: 1,
  policyVersion: 1,
  agents: [],
  grants: [],
  policies: [],
  toolkits: [],
  connections: [connection],
  pins: [],
};
const person = (id: string): Principal => ({ kind: 'user', id, name: id, workspaceId: 'w', permissions: [] });
const mail = { slug: 'mail', name: 'Mail', description: '', provider: 'native' as const, categories: [] };
const entry = { ...mail, authSchemes: [], noAuth: true, deprecated: false };

test('R-visibility: the standing of an app is kept for one principal, until its accounts, its settings or the choice change', () => {
  const find = createStandings();
  const onDemand = new Set<string>();
  const ask = (configuration: WorkspaceConfiguration, id = 'ada', chosen: ReadonlySet<string> = onDemand) =>
    find({ configuration, principal: person(id), onDemand: chosen });
  const status = (...asked: Parameters<typeof ask>) => ask(...asked)(entry).status;
  expect(ask({ ...before, revision: 2 })).toBe(ask(before));
  expect(ask(before)(entry)).toMatchObject({ status: 'active', connections: [{ id: 'c1' }] });
  expect(ask(before, 'bob')(entry)).toEqual({ status: 'active', connections: [] });
  expect(status({ ...before, connections: [{ ...connection, status: 'expired' }] })).toBe('expired');
  const off = { ...before, toolkits: [{ toolkit: 'mail', enabled: false }] };
  expect([status(before, 'bob'), status(off, 'bob')]).toEqual(['active', 'available']);
  expect(status(before, 'bob', new Set(['mail']))).toBe('available');
});
