/** Calls that this process is running, for whoever follows them. Nothing here outlives the call: the record does that. */
import { EventEmitter, on } from 'node:events';
import type { ExecutionEvent } from '../spec/execution.js';

export interface LiveExecutions {
  publish(workspaceId: string, event: ExecutionEvent): void;
  /** Undefined when no such execution is running here; else its events so far and to come, up to `finished`. */
  follow(workspaceId: string, executionId: string, signal: AbortSignal): AsyncIterable<ExecutionEvent> | undefined;
}

interface Live {
  readonly workspaceId: string;
  readonly past: ExecutionEvent[];
  emitter?: EventEmitter;
}

/** Progress beyond this is told to followers but no longer remembered for late ones. */
const mostRemembered = 100;

export function createLiveExecutions(): LiveExecutions {
  const running = new Map<string, Live>();

  return {
    publish(workspaceId, event) {
      const live = running.get(event.executionId) ?? { workspaceId, past: [] };
      if (event.type === 'started') running.set(event.executionId, live);
      if (event.type === 'finished') running.delete(event.executionId);
      if (live.past.length < mostRemembered || event.type === 'finished') live.past.push(event);
      live.emitter?.emit('event', event);
    },
    follow(workspaceId, executionId, signal) {
      const live = running.get(executionId);
      if (!live || live.workspaceId !== workspaceId) return undefined;
      live.emitter ??= new EventEmitter().setMaxListeners(0);
      return events(live.past.slice(), on(live.emitter, 'event', { signal }) as AsyncIterable<[ExecutionEvent]>);
    },
  };
}

async function* events(
  past: readonly ExecutionEvent[],
  coming: AsyncIterable<[ExecutionEvent]>,
): AsyncIterable<ExecutionEvent> {
  yield* past;
  for await (const [event] of coming) {
    yield event;
    if (event.type === 'finished') return;
  }
}
