/**
 * PostgreSQL through pg's pool and Kysely's own dialect. The pool is wrapped thinly: text that
 * PostgreSQL cannot hold is escaped, and errors become `HelveError`s that never show the password.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { HelveError } from '../domain/errors.js';
import { preparedStatements } from './append-at-once.js';
import { escapeText, unescapeRow } from './codec.js';
import { repeatDeadlocked } from './deadlocks.js';
import { drive, type Engine } from './engine.js';
import { databaseFailure, errorCode } from './failures.js';
import type { Schema } from './schema.js';

const int8 = 20;
const serverIsFull = '53300';
const connectTimeoutMs = 10_000;
const statementTimeoutMs = 30_000;
const defaultPoolSize = 10;
/** A transaction may need a second connection in addition to its own. */
const minPoolSize = 2;
/** How long to retry when the server has no connection left. */
const fullPatienceMs = 15_000;
const fullPauseMs = 250;

/** Throws `invalid_config` for a pool that is too small, and for an invalid address. */
export async function openPostgres(url: string, schema: string, poolSize = defaultPoolSize): Promise<Engine> {
  const place = displayName(url);
  if (!Number.isInteger(poolSize) || poolSize < minPoolSize)
    throw new HelveError(
      'invalid_config',
      `A pool of ${poolSize} connections is too small: use ${minPoolSize} or more`,
    );
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // A client that vanished inside a transaction must not hold a workspace's lock forever.
    idle_in_transaction_session_timeout: 2 * statementTimeoutMs,
    options: `-c search_path=${schema}`,
    application_name: 'helve',
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
    },
  });
  // Idle clients report a lost server here; the next query reports it to its caller.
  pool.on('error', () => {});
  // A client may report the end of its server before anybody listens, which must not end this process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: wrapPool(pool, place) }) });
  const open = { now: true };
  return {
    kind: 'postgres',
    db,
    place,
    run: (steps) => repeatDeadlocked(() => db.transaction().execute((transaction) => drive(transaction, steps()))),
    async now() {
      const milliseconds = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`.as('now');
      const { now } = await db.selectNoFrom(milliseconds).executeTakeFirstOrThrow();
      return new Date(now);
    },
    pool: () => ({ max: poolSize, open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      if (!open.now) return;
      open.now = false;
      await pool.end();
    },
  };
}

/** Host, port and database: enough for a person to recognise it, without user or password. */
function displayName(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `postgres://${hostname}${port === '' ? '' : `:${port}`}${pathname}`;
  } catch {
    // The parser's own error would quote the URL with its password.
    throw new HelveError('invalid_config', 'The store location is not a valid postgres:// URL');
  }
}

function wrapPool(pool: Pool, place: string): PostgresPool {
  // Kysely keeps one connection object per client, so a client keeps one wrapper.
  const wrappers = new WeakMap<PoolClient, PostgresPoolClient>();
  return {
    async connect() {
      const client = await connectWhenFree(pool, place);
      const wrapper = wrappers.get(client) ?? wrapClient(client, place);
      wrappers.set(client, wrapper);
      return wrapper;
    },
    end: () => pool.end(),
  };
}

/** Retries for a while when other programs use every connection of the server. */
async function connectWhenFree(pool: Pool, place: string): Promise<PoolClient> {
  const deadline = performance.now() + fullPatienceMs;
  for (;;) {
    try {
      return await pool.connect();
    } catch (thrown) {
      const isFull = errorCode(thrown) === serverIsFull;
      if (!isFull || performance.now() > deadline) throw databaseFailure(thrown, place);
    }
    await delay(fullPauseMs * (0.5 + Math.random()));
  }
}

function wrapClient(client: PoolClient, place: string): PostgresPoolClient {
  let broken = false;
  let isInTransaction = false;
  client.on('error', () => {
    broken = true;
  });
  function query(text: string, parameters: readonly unknown[]) {
    if (/^(?:begin|start transaction)/.test(text)) isInTransaction = true;
    if (text === 'commit' || text === 'rollback') isInTransaction = false;
    // If the server ends a statement inside a transaction, the whole transaction ends and must be repeated
    // (`locked.ts`).
    return isInTransaction ? queryOnce(text, parameters) : repeatDeadlocked(() => queryOnce(text, parameters));
  }
  async function queryOnce(text: string, parameters: readonly unknown[]) {
    try {
      const values = parameters.map((value) => (typeof value === 'string' ? escapeText(value) : value));
      const name = preparedStatements.get(text);
      const result = await client.query<Record<string, unknown>>({ text, values, name });
      for (const row of result.rows) unescapeRow(row);
      return result;
    } catch (thrown) {
      // The server sends its farewell message before its socket closes: until then the pool would reuse this client.
      if (!isAnswer(thrown)) broken = true;
      throw databaseFailure(thrown, place);
    }
  }
  return { query, release: () => client.release(broken) } as unknown as PostgresPoolClient;
}

/**
 * Whether the server refused one statement and the session continues. Judged by the code, because the server translates
 * its severities: connection lost (08), farewell of the server or of a timeout (57P, 25P03, 25P04).
 */
function isAnswer(thrown: unknown): boolean {
  const fromServer = typeof thrown === 'object' && thrown !== null && 'severity' in thrown;
  return fromServer && !/^(08|57P|25P0[34])/.test(errorCode(thrown));
}
