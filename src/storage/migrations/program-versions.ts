/**
 * Version 33: which programs may go on with a store that a newer one has migrated. Each migration says which is the oldest schema
 * whose programs it leaves working, and each process says which schema it knows.
 */
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>): Promise<void> {
  await sql`alter table helve_schema add column oldest_reader integer`.execute(db);
  await sql`alter table instances add column schema_version integer`.execute(db);
}
