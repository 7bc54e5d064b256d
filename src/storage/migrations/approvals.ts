/**
 * Version 7: for whom an approval was requested, its exact arguments (sealed), and whether the requesting program may
 * answer.
 */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  for (const change of [
    `alter table approvals add column on_behalf_of ${text}`,
    `alter table approvals add column sealed ${text}`,
    'alter table approvals add column elicitation integer not null default 0',
    'alter table policies add column elicitation integer',
  ])
    await sql.raw(change).execute(db);
}
