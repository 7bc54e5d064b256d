/**
 * Ends of calls that the store rejected or did not acknowledge. They are kept until the store accepts them; otherwise
 * the call would stay open in the record for as long as this process lives.
 */
import type { JournalEntry, JournalOutcome } from '../../domain/audit.js';

/** Entries beyond this number are dropped, oldest first: those calls count as interrupted when this process has ended. */
const maxKept = 10_000;

export interface KeptEntries {
  /** The entry must close an intent, so that it is written at most once. */
  keep(entry: JournalEntry & { readonly closeIntent: string }): void;
  /**
   * Writes them. Throws what `append` throws; the failed entry then goes to the end, so that it cannot block the others
   * for ever.
   */
  settle(append: (entry: JournalEntry) => Promise<JournalOutcome>): Promise<void>;
}

export function createKeptEntries(): KeptEntries {
  const kept: JournalEntry[] = [];
  return {
    keep(entry) {
      kept.push(entry);
      if (kept.length > maxKept) kept.shift();
    },
    async settle(append) {
      for (let entry = kept.shift(); entry !== undefined; entry = kept.shift()) {
        try {
          // If its intent is closed already, the store says so and writes nothing.
          await append(entry);
        } catch (thrown) {
          kept.push(entry);
          throw thrown;
        }
      }
    },
  };
}
