/**
 * Version 1. Every tenant table's key starts with the workspace, so that two workspaces may have equal ids. Text in
 * PostgreSQL is collated "C": it sorts and compares by bytes, as in SQLite.
 */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

function statements(kind: DatabaseKind): string[] {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  const tenant = `workspace_id ${text} not null references workspaces (id)`;
  // Rows are stored in the order of the chain, which saves writing one tree on each commit.
  const clustered = kind === 'sqlite' ? 'without rowid' : '';
  return [
    `create table workspaces (id ${text} primary key, slug ${text} not null unique, name ${text} not null,
      created_at ${text} not null, revision bigint not null, policy_version bigint not null,
      audit_seq bigint not null, audit_hash ${text} not null)`,
    `create table users (${tenant}, id ${text} not null, name ${text} not null, role ${text} not null,
      created_at ${text} not null, primary key (workspace_id, id))`,
    `create table agents (${tenant}, id ${text} not null, slug ${text} not null, name ${text} not null,
      created_at ${text} not null, managed_by ${text} not null,
      primary key (workspace_id, id), unique (workspace_id, slug))`,
    `create table credentials (${tenant}, id ${text} not null, kind ${text} not null, principal_id ${text} not null,
      name ${text} not null, hash ${text} not null unique, prefix ${text} not null, permissions ${text} not null,
      created_at ${text} not null, expires_at ${text}, revoked_at ${text}, primary key (workspace_id, id))`,
    `create table grants (${tenant}, id ${text} not null, agent_id ${text} not null, position bigint not null,
      toolkit ${text} not null, connection_id ${text}, tools ${text} not null, limits ${text} not null,
      config ${text} not null, primary key (workspace_id, id),
      foreign key (workspace_id, agent_id) references agents (workspace_id, id) on delete cascade)`,
    `create unique index grants_target on grants (workspace_id, agent_id, toolkit, coalesce(connection_id, ''))`,
    `create table policies (${tenant}, id ${text} not null, position bigint not null, effect ${text} not null,
      conditions ${text} not null, rate_limit ${text}, reason ${text}, primary key (workspace_id, id))`,
    `create table toolkit_settings (${tenant}, toolkit ${text} not null, enabled integer not null,
      enabled_tools ${text}, primary key (workspace_id, toolkit))`,
    `create table approvals (${tenant}, id ${text} not null, binding ${text} not null, status ${text} not null,
      principal ${text} not null, toolkit ${text} not null, tool ${text} not null, connection_id ${text},
      arguments ${text} not null, policy_version bigint not null, rule ${text} not null, reason ${text} not null,
      requested_at ${text} not null, expires_at ${text} not null, decided_at ${text}, decided_by ${text},
      decided_through ${text}, execution_id ${text}, primary key (workspace_id, id))`,
    'create index approvals_binding on approvals (workspace_id, binding)',
    'create index approvals_expiry on approvals (expires_at)',
    `create table audit_events (${tenant}, seq bigint not null, at ${text} not null, type ${text} not null,
      execution_id ${text}, tool ${text}, actor_kind ${text} not null, actor_id ${text} not null,
      actor_name ${text} not null, on_behalf_of ${text}, body ${text} not null, hash ${text} not null,
      primary key (workspace_id, seq)) ${clustered}`,
    'create index audit_events_execution on audit_events (workspace_id, execution_id)',
    `create table intents (${tenant}, execution_id ${text} not null, tool ${text} not null, actor ${text} not null,
      started_at ${text} not null, instance_id ${text} not null, primary key (workspace_id, execution_id)) ${clustered}`,
    `create table instances (id ${text} primary key, host ${text} not null, pid bigint not null,
      start_token ${text} not null, seen_at ${text} not null)`,
    `create table key_values (${tenant}, namespace ${text} not null, key ${text} not null, value ${text} not null,
      expires_at ${text}, primary key (workspace_id, namespace, key))`,
    'create index key_values_expiry on key_values (expires_at)',
    `create table results (${tenant}, handle ${text} not null, execution_id ${text} not null,
      principal_id ${text} not null, toolkit ${text} not null, tool ${text} not null, connection_id ${text},
      value ${text} not null, expires_at ${text} not null, primary key (workspace_id, handle))`,
    'create index results_expiry on results (expires_at)',
  ];
}

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  for (const statement of statements(kind)) await sql.raw(statement).execute(db);
}
