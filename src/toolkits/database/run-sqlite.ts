/**
 * Runs one statement on one SQLite database. Runs in a worker that has access to that database only, because the SQLite
 * that is linked in can read and write files.
 */
import Database from 'libsql';
import { type Cell, createCollector, type Question } from './answer.js';
import { admitted, explainRefusal } from './sqlite-admit.js';

export interface Statement extends Omit<Question, 'timeoutMs'> {
  /** `file:` address of the database, as SQLite reads it. */
  readonly address: string;
  readonly writes: boolean;
  /** How long to wait for another program's lock, in milliseconds. */
  readonly waitMs: number;
}

/** Values as JSON can hold them: big integers as text, blobs as base64. */
export type Reply =
  | { readonly columns: string[]; readonly rows: Cell[][]; readonly truncated: boolean; readonly changed?: number }
  | { readonly problem: 'forbidden' | 'failed'; readonly message: string };

type Connection = InstanceType<typeof Database> & { interrupt(): void };

/** Maximum memory of SQLite for one statement, in bytes: sorting a large table needs some. */
const sqliteMemory = 256 * 1_048_576;

export function runStatement(statement: Statement): Reply {
  const { address, writes, sql, waitMs } = statement;
  let database: Connection | undefined;
  try {
    const refusal = judge(statement);
    if (refusal !== undefined) return { problem: 'forbidden', message: refusal };
    database = open(address, [`busy_timeout = ${waitMs}`, `query_only = ${writes ? 0 : 1}`]);
    const prepared = database.prepare(sql);
    if (prepared.reader) return readRows(database, prepared, statement);
    if (!writes) return { problem: 'forbidden', message: 'only a statement that returns rows may run here' };
    return { columns: [], rows: [], truncated: false, changed: prepared.run([...statement.parameters]).changes };
  } catch (error) {
    return { problem: 'failed', message: error instanceof Error ? error.message : String(error) };
  } finally {
    database?.close();
  }
}

/** In a connection that runs nothing afterwards: SQLite takes a program that was shown for one that still runs, and keeps its locks. */
function judge({ address, sql, writes }: Statement): string | undefined {
  const database = open(address, ['query_only = 1']);
  const readNames = (query: string): string[] =>
    (database.prepare(query).raw(true).all() as unknown[][]).map(([name]) => String(name).toLowerCase());
  try {
    const modules = readNames('select name from pragma_module_list');
    const tables = readNames('select name from sqlite_master');
    const program = (text: string) => database.prepare(`explain ${text}`).all() as { opcode: string; p4: unknown }[];
    return explainRefusal({ sql, writes, admitted, modules, tables, program });
  } finally {
    database.close();
  }
}

function open(address: string, pragmas: readonly string[]): Connection {
  const database = new Database(address) as Connection;
  for (const pragma of [`hard_heap_limit = ${sqliteMemory}`, 'trusted_schema = off', ...pragmas])
    database.prepare(`pragma ${pragma}`).all();
  return database;
}

type Prepared = ReturnType<Connection['prepare']>;

function readRows(database: Connection, prepared: Prepared, statement: Statement): Reply {
  prepared.raw(true).safeIntegers(true);
  const columns = prepared.columns().map(({ name }) => name);
  const collector = createCollector(statement);
  const found = prepared.iterate([...statement.parameters]);
  for (let next = found.next(); !next.done; next = found.next()) {
    if (collector.take((next.value as unknown[]).map(readCell))) continue;
    abandon(database, found);
    break;
  }
  return { columns, rows: collector.rows, truncated: collector.truncated };
}

function readCell(raw: unknown): Cell {
  if (typeof raw === 'bigint')
    return raw >= -9_007_199_254_740_991n && raw <= 9_007_199_254_740_991n ? Number(raw) : String(raw);
  if (raw instanceof Uint8Array) return Buffer.from(raw).toString('base64');
  if (raw instanceof ArrayBuffer) return Buffer.from(raw).toString('base64');
  if (typeof raw === 'number' && !Number.isFinite(raw)) return String(raw);
  return raw as Cell;
}

/** Closing the connection does not end a statement that has rows left: it would keep its lock, and nothing could write. */
function abandon(database: Connection, found: Iterator<unknown>): void {
  database.interrupt();
  try {
    while (!found.next().done);
  } catch {
    // The interruption itself.
  }
}
