/** A worker that runs any statement, for the tests of what the process alone keeps an attack from. */
import Database from 'libsql';

export function runUnchecked({ path, sql }: { readonly path: string; readonly sql: string }): unknown {
  const database = new Database(path);
  try {
    const statement = database.prepare(sql);
    return statement.reader ? statement.raw(true).all() : statement.run([]);
  } catch (error) {
    return String(error);
  } finally {
    database.close();
  }
}
