/**
 * Version 11: the start of a renewal pause and the number of failures before it, so that pauses grow and end when a
 * clock was set back.
 */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  for (const change of [
    `alter table secrets add column retry_since ${text}`,
    'alter table secrets add column retry_failures integer not null default 0',
  ])
    await sql.raw(change).execute(db);
}
