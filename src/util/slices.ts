/**
 * Long work that lets everybody else have a turn: written as a generator that yields wherever it may pause, or as a loop
 * that rests now and then. After a few milliseconds the event loop has its turn.
 */
import { setImmediate } from 'node:timers/promises';

export type Sliced<Result> = Generator<unknown, Result, void>;

export interface Slices {
  /** Rests if this slice is used up. */
  rest(): Promise<void>;
  /** Runs a generator to its end, resting between its steps, and answers what it returns. */
  run<Result>(work: Sliced<Result>): Promise<Result>;
}

/** Throws the reason of `signal` at the next rest once it is aborted. */
export function createSlices(sliceMs: number, signal?: AbortSignal): Slices {
  let began = performance.now();
  const isOver = () => performance.now() - began >= sliceMs;
  const rest = async () => {
    await setImmediate();
    signal?.throwIfAborted();
    began = performance.now();
  };
  return {
    rest: async () => {
      if (isOver()) await rest();
    },
    async run(work) {
      for (;;) {
        const step = work.next();
        if (step.done) return step.value;
        // Asked before it is awaited: work that goes on needs no promise.
        if (isOver()) await rest();
      }
    },
  };
}

const usualMs = 8;

/** In slices of a few milliseconds, with a turn of the event loop between them. */
export function inSlices<Result>(work: Sliced<Result>, signal?: AbortSignal): Promise<Result> {
  return createSlices(usualMs, signal).run(work);
}

/** All at once. */
export function atOnce<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
