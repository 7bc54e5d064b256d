/** Which statements may run, asked in this process, where nothing else holds them. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runStatement } from './run-sqlite.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helve-admit-'));
  const database = new Database(join(folder, 'shop.db'));
  database.exec("create table bees (name text, plan text); insert into bees values ('Maja', 'fly')");
  database.exec('create table dbstat (name text)');
  database.close();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const run = (sql: string, writes = false) => {
  const address = `file:${join(folder, 'shop.db')}`;
  return runStatement({ address, sql, writes, waitMs: 0, parameters: [], maxRows: 10, maxBytes: 10_000 });
};

test.each([
  ['text behind a NUL, which SQLite does not read', 'select 1\0', 'the statement holds a NUL character'],
  ['a second statement', 'select 1; delete from bees', 'only one statement may be sent at a time'],
  ['another database', 'attach view as evil', 'a statement that begins with "attach" is not allowed'],
  ['a trigger', 'drop trigger if exists x', 'a statement that begins with "drop" is not allowed'],
  ['what begins with no word', '1 select 1', 'a statement that begins with "select" is not allowed'],
  [
    'the path of the database',
    'select file from pragma_database_list',
    'the table pragma_database_list is not allowed',
  ],
  ['a folder', "select name from fsdir where path = '/'", 'the table fsdir is not allowed'],
  ['a file', "select readfile('/etc/hostname')", 'the function readfile is not allowed'],
])('attack: %s is refused, also where it may write', async (_, sql, message) => {
  const before = run('select name from bees');
  expect(run(sql, true)).toEqual({ problem: 'forbidden', message: expect.stringContaining(message) });
  expect(run('select name from bees')).toEqual(before);
  expect(await readdir(folder)).toEqual(['shop.db']);
});

test.each([
  ['; select name from bees;', 'Maja'],
  ['select value from json_each(\'["Willi"]\')', 'Willi'],
  ['select count(*) from dbstat', 0],
  ["explain query plan select name from bees where name = 'x'", expect.any(Number)],
  ['explain select plan from bees', 0],
])('R-database sqlite: %s answers', (sql, first) => {
  expect(run(sql)).toMatchObject({ rows: expect.arrayContaining([expect.arrayContaining([first])]) });
});

test('attack: a reader changes nothing', () => {
  const refused = { problem: 'forbidden', message: 'only a statement that returns rows may run here' };
  for (const sql of ["insert into bees values ('Flip', '') returning name", 'create table x (y)'])
    expect(run(sql)).toEqual(refused);
  expect(run("insert into bees values ('Flip', '')", true)).toMatchObject({ changed: 1 });
});
