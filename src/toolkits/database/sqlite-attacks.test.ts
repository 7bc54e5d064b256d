/**
 * SQL that would reach past its database. Each attack first shows its effect in a SQLite that nothing holds; then the check
 * of statements alone and the confined process alone each keep it from having one.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { plantedSecret, type SqliteAttack, sqliteAttacks } from '../../../tests/data/sqlite-attacks.js';
import { defineWorker } from '../../util/sandbox/define-worker.js';
import { createWorkers } from '../../util/sandbox/workers.js';
import type { Target } from './settings.js';
import { askSqlite } from './sqlite.js';
import { admitted, explainRefusal } from './sqlite-admit.js';
import { findSqliteFiles } from './sqlite-files.js';

const workers = createWorkers();
afterAll(workers.close);
/** SQLite in the confined process, without the check of statements. */
const uncheckedSqlite = defineWorker<typeof import('./testing/unchecked-sqlite.js')>(import.meta.url, {
  module: './testing/unchecked-sqlite.js',
  places: { most: 1, mostOfKey: 1, idleMs: 1_000 },
  needsBubblewrap: true,
});
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helve-sqlite-'));
  await mkdir(join(folder, 'outside'));
  await mkdir(join(folder, 'own'));
  await writeFile(join(folder, 'outside/secret'), `${plantedSecret}\n`);
  const database = new Database(join(folder, 'own/shop.db'));
  database.exec("create table bees (name text); insert into bees values ('Maja'), ('Willi')");
  database.close();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const target = (writes = false): Target => ({
  name: 'shop',
  kind: 'sqlite',
  url: `sqlite:${folder}/own/shop.db`,
  writes,
  superuser: false,
});
const limits = { parameters: [], maxRows: 10_000, maxBytes: 10_000_000, timeoutMs: 20_000 };
const ask = (sql: string, writes = false, more: object = {}) =>
  askSqlite(target(writes), { ...limits, sql, ...more }, { workers, signal: new AbortController().signal });

/** Everything that an attack could leave behind or bring back. */
async function stateOfHost(): Promise<string> {
  const database = new Database(join(folder, 'own/shop.db'));
  const rows = database.prepare('select name, sql, (select count(*) from bees) from sqlite_master').raw(true).all();
  const version = database.prepare('pragma user_version').raw(true).all();
  database.close();
  return JSON.stringify([
    await readdir(join(folder, 'outside')),
    await readFile(join(folder, 'outside/secret'), 'utf8'),
    rows,
    version,
  ]);
}

/** In any form in which a database gives text away. */
function shows(answer: unknown): boolean {
  const text = JSON.stringify(answer) ?? '';
  const forms = [
    plantedSecret,
    Buffer.from(plantedSecret).toString('hex'),
    Buffer.from(`${plantedSecret}\n`).toString('base64'),
    'outside/secret',
  ];
  return forms.some((form) => text.toLowerCase().includes(form.toLowerCase()));
}

/** As a SQLite that nothing holds would run it. */
function runFreely(sql: string): unknown {
  const database = new Database(join(folder, 'own/shop.db'));
  try {
    const statement = database.prepare(sql);
    if (!statement.reader) return statement.run([]);
    return (statement.raw(true).all() as unknown[][]).map((row) =>
      row.map((cell) =>
        cell instanceof Uint8Array || cell instanceof ArrayBuffer ? Buffer.from(cell as never).toString('hex') : cell,
      ),
    );
  } finally {
    database.close();
  }
}

/** Of admission: what SQLite knows of a statement, from a SQLite here. */
function judge(sql: string, writes: boolean): string | undefined {
  const database = new Database(join(folder, 'own/shop.db'));
  const column = (query: string) =>
    (database.prepare(query).raw(true).all() as string[][]).map(([name]) => String(name).toLowerCase());
  const [modules, tables] = [column('select name from pragma_module_list'), column('select name from sqlite_master')];
  const program = (statement: string) =>
    database.prepare(`explain ${statement}`).all() as { opcode: string; p4: unknown }[];
  try {
    return explainRefusal({ sql, writes, admitted, modules, tables, program });
  } finally {
    database.close();
  }
}

const light = sqliteAttacks.filter(({ effect }) => effect !== 'memory');
const heavy = sqliteAttacks.filter(({ effect }) => effect === 'memory');

describe.each(light)('R-database sqlite attack: $title', ({ sql, effect, writes }: SqliteAttack) => {
  test('has its effect where nothing holds it', async () => {
    const before = await stateOfHost();
    const answer = runFreely(sql(folder));
    if (effect === 'read') expect(shows(answer)).toBe(true);
    // A pragma of one connection shows only there.
    else if (!sql(folder).includes('writable_schema')) expect(await stateOfHost()).not.toBe(before);
  });

  test('is refused by the check of statements', async () => {
    expect(judge(sql(folder), writes === true)).toMatch(/not allowed|one statement|returns rows/);
  });

  test('has no effect through the tool, whether it may write or not', async () => {
    const before = await stateOfHost();
    for (const may of [false, true]) {
      const answer = await ask(sql(folder), may).catch((error: unknown) => error);
      expect(answer).toMatchObject({ name: 'HelveError' });
      expect(shows(answer)).toBe(false);
    }
    expect(await stateOfHost()).toBe(before);
  });

  test('has no effect outside in the confined process, even unchecked', async () => {
    const outside = async () => [
      await readdir(join(folder, 'outside')),
      await readFile(join(folder, 'outside/secret'), 'utf8'),
    ];
    const before = await outside();
    const { key, files, path } = await findSqliteFiles(target(writes === true));
    const message = { path, sql: sql(folder) };
    const answer = await workers.ask(uncheckedSqlite, {
      call: 'runUnchecked',
      message,
      key,
      heapMb: 128,
      files,
      timeoutMs: 20_000,
    });
    expect(await outside()).toEqual(before);
    // The words of this row are in the statement itself.
    if (!sql(folder).includes('sqlite_dbpage')) expect(shows(answer)).toBe(false);
  });
});

test.each(heavy)('R-database sqlite attack: $title is refused, and costs its own process only', async ({ sql }) => {
  await expect(ask(sql(folder))).rejects.toMatchObject({ code: expect.stringMatching(/invalid_input|too_large/) });
  expect((await ask('select count(*) from bees')).rows).toEqual([[2]]);
  // It is the amount that is refused.
  expect((await ask('select length(randomblob(910000))')).rows).toEqual([[910_000]]);
});

describe('R-database sqlite: statements that are sent by ordinary agents', () => {
  test.each([
    [
      'select upper(name), count(*) over (order by name) from bees group by lower(name)',
      [
        ['MAJA', 1],
        ['WILLI', 2],
      ],
    ],
    ["select value from json_each('[1,2]')", [[1], [2]]],
    ["select name from pragma_table_info('bees')", [['name']]],
    [
      '/* how many? */ with n(x) as (select 1 union all select x + 1 from n where x < 3) select sum(x) from n ; -- done',
      [[6]],
    ],
    [
      ";\nselect 'a;b -- c', \"name\", [name], `name` from bees where name = 'Maja';",
      [['a;b -- c', 'Maja', 'Maja', 'Maja']],
    ],
    ["select printf('%.1f', avg(length(name))), group_concat(name, ';') from bees", [['4.5', 'Maja;Willi']]],
    ['values (1), (2)', [[1], [2]]],
  ])('%s', async (sql, rows) => {
    expect((await ask(sql)).rows).toEqual(rows);
  });

  test('explain shows a plan and runs nothing', async () => {
    expect((await ask('explain query plan select * from bees')).rows[0]?.join(' ')).toContain('SCAN bees');
    expect((await ask('explain delete from bees')).columns).toContain('opcode');
    expect((await ask('select count(*) from bees')).rows).toEqual([[2]]);
  });

  test('a second statement is refused, not dropped', async () => {
    const sql = 'select 1; drop table bees';
    expect(runFreely(sql)).toEqual([[1]]);
    for (const may of [false, true]) {
      await expect(ask(sql, may)).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringMatching(/only one statement/),
      });
    }
    expect((await ask('select 1 ; ; /* nothing */ ;')).rows).toEqual([[1]]);
  });

  test('a table of the database that has the name of a module is that table', async () => {
    const database = new Database(join(folder, 'own/shop.db'));
    database.exec('create table dbstat (name text)');
    database.close();
    expect((await ask('select count(*) from dbstat')).rows).toEqual([[0]]);
  });

  test('writing: rows, tables, indexes and views; each is there afterwards and leaves no lock', async () => {
    for (const sql of [
      "insert into bees values ('Flip')",
      'update bees set name = upper(name) where name = ?1',
      "create table hives (id integer primary key, name text default (upper('x')))",
      'create unique index hives_by_name on hives (name)',
      'create view names as select name from bees',
      'alter table hives rename to homes',
      'alter table homes add column size integer',
      'delete from bees where name = ?1',
    ]) {
      await ask(sql, true, { parameters: sql.includes('?1') ? ['Willi'] : [] });
    }
    const database = new Database(join(folder, 'own/shop.db'));
    expect(database.prepare('select name from sqlite_master order by name').raw(true).all()).toEqual([
      ['bees'],
      ['hives_by_name'],
      ['homes'],
      ['names'],
    ]);
    database.exec("insert into bees values ('outside')");
    database.close();
    expect((await ask('select name from names order by name')).rows).toEqual([
      ['Flip'],
      ['Maja'],
      ['WILLI'],
      ['outside'],
    ]);
  });

  test('an answer that was cut short leaves no lock on the database', async () => {
    const cut = await ask('select a.name from bees a, bees b, bees c', false, { maxRows: 1 });
    expect(cut).toMatchObject({ truncated: true });
    expect(await ask("insert into bees values ('Flip')", true)).toMatchObject({ changed: 1 });
  });
});

describe('R-database sqlite: files', () => {
  test('a writer whose database is not alone in its folder is told to move it; a reader is not', async () => {
    await writeFile(join(folder, 'own/notes.txt'), 'private');
    await expect(ask("insert into bees values ('Flip')", true)).rejects.toMatchObject({
      code: 'invalid_config',
      hint: expect.stringMatching(/holds nothing else/),
    });
    expect((await ask('select count(*) from bees')).rows).toEqual([[2]]);
  });

  test('a reader sees what another program has written, in a journal or in a write-ahead log, and after a replacement', async () => {
    const count = async () => (await ask('select count(*) from bees')).rows[0]?.[0];
    const file = join(folder, 'own/shop.db');
    const other = new Database(file);
    expect(await count()).toBe(2);
    other.exec("insert into bees values ('a')");
    expect(await count()).toBe(3);
    other.prepare('pragma journal_mode = wal').all();
    other.exec("insert into bees values ('b')");
    expect(await count()).toBe(4);
    other.prepare('pragma wal_checkpoint(truncate)').all();
    other.exec("insert into bees values ('c')");
    expect(await count()).toBe(5);
    other.close();
    expect(await count()).toBe(5);
    const again = new Database(file);
    again.exec("insert into bees values ('d')");
    expect(await count()).toBe(6);
    again.close();
    await rm(file);
    const fresh = new Database(file);
    fresh.exec('create table bees (name text)');
    fresh.close();
    expect(await count()).toBe(0);
  });
});
