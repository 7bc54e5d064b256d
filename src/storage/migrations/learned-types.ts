/** Version 12: the types of tools' answers, learned from them. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  const statement = `create table learned_types (workspace_id ${text} not null references workspaces (id),
    toolkit ${text} not null, tool ${text} not null, definition ${text} not null, answers bigint not null,
    shape ${text} not null, updated_at ${text} not null, primary key (workspace_id, toolkit, tool))`;
  await sql.raw(statement).execute(db);
}
