/** A lock of one process on a folder, which the system gives up when the process ends, however it ends. */
import { join } from 'node:path';
import Database from 'libsql';

/** Returns what gives the lock up; undefined while another process has it. */
export function takeLock(folder: string): (() => void) | undefined {
  const database = new Database(join(folder, 'lock.db'));
  try {
    database.exec('pragma busy_timeout = 0');
    database.exec('begin exclusive');
    return () => void database.close();
  } catch (thrown) {
    database.close();
    if ((thrown as { readonly code?: unknown }).code === 'SQLITE_BUSY') return undefined;
    throw thrown;
  }
}
