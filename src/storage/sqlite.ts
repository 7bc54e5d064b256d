/**
 * SQLite through libsql: one connection, one transaction at a time, and every write transaction IMMEDIATE because other
 * processes share the file.
 *
 * A busy file is retried with timers, not with SQLite's own `busy_timeout`: that one blocks the whole process, and two
 * stores in one process would wait for each other until that time ran out. Rows are always read with `all`: libsql's
 * `get` leaves its statement open, and with it an old view of the data.
 */
import type { DatabaseConnection, Dialect, Driver, QueryResult, TransactionSettings } from 'kysely';
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type Libsql from 'libsql';
import { HelveError } from '../domain/errors.js';
import { escapeText, unescapeRow } from './codec.js';
import { driveNow, type Engine, type Statement, type StatementResult, type Steps } from './engine.js';
import { databaseFailure, isBusy } from './failures.js';
import { createMutex } from './mutex.js';
import type { Schema } from './schema.js';
import { prepareFile } from './sqlite-file.js';

type Prepared = ReturnType<Libsql.Database['prepare']>;

const statementsKept = 256;
const busyPatienceMs = 15_000;
const busyPauseMs = 4;

/** The connection with its prepared statements; the oldest are dropped first. */
function createConnection(database: Libsql.Database, path: string) {
  const prepared = new Map<string, { statement: Prepared; reader: boolean }>();
  let open = true;

  function prepare(sql: string) {
    let entry = prepared.get(sql);
    if (entry === undefined) {
      const statement = database.prepare(sql);
      entry = { statement, reader: statement.reader };
      const oldest = prepared.size >= statementsKept ? prepared.keys().next().value : undefined;
      if (oldest !== undefined) prepared.delete(oldest);
      prepared.set(sql, entry);
    }
    return entry;
  }

  function execute({ sql, parameters }: { sql: string; parameters: readonly unknown[] }): StatementResult {
    if (!open) throw new HelveError('storage_failed', `The store at ${path} has been closed`);
    const { statement, reader } = prepare(sql);
    const values = parameters.map((value) => (typeof value === 'string' ? escapeText(value) : value));
    if (!reader) return { rows: [], changes: statement.run(values).changes };
    const rows = statement.all(values) as Record<string, unknown>[];
    for (const row of rows) unescapeRow(row);
    return { rows, changes: rows.length };
  }

  /** Retries while another process writes. When SQLite reports that it is busy, nothing has happened. */
  async function executeWhenFree(statement: Statement | { sql: string; parameters: readonly unknown[] }) {
    const deadline = Date.now() + busyPatienceMs;
    for (;;) {
      try {
        return execute(statement);
      } catch (thrown) {
        if (!isBusy(thrown) || Date.now() > deadline) throw databaseFailure(thrown, path);
      }
      await new Promise((resume) => setTimeout(resume, 1 + Math.random() * busyPauseMs));
    }
  }

  return {
    execute,
    executeWhenFree,
    runScript(text: string) {
      try {
        database.exec(text);
      } catch (thrown) {
        throw databaseFailure(thrown, path);
      }
    },
    /** Asking a closed libsql database whether it is in a transaction ends the process, so that is not asked. */
    rollback() {
      if (open && database.inTransaction) execute({ sql: 'rollback', parameters: [] });
    },
    close() {
      if (!open) return;
      open = false;
      prepared.clear();
      database.close();
    },
  };
}

type Connection = ReturnType<typeof createConnection>;

function createDriver(connection: Connection, mutex: ReturnType<typeof createMutex>): Driver {
  const releases = new Map<DatabaseConnection, () => void>();
  const run = (sql: string) => connection.executeWhenFree({ sql, parameters: [] });
  return {
    async init() {},
    async acquireConnection() {
      const release = await mutex.lock();
      const lease: DatabaseConnection = {
        async executeQuery<R>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
          const { rows, changes } = await connection.executeWhenFree({ sql, parameters });
          return { rows: rows as R[], numAffectedRows: BigInt(changes) } satisfies QueryResult<R>;
        },
        streamQuery() {
          throw new HelveError('internal', 'The store does not stream');
        },
      };
      releases.set(lease, release);
      return lease;
    },
    async beginTransaction(_lease, settings: TransactionSettings) {
      await run(settings.accessMode === 'read only' ? 'begin' : 'begin immediate');
    },
    async commitTransaction() {
      await run('commit');
    },
    async rollbackTransaction() {
      connection.rollback();
    },
    async releaseConnection(lease) {
      releases.get(lease)?.();
      releases.delete(lease);
    },
    async destroy() {
      connection.close();
    },
  };
}

function createDialect(connection: Connection, mutex: ReturnType<typeof createMutex>): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(connection, mutex),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

async function connect(path: string): Promise<Connection> {
  try {
    const { default: Database } = await import('libsql');
    const connection = createConnection(new Database(path), path);
    for (const pragma of ['journal_mode = wal', 'synchronous = full', 'foreign_keys = on', 'busy_timeout = 0']) {
      await connection.executeWhenFree({ sql: `pragma ${pragma}`, parameters: [] });
    }
    return connection;
  } catch (thrown) {
    throw databaseFailure(thrown, path);
  }
}

export async function openSqlite(location: string, now: () => Date): Promise<Engine> {
  const path = prepareFile(location);
  const connection = await connect(path);
  const mutex = createMutex();

  async function run<T>(steps: () => Steps<T>): Promise<T> {
    const release = await mutex.lock();
    try {
      await connection.executeWhenFree({ sql: 'begin immediate', parameters: [] });
      const result = driveNow(steps(), connection.execute);
      connection.execute({ sql: 'commit', parameters: [] });
      return result;
    } catch (thrown) {
      connection.rollback();
      throw databaseFailure(thrown, path);
    } finally {
      release();
    }
  }

  return {
    kind: 'sqlite',
    db: new Kysely<Schema>({ dialect: createDialect(connection, mutex) }),
    place: path,
    run,
    runScript: connection.runScript,
    now: async () => now(),
    pool: () => undefined,
    async close() {
      const release = await mutex.lock();
      connection.close();
      release();
    },
  };
}
