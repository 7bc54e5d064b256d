/**
 * The file of an SQLite store: it and its folder are created for the owner only, and problems are reported here with
 * messages that name the path.
 */
import { closeSync, constants, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { HelveError } from '../domain/errors.js';
import { makeFolder } from '../util/make-folder.js';
import { errorCode } from './failures.js';

/** Returns the absolute path: libsql takes names such as `http://…` for remote databases. */
export function prepareFile(location: string): string {
  if (location === ':memory:') return location;
  const path = resolve(location);
  try {
    makeFolder(dirname(path));
    closeSync(openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600));
  } catch (thrown) {
    throw new HelveError('storage_failed', `The store ${path} cannot be opened for writing: ${advice(thrown)}`, {
      cause: thrown,
    });
  }
  return path;
}

function advice(thrown: unknown): string {
  const code = errorCode(thrown);
  if (code === 'EISDIR') return 'it is a folder; name a file';
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'part of its path is a file, not a folder';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied; check the owner and mode of its folder';
  if (code === 'EROFS') return 'the disk is read-only; choose another path';
  if (code === 'ENOSPC') return 'the disk is full';
  return `the system says ${code || 'no'}; choose another path`;
}
