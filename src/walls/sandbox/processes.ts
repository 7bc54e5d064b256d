/** Places in confined processes: one for each run, started before it is needed, and ended with the run. */
import { setMaxListeners } from 'node:events';
import { HelveError } from '../../domain/errors.js';
import type { WorkerProcess } from '../../domain/workers.js';
import { defineWorker } from '../../util/sandbox/define-worker.js';
import { createWorkers } from '../../util/sandbox/workers.js';
import { type LossReason, type Place, PlaceLost, type Places } from './messages.js';

type Guest = typeof import('./engine/in-process.js');

const heapMb = 256;
/** The memory of a process; a machine may use `maxLimits.memoryMb` of `limits.ts` of it. */
const residentMb = 1_024;
const startMs = 30_000;
const spareAfterMs = 250;

interface Spare {
  readonly ready: Promise<WorkerProcess<Guest, undefined>>;
  readonly end: () => void;
}

export function createProcesses(maxPlaces: number): Places {
  const definition = defineWorker<Guest>(import.meta.url, {
    module: './engine/in-process.js',
    places: { most: maxPlaces + 1, mostOfKey: 1, idleMs: 0 },
    residentMb,
  });
  const workers = createWorkers();
  const closing = new AbortController();
  // Each run that waits for its process listens.
  setMaxListeners(0, closing.signal);
  let started = 0;
  let spare: Spare | undefined;

  /** A process that is used until its one run is over. Its key is unique, so that no other run gets it. */
  const start = (): Spare => {
    let end = (): void => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    const ready = new Promise<WorkerProcess<Guest, undefined>>((resolve, reject) => {
      workers
        .use(definition, { key: `run ${++started}`, heapMb, signal: closing.signal }, async (process) => {
          await process.ask('answer', { kind: 'prepare' }, { timeoutMs: startMs });
          resolve(process);
          await over;
        })
        .catch(reject);
    });
    ready.catch(() => {});
    return { ready, end };
  };

  const keepSpare = (): void => {
    if (!closing.signal.aborted) spare ??= start();
  };
  keepSpare();

  return {
    async take(_tenant, signal) {
      if (closing.signal.aborted) throw new PlaceLost('closed');
      const mine = spare ?? start();
      spare = undefined;
      const process = await firstOf(mine.ready, signal).catch((error: unknown) => {
        mine.end();
        throw lost(error);
      });
      // Not immediately, because starting the next one would compete with this one for the processors.
      const timer = setTimeout(keepSpare, spareAfterMs).unref();
      return toPlace(process, () => {
        clearTimeout(timer);
        mine.end();
        keepSpare();
      });
    },
    async close() {
      closing.abort();
      workers.close();
    },
  };
}

function toPlace(process: WorkerProcess<Guest, undefined>, release: () => void): Place {
  return {
    async ask(message, timeoutMs) {
      try {
        if (message.kind === 'drop') return { output: '', failure: '', cpuMs: 0, ended: undefined, full: false };
        return await process.ask('answer', message, { timeoutMs });
      } catch (error) {
        throw lost(error);
      }
    },
    release,
  };
}

const reasons: Readonly<Record<string, LossReason>> = {
  timeout: 'late',
  too_large: 'ended',
  shutting_down: 'closed',
  cancelled: 'closed',
};

function lost(error: unknown): PlaceLost {
  if (error instanceof PlaceLost) return error;
  return new PlaceLost(error instanceof HelveError ? (reasons[error.code] ?? 'failed') : 'failed', { cause: error });
}

function firstOf<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const refuse = (): void => reject(new PlaceLost('waiting'));
    if (signal.aborted) return refuse();
    signal.addEventListener('abort', refuse, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', refuse));
  });
}
