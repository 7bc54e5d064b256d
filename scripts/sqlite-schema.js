/**
 * Writes src/storage/migrations/sqlite-schema.ts: the tables and indexes that all migrations together make in an SQLite file.
 * If it is out of date, a new file gets those it has, and the later migrations run on them.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { migrateWithin, runMigrations } from '../dist/storage/migrations/index.js';
import { latestVersion, migrations } from '../dist/storage/migrations/list.js';
import { openEngine } from '../dist/storage/open-storage.js';

const path = fileURLToPath(new URL('../src/storage/migrations/sqlite-schema.ts', import.meta.url));
const engine = await openEngine({ location: ':memory:' }, 'helve');
await engine.db.transaction().execute(async (transaction) => {
  await migrateWithin(transaction, { engine, schema: 'helve' }, 0);
  await runMigrations(transaction, 'sqlite', migrations);
});
const { rows } =
  await sql`select sql from sqlite_master where sql is not null and name not like 'sqlite%' order by rowid`.execute(
    engine.db,
  );
await engine.close();
const statements = rows.map((row) => `    ${JSON.stringify(row.sql.replace(/\s+/g, ' '))},\n`).join('');
writeFileSync(
  path,
  `/** The tables and indexes of a new SQLite file. Made from the migrations by \`npm run docs\`; do not edit. */
export const sqliteSchema = {
  version: ${latestVersion},
  statements: [
${statements}  ],
};
`,
);
spawnSync('npx', ['biome', 'format', '--write', path]);
