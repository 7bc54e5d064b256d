/** Reads whole tables page by page along their primary key, and tells whether two tables hold the same rows. */
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { decodeBytes } from '../codec.js';
import type { Schema } from '../schema.js';
import type { TableLayout } from './layout.js';

/** A value of a column. Both databases hold the same four kinds. */
export type CopyValue = string | number | null | Uint8Array;
/** In the order of the table's columns. */
export type CopyRow = readonly CopyValue[];

const pageRows = 100;

/** Yields the rows in the order of the primary key. */
export async function* readRows(db: Kysely<Schema>, { name, columns, key }: TableLayout): AsyncGenerator<CopyRow> {
  const selected = sql.join(columns.map((column) => sql.ref(column)));
  const order = sql.join(key.map((column) => sql.ref(column)));
  const places = key.map((column) => columns.indexOf(column));
  let last: CopyRow | undefined;
  for (;;) {
    const after = last && sql`where (${order}) > (${sql.join(places.map((place) => last?.[place]))})`;
    const page = await sql<Record<string, CopyValue | ArrayBuffer>>`select ${selected} from ${sql.ref(name)}
      ${after ?? sql``} order by ${order} limit ${sql.lit(pageRows)}`.execute(db);
    for (const row of page.rows) {
      last = columns.map((column) => asValue(row[column]));
      yield last;
    }
    if (page.rows.length < pageRows) return;
  }
}

/** The number of rows that the database itself counts. */
export async function countRows(db: Kysely<Schema>, { name }: TableLayout): Promise<number> {
  const { rows } = await sql<{ count: number | string }>`select count(*) as count from ${sql.ref(name)}`.execute(db);
  return Number(rows[0]?.count);
}

function asValue(value: CopyValue | ArrayBuffer | undefined): CopyValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  return Buffer.from(decodeBytes(value));
}

/** The row as one line of JSON, the same from either database. */
export function encodeRow(row: CopyRow): string {
  return JSON.stringify(row.some(isBytes) ? row.map(encodeBytes) : row);
}

const isBytes = (value: CopyValue): value is Uint8Array => value instanceof Uint8Array;
const encodeBytes = (value: CopyValue) => (isBytes(value) ? { base64: Buffer.from(value).toString('base64') } : value);

/** The row of a line. Throws `SyntaxError` or `TypeError` for a line that `encodeRow` did not write. */
export function decodeRow(line: string): CopyRow {
  return (JSON.parse(line) as (CopyValue | { readonly base64: string })[]).map((value) => {
    if (typeof value !== 'object' || value === null) return value;
    return 'base64' in value ? Buffer.from(value.base64, 'base64') : value;
  });
}

export interface TableSum {
  readonly rows: number;
  /** The sum of the rows' SHA-256 hashes modulo 2²⁵⁶, in hexadecimal: it does not depend on the order of the rows. */
  readonly hash: string;
}

const modulus = 1n << 256n;

/** Sums up the rows of one table. Two tables with the same columns and the same rows have the same sum. */
export function createTableSum(): { add(line: string): void; sum(): TableSum } {
  let [rows, total] = [0, 0n];
  return {
    add(line) {
      rows += 1;
      total = (total + BigInt(`0x${createHash('sha256').update(line).digest('hex')}`)) % modulus;
    },
    sum: () => ({ rows, hash: total.toString(16).padStart(64, '0') }),
  };
}
