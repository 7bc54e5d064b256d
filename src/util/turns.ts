/** Limits how much of a kind of work is done at the same time. */
import { untilAborted } from './until-aborted.js';

/**
 * Runs the work when a turn is free, first come, first served. If `signal` is aborted while it waits, throws as
 * `untilAborted` does.
 */
type InTurn = <Result>(signal: AbortSignal | undefined, work: () => Promise<Result>) => Promise<Result>;

/** At most `max` pieces of work run at the same time. `cancelled`: the message for one that is cancelled while it waits. */
export function createTurns(max: number, cancelled: string): InTurn {
  let taken = 0;
  const waiting = new Set<() => void>();

  async function take(signal: AbortSignal | undefined): Promise<void> {
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
      await (signal ? untilAborted(signal, cancelled, () => turn) : turn);
    } catch (error) {
      // It was given a turn at the same moment that it was aborted.
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
