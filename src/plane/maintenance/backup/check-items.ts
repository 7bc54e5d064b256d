/** Passes the items of a copy on and checks them on the way: counts, hashes, and the chain of the record. */
import { createHash, type Hash } from 'node:crypto';
import { createTableSum, encodeRow, type TableSum } from '../../../storage/index.js';
import { type CopyHead, type CopyItem, copyFormat } from './items.js';
import { createRecordCheck } from './record-check.js';

interface OpenTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly sum: ReturnType<typeof createTableSum>;
}

export interface CopyFacts {
  readonly head: CopyHead;
  readonly tables: ReadonlyMap<string, TableSum>;
  readonly rows: number;
  readonly files: number;
  /** What is wrong with the chain of the record; undefined if it is unbroken. */
  readonly brokenRecord: string | undefined;
}

interface Checker {
  accept(item: CopyItem): void;
  facts(): CopyFacts;
}

/** Yields the items unchanged and returns what they were. Throws `Error` with the reason for a copy that is not whole. */
export async function* checkItems(items: AsyncIterable<CopyItem>): AsyncGenerator<CopyItem, CopyFacts> {
  const checker = createChecker();
  for await (const item of items) {
    checker.accept(item);
    yield item;
  }
  return checker.facts();
}

function createChecker(): Checker {
  const record = createRecordCheck();
  const tables = new Map<string, TableSum>();
  let head: CopyHead | undefined;
  let table: OpenTable | undefined;
  let file: { readonly hash: Hash; size: number } | undefined;
  let brokenRecord: string | undefined;
  let [rows, files, ended] = [0, 0, false];

  function endTable(name: string, sum: TableSum): void {
    const found = table?.sum.sum();
    if (table?.name !== name || found?.rows !== sum.rows || found.hash !== sum.hash || head?.rows[name] !== sum.rows)
      throw new Error(`the rows of ${name} are not the ones that were written`);
    tables.set(name, found);
    rows += found.rows;
    table = undefined;
  }

  function acceptRow({ row }: Extract<CopyItem, { kind: 'row' }>): void {
    if (!table || row.length !== table.columns.length) throw new Error('a row belongs to no table');
    table.sum.add(encodeRow(row));
    brokenRecord ??= record.accept(table.name, table.columns, row);
  }

  function acceptFile(item: CopyItem): void {
    if (item.kind === 'file') file = { hash: createHash('sha256'), size: 0 };
    else if (item.kind === 'bytes' && file) {
      file.hash.update(item.bytes);
      file.size += item.bytes.length;
    } else if (item.kind === 'fileEnd' && file) {
      if (file.size !== item.size || file.hash.digest('hex') !== item.hash)
        throw new Error('a file is not the one that was written');
      files += 1;
      file = undefined;
    } else if (item.kind !== 'folder' && item.kind !== 'link') throw new Error('bytes belong to no file');
  }

  function acceptEnd(item: Extract<CopyItem, { kind: 'end' }>): void {
    brokenRecord ??= record.end();
    const missing = Object.keys(head?.rows ?? {}).find((name) => !tables.has(name));
    if (missing !== undefined) throw new Error(`the table ${missing} is missing`);
    if (item.tables !== tables.size || item.rows !== rows || item.files !== files) throw new Error('a part is missing');
    ended = true;
  }

  return {
    accept(item) {
      if (ended) throw new Error('something follows its end');
      if (item.kind === 'head') {
        if (head || item.head.format !== copyFormat)
          throw new Error(`its format ${item.head.format} is not known to this version of Helve`);
        head = item.head;
        return;
      }
      if (!head) throw new Error('it is not a backup of Helve');
      if (item.kind === 'row') acceptRow(item);
      else if (item.kind === 'table') table = { ...item, sum: createTableSum() };
      else if (item.kind === 'tableEnd') endTable(item.name, item.sum);
      else if (item.kind === 'end') acceptEnd(item);
      else acceptFile(item);
    },
    facts() {
      if (!head || !ended) throw new Error('its end is missing');
      return { head, tables, rows, files, brokenRecord };
    },
  };
}
