/** How long lists wait for a toolkit, and when they retry one that failed. */

export interface Patience {
  /**
   * Returns the value that was read, or undefined if reading takes too long. Throws the error of a failed read, also
   * without retrying while the pause after a failure lasts. `read` is called on each try; several callers may share its
   * result.
   */
  wait<Value>(key: string, read: () => Promise<Value>): Promise<Value | undefined>;
  isLate(key: string): boolean;
  /**
   * Reports a change that may end failures. Lists do not retry sooner, so a stream of changes causes no stream of reads,
   * but `onDue` is called when the pause ends.
   */
  changed(): void;
  close(): void;
}

interface Failure {
  readonly error: unknown;
  readonly pauseMs: number;
  until: number;
  /** Set if something has changed since: it ends the pause and says so. */
  ending?: NodeJS.Timeout;
}

const firstPauseMs = 5_000;
const maxPauseMs = 300_000;

/**
 * `onDue` is called when lists should ask again: a read has finished, or failed, after a caller stopped waiting for it, or
 * the pause after a failure has ended and something has changed meanwhile.
 */
export function createPatience(patienceMs: number, onDue: () => void): Patience {
  /** The start time of each read in progress. */
  const since = new Map<string, number>();
  const late = new Set<string>();
  const failures = new Map<string, Failure>();
  let changes = 0;

  function settled(key: string): void {
    since.delete(key);
    if (late.delete(key)) onDue();
  }

  function failed(key: string, error: unknown): Failure {
    const pauseMs = Math.min(maxPauseMs, (failures.get(key)?.pauseMs ?? firstPauseMs / 2) * 2);
    const failure = { error, pauseMs, until: performance.now() + pauseMs };
    failures.set(key, failure);
    return failure;
  }

  function tellWhenOver(failure: Failure): void {
    const left = failure.until - performance.now();
    if (left <= 0) return;
    failure.ending ??= setTimeout(() => {
      failure.until = performance.now();
      onDue();
    }, left).unref();
  }

  return {
    async wait(key, read) {
      const failure = failures.get(key);
      if (failure && performance.now() < failure.until) throw failure.error;
      const promise = read();
      let begun = since.get(key);
      if (begun === undefined) {
        begun = performance.now();
        since.set(key, begun);
        const changesBefore = changes;
        promise.then(
          () => {
            failures.delete(key);
            settled(key);
          },
          (error: unknown) => {
            const failure = failed(key, error);
            if (changes !== changesBefore) tellWhenOver(failure);
            settled(key);
          },
        );
      }
      let timer: NodeJS.Timeout | undefined;
      const tooLong = new Promise<undefined>((resolve) => {
        timer = setTimeout(resolve, Math.max(0, begun + patienceMs - performance.now()), undefined);
      });
      const value = await Promise.race([promise, tooLong]).finally(() => clearTimeout(timer));
      if (value === undefined && since.has(key)) late.add(key);
      return value;
    },
    isLate: (key) => late.has(key),
    changed() {
      changes += 1;
      for (const failure of failures.values()) tellWhenOver(failure);
    },
    close() {
      for (const { ending } of failures.values()) clearTimeout(ending);
    },
  };
}
