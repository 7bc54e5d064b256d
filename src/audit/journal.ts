/**
 * Group commit: all entries of one turn of the event loop go into one durable commit, so that many callers share the
 * cost of one flush. No caller gets an answer before their own entry is durable.
 *
 * Callers that come again after each answer would otherwise split into groups that take turns, each with a commit of its
 * own. With several processes on one PostgreSQL all these commits wait for each other, so a commit waits a moment for the
 * callers of the commit before it (PostgreSQL's `commit_delay` does the same). `bench/grow/run.js` shows what this brings.
 */
import type { JournalEntry, JournalOutcome } from '../domain/audit.js';
import { HelveError, toHelveError } from '../domain/errors.js';

export interface Journal {
  /** Resolves once the entry is on disk, or with the reason why it was not written. Throws `storage_failed`. */
  append(entry: JournalEntry): Promise<JournalOutcome>;
  /** Entries that wait for the next commit. */
  waiting(): number;
  /** Refuses new entries and waits for those in progress. */
  close(): Promise<void>;
}

interface Waiting {
  readonly entry: JournalEntry;
  readonly resolve: (outcome: JournalOutcome) => void;
  readonly reject: (error: unknown) => void;
}

const maxBatch = 256;
// A commit that takes less than this, in ms, is not worth waiting for others.
const cheapCommitMs = 1.5;
const maxGatherMs = 8;

/** Creates a journal that writes through `commit`, which must return one outcome per entry, in order. */
export function createJournal(commit: (entries: readonly JournalEntry[]) => Promise<JournalOutcome[]>): Journal {
  let waiting: Waiting[] = [];
  let flushing: Promise<void> | undefined;
  let closed = false;
  // `callers` made this commit or waited when it ended, at `endedAt`; it took `ms`.
  let last = { callers: 0, ms: 0, endedAt: 0 };
  let gathering: { readonly callers: number; readonly end: () => void } | undefined;

  async function flush(): Promise<void> {
    // One turn of the loop lets every request that has already arrived join this commit.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      await gather();
      const batch = waiting.slice(0, maxBatch);
      waiting = waiting.slice(maxBatch);
      const start = performance.now();
      await commitBatch(batch);
      const endedAt = performance.now();
      last = { callers: batch.length + waiting.length, ms: endedAt - start, endedAt };
    }
    flushing = undefined;
  }

  /** Waits for the callers of the last commit, at most as long as that commit took, counted from its end. */
  async function gather(): Promise<void> {
    const ms = last.endedAt + Math.min(last.ms, maxGatherMs) - performance.now();
    const callers = Math.min(last.callers, maxBatch);
    if (closed || ms <= 0 || last.ms < cheapCommitMs || waiting.length >= callers) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      gathering = { callers, end };
    });
    gathering = undefined;
  }

  async function commitBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await commit(batch.map((item) => item.entry));
      batch.forEach((item, index) => {
        const outcome = outcomes[index];
        if (outcome) item.resolve(outcome);
        else item.reject(new HelveError('storage_failed', 'The store did not answer for an entry of the record'));
      });
    } catch (error) {
      for (const item of batch) item.reject(toHelveError(error, 'storage_failed'));
    }
  }

  return {
    append(entry) {
      if (closed) return Promise.reject(new HelveError('shutting_down', 'The record is closed'));
      return new Promise((resolve, reject) => {
        waiting.push({ entry, resolve, reject });
        if (gathering && waiting.length >= gathering.callers) gathering.end();
        flushing ??= flush();
      });
    },
    waiting: () => waiting.length,
    async close() {
      closed = true;
      gathering?.end();
      await flushing;
    },
  };
}
