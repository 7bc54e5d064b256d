/** Moves a store to another database. */
import { HelveError } from '../../../domain/errors.js';
import { moveAway, type StoreSnapshot } from '../../../storage/index.js';
import { checkItems } from './check-items.js';
import { type CopyEvents, type FilledStore, fillFromItems, readHead, refuseBroken } from './fill-from-items.js';
import type { CopyHead, CopyItem } from './items.js';
import { describeSnapshot, type ReadStoreOptions, storeItems } from './read-store.js';

interface MoveOptions extends ReadStoreOptions {
  /** The path of an SQLite file, or a `postgres://` URL; so is `to`. */
  readonly from: string;
  readonly to: string;
  /** Move although the chain of the record is broken. */
  readonly brokenRecord?: boolean | undefined;
  /** Added to the record of the new store. */
  readonly events?: CopyEvents | undefined;
}

/**
 * Nobody can write to the old store meanwhile. The new one is complete and read back, or nothing has changed; the old one keeps its
 * rows, says where they went, and is not opened any more. Throws `conflict` while a process serves the old store, if the new
 * one is not empty, or if the record is broken; else as `backup` and `restore`.
 */
export async function move({ from, to, brokenRecord, events, ...options }: MoveOptions): Promise<FilledStore> {
  if (from === to)
    throw new HelveError('invalid_input', 'The store is there already', { hint: 'Name another one with --to.' });
  return moveAway(from, async (snapshot) => {
    const items = checkItems(moveItems(snapshot, await describeSnapshot(snapshot), options));
    return fillFromItems(await readHead(items), items, {
      location: to,
      events,
      beforeCommit: async (facts) => refuseBroken(facts, brokenRecord),
      onCopied: options.onCopied,
      signal: options.signal,
    });
  });
}

async function* moveItems(
  snapshot: StoreSnapshot,
  head: CopyHead,
  options: ReadStoreOptions,
): AsyncGenerator<CopyItem> {
  yield { kind: 'head', head };
  yield* storeItems(snapshot, head, options);
  const rows = Object.values(head.rows).reduce((sum, count) => sum + count, 0);
  yield { kind: 'end', tables: snapshot.tables.length, rows, files: 0 };
}
