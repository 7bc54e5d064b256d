/** R-database against a real PostgreSQL and a real SQLite file; the model is aimock. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import Database from 'libsql';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { startPostgres, type TestPostgres } from '../../testing/postgres.js';

const schema = [
  'create table customers (id integer primary key, name text not null, city text)',
  'create table orders (id integer primary key, customer_id integer references customers (id), cents bigint not null)',
  "insert into customers values (1, 'Ada', 'Oslo'), (2, 'Bo; drop table orders', 'Rome'), (3, 'Cy', null)",
  'insert into orders values (1, 1, 500), (2, 1, 9007199254740993), (3, 2, 700)',
];

let server: TestPostgres;
let owner: string;
let reader: string;
let folder: string;
let file: string;
let helve: TestHelve;
const model = new LLMock({ port: 0, host: '127.0.0.1' });

const kinds = [['postgres', 'pg', '$'] as const, ['sqlite', 'lite', '?'] as const];

beforeAll(async () => {
  server = await startPostgres();
  owner = await server.url();
  const client = new pg.Client(owner);
  await client.connect();
  for (const sql of schema) await client.query(sql);
  await client.query("create role reader login password 'secret'");
  await client.query('grant select, insert, update, delete on all tables in schema public to reader');
  await client.query(
    "create function busy(code text) returns int language plpgsql as $$ begin raise exception 'in the way' using errcode = code; end $$",
  );
  await client.query("comment on column orders.cents is 'price in cents'");
  await client.end();
  reader = owner.replace(/\/\/[^@]+@/, '//reader:secret@');

  folder = await mkdtemp(join(tmpdir(), 'helve-database-'));
  file = join(folder, 'a b?c.db');
  const database = new Database(file);
  for (const sql of schema) database.exec(sql);
  database.close();
  await model.start();

  const allowed = ['pg', 'lite', 'root', 'gone', 'wrong'];
  const config = { allowed_connections: allowed, max_rows: 50, timeout_seconds: 2 };
  helve = await createTestHelve({
    config: configText(),
    toolConfig: { query_database: config, describe_database: config, smart_query_database: config },
  });
}, 120_000);
afterAll(async () => {
  await helve?.close();
  await model.stop();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const configText = (): string => `toolkits:
  database:
    connections:
      pg: { url: "${reader}", description: The shop }
      root: { url: "${owner}" }
      lite: { url: "sqlite:${file}" }
      gone: { url: "sqlite:${folder}/none.db" }
      wrong: { url: "${owner.replace(/\/\/[^@]+@/, '//reader:no@')}" }
      hidden: { url: "sqlite:${file}" }
      pgw: { url: "${reader}", writable: true }
      litew: { url: "sqlite:${file}", writable: true }
models:
  language: { base_url: "${model.url}/v1", model: sql-writer }
`;

const query = (connection: string, sql: string, more: object = {}) =>
  helve.call('query_database', { connection, sql, ...more });
const refused = (code: string, message: RegExp = /./) => ({
  ok: false,
  error: { code, message: expect.stringMatching(message) },
});

test('R-database: integers in JSON of PostgreSQL stay exact: one that JavaScript cannot hold is text', async () => {
  const sql = `select '{"id": 12345678901234567, "at": 1.5}'::jsonb, '{"id": "12345678901234567", "n": [1.25e3, -7, 0.30000000000000004]}'::jsonb, '[-9007199254740993]'::json`;
  expect(await query('pg', sql)).toMatchObject({
    output: {
      rows: [
        [
          { at: 1.5, id: '12345678901234567' },
          { id: '12345678901234567', n: [1250, -7, 0.30000000000000004] },
          ['-9007199254740993'],
        ],
      ],
    },
  });
});

test.each(
  kinds,
)('R-database: %s finds the row of a long integer that is sent as text; one that was rounded is refused', async (_, name, mark) => {
  const sql = `select id from orders where cents = ${mark}1`;
  const ask = (parameter: unknown) => helve.call('query_database', { connection: name, sql, parameters: [parameter] });
  expect(await ask('9007199254740993')).toMatchObject({ output: { rows: [[2]] } });
  expect(await ask(Number('9007199254740993'))).toMatchObject(
    refused('invalid_input', /^parameters\/0 has more digits/),
  );
});

test.each([
  '40001',
  '40P01',
])('R-database: what PostgreSQL rolled back for another transaction (%s) can be called again', async (code) => {
  const answer = await query('pg', `select busy('${code}')`);
  expect(answer).toMatchObject(refused('conflict', /in the way; nothing was changed/));
  expect(answer).toMatchObject({ error: { hint: expect.stringContaining('again') } });
});

describe.each(kinds)('R-database: %s', (_kind, name, mark) => {
  test('rows in the order of their columns; big integers stay exact; the call is recorded', async () => {
    const result = await query(
      name,
      'select name, city, cents from customers c join orders o on o.customer_id = c.id order by o.id;',
    );
    expect(result).toMatchObject({
      ok: true,
      output: {
        columns: ['name', 'city', 'cents'],
        rows: [
          ['Ada', 'Oslo', 500],
          ['Ada', 'Oslo', '9007199254740993'],
          ['Bo; drop table orders', 'Rome', 700],
        ],
        row_count: 3,
        truncated: false,
      },
    });
    const rows = (await helve.audited()).filter(({ tool }) => tool === 'Database.queryDatabase');
    expect(rows.slice(-2).map(({ type }) => type)).toEqual(['execution.started', 'execution.finished']);
    // What the reader signs in with is planted in a question and its answer: the caller sees it, the record does not.
    const planted = await query(name, "select 'postgres://reader:secret@db/shop' as address");
    expect(JSON.stringify(planted)).toContain('reader:secret');
    const record = JSON.stringify(await helve.audited());
    expect(record).toContain('@db/shop');
    expect(record).not.toContain('reader:secret');
  });

  test('parameters are values, whatever they say', async () => {
    const hostile = "x' or 1=1; drop table orders --";
    const sql = `select count(*) from customers where name = ${mark}1 or city = ${mark}2`;
    expect(await query(name, sql, { parameters: [hostile, 'Oslo'] })).toMatchObject({ output: { rows: [[1]] } });
    expect(await query(name, `select cast(${mark}1 as text) is null as missing`, { parameters: [null] })).toMatchObject(
      { ok: true },
    );
  });

  test('limits of rows and bytes are met and said; a smaller one can be asked for', async () => {
    const many = 'with recursive n(x) as (select 1 union all select x + 1 from n where x < 500) select x from n';
    expect(await query(name, many)).toMatchObject({ output: { row_count: 50, truncated: true } });
    expect(await query(name, many, { max_rows: 3 })).toMatchObject({
      output: { rows: [[1], [2], [3]], truncated: true },
    });
    expect(await query(name, `${many} limit 50`)).toMatchObject({ output: { row_count: 50, truncated: false } });
  });

  test.each([
    "insert into customers values (9, 'Eve', null)",
    "update customers set name = 'Eve'",
    'delete from orders',
    'drop table orders',
    'create table evil (a int)',
    'delete from orders returning id',
    'with gone as (delete from orders returning id) select * from gone',
    'select 1; drop table orders',
    'commit; drop table orders',
    'begin',
  ])('read-only: %s', async (sql) => {
    const result = await query(name, sql);
    if (result.ok) expect(result.output).toMatchObject({ columns: ['1'] });
    else expect(result.error.code).toMatch(/forbidden|invalid_input/);
    expect(await query(name, 'select count(*) from orders')).toMatchObject({ output: { rows: [[3]] } });
    expect(await query(name, "select count(*) from customers where name = 'Eve'")).toMatchObject({
      output: { rows: [[0]] },
    });
  });

  test('a query that never ends is ended in its time, and the next one is answered meanwhile', async () => {
    const started = Date.now();
    const endless = query(
      name,
      'with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n',
    );
    expect(await query(name, 'select 1')).toMatchObject({ ok: true });
    expect(await endless).toMatchObject(refused('timeout'));
    expect(Date.now() - started).toBeLessThan(20_000);
  });

  test('a mistake is told in the words of the database', async () => {
    expect(await query(name, 'select nam from customers')).toMatchObject(refused('invalid_input', /nam/));
    expect(await query(name, 'selec 1')).toMatchObject(refused('invalid_input', /syntax/));
  });

  test('describe_database: tables, columns, keys', async () => {
    const result = await helve.call('describe_database', { connection: name });
    const text = JSON.stringify(result);
    expect(result).toMatchObject({ ok: true, output: { truncated: false } });
    for (const word of ['customers', 'primary key', 'references customers', 'not null']) expect(text).toContain(word);
    expect(await helve.call('describe_database')).toMatchObject({
      output: { databases: expect.arrayContaining([expect.objectContaining({ connection: name })]), tables: [] },
    });
  });

  test('smart_query_database: the statement is shown, and runs when it comes back', async () => {
    const sql = 'select city, count(*) from customers group by city order by city';
    model.onMessage(`customers by city ${name}`, { content: `\`\`\`sql\n${sql};\n\`\`\`` });
    const question = `customers by city ${name}`;
    const shown = await helve.call('smart_query_database', { connection: name, question });
    expect(shown).toMatchObject({ ok: true, output: { sql, ran: false, model: 'sql-writer', rows: [] } });
    const asked = JSON.stringify(model.getLastRequest()?.body);
    expect(asked).toContain('customers');
    expect(asked).not.toContain('Ada');
    const ran = await helve.call('smart_query_database', { connection: name, question, sql });
    expect(ran).toMatchObject({ ok: true, output: { ran: true, row_count: 3 } });
  });

  test('smart_query_database: a person who is asked may say no', async () => {
    model.onMessage(`drop it ${name}`, { content: 'select 1' });
    const call = (action: 'accept' | 'decline') =>
      helve.call(
        'smart_query_database',
        { connection: name, question: `drop it ${name}` },
        { client: { log: async () => undefined, elicit: async () => ({ action }) } },
      );
    expect(await call('accept')).toMatchObject({ ok: true, output: { ran: true, rows: [[1]] } });
    expect(await call('decline')).toMatchObject(refused('cancelled'));
  });

  test('smart_query_database: what the model wrote is held against the database, and never writes', async () => {
    model.onMessage(`remove all ${name}`, { content: 'delete from orders' });
    model.onMessage(`no such thing ${name}`, { content: 'select * from nowhere' });
    for (const question of [`remove all ${name}`, `no such thing ${name}`]) {
      expect(await helve.call('smart_query_database', { connection: name, question })).toMatchObject(
        refused('tool_failed'),
      );
    }
    const sql = 'delete from orders';
    const given = await helve.call('smart_query_database', { connection: name, question: 'x', sql });
    expect(given).toMatchObject({ ok: false, error: { code: expect.stringMatching(/forbidden|invalid_input/) } });
    expect(await query(name, 'select count(*) from orders')).toMatchObject({ output: { rows: [[3]] } });
  });

  test('writes where the connection and the grant both say so', async () => {
    const other = await createTestHelve({
      config: configText(),
      toolConfig: { query_database: { allowed_connections: [name, `${name}w`], allow_writes: true } },
    });
    const sql = "insert into customers values (10, 'New', null)";
    const write = (connection: string) => other.call('query_database', { connection, sql });
    expect((await write(name)).ok).toBe(false);
    expect(await write(`${name}w`)).toMatchObject({ ok: true, output: { changed: 1 } });
    const remove = { connection: `${name}w`, sql: 'delete from customers where id = 10' };
    expect(await other.call('query_database', remove)).toMatchObject({ output: { changed: 1 } });
    await other.close();
  });
});

/** Between Helve and PostgreSQL. Once a client asks for it, it drops the answer to `commit` and the connection. */
async function startLossy(target: string): Promise<{ url: string; close(): void }> {
  const { hostname, port } = new URL(target);
  const lossy = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let isLost = false;
    client.on('data', (data) => {
      isLost ||= data.includes('commit');
      upstream.write(data);
    });
    upstream.on('data', (data) => (isLost ? client.destroy() : client.write(data)));
    for (const [one, other] of [[client, upstream] as const, [upstream, client] as const]) {
      one.on('error', () => undefined);
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => lossy.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((lossy.address() as AddressInfo).port);
  return { url: url.href, close: () => lossy.close() };
}

test('R-database: a commit whose answer is lost has an unknown outcome', async () => {
  const lossy = await startLossy(reader);
  const other = await createTestHelve({
    config: `toolkits:\n  database:\n    connections:\n      lossy: { url: "${lossy.url}", writable: true }\n`,
    toolConfig: { query_database: { allowed_connections: ['lossy'], allow_writes: true } },
  });
  const insert = { connection: 'lossy', sql: "insert into customers values (20, 'Lost', null)" };
  expect(await other.call('query_database', insert)).toMatchObject(refused('outcome_unknown', /during the commit$/));
  const kept = await query('pg', 'select name from customers where id = 20');
  expect(kept).toMatchObject({ output: { rows: [['Lost']] } });
  await other.close();
  lossy.close();
});

describe('R-database: what is out of reach', () => {
  test('a connection that the grant does not name looks like none', async () => {
    expect(await query('hidden', 'select 1')).toMatchObject(refused('forbidden'));
    expect(await query('nothing', 'select 1')).toMatchObject(refused('forbidden'));
    expect(await query('__proto__', 'select 1')).toMatchObject(refused('forbidden'));
    const bare = await createTestHelve({ config: configText() });
    expect(await bare.call('query_database', { connection: 'pg', sql: 'select 1' })).toMatchObject(
      refused('forbidden'),
    );
    await bare.close();
  });

  test('a superuser, a wrong password, a file that is not there', async () => {
    expect(await query('root', 'select 1')).toMatchObject(refused('invalid_config', /superuser/));
    expect(await query('wrong', 'select 1')).toMatchObject(refused('upstream_failed', /password/));
    expect(await query('gone', 'select 1')).toMatchObject(refused('upstream_failed', /unable to open/i));
    expect(existsSync(join(folder, 'none.db'))).toBe(false);
  });

  test.each([
    "select pg_read_file('/etc/passwd')",
    "select * from pg_ls_dir('/')",
    "copy customers to '/tmp/helve-evil'",
    "copy customers to program 'id'",
    "select lo_import('/etc/passwd')",
    'set transaction read write',
    'set session characteristics as transaction read write',
    "select set_config('transaction_read_only', 'off', false)",
    "select setval('pg_catalog.x', 1)",
    'select * from customers for update',
    'notify somebody',
    'listen somebody',
    'vacuum',
  ])('postgres: %s', async (sql) => {
    const result = await query('pg', sql);
    expect(result).toMatchObject({ ok: false, error: { code: expect.stringMatching(/forbidden|invalid_input/) } });
  });

  test('postgres: rows of any length take a bounded amount of memory', async () => {
    // Sixty megabytes take more than two seconds on a busy machine.
    const patient = await createTestHelve({
      config: configText(),
      toolConfig: { query_database: { allowed_connections: ['pg'], max_rows: 50 } },
    });
    const ask = (sql: string) => patient.call('query_database', { connection: 'pg', sql });
    const long = (rows: number) => `select repeat('x', 12000000) from generate_series(1, ${rows})`;
    expect(await ask(long(5))).toMatchObject({ ok: true, output: { row_count: 0, truncated: true } });
    expect(await ask(long(15))).toMatchObject(refused('too_large', /more than 128 MB/));
    // Only the first rows are asked for at once.
    expect(await ask("select repeat('x', 700000) from generate_series(1, 1000)")).toMatchObject({
      ok: true,
      output: { row_count: 1, truncated: true },
    });
    expect(await ask('select n from generate_series(1, 45) n')).toMatchObject({
      output: { row_count: 45, truncated: false },
    });
    await patient.close();
  });

  test('postgres: a role that can reach files of its machine, itself or through others, counts as a superuser', async () => {
    const client = new pg.Client(owner);
    await client.connect();
    const reaching = ['pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'];
    const roles = ['plain', ...reaching.map((role) => `has_${role}`), 'has_through_another', 'has_without_inheriting'];
    for (const role of roles) await client.query(`create role ${role} login password 'secret'`);
    for (const role of reaching) await client.query(`grant ${role} to has_${role}`);
    await client.query('grant has_pg_read_server_files to has_through_another');
    await client.query('alter role has_without_inheriting noinherit');
    await client.query('grant pg_read_server_files to has_without_inheriting');
    await client.end();
    const urlOf = (role: string): string => owner.replace(/\/\/[^@]+@/, `//${role}:secret@`);
    const connections = roles.map((role) => `      ${role}: { url: "${urlOf(role)}" }`).join('\n');
    const other = await createTestHelve({
      config: `toolkits:\n  database:\n    connections:\n${connections}\n`,
      toolConfig: { query_database: { allowed_connections: roles } },
    });
    const call = (connection: string, sql: string) => other.call('query_database', { connection, sql });
    expect(await call('plain', 'select 1')).toMatchObject({ ok: true });
    for (const role of roles.slice(1)) {
      expect(await call(role, 'select 1'), role).toMatchObject(refused('invalid_config', /superuser or a member of/));
    }
    await other.close();
    // What the refusal is for: such a role reads files of the machine, and an ordinary one does not.
    const readFile = async (role: string) => {
      const reader = new pg.Client(urlOf(role));
      await reader.connect();
      try {
        await reader.query('create temp table lines (line text)');
        await reader.query(`copy lines from '${import.meta.filename}' (delimiter e'\\x01')`);
        return (await reader.query('select count(*)::int as count from lines')).rows[0]?.count;
      } finally {
        await reader.end();
      }
    };
    expect(await readFile('has_through_another')).toBeGreaterThan(100);
    await expect(readFile('plain')).rejects.toThrow(/permission denied/);
  });

  test('sqlite: a query that wants more memory than there is costs its own process only', async () => {
    const bomb =
      'select length(group_concat(hex(zeroblob(1000000)))) from (with recursive n(x) as (select 1 union all select x+1 from n where x < 900) select x from n)';
    const result = await query('lite', bomb);
    expect(result.ok || ['timeout', 'too_large', 'invalid_input'].includes(result.error.code)).toBe(true);
    expect(await query('lite', 'select 1')).toMatchObject({ ok: true });
  });

  test('without a model it says what to set', async () => {
    const bare = await createTestHelve({
      config: configText().split('models:')[0] ?? '',
      toolConfig: { smart_query_database: { allowed_connections: ['lite'] } },
    });
    const result = await bare.call('smart_query_database', { connection: 'lite', question: 'how many?' });
    expect(result).toMatchObject(refused('invalid_config', /model/));
    await bare.close();
  });
});
