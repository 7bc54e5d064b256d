/** Limits how many browsers run at the same time: each takes a few hundred megabytes. */
import { untilAborted } from '../../util/until-aborted.js';

export const cancelled = 'The call was cancelled';

/** Does the work when one of the turns is free, first come, first served. */
type InTurn = <Result>(signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>;

/** At most `max` pieces of work run at the same time. */
export function createTurns(max: number): InTurn {
  let taken = 0;
  const waiting = new Set<() => void>();

  async function take(signal: AbortSignal): Promise<void> {
    if (taken < max) {
      taken += 1;
      return;
    }
    let start = (): void => undefined;
    const turn = new Promise<void>((resolve) => {
      start = resolve;
    });
    waiting.add(start);
    try {
      await untilAborted(signal, cancelled, () => turn);
    } catch (error) {
      // It was given a turn at the same moment.
      if (!waiting.delete(start)) release();
      throw error;
    }
  }

  /** Passes the turn on. */
  function release(): void {
    const [next] = waiting;
    if (next === undefined) {
      taken -= 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  return async (signal, work) => {
    await take(signal);
    try {
      return await work();
    } finally {
      release();
    }
  };
}
