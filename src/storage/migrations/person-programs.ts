/** Version 25: programs that people authorized to act as themselves, not as an agent. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

const columns = `workspace_id, id, status, client_id, client_name, redirect_uri, agent_id, person, resource, scopes, challenge,
  state, secret_hash, created_at, expires_at, parent_id, exchanged_at`;

/** SQLite cannot drop a `not null`, so the table is made anew there. */
const anew = [
  `create table authorizations_new (workspace_id text not null references workspaces (id), id text not null,
    status text not null, client_id text not null, client_name text not null, redirect_uri text not null, agent_id text,
    person text not null, resource text not null, scopes text not null, challenge text not null, state text,
    secret_hash text not null unique, created_at text not null, expires_at text not null, parent_id text, exchanged_at text,
    primary key (workspace_id, id),
    foreign key (workspace_id, agent_id) references agents (workspace_id, id) on delete cascade)`,
  `insert into authorizations_new (${columns}) select ${columns} from authorizations`,
  'drop table authorizations',
  'alter table authorizations_new rename to authorizations',
  'create index authorizations_expiry on authorizations (expires_at)',
  'create index authorizations_parent on authorizations (workspace_id, parent_id)',
];

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const statements = kind === 'postgres' ? ['alter table authorizations alter column agent_id drop not null'] : anew;
  for (const statement of statements) await sql.raw(statement).execute(db);
}
