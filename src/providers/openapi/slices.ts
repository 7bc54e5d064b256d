/** Long work that lets everybody else have a turn: written as a generator that yields wherever it may pause. */
import { setImmediate } from 'node:timers/promises';

const sliceMs = 8;

export type Sliced<Result> = Generator<void, Result, void>;

/** In slices of a few milliseconds, with a turn of the event loop between them. */
export async function inSlices<Result>(work: Sliced<Result>, signal?: AbortSignal): Promise<Result> {
  let until = performance.now() + sliceMs;
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() < until) continue;
    await setImmediate();
    signal?.throwIfAborted();
    until = performance.now() + sliceMs;
  }
}

/** All at once. */
export function atOnce<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
