/**
 * The schema's history: forward only, plain data, run on opening. A lock across processes (the write lock of SQLite, an
 * advisory lock of PostgreSQL) lets exactly one process migrate at a time. Processes of an older Helve may serve the store
 * meanwhile and afterwards if every pending migration allows it (`oldestReader` in `list.ts`). A new SQLite file gets the tables
 * that they end with, from `sqlite-schema.ts`, and then the migrations that are later than it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { HelveError } from '../../domain/errors.js';
import type { DatabaseKind, Engine } from '../engine.js';
import { errorCode } from '../failures.js';
import type { Schema } from '../schema.js';
import { listServing } from '../serving.js';
import { latestVersion, type Migration, migrations } from './list.js';
import { readVersions, refuseUnreadable, type StoreVersions } from './versions.js';

export { latestVersion, type Migration } from './list.js';
export {
  isMigrated,
  movedVersion,
  readVersions,
  refuseUnreadable,
  type StoreVersions,
  schemaVersion,
} from './versions.js';

/** Any fixed number, the same for every Helve. */
const advisoryLock = 4_835_018;
/**
 * How long one statement of a migration waits for the lock of a table: less than the second after which PostgreSQL looks for
 * deadlocks, so that a migration gives way, not a call. It then begins again.
 */
const lockTimeoutMs = 250;
const lockPauseMs = 100;
const lockPatienceMs = 60_000;
const lockTimedOut = '55P03';

/** Migrates to the latest version. Throws as `migrateWithin` does. */
export async function migrate(engine: Engine, schema: string): Promise<void> {
  if (engine.kind === 'sqlite' && (await isCurrent(engine))) return;
  const deadline = performance.now() + lockPatienceMs;
  for (;;) {
    try {
      return await engine.db.transaction().execute((transaction) => migrateWithin(transaction, { engine, schema }));
    } catch (thrown) {
      const hasWaited = thrown instanceof HelveError && errorCode(thrown.cause) === lockTimedOut;
      if (!hasWaited || performance.now() > deadline) throw thrown;
    }
    await delay(lockPauseMs * (0.5 + Math.random()));
  }
}

/**
 * Migrates inside a transaction that the caller has opened. `upTo`: the last version to apply; by default the latest. Throws
 * `invalid_config` for a store that this Helve must not use, `conflict` while an older one serves it that could not go on.
 */
export async function migrateWithin(
  transaction: Kysely<Schema>,
  { engine, schema }: { readonly engine: Engine; readonly schema: string },
  upTo = latestVersion,
): Promise<void> {
  if (engine.kind === 'postgres') await preparePostgres(transaction, schema);
  await sql`create table if not exists helve_schema
    (version integer primary key, name text not null, applied_at text not null)`.execute(transaction);
  const versions = await readVersions(transaction);
  refuseUnreadable(versions, engine.place);
  const present = versions.version;
  if (present === 0 && engine.runScript) await makeSqliteTables(transaction, engine.runScript, upTo);
  const pending = findPending(present === 0 ? await readVersions(transaction) : versions, upTo);
  if (present > 0 && pending.length > 0) await refuseServed(transaction, { engine, present, pending });
  await runMigrations(transaction, engine.kind, pending);
}

/** Runs these migrations, inside a transaction. */
export async function runMigrations(
  transaction: Kysely<Schema>,
  kind: DatabaseKind,
  pending: readonly Migration[],
): Promise<void> {
  for (const migration of pending) {
    await (await migration.load()).up(transaction, kind);
    await note(transaction, migration);
  }
}

/** Makes the tables of `sqlite-schema.ts` at once; none if they are later than `upTo`. */
async function makeSqliteTables(
  transaction: Kysely<Schema>,
  runScript: (text: string) => void,
  upTo: number,
): Promise<void> {
  const { sqliteSchema } = await import('./sqlite-schema.js');
  if (sqliteSchema.version > upTo) return;
  // This migration is included too, with the columns that later ones added.
  runScript(['drop table helve_schema', ...sqliteSchema.statements].join(';\n'));
  const at = new Date().toISOString();
  const rows = migrations
    .filter(({ version }) => version <= sqliteSchema.version)
    .map(({ version, name, oldestReader = null }) => sql`(${version}, ${name}, ${at}, ${oldestReader})`);
  await sql`insert into helve_schema (version, name, applied_at, oldest_reader) values ${sql.join(rows)}`.execute(
    transaction,
  );
}

/** The migrations that the store still needs. */
export const findPending = ({ applied }: StoreVersions, upTo = latestVersion): readonly Migration[] =>
  migrations.filter(({ version }) => !applied.has(version) && version <= upTo);

/** The lowest schema whose programs may use the store after these migrations; 0 for none. */
export const oldestReaderAfter = (pending: readonly Migration[]): number =>
  Math.max(0, ...pending.map(({ version, oldestReader }) => oldestReader ?? version));

async function note(db: Kysely<Schema>, { version, name, oldestReader }: Migration): Promise<void> {
  const at = new Date().toISOString();
  const insert =
    oldestReader === undefined
      ? sql`insert into helve_schema (version, name, applied_at) values (${version}, ${name}, ${at})`
      : sql`insert into helve_schema (version, name, applied_at, oldest_reader)
          values (${version}, ${name}, ${at}, ${oldestReader})`;
  await insert.execute(db);
}

interface Upgrade {
  readonly engine: Engine;
  readonly present: number;
  readonly pending: readonly Migration[];
}

/** Refuses to migrate while a process serves the store that could not continue. */
async function refuseServed(db: Kysely<Schema>, { engine, present, pending }: Upgrade): Promise<void> {
  const oldest = oldestReaderAfter(pending);
  const older = (await listServing(db, engine.kind, present)).find(({ schema }) => schema < oldest);
  if (older === undefined) return;
  throw new HelveError(
    'conflict',
    `Process ${older.pid} on ${older.host} serves the store at ${engine.place} with an older Helve, which could not go on after the upgrade to schema ${latestVersion}`,
    {
      hint: '`helve upgrade --check` names every such process. Stop them first. One that was killed on another machine counts for a minute more.',
    },
  );
}

/** A check without the write lock, so that opening a current file does not wait for a writer. */
async function isCurrent({ db, place }: Engine): Promise<boolean> {
  const found = await sql`select 1 from sqlite_master where type = 'table' and name = 'helve_schema'`.execute(db);
  if (found.rows.length === 0) return false;
  const versions = await readVersions(db);
  refuseUnreadable(versions, place);
  return findPending(versions).length === 0;
}

async function preparePostgres(db: Kysely<Schema>, schema: string): Promise<void> {
  // A change of a large table, and the wait for another process that makes one, have no time limit.
  await sql`set local statement_timeout = 0`.execute(db);
  await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLock)})`.execute(db);
  // "create schema if not exists" requires the right to create even if the schema already exists.
  const found = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(db);
  if (found.rows.length === 0) await sql`create schema ${sql.id(schema)}`.execute(db);
  await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(db);
}
