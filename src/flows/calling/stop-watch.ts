/**
 * Stops calls of this process when another process was asked to stop them. The store is polled only while calls are
 * running.
 */
import type { SystemStorage } from '../../domain/storage.js';
import { poll } from '../../util/poll.js';
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
  // The calls themselves report that the store is down.
  return poll(async () => {
    if (live.isIdle()) return;
    for (const { executionId } of await system.listStops(instanceId)) live.stop(executionId);
  }, pollMs);
}
