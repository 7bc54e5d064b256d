/**
 * One consistent view of a whole store, while others write to it: a read transaction in SQLite's write-ahead log, a
 * repeatable-read transaction in PostgreSQL. It migrates nothing, so it also reads the store of an older Helve.
 */
import { type Kysely, sql } from 'kysely';
import { HelveError } from '../../domain/errors.js';
import { fileExists } from '../../util/file-exists.js';
import { type Engine, readTogether } from '../engine.js';
import { schemaVersion } from '../migrations/index.js';
import { defaultSchema, openEngine } from '../open-storage.js';
import type { Schema } from '../schema.js';
import { type Counters, readCounters } from './counters.js';
import { describeTables, type TableLayout } from './layout.js';
import { type CopyRow, countRows, readRows } from './rows.js';

export interface StoreSnapshot {
  readonly kind: Engine['kind'];
  /** For people: a path, or an address without its password. */
  readonly place: string;
  /** Version of the schema. */
  readonly schema: number;
  /** Ordered so that each table follows those that it refers to. */
  readonly tables: readonly TableLayout[];
  readonly counters: Counters;
  count(table: TableLayout): Promise<number>;
  rows(table: TableLayout): AsyncIterable<CopyRow>;
}

/**
 * Opens the store at `location` (the path of an SQLite file or a `postgres://` URL) and gives `work` its snapshot. Throws
 * `not_found` if there is no Helve store, `invalid_config` for that of a newer Helve, `storage_failed`.
 */
export async function withSnapshot<T>(location: string, work: (snapshot: StoreSnapshot) => Promise<T>): Promise<T> {
  requireStore(location);
  const engine = await openEngine({ location, poolSize: 2 }, defaultSchema);
  try {
    return await readTogether(engine.db, async (db) => work(await takeSnapshot(engine, db)));
  } finally {
    await engine.close();
  }
}

/** In a transaction that the caller has opened. */
export async function takeSnapshot({ kind, place }: Engine, db: Kysely<Schema>): Promise<StoreSnapshot> {
  if (kind === 'postgres') await allowLongWork(db);
  if (!(await isHelve(db, kind))) throw noStore(place);
  return {
    kind,
    place,
    schema: await schemaVersion(db, place),
    tables: await describeTables(db, kind),
    counters: await readCounters(db, kind),
    count: (table) => countRows(db, table),
    rows: (table) => readRows(db, table),
  };
}

/** In a transaction on PostgreSQL: the limits of ordinary statements do not fit one that reads or writes everything. */
export async function allowLongWork(db: Kysely<Schema>): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(db);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(db);
}

/** Whether the store has tables of Helve. */
export async function isHelve(db: Kysely<Schema>, kind: Engine['kind']): Promise<boolean> {
  const query =
    kind === 'sqlite'
      ? sql`select 1 from sqlite_master where type = 'table' and name = 'helve_schema'`
      : sql`select 1 from pg_class where relname = 'helve_schema' and relnamespace = to_regnamespace(current_schema()::text)`;
  return (await query.execute(db)).rows.length > 0;
}

/**
 * Throws `not_found` if the file does not exist, because opening it would create it, and `storage_failed` if this user
 * may not see it.
 */
export function requireStore(location: string): void {
  if (!location.includes('://') && !fileExists(location)) throw noStore(location);
}

function noStore(place: string): HelveError {
  return new HelveError('not_found', `There is no store of Helve at ${place}`, {
    hint: 'Name its file, or its postgres:// URL (HELVE_DATABASE_URL).',
  });
}
