/**
 * The counters behind rate limits: in this process's memory, or shared with all processes on the store. A shared one takes
 * a thirty-second of its limit at a time, so that most calls ask nobody, and all processes together never let more through
 * than the limit; the last calls of a period may be refused while another process still holds some. Limits below 64
 * are taken one by one, and exact.
 */
import { performance } from 'node:perf_hooks';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { SharedCounts } from '../domain/rate-limits.js';

export interface Counter {
  /** How many a period admits. A change holds from the next call on, and what was counted stays. */
  limit: number;
  /** Counts one. Returns the milliseconds to wait if there is none left; then nothing is counted. */
  consume(key: string): Promise<number | undefined>;
  /** What `consume` would return now; nothing is counted. */
  foresee(key: string): Promise<number | undefined>;
}

export interface CounterOptions {
  readonly name: string;
  readonly limit: number;
  readonly seconds: number;
}

export function createCounter(options: CounterOptions, shared: SharedCounts | undefined): Counter {
  return shared ? sharedCounter(options, shared) : memoryCounter(options);
}

function memoryCounter({ limit, seconds }: CounterOptions): Counter {
  const limiter = new RateLimiterMemory({ points: limit, duration: seconds });
  return {
    get limit() {
      return limiter.points;
    },
    set limit(points) {
      limiter.points = points;
    },
    async consume(key) {
      try {
        await limiter.consume(key);
        return undefined;
      } catch (refusal) {
        if (refusal instanceof Error) throw refusal;
        // Only what was admitted counts, so that a limit that is raised lets calls through at once.
        await limiter.reward(key);
        return (refusal as RateLimiterRes).msBeforeNext;
      }
    },
    async foresee(key) {
      const used = await limiter.get(key);
      return used && used.remainingPoints <= 0 ? used.msBeforeNext : undefined;
    },
  };
}

const shares = 32;
/** How many keys a counter holds before it forgets those whose period is over; or twice as many as were left then. */
const minKeysPerSweep = 1_000;

interface Share {
  /** What was taken from the store and not used yet. */
  left: number;
  /** Whether the store had none left: nothing comes back before the period ends. */
  isLast: boolean;
  readonly limit: number;
  /** By the monotonic clock of this process. */
  endsAt: number;
  refill: Promise<void> | undefined;
}

function sharedCounter({ name, limit, seconds }: CounterOptions, shared: SharedCounts): Counter {
  const held = new Map<string, Share>();
  const periodMs = seconds * 1_000;
  let keysPerSweep = minKeysPerSweep;

  /** The share of a key in its present period. One that was taken under another limit is given up. */
  function getShare(key: string): Share {
    const known = held.get(key);
    if (known?.refill !== undefined) return known;
    if (known !== undefined && known.limit === counter.limit && known.endsAt > performance.now()) return known;
    if (held.size >= keysPerSweep) forgetEnded();
    const share: Share = { left: 0, isLast: false, limit: counter.limit, endsAt: 0, refill: undefined };
    held.set(key, share);
    return share;
  }

  function forgetEnded(): void {
    const now = performance.now();
    for (const [key, { endsAt, refill }] of held) if (endsAt <= now && refill === undefined) held.delete(key);
    keysPerSweep = Math.max(minKeysPerSweep, 2 * held.size);
  }

  async function refill(key: string, share: Share): Promise<void> {
    const points = Math.max(1, Math.floor(share.limit / shares));
    try {
      const answer = await shared.take({ key: `${name}:${key}`, limit: share.limit, periodMs, points });
      share.left = answer.granted;
      share.isLast = answer.granted === 0;
      share.endsAt = performance.now() + answer.endsInMs;
    } finally {
      share.refill = undefined;
    }
  }

  const counter: Counter = {
    limit,
    async consume(key) {
      for (;;) {
        const share = getShare(key);
        if (share.left > 0) {
          share.left -= 1;
          return undefined;
        }
        if (share.isLast && share.refill === undefined) return Math.max(1, share.endsAt - performance.now());
        share.refill ??= refill(key, share);
        await share.refill;
        // The answer may be of a period that is over, or under a limit that has changed: then the next look asks again.
      }
    },
    async foresee(key) {
      const { left } = getShare(key);
      if (left > 0) return undefined;
      const answer = await shared.take({ key: `${name}:${key}`, limit: counter.limit, periodMs, points: 0 });
      return answer.left > 0 ? undefined : Math.max(1, answer.endsInMs);
    },
  };
  return counter;
}
