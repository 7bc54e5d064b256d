/** Commits what several turns write at the same time together, since each commit waits for the disk. */
import type { ActorLease, ActorWrite, ActorWriteOutcome } from '../../domain/actor-storage.js';

type Outcomes = readonly ActorWriteOutcome[];

interface Waiting {
  readonly lease: ActorLease;
  readonly writes: readonly ActorWrite[];
  readonly resolve: (outcomes: Outcomes) => void;
  readonly reject: (thrown: unknown) => void;
}

const writesPerCommit = 256;

/** The outcomes of a turn are fewer than its writes if the commit was refused because of one before them. */
export function createTogether(commit: (lease: ActorLease, writes: readonly ActorWrite[]) => Promise<Outcomes>) {
  const waiting: Waiting[] = [];
  let isCommitting = false;

  /** Those at the front that share a lease. */
  function takeNext(): Waiting[] {
    const lease = waiting[0]?.lease;
    let count = 0;
    let size = 0;
    for (const one of waiting) {
      size += one.writes.length;
      if (one.lease !== lease || (count > 0 && size > writesPerCommit)) break;
      count += 1;
    }
    return waiting.splice(0, count);
  }

  async function commitAll(): Promise<void> {
    isCommitting = true;
    for (let next = takeNext(); next[0]; next = takeNext()) {
      try {
        const outcomes = await commit(
          next[0].lease,
          next.flatMap(({ writes }) => writes),
        );
        let from = 0;
        for (const { writes, resolve } of next) {
          resolve(outcomes.slice(from, from + writes.length));
          from += writes.length;
        }
      } catch (thrown) {
        for (const { reject } of next) reject(thrown);
      }
    }
    isCommitting = false;
  }

  return (lease: ActorLease, writes: readonly ActorWrite[]): Promise<Outcomes> =>
    new Promise((resolve, reject) => {
      waiting.push({ lease, writes, resolve, reject });
      if (!isCommitting) void commitAll();
    });
}
