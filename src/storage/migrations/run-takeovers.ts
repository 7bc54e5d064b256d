/** Version 14: when a process took a run over from one that had ended. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  await sql.raw(`alter table runs add column takeovers ${text} not null default '[]'`).execute(db);
}
