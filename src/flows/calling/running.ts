/** The calls in progress, and the listeners for the stop of Helve. */

import type { ToolResult } from '../../domain/execution.js';
import { createBag } from '../../util/bag.js';
import type { Pipeline } from './pipeline.js';

export type OnStop = (listener: () => void) => () => void;

export interface Stopping {
  readonly onStop: OnStop;
  stop(): void;
  /** Announces the stop: calls still run and are accepted, but others should go to another process. */
  announce(): void;
  readonly isAnnounced: () => boolean;
}

/** The listeners for the stop of Helve. Every call subscribes and unsubscribes: an AbortSignal would cost each of them more. */
export function createStopping(): Stopping {
  const listeners = createBag<() => void>();
  let announced = false;
  let stopped = false;
  return {
    announce() {
      announced = true;
    },
    isAnnounced: () => announced,
    onStop(listener) {
      if (stopped) listener();
      return listeners.add(listener);
    },
    stop() {
      announced = true;
      stopped = true;
      for (const listener of listeners.list()) listener();
    },
  };
}

/** Lets stopping wait for the calls in progress: their record must be written before the store closes. */
export function countRuns(pipeline: Pipeline): {
  pipeline: Pipeline;
  idle: () => Promise<void>;
  running: () => number;
} {
  const running = createBag<Promise<ToolResult>>();
  return {
    pipeline: {
      async run(request) {
        const run = pipeline.run(request);
        const ended = running.add(run);
        try {
          return await run;
        } finally {
          ended();
        }
      },
      preview: pipeline.preview,
      explain: pipeline.explain,
    },
    running: running.size,
    async idle() {
      await Promise.all(running.list());
    },
  };
}
