/** Reads the whole record of a workspace page by page, and proves that it was not changed. Other work runs between pages. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditEvent } from '../domain/audit.js';
import type { ChainPoint, ChainReport } from '../domain/plane.js';
import type { AuditTable } from '../domain/storage.js';
import { createChainCheck } from './seal.js';

/** Reading and hashing so many rows takes about a millisecond, in which nothing else happens in this process. */
const pageRows = 100;

/** Resolves when the reader may read its next page: of all who wait, one in each turn of the event loop. */
export type TakeTurn = () => Promise<void>;

/** Readers that share this function read one page per turn between them, so ten of them block other work no longer than one. */
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

/**
 * Checks that each row follows from the one before it, up to where the chain ends. `from`: a row that was checked before,
 * by its number and hash; the rows up to it are not read again, but it must still be there as it was. `rows` of the answer
 * is the number of the last row that is proved.
 */
export async function verifyChain(audit: AuditTable, from?: ChainPoint, takeTurn?: TakeTurn): Promise<ChainReport> {
  // The head is read first: rows that are added meanwhile lie beyond it.
  const head = await audit.head();
  const broken = (seq: number, problem: string): ChainReport => ({
    ok: false,
    rows: seq - 1,
    firstBroken: { seq, problem },
    head,
  });
  if (from && !(await isThere(audit, from))) return broken(from.seq, `row ${from.seq} is not the one that was checked`);
  const check = createChainCheck(from);
  for await (const event of auditRows(audit, takeTurn, check.seq)) {
    const found = check.accept(event);
    if (found) return broken(found.seq, found.problem);
    if (event.seq === head.seq && event.hash !== head.hash)
      return { ...broken(event.seq, `row ${event.seq} is not the one the chain ended with`), rows: check.seq };
  }
  if (check.seq < head.seq) return broken(check.seq + 1, `rows from ${check.seq + 1} to ${head.seq} are missing`);
  if (check.seq > head.seq) {
    // Added meanwhile, and then the head has moved with them; otherwise somebody put them there.
    const { seq: end } = await audit.head();
    if (check.seq > end)
      return broken(end + 1, `row ${end + 1} is not the record's: it stands after the end of the chain`);
  }
  return { ok: true, rows: check.seq, head };
}

async function isThere(audit: Pick<AuditTable, 'page'>, { seq, hash }: ChainPoint): Promise<boolean> {
  const [row] = await audit.page(seq - 1, 1);
  return row?.seq === seq && row.hash === hash;
}
