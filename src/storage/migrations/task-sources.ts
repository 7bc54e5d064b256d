/** Version 23: where issues come from. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  const workspace = `workspace_id ${text} not null references workspaces (id)`;
  const statements = [
    `create table task_sources (${workspace}, id ${text} not null, provider ${text} not null, scope ${text} not null,
      scope_key ${text} not null, fields ${text} not null, created_at ${text} not null, primary key (workspace_id, id),
      unique (workspace_id, provider, scope_key))`,
    'create index task_sources_scope on task_sources (provider, scope_key)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
