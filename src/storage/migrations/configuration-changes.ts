/** Version 34: which parts of a configuration each of its last revisions changed. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  const statement = `create table configuration_changes (workspace_id ${text} not null references workspaces (id),
    revision bigint not null, part ${text} not null, item ${text} not null,
    primary key (workspace_id, revision, part, item))`;
  await sql.raw(statement).execute(db);
}
