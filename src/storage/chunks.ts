/** Rows in one statement: PostgreSQL allows at most 65,535 parameters, SQLite 32,766. */
const rowsPerStatement = 1_000;

/** Yields the items in order, at most `size` of them at a time. */
export function* chunks<Item>(items: readonly Item[], size = rowsPerStatement): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
