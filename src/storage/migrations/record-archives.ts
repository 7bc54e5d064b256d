/** Version 28: which rows of the record are in archive files. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  const statement = `create table record_archives (workspace_id ${text} not null references workspaces (id),
    last_seq bigint not null, last_hash ${text} not null, first_seq bigint not null, previous_hash ${text} not null,
    first_at ${text} not null, last_at ${text} not null, content_hash ${text} not null, signature ${text} not null,
    archived_at ${text} not null, primary key (workspace_id, last_seq))`;
  await sql.raw(statement).execute(db);
}
