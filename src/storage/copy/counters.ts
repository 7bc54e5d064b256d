/**
 * Numbers that a store gives out once and never again. The rows that had them may be gone, so a copy includes the
 * counters. The ids of the events that an actor sends contain its number.
 */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

/** The highest number that was given, by table. */
export type Counters = Readonly<Record<string, number>>;

interface CounterRow {
  readonly table: string;
  readonly column: string;
}

export async function readCounters(db: Kysely<Schema>, kind: DatabaseKind): Promise<Counters> {
  const counters: Record<string, number> = {};
  for (const { table, column } of await listCounters(db, kind)) {
    const { rows } = await (kind === 'sqlite'
      ? sql<{ given: number }>`select seq as given from sqlite_sequence where name = ${table}`
      : sql<{
          given: number;
        }>`select coalesce(pg_sequence_last_value(pg_get_serial_sequence(${table}, ${column})::regclass), 0)
          as given`
    ).execute(db);
    counters[table] = Number(rows[0]?.given ?? 0);
  }
  return counters;
}

/** Sets every counter of the store to at least the given number and the highest one in use. */
export async function raiseCounters(db: Kysely<Schema>, kind: DatabaseKind, counters: Counters): Promise<void> {
  for (const { table, column } of await listCounters(db, kind)) {
    const found = await sql<{
      used: number | null;
    }>`select max(${sql.ref(column)}) as used from ${sql.ref(table)}`.execute(db);
    const given = Math.max(counters[table] ?? 0, Number(found.rows[0]?.used ?? 0));
    if (given === 0) continue;
    if (kind === 'postgres')
      await sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${given}::bigint)`.execute(db);
    else {
      await sql`delete from sqlite_sequence where name = ${table}`.execute(db);
      await sql`insert into sqlite_sequence (name, seq) values (${table}, ${given})`.execute(db);
    }
  }
}

/** The tables whose key the database counts by itself. */
async function listCounters(db: Kysely<Schema>, kind: DatabaseKind): Promise<readonly CounterRow[]> {
  const query =
    kind === 'sqlite'
      ? sql<CounterRow>`select t.name as "table", c.name as "column" from sqlite_master t, pragma_table_info(t.name) c
          where t.type = 'table' and c.pk = 1 and t.sql like '%autoincrement%'`
      : sql<CounterRow>`select t.relname::text as "table", c.attname::text as "column"
          from pg_class t join pg_attribute c on c.attrelid = t.oid and c.attidentity <> ''
          where t.relkind = 'r' and t.relnamespace = current_schema()::text::regnamespace`;
  return (await query.execute(db)).rows;
}
