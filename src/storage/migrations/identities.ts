/** Version 16: who a person is at an OpenID provider, and the sign-ins there that were already finished. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  for (const statement of [
    `create table identities (workspace_id ${text} not null references workspaces (id), issuer ${text} not null,
      subject ${text} not null, user_id ${text} not null, created_at ${text} not null,
      primary key (workspace_id, issuer, subject),
      foreign key (workspace_id, user_id) references users (workspace_id, id) on delete cascade)`,
    'create index identities_user on identities (workspace_id, user_id)',
    `create table finished_sign_ins (state_hash ${text} primary key, expires_at ${text} not null)`,
    'create index finished_sign_ins_expiry on finished_sign_ins (expires_at)',
  ])
    await sql.raw(statement).execute(db);
}
