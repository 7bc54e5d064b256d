/** The messages that the operator reads when a database fails. */
import { expect, test } from 'vitest';
import { databaseFailure } from './failures.js';

const failed = (code: string): Error => Object.assign(new Error('parameters: secret-word'), { code });

test.each([
  ['25006', /is read-only: it is a standby/],
  ['53100', /is full: make room on the disk of the server/],
  ['53200', /is out of memory/],
  ['53300', /has no connection left: raise its max_connections.*HELVE_DATABASE_POOL_SIZE/],
  ['57P03', /is starting up/],
  ['ECONNRESET', /ended the connection/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /does not trust: name its authority with sslrootcert/],
  ['SQLITE_FULL', /is full: make room on the disk/],
  ['SQLITE_READONLY', /cannot be written: check the owner and mode/],
  ['SQLITE_READONLY_DBMOVED', /cannot be written/],
  ['SQLITE_IOERR_WRITE', /failed to read or write its disk/],
])('R-audit: %s has a readable message with the code and no parameters', (code, words) => {
  const failure = databaseFailure(failed(code), 'postgres://db/helve');
  expect(failure.code).toBe('storage_failed');
  expect(failure.message).toMatch(words);
  expect(failure.message).toContain('The store at postgres://db/helve');
  expect(failure.message.endsWith(`(${code})`)).toBe(true);
  expect(failure.message).not.toContain('secret-word');
});

test.each([
  ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', /asks for a password: give it in PGPASSWORD/],
  ['The server does not support SSL connections', /has no TLS, which sslmode/],
  ['Connection terminated due to connection timeout', /did not answer in time/],
  ['Connection terminated unexpectedly', /ended the connection/],
])('R-operate: an error of the driver without a code has a reason: %s', (text, words) => {
  expect(databaseFailure(new Error(text), 'p').message).toMatch(words);
});

test('R-audit: a pool without a free connection says how to get more', () => {
  const thrown = new Error('timeout exceeded when trying to connect');
  expect(databaseFailure(thrown, 'p').message).toMatch(/gave no connection in time.*HELVE_DATABASE_POOL_SIZE/);
});
