/** What a new SQLite file is given at once is what the migrations make, one after the other. */
import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Engine } from '../engine.js';
import { openEngine } from '../open-storage.js';
import type { Schema } from '../schema.js';
import { migrateWithin, runMigrations } from './index.js';
import { latestVersion, migrations } from './list.js';
import { sqliteSchema } from './sqlite-schema.js';

const schema = 'helve';
const ofOneLine = (text: string | null): string => (text ?? '').replace(/\s+/g, ' ');

/** Makes a store in memory. Returns its tables with their rows, its indexes, and the versions that it knows of itself. */
async function describeStore(make: (transaction: Kysely<Schema>, engine: Engine) => Promise<void>) {
  const engine = await openEngine({ location: ':memory:' }, schema);
  try {
    await engine.db.transaction().execute(async (transaction) => {
      await migrateWithin(transaction, { engine, schema }, 0);
      await make(transaction, engine);
    });
    const made = await sql<{ type: string; name: string; tbl_name: string; sql: string | null }>`
      select type, name, tbl_name, sql from sqlite_master order by type, name`.execute(engine.db);
    const rows: Record<string, unknown> = {};
    for (const { name } of made.rows.filter(({ type, name }) => type === 'table' && name !== 'helve_schema'))
      rows[name] = (await sql`select * from ${sql.table(name)}`.execute(engine.db)).rows;
    const versions = await sql`select * from helve_schema order by version`.execute(engine.db);
    return {
      made: made.rows.map((row) => ({ ...row, sql: ofOneLine(row.sql) })),
      rows,
      versions: versions.rows.map((row) => ({ ...(row as object), applied_at: '' })),
    };
  } finally {
    await engine.close();
  }
}

const upTo = (last: number) => migrations.filter(({ version }) => version <= last);

it('a new SQLite file has the tables, indexes and rows that the migrations make', async () => {
  const migrated = await describeStore((transaction) =>
    runMigrations(transaction, 'sqlite', upTo(sqliteSchema.version)),
  );
  const made = await describeStore((transaction, engine) =>
    migrateWithin(transaction, { engine, schema }, sqliteSchema.version),
  );
  expect(made).toEqual(migrated);
  expect(made.made.length).toBeGreaterThan(sqliteSchema.statements.length);
});

it('the tables of a new SQLite file are of the latest version: otherwise run `npm run docs`', () => {
  expect(sqliteSchema.version).toBe(latestVersion);
});

it('a store of an earlier version is made by the migrations, because the tables at once are later', async () => {
  const { versions, made } = await describeStore((transaction) => runMigrations(transaction, 'sqlite', upTo(9)));
  expect(await describeStore((transaction, engine) => migrateWithin(transaction, { engine, schema }, 9))).toMatchObject(
    {
      versions,
      made,
    },
  );
  expect(versions).toHaveLength(9);
});
