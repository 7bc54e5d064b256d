/**
 * Asks PostgreSQL, with one connection per call. PostgreSQL itself keeps a call read-only: it gets a READ ONLY
 * transaction, and a cursor, which accepts only a query (no COPY, SET or COMMIT). The extended protocol refuses a
 * second statement.
 */
import type { Duplex } from 'node:stream';
import type { Client as PgClient, QueryResult } from 'pg';
import { HelveError, toHelveError } from '../../domain/errors.js';
import { parseExactJson } from '../../util/json-text.js';
import { type Answer, type Cell, createCollector, type Question, type Reach } from './answer.js';
import { getEndpoint, type Target } from './settings.js';

/** The first fetch is small, because it shows how long the rows are. */
const firstRows = 20;
const rowsPerFetch = 200;
/** The maximum that is received for one answer: rows are held in memory until a limit of the answer is reached. */
const maxReceivedBytes = 128 * 1_048_576;
/** Type numbers of PostgreSQL. Values of all other types are returned as the text that PostgreSQL writes. */
const types = {
  boolean: 16,
  bytea: 17,
  smallint: 21,
  integer: 23,
  bigint: 20,
  real: 700,
  double: 701,
  json: 114,
  jsonb: 3802,
};

export async function askPostgres(target: Target, question: Question, { connector, signal }: Reach): Promise<Answer> {
  const endpoint = getEndpoint(target.url);
  const socket = await connector.connect(endpoint);
  const stop = (): void => void socket.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const client = await signIn(target, socket, question.timeoutMs);
    limitReceived(client, target);
    try {
      return await inTransaction(client, target, question);
    } finally {
      // There is an answer or a failure by now, so do not wait until the connection has ended properly.
      client.end().catch(() => undefined);
    }
  } catch (thrown) {
    if (signal.aborted) throw toHelveError(signal.reason, 'cancelled');
    throw failure(target, thrown);
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}

async function signIn(target: Target, socket: Duplex, timeoutMs: number): Promise<PgClient> {
  const { default: pg } = await import('pg');
  const url = new URL(target.url);
  const mode = url.searchParams.get('sslmode') ?? 'disable';
  // In libpq, `require` does not verify the server's certificate; here it does.
  const ssl = /^(?:require|verify-ca|verify-full)$/.test(mode)
    ? { servername: url.hostname, rejectUnauthorized: true }
    : false;
  const client = new pg.Client({
    host: url.hostname,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)) || decodeURIComponent(url.username),
    ssl,
    stream: () => connectedAlready(socket) as never,
    connectionTimeoutMillis: Math.min(timeoutMs, 15_000),
    application_name: 'helve',
    types: { getTypeParser: (type: number) => (text: string) => toJson(type, text) } as never,
  });
  // An error after the end of the call concerns nobody.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** `pg` wants to connect its socket itself; this one is connected already, by the egress wall. */
function connectedAlready(socket: Duplex): Duplex {
  return Object.assign(socket, {
    connect: () => {
      process.nextTick(() => socket.emit('connect'));
      return socket;
    },
  });
}

/**
 * A value of PostgreSQL can have a gigabyte, and PostgreSQL has no limit for a row or an answer. At the limit, the
 * transaction is rolled back.
 */
function limitReceived(client: PgClient, { name }: Target): void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  let received = 0;
  stream.on('data', (chunk: Uint8Array) => {
    received += chunk.length;
    if (received <= maxReceivedBytes) return;
    const problem = `${name}: the rows have more than ${maxReceivedBytes / 1_048_576} MB; nothing was changed`;
    stream.destroy(
      new HelveError('too_large', problem, { hint: 'Ask for fewer rows or columns, or for parts of long values.' }),
    );
  });
}

async function inTransaction(client: PgClient, target: Target, question: Question): Promise<Answer> {
  if (!target.superuser) await refuseSuperuser(client, target);
  await client.query(target.writes ? 'begin' : 'begin read only');
  await client.query(`set local statement_timeout = ${Math.ceil(question.timeoutMs)}`);
  await client.query(`set local lock_timeout = ${Math.ceil(Math.min(question.timeoutMs, 5_000))}`);
  if (/^\s*(?:explain|show)\b/i.test(question.sql)) return collect(await one(client, question), question);
  if (!target.writes) return throughCursor(client, question);
  const answer = collect(await one(client, question), question);
  await commit(client, target);
  return answer;
}

/** If the server refused, it has rolled back; if it did not answer, the change may have been committed. */
async function commit(client: PgClient, { name }: Target): Promise<void> {
  try {
    await client.query('commit');
  } catch (thrown) {
    if (isRefusal(thrown)) throw thrown;
    throw new HelveError('outcome_unknown', `The connection to the database ${name} was lost during the commit`, {
      hint: 'The change may have been made. Check the rows before you repeat it.',
      cause: thrown,
    });
  }
}

/**
 * Classes 08, 28, 3D, 53, 57, 58 concern the connection, the password or the machine. All others concern the statement.
 */
function isRefusal(thrown: unknown): boolean {
  const { code = '' } = thrown as { code?: string };
  return /^[0-9A-Z]{5}$/.test(code) && !/^(?:08|28|3D|53|57|58)/.test(code);
}

/**
 * Roles that, like superusers, can read and write files or start programs on the database's machine. A member can take
 * on the role, and before version 16 anyone who may create roles could also grant them.
 */
const mighty = `
  select r.rolname as role from pg_roles r
  where (r.rolsuper or r.rolname in ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')
      or (r.rolcreaterole and current_setting('server_version_num')::int < 160000))
    and (pg_has_role(current_user, r.oid, 'member') or pg_has_role(session_user, r.oid, 'member'))
  order by r.rolsuper desc, r.rolname limit 1`;

async function refuseSuperuser(client: PgClient, { name }: Target): Promise<void> {
  const { rows } = await client.query(mighty);
  if (rows.length === 0) return;
  throw new HelveError(
    'invalid_config',
    `The database ${name} is opened as a superuser or a member of ${rows[0]?.role}, who can reach files of its machine`,
    {
      hint: `Tell the operator to use a role with fewer rights, or to set toolkits.database.connections.${name}.superuser: true.`,
    },
  );
}

async function throughCursor(client: PgClient, question: Question): Promise<Answer> {
  // People often end a statement with a semicolon. One inside starts a second statement, which the protocol refuses.
  const sql = question.sql.trim().replace(/;\s*$/, '');
  await one(client, { ...question, sql: `declare answer no scroll cursor for ${sql}` });
  const collector = createCollector(question);
  let columns: string[] = [];
  for (;;) {
    const most = collector.rows.length === 0 ? firstRows : rowsPerFetch;
    const left = Math.min(most, question.maxRows + 1 - collector.rows.length);
    const part = await one(client, { sql: `fetch ${left} from answer`, parameters: [] });
    columns = part.fields.map(({ name }) => name);
    if (!part.rows.every((row) => collector.take(row)) || part.rows.length < left) break;
  }
  return { columns, rows: collector.rows, truncated: collector.truncated };
}

/** Uses the extended protocol even without parameters, because it accepts only one statement. */
function one(client: PgClient, { sql, parameters }: Pick<Question, 'sql' | 'parameters'>): Promise<QueryResult> {
  return client.query({ text: sql, values: [...parameters], rowMode: 'array', queryMode: 'extended' } as never);
}

function collect(result: QueryResult, question: Question): Answer {
  const collector = createCollector(question);
  (result.rows as unknown as Cell[][]).every((row) => collector.take(row));
  const columns = result.fields.map(({ name }) => name);
  const changed = columns.length === 0 && result.rowCount !== null ? { changed: result.rowCount } : {};
  return { columns, rows: collector.rows, truncated: collector.truncated, ...changed };
}

function toJson(type: number, text: string): Cell {
  if (type === types.boolean) return text === 't';
  if (type === types.json || type === types.jsonb) return parseExactJson(text) as Cell;
  if (type === types.bytea) return Buffer.from(text.slice(2), 'hex').toString('base64');
  const isNumber = [types.smallint, types.integer, types.bigint, types.real, types.double].includes(type);
  const value = Number(text);
  // Numbers that a JavaScript number cannot hold exactly stay text.
  const exact = Number.isFinite(value) && (type !== types.bigint || Number.isSafeInteger(value));
  return isNumber && exact ? value : text;
}

function failure({ name }: Target, thrown: unknown): unknown {
  if (thrown instanceof HelveError) return thrown;
  const { code, message = String(thrown), position, hint } = thrown as Record<string, string | undefined>;
  if (code === '57014' || code === '55P03')
    return new HelveError('timeout', `${name}: ${message}`, { hint: 'Ask for less.' });
  // Serialization failures and deadlocks: PostgreSQL has rolled back.
  if (code === '40001' || code === '40P01') {
    const said = `${name}: ${message}; nothing was changed`;
    return new HelveError('conflict', said, { hint: 'Another transaction was in the way. Make the same call again.' });
  }
  if (code === '25006' || /cannot be opened as a cursor|DECLARE CURSOR/.test(message) || code === '42P11') {
    return new HelveError('forbidden', `${name}: ${message}`, {
      hint: 'This database is read-only here: send one SELECT.',
    });
  }
  if (!isRefusal(thrown)) return new HelveError('upstream_failed', `The database ${name}: ${message}`);
  const at = position === undefined ? '' : ` (at character ${position})`;
  return new HelveError('invalid_input', `${name}: ${message}${at}`, {
    hint: hint ?? 'Correct the statement; describe_database shows the tables.',
  });
}
