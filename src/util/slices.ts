/**
 * Divides long work so that other work gets a turn: the work is a generator that yields wherever it may pause, or a
 * loop that pauses now and then. After a few milliseconds the event loop runs.
 */
import { setImmediate } from 'node:timers/promises';

export type Sliced<Result> = Generator<unknown, Result, void>;

export interface Slices {
  /** Yields to the event loop if this slice is used up. */
  rest(): Promise<void>;
  /** Runs a generator to its end, pausing between its steps, and returns its result. */
  run<Result>(work: Sliced<Result>): Promise<Result>;
}

/** `sliceMs`: how long the work may take before the event loop gets a turn. */
export function createSlices(sliceMs: number): Slices {
  let began = performance.now();
  const isOver = () => performance.now() - began >= sliceMs;
  const rest = async () => {
    await setImmediate();
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
        // Checked before awaiting: work within its slice needs no promise.
        if (isOver()) await rest();
      }
    },
  };
}

const usualMs = 8;

/** Runs the work in slices of a few milliseconds, with a turn of the event loop between them. */
export function inSlices<Result>(work: Sliced<Result>): Promise<Result> {
  return createSlices(usualMs).run(work);
}

/** Runs the work to its end without pausing. */
export function atOnce<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
