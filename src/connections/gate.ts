/** When a service may be called again, by account: what it said to one call applies to all of them. */
export interface Gate {
  /** Milliseconds to wait, 0 when it may be asked now. */
  waitMs(key: string, now: number): number;
  pause(key: string, until: number): void;
}

const maxRemembered = 10_000;

/** Creates a gate that remembers pauses in memory, for at most 10,000 accounts. */
export function createGate(): Gate {
  const until = new Map<string, number>();
  return {
    waitMs(key, now) {
      const end = until.get(key);
      if (end === undefined) return 0;
      if (end > now) return end - now;
      until.delete(key);
      return 0;
    },
    pause(key, end) {
      if (end <= (until.get(key) ?? 0)) return;
      until.set(key, end);
      if (until.size <= maxRemembered) return;
      for (const oldest of until.keys()) {
        until.delete(oldest);
        return;
      }
    },
  };
}
