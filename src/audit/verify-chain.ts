/**
 * Reads a workspace's whole audit record page by page and verifies that it was not changed. Other work runs between
 * pages.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditEvent } from '../domain/audit.js';
import type { ChainPoint, ChainReport, RowName } from '../domain/chain.js';
import { HelveError } from '../domain/errors.js';
import type { AuditTable } from '../domain/storage.js';
import { defined } from '../util/defined.js';
import { createChainCheck } from './seal.js';

/**
 * Reading and hashing this many rows takes a quarter of a millisecond, during which this process does nothing else. A
 * request that arrives meanwhile may wait for a page at each of its steps: pages of 100 rows raised its p99 by half.
 */
const pageRows = 25;

/** Resolves when the reader may read its next page: one reader in each turn of the event loop. */
export type TakeTurn = () => Promise<void>;

/**
 * Readers that share this function read one page per turn between them, so ten of them block other work no longer than
 * one.
 */
export function createTurns(): TakeTurn {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => nextTurn());
    return last;
  };
}

/** Rows after the row `after`, oldest first. */
export async function* auditRows(
  audit: Pick<AuditTable, 'page'>,
  takeTurn: TakeTurn = createTurns(),
  after = 0,
): AsyncIterable<AuditEvent> {
  for (let last = after; ; ) {
    await takeTurn();
    const page = await audit.page(last, pageRows);
    yield* page;
    const end = page.at(-1);
    if (!end) return;
    last = end.seq;
  }
}

/** How many rows a check has verified when it says so, each time. */
const rowsPerStep = 1_000;

export interface CheckOptions {
  /**
   * An already verified row, by its number and hash; the rows up to it are not read again, but it must still be
   * unchanged.
   */
  readonly from?: ChainPoint;
  /** The last row that is in an archive: the rows up to it need not be in the store. */
  readonly archived?: ChainPoint;
  readonly takeTurn?: TakeTurn;
}

/** The last row that was verified so far. `total`: the number of the row at which the chain ended when the check began. */
export interface ChainStep extends ChainPoint {
  readonly total: number;
}

/**
 * Checks that each row follows from the one before it, up to the end of the chain. Yields at the beginning and after each
 * 1,000 rows, and returns the report; its `rows` is the number of the last verified row.
 */
export async function* checkChain(
  audit: Pick<AuditTable, 'head' | 'page'>,
  { from, archived, takeTurn }: CheckOptions = {},
): AsyncGenerator<ChainStep, ChainReport> {
  // The head is read first: rows that are added meanwhile come after it.
  const head = await audit.head();
  const broken = (seq: number, problem: string, row?: AuditEvent): ChainReport => ({
    ok: false,
    rows: seq - 1,
    firstBroken: { seq, problem, ...(row === undefined ? {} : { event: nameRow(row) }) },
    head,
    ...defined({ archived }),
  });
  const start = startAfter(from, archived);
  if (start && start !== archived && !(await isThere(audit, start)))
    return broken(start.seq, `row ${start.seq} is not the one that was checked`);
  const check = createChainCheck(start);
  const step = (): ChainStep => ({ seq: check.seq, hash: check.hash, total: Math.max(head.seq, check.seq) });
  yield step();
  for await (const event of auditRows(audit, takeTurn, check.seq)) {
    const found = check.accept(event);
    if (found) return broken(found.seq, found.problem, event.seq === found.seq ? event : undefined);
    if (event.seq === head.seq && event.hash !== head.hash)
      return { ...broken(event.seq, `row ${event.seq} is not the one the chain ended with`, event), rows: check.seq };
    if (check.seq % rowsPerStep === 0) yield step();
  }
  if (check.seq < head.seq) return broken(check.seq + 1, `rows from ${check.seq + 1} to ${head.seq} are missing`);
  if (check.seq > head.seq) {
    // If they were added meanwhile, the head has moved with them; otherwise they were inserted without it.
    const { seq: end } = await audit.head();
    if (check.seq > end)
      return broken(end + 1, `row ${end + 1} does not belong to the record: it comes after the end of the chain`);
  }
  return { ok: true, rows: check.seq, head, ...defined({ archived }) };
}

/** The later one of the row that was checked and the last one in an archive. Throws `invalid_input` if they contradict. */
function startAfter(from: ChainPoint | undefined, archived: ChainPoint | undefined): ChainPoint | undefined {
  if (from === undefined || archived === undefined || from.seq > archived.seq) return from ?? archived;
  if (from.seq === archived.seq && from.hash === archived.hash) return archived;
  throw new HelveError('invalid_input', `Row ${from.seq} is in an archive, so it cannot be the beginning of a check`, {
    hint: 'Check from the beginning, or with the archives: helve audit verify --store <store> --archives <folder>.',
  });
}

/** As `checkChain`, without its steps. */
export async function verifyChain(
  audit: Pick<AuditTable, 'head' | 'page'>,
  options: CheckOptions = {},
): Promise<ChainReport> {
  const check = checkChain(audit, options);
  for (;;) {
    const { done, value } = await check.next();
    if (done) return value;
  }
}

/** What a person recognises a row by, as it stands in the store now. */
function nameRow({ type, at, actor, tool, executionId }: AuditEvent): RowName {
  return { type, at, actor, ...defined({ tool, executionId }) };
}

async function isThere(audit: Pick<AuditTable, 'page'>, { seq, hash }: ChainPoint): Promise<boolean> {
  const [row] = await audit.page(seq - 1, 1);
  return row?.seq === seq && row.hash === hash;
}
