/**
 * The databases' errors as `HelveError`. Messages name the kind of failure and the database's own code,
 * never a statement's parameters; the original stays as the cause.
 */
import { HelveError } from '../domain/errors.js';

const conflictCodes = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505']);
const missingCodes = new Set(['SQLITE_CONSTRAINT_FOREIGNKEY', '23503']);
const busyCodes = /^SQLITE_(BUSY|LOCKED)/;

export function errorCode(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return '';
  return typeof thrown.code === 'string' ? thrown.code : '';
}

export function isBusy(thrown: unknown): boolean {
  return busyCodes.test(errorCode(thrown)) || (thrown instanceof Error && /database is locked/.test(thrown.message));
}

export function databaseFailure(thrown: unknown, place: string): HelveError {
  if (thrown instanceof HelveError) return thrown;
  const code = errorCode(thrown);
  if (conflictCodes.has(code)) return new HelveError('conflict', 'This already exists', { cause: thrown });
  if (missingCodes.has(code)) {
    return new HelveError('not_found', 'The parent of this row does not exist', { cause: thrown });
  }
  const reason = (code === '' ? describeText(thrown) : undefined) ?? describe(code);
  return new HelveError('storage_failed', `The store at ${place} ${reason}`, { cause: thrown });
}

/** No other rule of the tables is ever violated: see `copy/moved.ts`. */
const movedAway = 'was moved elsewhere: start Helve again to read where';

const unknownAuthority =
  'has a certificate that this machine does not trust: name its authority with sslrootcert in the URL';
const noAnswer = 'did not answer in time: check that its host, port and firewall let this machine in';
const ended = 'ended the connection';

/** Errors of the driver itself, which have no code. */
const texts: readonly (readonly [RegExp, string])[] = [
  [
    /^timeout exceeded when trying to connect/,
    'gave no connection in time: all connections of this process are in use, or the server does not answer (HELVE_DATABASE_POOL_SIZE sets how many there are)',
  ],
  [/^(Connection terminated due to connection timeout|timeout expired)/, noAnswer],
  [/^Connection terminated/, ended],
  [/does not support SSL/, 'has no TLS, which sslmode in the URL asks for'],
  [/^SASL: .*client password must be/, 'asks for a password: give it in PGPASSWORD or ~/.pgpass'],
];

function describeText(thrown: unknown): string | undefined {
  const text = thrown instanceof Error ? thrown.message : '';
  return texts.find(([form]) => form.test(text))?.[1];
}

function describe(code: string): string {
  const known: Record<string, string> = {
    SQLITE_FULL: 'is full: make room on the disk',
    SQLITE_READONLY: 'cannot be written: check the owner and mode of the file and its folder',
    SQLITE_CANTOPEN: 'cannot be opened: check the owner and mode of the file and its folder',
    SQLITE_NOTADB: 'is not a database file: move it away or restore it from a backup',
    SQLITE_CORRUPT: 'is damaged: restore it from a backup',
    SQLITE_IOERR: 'failed to read or write its disk',
    ECONNREFUSED: 'refused the connection: is the server running there?',
    ENOTFOUND: 'cannot be found: check the host name',
    EAI_AGAIN: 'cannot be found: name resolution does not work now',
    ETIMEDOUT: noAnswer,
    EHOSTUNREACH: 'cannot be reached: check the network',
    ENETUNREACH: 'cannot be reached: check the network',
    ECONNRESET: ended,
    CERT_HAS_EXPIRED: 'has a certificate that has expired',
    ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another host name',
    DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
    SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
    '28P01': 'refused the user name or password',
    '28000': 'refused the user',
    '3D000': 'has no database of that name: create it first',
    '42501': 'does not allow this user to do that: grant it CREATE on the database, or create the schema for it',
    '25006':
      'is read-only: it is a standby, or it has been set so (default_transaction_read_only); name the server that is written to',
    '53100': 'is full: make room on the disk of the server',
    '53200': 'is out of memory',
    '53300':
      'has no connection left: raise its max_connections, or let fewer programs connect (HELVE_DATABASE_POOL_SIZE)',
    '55P03': 'is locked by another process that works on it: stop that one, or wait',
    '23514': movedAway,
    SQLITE_CONSTRAINT_TRIGGER: movedAway,
    '57014': 'took too long over a statement and stopped it',
    '57P01': 'is shutting down',
    '57P03': 'is starting up, or recovering',
  };
  const base = code.startsWith('SQLITE_') ? code.split('_', 2).join('_') : code;
  const reason = known[code] ?? known[base] ?? 'failed';
  return code === '' ? reason : `${reason} (${code})`;
}
