/**
 * Calls that this process is running, for clients that follow them. Nothing here outlives the call: the audit record
 * does.
 */
import { EventEmitter, on } from 'node:events';
import type { ProgressUpdate } from '../../domain/context.js';
import type { ExecutionEvent, ToolResult } from '../../domain/execution.js';
import { maySee, type Principal, type PrincipalRef } from '../../domain/principal.js';

export interface LiveExecution {
  progress(update: ProgressUpdate, at: Date): void;
  finished(result: ToolResult, at: Date): void;
  /** Calls `listener` when somebody asks to stop the call. Returns a function that unsubscribes. */
  onStopRequest(listener: () => void): () => void;
}

export interface LiveExecutions {
  started(principal: Principal, executionId: string, tool: string, at: Date): LiveExecution;
  isIdle(): boolean;
  /** The call with this id, if it runs here; `tool`: as it was requested. */
  find(workspaceId: string, executionId: string): FoundCall | undefined;
  /** Asks the call to stop, if it runs here. */
  stop(executionId: string): void;
  /** Undefined if no execution that the principal may see is running here. */
  follow(principal: Principal, executionId: string, signal: AbortSignal): Followed | undefined;
}

export interface FoundCall {
  readonly actor: PrincipalRef;
  readonly onBehalfOf: PrincipalRef | undefined;
  readonly tool: string;
}

export interface Followed {
  /** Whether it is the principal's own call, for the same person: only then may it see progress and result. */
  readonly own: boolean;
  /** As it was requested. */
  readonly tool: string;
  /** Past and future events, up to `finished`. */
  readonly events: AsyncIterable<ExecutionEvent>;
}

interface Live {
  readonly principal: Principal;
  readonly tool: string;
  readonly startedAt: Date;
  readonly progress: { readonly update: ProgressUpdate; readonly at: Date }[];
  emitter: EventEmitter | undefined;
  stops: Set<() => void> | undefined;
}

/** Progress beyond this is sent to followers but not remembered for late ones. */
const maxRemembered = 100;

/** Creates an empty register of the calls that this process runs. */
export function createLiveExecutions(): LiveExecutions {
  const running = new Map<string, Live>();

  return {
    started(principal, executionId, tool, startedAt) {
      const live: Live = { principal, tool, startedAt, progress: [], emitter: undefined, stops: undefined };
      running.set(executionId, live);
      return {
        progress(update, at) {
          if (live.progress.length < maxRemembered) live.progress.push({ update, at });
          live.emitter?.emit('event', { type: 'progress', executionId, update, at: at.toISOString() });
        },
        finished(result, at) {
          running.delete(executionId);
          live.emitter?.emit('event', { type: 'finished', executionId, result, at: at.toISOString() });
        },
        onStopRequest(listener) {
          live.stops ??= new Set();
          live.stops.add(listener);
          return () => live.stops?.delete(listener);
        },
      };
    },
    isIdle: () => running.size === 0,
    find(workspaceId, executionId) {
      const live = running.get(executionId);
      if (live?.principal.workspaceId !== workspaceId) return undefined;
      const { kind, id, name, onBehalfOf } = live.principal;
      return { actor: { kind, id, name }, onBehalfOf, tool: live.tool };
    },
    stop(executionId) {
      for (const listener of running.get(executionId)?.stops ?? []) listener();
    },
    follow(principal, executionId, signal) {
      const live = running.get(executionId);
      if (!live) return undefined;
      const { workspaceId, onBehalfOf } = live.principal;
      if (!maySee(principal, { workspaceId, actor: live.principal, onBehalfOf })) return undefined;
      live.emitter ??= new EventEmitter().setMaxListeners(0);
      // Listening starts now, not when the first event is requested, so that none is missed.
      const coming = on(live.emitter, 'event', { signal }) as AsyncIterable<[ExecutionEvent]>;
      const own = isSame(principal, live.principal) && isSame(principal.onBehalfOf, live.principal.onBehalfOf);
      return { own, tool: live.tool, events: events(past(executionId, live), coming) };
    },
  };
}

function isSame(one: PrincipalRef | undefined, other: PrincipalRef | undefined): boolean {
  return one?.kind === other?.kind && one?.id === other?.id;
}

function past(executionId: string, { tool, startedAt, progress }: Live): ExecutionEvent[] {
  const updates = progress.map(
    ({ update, at }): ExecutionEvent => ({ type: 'progress', executionId, update, at: at.toISOString() }),
  );
  return [{ type: 'started', executionId, tool, at: startedAt.toISOString() }, ...updates];
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
