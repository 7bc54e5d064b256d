/** The store's part of a copy. */
import { HelveError } from '../../../domain/errors.js';
import { createTableSum, encodeRow, type StoreSnapshot } from '../../../storage/index.js';
import { getKeyId } from '../../../vault/index.js';
import { type CopyHead, type CopyItem, copyFormat, type OnCopied } from './items.js';

const rowsPerStep = 1_000;

export interface ReadStoreOptions {
  readonly onCopied?: OnCopied | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Describes what a snapshot will yield. */
export async function describeSnapshot(snapshot: StoreSnapshot): Promise<CopyHead> {
  const rows: Record<string, number> = {};
  for (const table of snapshot.tables) rows[table.name] = await snapshot.count(table);
  const { schema, counters, kind: from } = snapshot;
  return {
    format: copyFormat,
    schema,
    at: new Date().toISOString(),
    from,
    counters,
    rows,
    keys: await listKeys(snapshot),
  };
}

/** Every sealed text names its key. */
async function listKeys(snapshot: StoreSnapshot): Promise<string[]> {
  const ids = new Set<string>();
  for (const table of snapshot.tables) {
    const place = table.columns.indexOf('sealed');
    if (place < 0) continue;
    for await (const row of snapshot.rows(table)) {
      const id = getKeyId(String(row[place] ?? ''));
      if (id !== undefined) ids.add(id);
    }
  }
  return [...ids].sort();
}

/** Yields every table. Throws `storage_failed` if the rows are not as many as the database counted. */
export async function* storeItems(
  snapshot: StoreSnapshot,
  head: CopyHead,
  { onCopied, signal }: ReadStoreOptions,
): AsyncGenerator<CopyItem> {
  const total = Object.values(head.rows).reduce((sum, count) => sum + count, 0);
  let done = 0;
  for (const table of snapshot.tables) {
    yield { kind: 'table', name: table.name, columns: table.columns };
    const summed = createTableSum();
    for await (const row of snapshot.rows(table)) {
      summed.add(encodeRow(row));
      yield { kind: 'row', row };
      done += 1;
      if (done % rowsPerStep !== 0) continue;
      signal?.throwIfAborted();
      onCopied?.(done, total, table.name);
    }
    const sum = summed.sum();
    if (sum.rows !== head.rows[table.name])
      throw new HelveError(
        'storage_failed',
        `The table ${table.name} has ${head.rows[table.name]} rows, but ${sum.rows} were read`,
      );
    yield { kind: 'tableEnd', name: table.name, sum };
  }
  onCopied?.(done, total, 'rows');
}
