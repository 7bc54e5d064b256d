/** Reads what authorisation depends on, as of one revision: everything, or what has changed since an earlier one. */
import type { Kysely } from 'kysely';
import type { Connection } from '../domain/connection.js';
import type { Grant, WorkspaceConfiguration } from '../domain/grant.js';
import { type ChangedParts, readChanges } from './configuration-changes.js';
import { toConnection, toPin } from './connection-rows.js';
import { readTogether } from './engine.js';
import { toGrant, toPolicy, toToolkitSetting } from './rows.js';
import type { Schema } from './schema.js';
import { type Scope, scoped } from './scope.js';

/**
 * Returns the present configuration. `known`: as it was read before; its parts that have not changed are taken over as they are, and
 * it is returned itself if nothing has.
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
    grants: await readGrants(scope),
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
  return {
    ...(changed.has('agents') && { agents: (await scope.workspaceWithAgents()).agents }),
    ...(grants && { grants: await mergeGrants(scope, known.grants, grants) }),
    ...(changed.has('policies') && { policies: await readPolicies(scope) }),
    ...(changed.has('toolkits') && { toolkits: await readToolkits(scope) }),
    ...(connections && { connections: await mergeConnections(scope, known.connections, connections) }),
    ...(changed.has('pins') && { pins: await readPins(scope) }),
  };
}

type Items = ReadonlySet<string> | 'all';

async function mergeGrants(scope: Scope, known: readonly Grant[], agents: Items): Promise<readonly Grant[]> {
  if (agents === 'all') return readGrants(scope);
  const others = known.filter(({ agentId }) => !agents.has(agentId));
  const fresh = await readGrants(scope, [...agents]);
  // Those of one agent stay in their order.
  return [...others, ...fresh].sort((one, other) => compare(one.agentId, other.agentId));
}

async function mergeConnections(
  scope: Scope,
  known: readonly Connection[],
  ids: Items,
): Promise<readonly Connection[]> {
  if (ids === 'all') return readConnections(scope);
  const others = known.filter(({ id }) => !ids.has(id));
  const fresh = await readConnections(scope, [...ids]);
  return [...others, ...fresh].sort(
    (one, other) => compare(one.createdAt, other.createdAt) || compare(one.id, other.id),
  );
}

/** As the store compares texts. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

async function readGrants(scope: Scope, agents?: readonly string[]): Promise<Grant[]> {
  const all = scope.selectFrom('grants').selectAll().orderBy('agent_id').orderBy('position');
  const rows = await (agents ? all.where('agent_id', 'in', agents) : all).execute();
  return rows.map(toGrant);
}

async function readPolicies(scope: Scope) {
  return (await scope.selectFrom('policies').selectAll().orderBy('position').execute()).map(toPolicy);
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
