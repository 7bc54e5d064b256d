/**
 * The files of one SQLite database, given the path of the main one. The content of its journals becomes part of the
 * database.
 */
export function sqliteFiles(path: string): string[] {
  if (path === '' || path === ':memory:') return [];
  return ['', '-wal', '-shm', '-journal'].map((end) => `${path}${end}`);
}
