/**
 * Stops the calls of this process that somebody has asked to stop in another one. The store is only asked while calls are
 * running.
 */
import type { SystemStorage } from '../../domain/storage.js';
import type { LiveExecutions } from './live.js';

export interface StopWatch {
  close(): void;
}

export interface StopWatchParts {
  readonly system: Pick<SystemStorage, 'listStops'>;
  readonly instanceId: string;
  readonly live: Pick<LiveExecutions, 'isIdle' | 'stop'>;
  /** Default 500. */
  readonly pollMs?: number;
}

export function createStopWatch({ system, instanceId, live, pollMs = 500 }: StopWatchParts): StopWatch {
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking || live.isIdle()) return;
    isLooking = true;
    // A failed look is repeated at the next tick; the calls themselves report that the store is down.
    void system
      .listStops(instanceId)
      .then((stops) => {
        for (const { executionId } of stops) live.stop(executionId);
      })
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  }, pollMs).unref();
  return { close: () => clearInterval(timer) };
}
