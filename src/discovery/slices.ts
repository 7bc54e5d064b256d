/** Long work in short pieces, so that nobody else waits: after a few milliseconds the event loop has its turn. */
import { setImmediate } from 'node:timers/promises';

const sliceMs = 3;

export interface Slices {
  /** Rests if this slice is used up. */
  rest(): Promise<void>;
  /** Runs a generator to its end, resting between its steps, and answers what it returns. */
  run<Value>(steps: Generator<undefined, Value>): Promise<Value>;
}

export function createSlices(): Slices {
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
    async run(steps) {
      for (;;) {
        const step = steps.next();
        if (step.done === true) return step.value;
        // Asked before it is awaited: work that goes on needs no promise.
        if (isOver()) await rest();
      }
    },
  };
}
