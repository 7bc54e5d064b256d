/**
 * Group commit: all entries of one turn of the event loop go into one durable commit, so that many callers share the
 * cost of one flush. No caller gets an answer before their own entry is durable.
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

/** Creates a journal that writes through `commit`, which must return one outcome per entry, in order. */
export function createJournal(commit: (entries: readonly JournalEntry[]) => Promise<JournalOutcome[]>): Journal {
  let waiting: Waiting[] = [];
  let flushing: Promise<void> | undefined;
  let closed = false;

  async function flush(): Promise<void> {
    // One turn of the loop lets every request that has already arrived join this commit.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch);
      waiting = waiting.slice(maxBatch);
      await commitBatch(batch);
    }
    flushing = undefined;
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
        flushing ??= flush();
      });
    },
    waiting: () => waiting.length,
    async close() {
      closed = true;
      await flushing;
    },
  };
}
