/** Waiting that ends when a call is cancelled. */
import { HelveError } from '../domain/errors.js';

/**
 * Returns what `work` resolves to. If `signal` is aborted first, throws its reason, or `cancelled` with `message`; the work itself
 * may continue. Does not start it if `signal` is already aborted.
 */
export async function untilAborted<Result>(
  signal: AbortSignal,
  message: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const cancelled = (): unknown =>
    signal.reason instanceof HelveError
      ? signal.reason
      : new HelveError('cancelled', message, { cause: signal.reason });
  if (signal.aborted) throw cancelled();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(cancelled());
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
