/** Version 30: where people are told what waits for them. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  const workspace = `workspace_id ${text} not null references workspaces (id)`;
  const statements = [
    `create table notification_channels (${workspace}, id ${text} not null, fields ${text} not null,
      created_at ${text} not null, primary key (workspace_id, id))`,
    `create table notification_choices (${workspace}, user_id ${text} not null, channel_id ${text} not null,
      fields ${text} not null, primary key (workspace_id, user_id, channel_id))`,
    `create table notification_messages (${workspace}, id ${text} not null, user_id ${text} not null,
      channel_id ${text} not null, state ${text} not null, due_at ${text} not null, attempts integer not null,
      fields ${text} not null, created_at ${text} not null, primary key (workspace_id, id))`,
    'create index notification_messages_due on notification_messages (workspace_id, state, due_at)',
    `create table notification_told (${workspace}, version bigint not null, told ${text} not null,
      primary key (workspace_id))`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
