/** How long lists wait for what they are made of, and when they try again what failed. */

export interface Patience {
  /**
   * What was read; undefined where it takes too long. Throws why it failed, also without trying again while the pause after
   * a failure lasts. `read` is called at each try; several callers may share what it returns.
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

/** `onLate`: something came, or failed, after somebody had stopped waiting for it. */
export function createPatience(patienceMs: number, onLate: () => void): Patience {
  /** What is being read, since when. */
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
