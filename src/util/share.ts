/** Tracks the uses of a shared resource by one of its several users. */
import { HelveError } from '../domain/errors.js';
import { joinSignals } from './join-signals.js';

export interface Share {
  /**
   * Returns what `work` resolves to. The signal that `work` gets is aborted with `signal`, and when the share is closed; what `work`
   * throws then, and every use afterwards, is `shutting_down`.
   */
  use<Result>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** Ends the uses of this share. The resource itself stays open for others. */
  close(): void;
}

/** `message` is that of the `shutting_down` errors. */
export function createShare(message: string): Share {
  const closing = new AbortController();
  const stopping = (): HelveError => new HelveError('shutting_down', message);
  return {
    async use(signal, work) {
      if (closing.signal.aborted) throw stopping();
      const joined = joinSignals(closing.signal, ...(signal ? [signal] : []));
      try {
        return await work(joined.signal);
      } catch (error) {
        throw closing.signal.aborted ? stopping() : error;
      } finally {
        joined.leave();
      }
    },
    close() {
      closing.abort(stopping());
    },
  };
}
