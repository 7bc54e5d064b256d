/** Version 26: whose loop works on an agent's issues. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  await sql.raw(`alter table agents add column worker ${text} not null default 'helve'`).execute(db);
}
