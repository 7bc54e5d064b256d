/** For the storage tests: stores of every past version with a row in each table, opened by this one. */
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { expect } from 'vitest';
import { seal } from '../audit/index.js';
import { allPermissions } from '../domain/principal.js';
import type { Engine } from '../storage/engine.js';
import { inspectStore, openStorage } from '../storage/index.js';
import { migrateWithin } from '../storage/migrations/index.js';
import { latestVersion, migrations } from '../storage/migrations/list.js';
import { defaultSchema, openEngine } from '../storage/open-storage.js';
import type { Schema } from '../storage/schema.js';
import { checkChain, draft, entry, time } from './storage-fixtures.js';
import { samples } from './storage-samples.js';

/** Every version that a Helve has had. */
export const pastVersions: readonly number[] = migrations
  .map(({ version }) => version)
  .filter((version) => version < latestVersion);

/** These came together with a later one. */
const neverLast: ReadonlySet<number> = new Set([3, 23, 33]);

type Row = Record<string, unknown>;

/** Makes the store that a Helve of this version left behind, with rows; `released`: the hash of its tables. */
export async function makePast(location: string, version: number, released: string | undefined): Promise<void> {
  await withEngine(location, async (engine) => {
    await engine.db
      .transaction()
      .execute((transaction) => migrateWithin(transaction, { engine, schema: defaultSchema }, version));
    if (!neverLast.has(version) && version < latestVersion)
      expect(await hashSchema(engine), 'a migration that has been released was changed').toBe(released);
    for (const [table, row] of Object.entries(sampleRows(version))) {
      const columns = await columnsOf(engine, table);
      if (columns.length === 0) continue;
      const values = columns.map((column) => row[column]);
      await sql`insert into ${sql.ref(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
        values (${sql.join(values)})`.execute(engine.db);
    }
  });
}

/** Until version 15 a key with every permission did not have those for people, which it was given then. */
function sampleRows(version: number): Record<string, Row> {
  const before = allPermissions.filter((permission) => version >= 15 || !permission.startsWith('users:'));
  const rows = { ...samples, credentials: { ...samples.credentials, permissions: JSON.stringify(before) } };
  return Object.fromEntries(Object.entries(rows).map(([table, row]) => [table, { ...row }]));
}

async function columnsOf({ kind, db }: Engine, table: string): Promise<string[]> {
  const query =
    kind === 'sqlite'
      ? sql<{ name: string }>`select name from pragma_table_info(${table})`
      : sql<{ name: string }>`select column_name::text as name from information_schema.columns
          where table_schema = ${defaultSchema} and table_name = ${table}`;
  return (await query.execute(db)).rows.map(({ name }) => name);
}

/** Opens the database, and migrates nothing. */
export async function withEngine<T>(location: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine({ location, poolSize: 2 }, defaultSchema);
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

async function readAll(db: Kysely<Schema>, table: string): Promise<Row[]> {
  const { rows } = await sql<Row>`select * from ${sql.ref(table)}`.execute(db);
  // The drivers return bytes in different classes.
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toPlain(value)])));
}

const toPlain = (value: unknown): unknown =>
  value instanceof Uint8Array || value instanceof ArrayBuffer
    ? Buffer.from(value as Uint8Array).toString('hex')
    : value;

/**
 * Opens a store of this version: it says beforehand what will happen, no row is lost or changed except as a migration says, the
 * chain goes on, and what later versions added works. `location` is that of a new, empty store, `released` has the hash of each
 * version's tables.
 */
export async function upgradeFrom(
  version: number,
  location: string,
  released: Readonly<Record<number, string>>,
): Promise<void> {
  await makePast(location, version, released[version]);
  const present = await withEngine(location, async (engine) => {
    const tables = [];
    for (const table of Object.keys(samples)) if ((await columnsOf(engine, table)).length > 0) tables.push(table);
    return tables;
  });
  const state = await inspectStore(location);
  expect(state).toMatchObject({ schema: version, programSchema: latestVersion, serving: [] });
  expect(state.pending.map((one) => one.version)).toEqual(
    migrations.map((one) => one.version).filter((one) => one > version),
  );
  // It has looked, and done nothing.
  expect((await inspectStore(location)).schema).toBe(version);

  const storage = await openStorage({ location, seal });
  await withEngine(location, async ({ db }) => {
    for (const table of present) {
      const wanted = { ...sampleRows(latestVersion)[table] };
      for (const name of Object.keys(wanted)) wanted[name] = toPlain(wanted[name]);
      expect(await readAll(db, table), table).toEqual([wanted]);
    }
    for (const table of Object.keys(samples).filter((name) => !present.includes(name)))
      expect(await readAll(db, table), table).toEqual([]);
  });
  await storage.commit([entry('w', { events: [draft()] })]);
  expect(await checkChain(storage, 'w')).toBe(2);
  await useNewFeatures(storage.workspace('w'), version);
  expect(await storage.system.isMigrated()).toBe(true);
  await storage.close();
  expect(await inspectStore(location)).toMatchObject({ schema: latestVersion, pending: [] });
}

async function useNewFeatures(
  store: ReturnType<Awaited<ReturnType<typeof openStorage>>['workspace']>,
  version: number,
) {
  expect(await store.listAgents()).toMatchObject([{ id: 'a1', slug: 'scout' }]);
  expect(await store.findUser('u')).toMatchObject({ role: 'admin', status: 'active' });
  expect((await store.listCredentials()).map(({ permissions }) => permissions)).toEqual([allPermissions]);
  expect(await store.intents.list()).toMatchObject([{ executionId: 'e1' }]);
  if (version >= 3) {
    const found = await store.secrets.find('s');
    expect(found).toEqual({ sealed: 'sealed', keyId: 'k', version: 1 });
    await store.secrets.lock('s', { holder: 'h', now: time(1), until: time(5), dead: [] });
    const pause = { since: time(1), until: time(2), failures: 1 };
    await store.secrets.unlock('s', 'h', pause);
    expect(await store.secrets.find('s')).toMatchObject({ pause });
  }
  if (version >= 4) {
    const { agentId: _, ...known } = (await store.authorizations.find('au')) ?? expect.fail('it was lost');
    const asPerson = { ...known, id: 'b', secretHash: 'second' };
    await store.authorizations.insert(asPerson);
    expect(await store.authorizations.find('b')).toEqual(asPerson);
  }
  expect((await store.actors.list({})).actors).toHaveLength(version >= 21 ? 1 : 0);
  expect(await store.taskSources.list()).toHaveLength(version >= 23 ? 1 : 0);
  expect(await store.recipes.list()).toHaveLength(version >= 27 ? 1 : 0);
  expect(await store.notifications.listChannels()).toHaveLength(version >= 30 ? 1 : 0);
}

/** The tables, indexes and functions of the store, as one hash. */
async function hashSchema({ kind, db }: Engine): Promise<string> {
  const { rows } = await sql.raw<{ line: string }>(described[kind]).execute(db);
  const lines = rows.map(({ line }) => (kind === 'sqlite' ? line.replace(/\s+/g, ' ') : line));
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

const described = {
  sqlite: `select name || ': ' || sql as line from sqlite_master where sql is not null and name <> 'sqlite_sequence' order by name`,
  postgres: `select 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || coalesce(collation_name, '')
        || ' ' || is_nullable || ' ' || coalesce(column_default, '') || ' ' || is_identity as line
      from information_schema.columns where table_schema = 'helve'
    union all select 'index ' || indexdef from pg_indexes where schemaname = 'helve'
    union all select 'constraint ' || conrelid::regclass::text || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'helve'::regnamespace and contype <> 'n'
    union all select 'function ' || proname || ' ' || prosrc from pg_proc where pronamespace = 'helve'::regnamespace
    order by 1`,
} as const;
