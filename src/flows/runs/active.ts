/** The runs that this process executes, for those who wait for them or follow them. */
import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunCall } from '../../domain/run.js';
import { defined } from '../../util/defined.js';
import type { CallNotice } from './stay.js';

interface Active {
  readonly stop: AbortController;
  readonly calls: Map<number, RunCall>;
  done: Promise<void>;
}

const states = {
  started: 'running',
  answered: 'ok',
  waiting: 'waiting',
  in_doubt: 'in_doubt',
  planned: 'planned',
} as const;

export function createActive() {
  const running = new Map<string, Active>();
  const work = new Set<Promise<void>>();
  const emitter = new EventEmitter().setMaxListeners(0);

  /** Work that `idle` waits for. */
  function keep(done: Promise<void>): void {
    work.add(done);
    void done.finally(() => work.delete(done));
  }

  return {
    has: (id: string): boolean => running.has(id),
    ids: (): readonly string[] => [...running.keys()],
    /** Executes a run. Its signal is aborted when the run is stopped, or with `closing`. */
    begin(id: string, closing: AbortSignal, execute: (signal: AbortSignal) => Promise<void>): void {
      const stop = new AbortController();
      const close = (): void => stop.abort();
      closing.addEventListener('abort', close, { once: true });
      if (closing.aborted) close();
      const one: Active = { stop, calls: new Map(), done: Promise.resolve() };
      running.set(id, one);
      one.done = execute(stop.signal).finally(() => {
        closing.removeEventListener('abort', close);
        running.delete(id);
        emitter.emit(id);
      });
      keep(one.done);
    },
    keep,
    note(id: string, { number, tool, state, executionId, error }: CallNotice, at: Date): void {
      const call: RunCall = {
        number,
        tool,
        status: state === 'answered' && error ? 'failed' : states[state],
        ...defined({ executionId, error }),
        ...(state === 'started' ? { startedAt: at.toISOString() } : {}),
      };
      running.get(id)?.calls.set(number, call);
      emitter.emit(`${id}/call`, call);
      emitter.emit(id);
    },
    calls: (id: string): readonly RunCall[] => [...(running.get(id)?.calls.values() ?? [])],
    onCall(id: string, listener: (call: RunCall) => void): () => void {
      emitter.on(`${id}/call`, listener);
      return () => emitter.off(`${id}/call`, listener);
    },
    /**
     * Resolves when something has changed, after `ms`, or when the signal is aborted. Somebody waits for the run: until then, Node.js does
     * not end a process that has nothing else to do.
     */
    async changed(id: string, ms: number, signal?: AbortSignal): Promise<void> {
      const end = new AbortController();
      const either = signal ? AbortSignal.any([signal, end.signal]) : end.signal;
      const ignore = (): void => {};
      await Promise.race([once(emitter, id, { signal: either }), pause(ms, undefined, { signal: either })]).catch(
        ignore,
      );
      end.abort();
    },
    /** Resolves when this process no longer executes the run, or the signal is aborted. */
    async settled(id: string, signal?: AbortSignal): Promise<void> {
      const done = running.get(id)?.done ?? Promise.resolve();
      if (!signal) return done;
      await Promise.race([
        done,
        new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve(), { once: true });
          if (signal.aborted) resolve();
        }),
      ]);
    },
    stop: (id: string): void => running.get(id)?.stop.abort(),
    async idle(): Promise<void> {
      await Promise.all(work);
    },
  };
}
