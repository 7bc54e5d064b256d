/**
 * Reads everything that authorisation depends on, as of one revision: completely, or only the changes since an earlier
 * one.
 */
import type { Kysely } from 'kysely';
import type { Connection } from '../domain/connection.js';
import type { Grant, WorkspaceConfiguration } from '../domain/grant.js';
import { noteOrigin } from '../util/lookup.js';
import { chunks } from './chunks.js';
import { type ChangedParts, readChanges } from './configuration-changes.js';
import { toConnection, toPin } from './connection-rows.js';
import { readTogether } from './engine.js';
import { mergePolicies, readPolicies } from './policies.js';
import { createGrantReader, toToolkitSetting } from './rows.js';
import type { Schema } from './schema.js';
import { type Scope, scoped } from './scope.js';

/**
 * Returns the current configuration. `known`: as it was read before; unchanged parts are reused, and it is returned
 * itself if nothing has changed.
 */
export function readConfiguration(
  db: Kysely<Schema>,
  workspaceId: string,
  known: WorkspaceConfiguration | undefined,
): Promise<WorkspaceConfiguration> {
  return readTogether(db, async (transaction) => {
    const scope = scoped(transaction, workspaceId);
    if (known === undefined) return readAll(scope);
    const { revision, policy_version: policyVersion } = await scope.workspace();
    if (Number(revision) === known.revision) return known;
    const changed = await readChanges(scope, known, Number(revision));
    if (changed === undefined) return readAll(scope);
    return { ...known, revision: Number(revision), policyVersion, ...(await readParts(scope, known, changed)) };
  });
}

async function readAll(scope: Scope): Promise<WorkspaceConfiguration> {
  const { workspace, agents } = await scope.workspaceWithAgents();
  return {
    workspaceId: scope.workspaceId,
    revision: workspace.revision,
    policyVersion: workspace.policy_version,
    agents,
    grants: await readGrants(scope, agents.map(getId)),
    policies: await readPolicies(scope),
    toolkits: await readToolkits(scope),
    connections: await readConnections(scope),
    pins: await readPins(scope),
  };
}

async function readParts(
  scope: Scope,
  known: WorkspaceConfiguration,
  changed: ChangedParts,
): Promise<Partial<WorkspaceConfiguration>> {
  const [grants, connections] = [changed.get('grants'), changed.get('connections')];
  const policies = changed.get('policies');
  const agents = changed.has('agents') ? (await scope.workspaceWithAgents()).agents : known.agents;
  return {
    agents,
    ...(grants && { grants: await mergeGrants(scope, { known: known.grants, agents }, grants) }),
    ...(policies && { policies: await mergePolicies(scope, known.policies, policies) }),
    ...(changed.has('toolkits') && { toolkits: await readToolkits(scope) }),
    ...(connections && { connections: await mergeConnections(scope, known.connections, connections) }),
    ...(changed.has('pins') && { pins: await readPins(scope) }),
  };
}

const agentsAtOnce = 50;

type Items = ReadonlySet<string> | 'all';

/** The grants of an agent are adjacent, in their order. */
async function mergeGrants(
  scope: Scope,
  { known, agents: all }: Pick<WorkspaceConfiguration, 'agents'> & { readonly known: readonly Grant[] },
  agents: Items,
): Promise<readonly Grant[]> {
  if (agents === 'all') return readGrants(scope, all.map(getId));
  const added = await readGrants(scope, [...agents]);
  const removed: Grant[] = [];
  const grants = [...known];
  for (const id of agents) {
    const fresh = added.filter(({ agentId }) => agentId === id);
    const found = grants.findIndex(({ agentId }) => agentId === id);
    const start = found < 0 ? firstAfter(grants, id) : found;
    let end = start;
    while (grants[end]?.agentId === id) end += 1;
    removed.push(...grants.splice(start, end - start, ...fresh));
  }
  noteOrigin(grants, { from: known, removed, added });
  return grants;
}

/** The position of the first grant of an agent that comes after this one. */
function firstAfter(grants: readonly Grant[], id: string): number {
  const found = grants.findIndex(({ agentId }) => compare(agentId, id) > 0);
  return found < 0 ? grants.length : found;
}

async function mergeConnections(
  scope: Scope,
  known: readonly Connection[],
  ids: Items,
): Promise<readonly Connection[]> {
  if (ids === 'all') return readConnections(scope);
  const added = await readConnections(scope, [...ids]);
  const removed = known.filter(({ id }) => ids.has(id));
  const fresh = new Map(added.map((connection) => [connection.id, connection]));
  const present = known.flatMap((connection) =>
    ids.has(connection.id) ? (fresh.get(connection.id) ?? []) : connection,
  );
  const before = new Set(removed.map(({ id }) => id));
  const made = added.filter(({ id }) => !before.has(id));
  // When an account was made never changes.
  const connections = made.length === 0 ? present : [...present, ...made].sort(byCreation);
  noteOrigin(connections, { from: known, removed, added });
  return connections;
}

function byCreation(one: Connection, other: Connection): number {
  return compare(one.createdAt, other.createdAt) || compare(one.id, other.id);
}

const getId = ({ id }: { readonly id: string }): string => id;

/** Compares texts in the order of the store. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * The grants of these agents, in several parts: many rows that all live until the last one is read are costly to
 * collect.
 */
async function readGrants(scope: Scope, agents: readonly string[]): Promise<Grant[]> {
  const toGrant = createGrantReader();
  const ids = [...agents].sort(compare);
  const grants: Grant[] = [];
  for (const some of chunks(ids, agentsAtOnce)) {
    const rows = scope.selectFrom('grants').selectAll().where('agent_id', 'in', some);
    for (const row of await rows.orderBy('agent_id').orderBy('position').execute()) grants.push(toGrant(row));
  }
  return grants;
}

async function readToolkits(scope: Scope) {
  const rows = await scope.selectFrom('toolkit_settings').selectAll().orderBy('toolkit').execute();
  return rows.map(toToolkitSetting);
}

async function readConnections(scope: Scope, ids?: readonly string[]): Promise<Connection[]> {
  const all = scope.selectFrom('connections').selectAll().orderBy('created_at').orderBy('id');
  return (await (ids ? all.where('id', 'in', ids) : all).execute()).map(toConnection);
}

async function readPins(scope: Scope) {
  return (await scope.selectFrom('definition_pins').selectAll().orderBy('toolkit').orderBy('tool').execute()).map(
    toPin,
  );
}
