/**
 * Version 10: the index of finished blocks of the audit record, so that a search need not read every row. See
 * `audit-blocks.ts`.
 */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const [text, bytes] = kind === 'postgres' ? ['text collate "C"', 'bytea'] : ['text', 'blob'];
  await sql
    .raw(`create table audit_blocks (workspace_id ${text} not null, block bigint not null, first_at ${text} not null,
      last_at ${text} not null, names ${bytes} not null, texts ${bytes} not null, primary key (workspace_id, block))`)
    .execute(db);
}
