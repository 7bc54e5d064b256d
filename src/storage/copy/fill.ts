/**
 * Fills an empty store in one transaction: everything is there after it, or nothing. On PostgreSQL the lock of the
 * migrations, on SQLite the write lock keeps other processes from starting on the store meanwhile.
 */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { AuditDraft, Seal } from '../../domain/audit.js';
import { HelveError } from '../../domain/errors.js';
import { sqliteFiles } from '../../util/sqlite-files.js';
import { drive, type Engine } from '../engine.js';
import { createJournal } from '../journal.js';
import { latestVersion, migrateWithin, schemaVersion } from '../migrations/index.js';
import { defaultSchema, openEngine } from '../open-storage.js';
import type { Schema } from '../schema.js';
import { type Counters, raiseCounters } from './counters.js';
import { describeTables, type TableLayout } from './layout.js';
import { setFileAside, setSchemaAside } from './moved.js';
import { type CopyRow, countRows, createTableSum, encodeRow, readRows, type TableSum } from './rows.js';
import { allowLongWork } from './snapshot.js';

export interface EmptyStore {
  /** For people: a path, or an address without its password. */
  readonly place: string;
  /** Ordered so that each table follows those that it refers to. */
  readonly tables: readonly TableLayout[];
  /** Adds rows whose values are in the order of the table's columns. */
  insert(table: TableLayout, rows: readonly CopyRow[]): Promise<void>;
  /** Reads the table back. */
  sum(table: TableLayout): Promise<TableSum>;
}

/** A workspace of the filled store, and the last row of its record. */
export interface FilledWorkspace {
  readonly id: string;
  readonly slug: string;
  readonly seq: number;
}

/** The store is filled. */
export interface Filled<T> {
  readonly result: T;
  /** Added to the record of each workspace by the transaction that fills the store. */
  readonly events?: ((workspace: FilledWorkspace, now: Date) => readonly AuditDraft[]) | undefined;
}

export interface Filling {
  readonly location: string;
  /** The version of the schema that the rows are written for; the later migrations run on them. */
  readonly schema: number;
  readonly counters: Counters;
  readonly seal: Seal;
}

/**
 * Makes the tables, lets `work` add the rows, and commits when it is done. If it throws, the store is as it was. Throws
 * `conflict` for a store that has rows, `invalid_config` for a schema that this Helve does not know, `storage_failed`.
 */
export async function fillStore<T>(filling: Filling, work: (store: EmptyStore) => Promise<Filled<T>>): Promise<T> {
  const { location, schema } = filling;
  if (schema > latestVersion)
    throw new HelveError(
      'invalid_config',
      `The copy was made by a newer Helve (schema ${schema}, this one knows ${latestVersion})`,
      { hint: 'Upgrade Helve, and do it again.' },
    );
  const putBack = await setFileAside(location);
  const isNew = !location.includes('://') && !existsSync(location);
  const engine = await openEngine({ location, poolSize: 2 }, defaultSchema);
  let done = false;
  try {
    const result = await engine.db.transaction().execute((db) => fill(db, { ...filling, engine }, work));
    done = true;
    return result;
  } finally {
    await engine.close();
    if (isNew && !done) for (const path of sqliteFiles(engine.place)) await rm(path, { force: true });
    if (!done) await putBack?.();
  }
}

async function fill<T>(
  db: Kysely<Schema>,
  { engine, schema, counters, seal }: Filling & { readonly engine: Engine },
  work: (store: EmptyStore) => Promise<Filled<T>>,
): Promise<T> {
  if (engine.kind === 'postgres') {
    await allowLongWork(db);
    await setSchemaAside(db, defaultSchema);
  }
  const target = { engine, schema: defaultSchema };
  await migrateWithin(db, target, 0);
  await refuseRows(db, engine, schema);
  await migrateWithin(db, target, schema);
  const { result, events } = await work({
    place: engine.place,
    tables: await describeTables(db, engine.kind),
    insert: (table, rows) => insert(db, table, rows),
    async sum(table) {
      const sum = createTableSum();
      for await (const row of readRows(db, table)) sum.add(encodeRow(row));
      return sum.sum();
    },
  });
  await raiseCounters(db, engine.kind, counters);
  await migrateWithin(db, target);
  if (events) await addEvents(db, { engine, seal }, events);
  return result;
}

async function addEvents(
  db: Kysely<Schema>,
  { engine, seal }: { readonly engine: Engine; readonly seal: Seal },
  events: NonNullable<Filled<unknown>['events']>,
): Promise<void> {
  const journal = createJournal(engine.kind, seal);
  const now = await engine.now();
  for (const { id, slug } of await db.selectFrom('workspaces').select(['id', 'slug']).orderBy('id').execute()) {
    const head = await drive(db, journal.lock(id));
    if (head) await drive(db, journal.append(head, events({ id, slug, seq: head.seq }, now)));
  }
}

/**
 * Whether there is no store at `location` (the path of an SQLite file or a `postgres://` URL), or one without rows. Throws
 * `storage_failed`.
 */
export async function isEmptyStore(location: string): Promise<boolean> {
  if (!location.includes('://') && !existsSync(location)) return true;
  const engine = await openEngine({ location, poolSize: 2 }, defaultSchema);
  try {
    return (await findRows(engine.db, engine.kind)) === undefined;
  } finally {
    await engine.close();
  }
}

/** The first table that has rows. */
async function findRows(db: Kysely<Schema>, kind: Engine['kind']): Promise<TableLayout | undefined> {
  for (const table of await describeTables(db, kind)) if ((await countRows(db, table)) > 0) return table;
  return undefined;
}

async function refuseRows(db: Kysely<Schema>, { kind, place }: Engine, schema: number): Promise<void> {
  const version = await schemaVersion(db, place);
  const table = await findRows(db, kind);
  if (table !== undefined)
    throw new HelveError('conflict', `The store at ${place} is not empty: ${table.name} has rows`, {
      hint: 'Name an empty database or a new data folder. Nothing has been changed.',
    });
  if (version > schema)
    throw new HelveError('conflict', `The store at ${place} is empty, but its tables are newer than the copy`, {
      hint: `Name a new database or data folder (its schema is ${version}, that of the copy ${schema}).`,
    });
}

/** As many as the statements of either database take. */
const parametersAtOnce = 8_000;

async function insert(db: Kysely<Schema>, { name, columns }: TableLayout, rows: readonly CopyRow[]): Promise<void> {
  const most = Math.max(1, Math.floor(parametersAtOnce / columns.length));
  for (let start = 0; start < rows.length; start += most) {
    const lines = rows.slice(start, start + most).map((row) => sql`(${sql.join([...row])})`);
    await sql`insert into ${sql.ref(name)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(lines)}`.execute(db);
  }
}
