/**
 * SQLite, in a process that holds nothing but the one database: an agent writes the SQL, and the SQLite that is linked in
 * can read and write files. Only bubblewrap confines that process, so without it there is no SQLite here. What may run at
 * all is decided before it runs (`sqlite-admit.ts`).
 */
import { createRequire } from 'node:module';
import { HelveError } from '../../domain/errors.js';
import { createProcessPool } from '../../util/sandbox/process-pool.js';
import type { Answer, Cell, Question } from './answer.js';
import type { Target } from './settings.js';
import { admitted, refusalOf, tokensOf } from './sqlite-admit.js';
import { findSqliteFiles, type SqliteFiles } from './sqlite-files.js';

/** Most memory that SQLite may take for one statement, in bytes: sorting a large table needs some. */
const sqliteMemory = 256 * 1_048_576;
/** How long a statement waits for another program's lock. */
const mostWaitMs = 5_000;

/** Runs in the other process. Values as JSON can hold them: big integers as text, blobs as base64. */
const code = (): string => `
const Database = require(data.library);
${tokensOf.toString()}
${refusalOf.toString()}
const value = (raw) => {
  if (typeof raw === 'bigint') return raw >= -9007199254740991n && raw <= 9007199254740991n ? Number(raw) : String(raw);
  if (raw instanceof Uint8Array || raw instanceof ArrayBuffer) return Buffer.from(raw).toString('base64');
  if (typeof raw === 'number' && !Number.isFinite(raw)) return String(raw);
  return raw;
};
const open = (address, pragmas) => {
  const database = new Database(address);
  for (const pragma of ['hard_heap_limit = ${sqliteMemory}', 'trusted_schema = off', ...pragmas]) database.prepare('pragma ' + pragma).all();
  return database;
};
/** In a connection that runs nothing afterwards: SQLite takes a program that was shown for one that still runs, and keeps its locks. */
const judge = (address, sql, writes) => {
  const database = open(address, ['query_only = 1']);
  const column = (query) => database.prepare(query).raw(true).all().map(([name]) => String(name).toLowerCase());
  try {
    const modules = column('select name from pragma_module_list');
    const tables = column('select name from sqlite_master');
    const program = (statement) => database.prepare('explain ' + statement).all();
    return refusalOf({ sql, writes, admitted: data.admitted, modules, tables, program });
  } finally {
    database.close();
  }
};
/** Closing the connection does not end a statement that has rows left: it would keep its lock, and nothing could write. */
const abandon = (database, found) => {
  database.interrupt();
  try { while (!found.next().done); } catch {}
};
return ({ address, writes, sql, parameters, maxRows, maxBytes, waitMs }) => {
  let database;
  try {
    const refusal = judge(address, sql, writes);
    if (refusal !== undefined) return { problem: 'forbidden', message: refusal };
    database = open(address, ['busy_timeout = ' + waitMs, 'query_only = ' + (writes ? 0 : 1)]);
    const statement = database.prepare(sql);
    if (!statement.reader) {
      if (!writes) return { problem: 'forbidden', message: 'only a statement that answers rows may run here' };
      return { columns: [], rows: [], truncated: false, changed: statement.run(parameters).changes };
    }
    statement.raw(true).safeIntegers(true);
    const columns = statement.columns().map(({ name }) => name);
    const rows = [];
    let bytes = 0;
    const found = statement.iterate(parameters);
    for (let next = found.next(); !next.done; next = found.next()) {
      const row = next.value.map(value);
      bytes += JSON.stringify(row).length;
      if (rows.length >= maxRows || bytes > maxBytes) {
        abandon(database, found);
        return { columns, rows, truncated: true };
      }
      rows.push(row);
    }
    return { columns, rows, truncated: false };
  } catch (error) {
    return { problem: 'failed', message: String(error && error.message || error) };
  } finally {
    if (database) database.close();
  }
};`;

type Reply =
  | { readonly columns: string[]; readonly rows: Cell[][]; readonly truncated: boolean; readonly changed?: number }
  | { readonly problem: 'forbidden' | 'failed'; readonly message: string };

const library = createRequire(import.meta.url).resolve('libsql');
const pool = createProcessPool({
  code,
  data: { library, admitted },
  memory: () => undefined,
  most: 4,
  mostOfKey: 2,
  idleMs: 30_000,
  mostResidentMb: 600,
  needsBubblewrap: true,
});

/** Another program may replace the database, or begin to write to it, while a statement reads. */
const mostAttempts = 3;

/** Throws `invalid_config` where bubblewrap cannot confine it, `forbidden`, `upstream_failed`, `timeout`, `too_large` or `invalid_input`. */
export async function askSqlite(target: Target, question: Question, signal: AbortSignal): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const files = await findSqliteFiles(target);
    const reply = await run(target, files, question, signal);
    if (target.writes || attempt === mostAttempts || (await findSqliteFiles(target)).state === files.state) {
      return answerOf(target, reply);
    }
  }
}

function run(target: Target, { key, files, path }: SqliteFiles, question: Question, signal: AbortSignal) {
  const { timeoutMs, ...limits } = question;
  const address = `file:${path.split('/').map(encodeURIComponent).join('/')}?mode=${target.writes ? 'rw' : 'ro'}`;
  const waitMs = Math.ceil(Math.min(timeoutMs, mostWaitMs));
  return pool.use({ key, heapMb: 256, files, signal }, (process) =>
    process.ask<Reply>({ ...limits, address, waitMs, writes: target.writes }, { timeoutMs, signal }),
  );
}

function answerOf({ name, writes }: Target, reply: Reply): Answer {
  if (!('problem' in reply)) return reply;
  const text = `${name}: ${reply.message}`;
  if (reply.problem === 'forbidden' || /readonly database/.test(reply.message)) {
    throw new HelveError('forbidden', text, {
      hint: writes
        ? 'Send one statement that reads or changes rows, or makes a table, an index or a view.'
        : 'This database is read-only here: send one SELECT.',
    });
  }
  if (/unable to open|not a database|disk I\/O/i.test(reply.message)) throw new HelveError('upstream_failed', text);
  throw new HelveError('invalid_input', text, { hint: 'Correct the statement; describe_database shows the tables.' });
}
