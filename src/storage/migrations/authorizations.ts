/** Version 4: programs that people authorized through a browser, and what each may do. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  const tenant = `workspace_id ${text} not null references workspaces (id)`;
  for (const statement of [
    `create table oauth_clients (id ${text} primary key, name ${text} not null, redirect_uris ${text} not null,
      created_at ${text} not null, expires_at ${text})`,
    'create index oauth_clients_expiry on oauth_clients (expires_at)',
    `create table authorizations (${tenant}, id ${text} not null, status ${text} not null, client_id ${text} not null,
      client_name ${text} not null, redirect_uri ${text} not null, agent_id ${text} not null, person ${text} not null,
      resource ${text} not null, scopes ${text} not null, challenge ${text} not null, state ${text},
      secret_hash ${text} not null unique, created_at ${text} not null, expires_at ${text} not null,
      primary key (workspace_id, id),
      foreign key (workspace_id, agent_id) references agents (workspace_id, id) on delete cascade)`,
    'create index authorizations_expiry on authorizations (expires_at)',
    `alter table credentials add column authorization_id ${text}`,
    'create index credentials_authorization on credentials (workspace_id, authorization_id)',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
