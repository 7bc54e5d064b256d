/** The files of one SQLite database, by the path of the first: what is in its journals becomes its content. */
export function sqliteFiles(path: string): string[] {
  if (path === '' || path === ':memory:') return [];
  return ['', '-wal', '-shm', '-journal'].map((end) => `${path}${end}`);
}
