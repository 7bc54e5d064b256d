/** Version 27: recipes. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  const statement = `create table recipes (workspace_id ${text} not null references workspaces (id), name ${text} not null,
    version ${text} not null, fields ${text} not null, updated_at ${text} not null, updated_by ${text} not null,
    primary key (workspace_id, name))`;
  await sql.raw(statement).execute(db);
}
