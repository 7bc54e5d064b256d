/** One signal for several, for work that ends before they do. */
import { setMaxListeners } from 'node:events';

export interface JoinedSignals {
  /** Aborts with the first of them, for its reason. */
  readonly signal: AbortSignal;
  /** Call this when the work is over: the signals then no longer refer to it. */
  leave(): void;
}

/**
 * `AbortSignal.any` leaves something behind in each signal that outlives the work (in Node 20 about 50 bytes, and more than a kilobyte
 * if a listener was left), which a server that runs for days would collect.
 */
export function joinSignals(...signals: readonly AbortSignal[]): JoinedSignals {
  const joined = new AbortController();
  const listeners = signals.map((signal) => {
    const listener = (): void => joined.abort(signal.reason);
    // Much work may wait for the same signal.
    setMaxListeners(0, signal);
    if (signal.aborted) listener();
    else signal.addEventListener('abort', listener, { once: true });
    return { signal, listener };
  });
  return {
    signal: joined.signal,
    leave() {
      for (const { signal, listener } of listeners) signal.removeEventListener('abort', listener);
    },
  };
}
