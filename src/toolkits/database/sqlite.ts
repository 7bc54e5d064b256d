/**
 * SQLite, in a process of its own: a query that never ends holds a thread for ever, and only a process can be killed.
 * Read-only is SQLite's own (`mode=ro` and `query_only`); one statement a call, and only one that answers rows, so
 * neither ATTACH nor VACUUM INTO can make a file.
 */
import { createRequire } from 'node:module';
import { HelveError } from '../../spec/errors.js';
import { createProcessPool } from '../../util/process-pool.js';
import type { Answer, Cell, Question } from './answer.js';
import type { Target } from './settings.js';

/** Runs in the other process. Values as JSON can hold them: big integers as text, blobs as base64. */
const code = `
const Database = require(data.library);
const value = (raw) => {
  if (typeof raw === 'bigint') return raw >= -9007199254740991n && raw <= 9007199254740991n ? Number(raw) : String(raw);
  if (raw instanceof Uint8Array || raw instanceof ArrayBuffer) return Buffer.from(raw).toString('base64');
  if (typeof raw === 'number' && !Number.isFinite(raw)) return String(raw);
  return raw;
};
return ({ address, writes, sql, parameters, maxRows, maxBytes }) => {
  let database;
  try {
    database = new Database(address);
    if (!writes) database.prepare('pragma query_only = 1').run();
    const statement = database.prepare(sql);
    if (!statement.reader) {
      if (!writes) return { problem: 'forbidden', message: 'only a statement that answers rows may run here' };
      if (/^\\s*(?:attach|detach|vacuum|pragma)\\b/i.test(sql)) return { problem: 'forbidden', message: 'this statement is not allowed' };
      return { columns: [], rows: [], truncated: false, changed: statement.run(parameters).changes };
    }
    statement.raw(true).safeIntegers(true);
    const columns = statement.columns().map(({ name }) => name);
    const rows = [];
    let bytes = 0;
    for (const raw of statement.iterate(parameters)) {
      const row = raw.map(value);
      bytes += JSON.stringify(row).length;
      if (rows.length >= maxRows || bytes > maxBytes) return { columns, rows, truncated: true };
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
  ...{ code: () => code, data: { library }, memory: () => undefined },
  ...{ most: 4, mostOfKey: 2, idleMs: 30_000 },
});

export async function askSqlite(target: Target, question: Question, signal: AbortSignal): Promise<Answer> {
  const { timeoutMs, ...limits } = question;
  const message = { ...limits, address: addressOf(target), writes: target.writes };
  const reply = await pool.use({ key: target.url, heapMb: 256, signal }, (process) =>
    process.ask<Reply>(message, { timeoutMs, signal }),
  );
  if (!('problem' in reply)) return reply;
  const text = `${target.name}: ${reply.message}`;
  if (reply.problem === 'forbidden' || /readonly database/.test(reply.message)) {
    throw new HelveError('forbidden', text, { hint: 'This database is read-only here: send one SELECT.' });
  }
  if (/unable to open|not a database|disk I\/O/i.test(reply.message)) throw new HelveError('upstream_failed', text);
  throw new HelveError('invalid_input', text, { hint: 'Correct the statement; describe_database shows the tables.' });
}

/** A URI, in which the path means only itself. */
function addressOf({ url, writes }: Target): string {
  const path = url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
  return `file:${path.split('/').map(encodeURIComponent).join('/')}?mode=${writes ? 'rw' : 'ro'}`;
}
