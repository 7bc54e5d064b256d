/** Version 7: the parent of a credential, when a session was last used, and when a code was exchanged. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  for (const statement of [
    `alter table credentials add column parent_id ${text}`,
    `alter table credentials add column last_used_at ${text}`,
    'create index credentials_parent on credentials (workspace_id, parent_id)',
    `alter table authorizations add column parent_id ${text}`,
    `alter table authorizations add column exchanged_at ${text}`,
    'create index authorizations_parent on authorizations (workspace_id, parent_id)',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
