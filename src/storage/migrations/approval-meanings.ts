/** Version 36: what the maker and the operator may change about a tool, by hash, when its approval was requested. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  await sql.raw(`alter table approvals add column meaning ${text}`).execute(db);
}
