/**
 * Version 17: the index of ended calls (see `call-blocks.ts`), calls that somebody has asked to stop, the note of a decision,
 * and approvals by status.
 */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  for (const statement of [
    `create table call_blocks (workspace_id ${text} not null, block bigint not null, calls ${text} not null,
      primary key (workspace_id, block))`,
    'alter table intents add column stop_requested integer not null default 0',
    `alter table approvals add column note ${text}`,
    'create index approvals_status on approvals (workspace_id, status, requested_at)',
  ])
    await sql.raw(statement).execute(db);
}
