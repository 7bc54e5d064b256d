/** How long lists wait for a toolkit, and when they retry one that failed. */

export interface Patience {
  /**
   * Returns the value that was read, or undefined if reading takes too long. Throws the error of a failed read, also
   * without retrying while the pause after a failure lasts. `read` is called on each try; several callers may share its
   * result.
   */
  wait<Value>(key: string, read: () => Promise<Value>): Promise<Value | undefined>;
  isLate(key: string): boolean;
}

interface Failure {
  readonly error: unknown;
  readonly pauseMs: number;
  readonly until: number;
}

const firstPauseMs = 5_000;
const maxPauseMs = 300_000;

/** `onLate` is called when a read finishes, or fails, after a caller has stopped waiting for it. */
export function createPatience(patienceMs: number, onLate: () => void): Patience {
  /** The start time of each read in progress. */
  const since = new Map<string, number>();
  const late = new Set<string>();
  const failures = new Map<string, Failure>();

  function settled(key: string): void {
    since.delete(key);
    if (late.delete(key)) onLate();
  }

  function failed(key: string, error: unknown): void {
    const pauseMs = Math.min(maxPauseMs, (failures.get(key)?.pauseMs ?? firstPauseMs / 2) * 2);
    failures.set(key, { error, pauseMs, until: performance.now() + pauseMs });
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
        promise.then(
          () => {
            failures.delete(key);
            settled(key);
          },
          (error: unknown) => {
            failed(key, error);
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
  };
}
