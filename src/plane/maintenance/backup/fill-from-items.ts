/** Puts the items of a copy into an empty store, and reads every table back. */
import { seal } from '../../../audit/index.js';
import type { AuditDraft } from '../../../domain/audit.js';
import { HelveError } from '../../../domain/errors.js';
import {
  type CopyRow,
  type EmptyStore,
  type FilledWorkspace,
  fillStore,
  type TableLayout,
  type TableSum,
} from '../../../storage/index.js';
import type { CopyFacts } from './check-items.js';
import type { CopyHead, CopyItem, FileItem, OnCopied } from './items.js';

const rowsAtOnce = 100;

/** Items after the head; they return what they were when all of them have been read. */
export type CheckedItems = AsyncGenerator<CopyItem, CopyFacts>;

/** What the record of a workspace says of a copy of the whole store. */
export type CopyEvents = (facts: CopyFacts, workspace: FilledWorkspace, now: Date) => readonly AuditDraft[];

export interface FillOptions {
  readonly location: string;
  /** Committed with everything else. */
  readonly events?: CopyEvents | undefined;
  readonly onFile?: (item: FileItem) => Promise<void>;
  /** After everything was read back, before it is committed. */
  readonly beforeCommit?: (facts: CopyFacts) => Promise<void>;
  readonly onCopied?: OnCopied | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface FilledStore extends CopyFacts {
  /** For people: a path, or an address without its password. */
  readonly place: string;
}

/** Throws `conflict` if the chain of the record is broken and nobody has said that this is known. */
export function refuseBroken({ brokenRecord }: CopyFacts, isKnown = false): void {
  if (brokenRecord === undefined || isKnown) return;
  throw new HelveError('conflict', `In this copy ${brokenRecord}`, {
    hint: 'Use another one, or take it as it is with --broken-record. Nothing has been changed.',
  });
}

/** Reads the head of a copy. Throws `invalid_input` if the first item is none. */
export async function readHead(items: CheckedItems): Promise<CopyHead> {
  const { value } = await items.next();
  if (value && 'kind' in value && value.kind === 'head') return value.head;
  throw new HelveError('invalid_input', 'The copy has no head');
}

/** All or nothing. Throws as `fillStore` and the items do, and `storage_failed` if a table reads back differently. */
export function fillFromItems(head: CopyHead, items: CheckedItems, options: FillOptions): Promise<FilledStore> {
  const filling = { location: options.location, schema: head.schema, counters: head.counters, seal };
  return fillStore(filling, async (store) => {
    const facts = await insertItems(store, { head, items, options });
    let read = 0;
    for (const [name, sum] of facts.tables) {
      options.signal?.throwIfAborted();
      options.onCopied?.(read, facts.tables.size, `reading back ${name}`);
      await compare(store, name, sum);
      read += 1;
    }
    await options.beforeCommit?.(facts);
    const { events } = options;
    return {
      result: { ...facts, place: store.place },
      events: events && ((workspace, now) => events(facts, workspace, now)),
    };
  });
}

interface Insertion {
  readonly head: CopyHead;
  readonly items: CheckedItems;
  readonly options: FillOptions;
}

async function insertItems(store: EmptyStore, { head, items, options }: Insertion): Promise<CopyFacts> {
  const total = Object.values(head.rows).reduce((sum, count) => sum + count, 0);
  let table: TableLayout | undefined;
  let rows: CopyRow[] = [];
  let done = 0;

  async function flush(): Promise<void> {
    if (!table || rows.length === 0) return;
    await store.insert(table, rows);
    done += rows.length;
    options.onCopied?.(done, total, table.name);
    rows = [];
  }

  for (;;) {
    const next = await items.next();
    if (next.done) return next.value;
    const item = next.value;
    if (item.kind === 'row') rows.push(item.row);
    else if (item.kind === 'table') table = getTable(store, item);
    else if (item.kind !== 'tableEnd' && item.kind !== 'head' && item.kind !== 'end') await options.onFile?.(item);
    if (rows.length >= rowsAtOnce || item.kind === 'tableEnd') await flush();
  }
}

function getTable(store: EmptyStore, { name, columns }: Pick<TableLayout, 'name' | 'columns'>): TableLayout {
  const table = store.tables.find((one) => one.name === name);
  if (table && table.columns.join() === columns.join()) return table;
  throw new HelveError(
    'invalid_input',
    `The copy has the table ${name} in a form that this version of Helve does not know`,
    {
      hint: 'Use the version of Helve that made it.',
    },
  );
}

async function compare(store: EmptyStore, name: string, expected: TableSum): Promise<void> {
  const table = store.tables.find((one) => one.name === name);
  const found = table && (await store.sum(table));
  if (found?.rows === expected.rows && found.hash === expected.hash) return;
  throw new HelveError('storage_failed', `The table ${name} reads back differently at ${store.place}`, {
    hint: 'Nothing has been changed. Check the disk, and try again.',
  });
}
