/**
 * Version 7: the account that received an event, and the arguments behind a stored result: both are checked on reading.
 */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  for (const statement of [
    `alter table trigger_events add column connection_id ${text}`,
    `update trigger_events set connection_id = (select s.connection_id from trigger_subscriptions s
      where s.workspace_id = trigger_events.workspace_id and s.id = trigger_events.subscription_id)`,
    `alter table results add column input ${text}`,
  ])
    await sql.raw(statement).execute(db);
}
