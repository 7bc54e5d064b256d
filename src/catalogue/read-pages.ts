/**
 * Reads a source's pages, however careless the source: pages may repeat in a cycle, be empty in the middle, count
 * wrongly, and move while they are read. Reading always ends.
 */
import type { LeftOutRow, SourcePage, UnusableRow } from '../domain/catalogue.js';
import { HelveError } from '../domain/errors.js';

/** This many consecutive pages without a new row count as a cycle. */
const maxFruitlessPages = 20;
/** More than any source has. */
const maxRows = 500_000;
/** No more are named; a synchronisation that leaves out many more fails. */
const maxNamed = 200;

export interface PageGuard {
  /** Throws `upstream_failed` if continuing to `page.next` would lead nowhere new. */
  check(page: SourcePage<{ readonly slug: string }>): void;
}

/** `what`: `apps`, for the error message. Remembers the pages of one listing. */
export function createPageGuard(what: string): PageGuard {
  const cursors = new Set<string>();
  const slugs = new Set<string>();
  let fruitless = 0;
  return {
    check({ rows, next }) {
      if (next === undefined) return;
      const before = slugs.size;
      for (const { slug } of rows) slugs.add(slug);
      fruitless = slugs.size > before ? 0 : fruitless + 1;
      if (!cursors.has(next) && fruitless < maxFruitlessPages && slugs.size <= maxRows) {
        cursors.add(next);
        return;
      }
      throw new HelveError('upstream_failed', `The source's pages of ${what} do not end`, {
        hint: 'Nothing was removed here. Synchronise again; if that fails too, the source must be repaired.',
      });
    },
  };
}

/** Whether rows may have moved between pages: then the listing is read once more. */
export function mayHaveMoved(rows: number, firstTotal: number | undefined, total: number | undefined): boolean {
  return total !== undefined && (rows < total || (firstTotal !== undefined && firstTotal !== total));
}

export interface WholeListing<Row> {
  readonly rows: readonly Row[];
  readonly leftOut: readonly UnusableRow[];
  /** Requests. */
  readonly calls: number;
}

/**
 * Returns all pages of a listing. Reads all of them once more if rows may have moved meanwhile, or if `isCertain` says
 * that the result is not enough. Returns each row once, as it was read last.
 */
export async function readWhole<Row extends { readonly slug: string }>(
  what: string,
  read: (cursor: string | undefined) => Promise<SourcePage<Row>>,
  isCertain: (listing: WholeListing<Row>) => Promise<boolean> = async () => true,
): Promise<WholeListing<Row>> {
  const first = await readOnce(what, read);
  if (!first.hasMoved && (first.calls === 1 || (await isCertain(first)))) return first;
  const second = await readOnce(what, read);
  const rows = new Map([...first.rows, ...second.rows].map((row) => [row.slug, row]));
  return { rows: [...rows.values()], leftOut: second.leftOut, calls: first.calls + second.calls };
}

async function readOnce<Row extends { readonly slug: string }>(
  what: string,
  read: (cursor: string | undefined) => Promise<SourcePage<Row>>,
): Promise<WholeListing<Row> & { readonly hasMoved: boolean }> {
  const guard = createPageGuard(what);
  const rows: Row[] = [];
  const leftOut: UnusableRow[] = [];
  let calls = 0;
  let firstTotal: number | undefined;
  let total: number | undefined;
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    guard.check(page);
    calls += 1;
    total = page.total;
    if (calls === 1) firstTotal = total;
    for (const row of page.rows) rows.push(row);
    leftOut.push(...(page.leftOut ?? []));
    cursor = page.next;
  } while (cursor !== undefined);
  return { rows, leftOut, calls, hasMoved: mayHaveMoved(rows.length + leftOut.length, firstTotal, total) };
}

/** The rows that a job has left out, including these. A row is named only once. */
export function namedToo(
  before: readonly LeftOutRow[] | undefined,
  kind: LeftOutRow['kind'],
  rows: readonly UnusableRow[],
): readonly LeftOutRow[] | undefined {
  if (rows.length === 0) return before;
  const known = new Set(before?.map((row) => `${row.kind} ${row.name}`));
  const fresh = rows.filter(({ name }) => !known.has(`${kind} ${name}`));
  const named = fresh.map(({ name, reason }) => ({ kind, name, reason }));
  return [...(before ?? []), ...named].slice(0, maxNamed);
}

/**
 * A single row never stops a synchronisation; more than 1 % cannot be an accident. `leftOut`: the named rows. Throws
 * `upstream_failed`.
 */
export function refuseMany(
  what: string,
  { leftOut, count = leftOut.length }: { readonly leftOut: readonly UnusableRow[]; readonly count?: number },
  rows: number,
): void {
  if (count <= Math.max(1, rows / 100)) return;
  const [first] = leftOut;
  throw new HelveError(
    'upstream_failed',
    `${count} of ${rows} ${what} of the source cannot be used, which is more than 1 %`,
    { hint: `Nothing was removed here.${first ? ` One of them is ${first.name}: ${first.reason}` : ''}` },
  );
}

export const listSlugs = (rows: readonly UnusableRow[]): string[] => rows.flatMap(({ slug }) => slug ?? []);
