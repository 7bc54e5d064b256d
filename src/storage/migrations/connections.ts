/**
 * Version 3: accounts, what the vault has sealed, sign-ins in progress, OAuth clients, and definitions that were agreed
 * to.
 */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  const tenant = `workspace_id ${text} not null references workspaces (id)`;
  for (const statement of [
    `create table connections (${tenant}, id ${text} not null, toolkit ${text} not null, name ${text} not null,
      slug ${text} not null, status ${text} not null, reason ${text}, visibility ${text} not null,
      owner_id ${text} not null, scheme ${text} not null, settings ${text} not null, account ${text}, scopes ${text},
      created_at ${text} not null, connected_at ${text}, primary key (workspace_id, id), unique (workspace_id, slug))`,
    `create table secrets (${tenant}, subject ${text} not null, sealed ${text} not null, key_id ${text} not null,
      version bigint not null, expires_at ${text}, updated_at ${text} not null, lock_holder ${text}, lock_until ${text},
      retry_at ${text}, primary key (workspace_id, subject))`,
    'create index secrets_key on secrets (key_id)',
    `create table oauth_flows (${tenant}, id ${text} not null, connection_id ${text} not null,
      ticket_hash ${text} not null unique, state_hash ${text} not null unique, browser_hash ${text},
      sealed ${text} not null, key_id ${text} not null, started_by ${text} not null, created_at ${text} not null,
      expires_at ${text} not null, primary key (workspace_id, id))`,
    'create index oauth_flows_expiry on oauth_flows (expires_at)',
    `create table auth_configs (${tenant}, provider ${text} not null, client_id ${text} not null,
      overrides ${text} not null, updated_at ${text} not null, primary key (workspace_id, provider))`,
    `create table definition_pins (${tenant}, toolkit ${text} not null, tool ${text} not null, hash ${text} not null,
      definition ${text} not null, pinned_at ${text} not null, primary key (workspace_id, toolkit, tool))`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}
