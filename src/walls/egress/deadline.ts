/** One deadline for one exchange: the time limit or the caller's signal, whichever comes first. */
import { HelveError } from '../../domain/errors.js';

export interface Deadline {
  /** Aborted with a `HelveError` that gives the reason. */
  readonly signal: AbortSignal;
  /** Settles like the promise, or rejects with the deadline's error as soon as it is reached. */
  race<T>(promise: Promise<T>): Promise<T>;
  clear(): void;
}

export function createDeadline(timeoutMs: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const cancel = () => controller.abort(new HelveError('cancelled', 'The call was cancelled'));
  const timer = setTimeout(
    () => controller.abort(new HelveError('timeout', `The call took longer than ${timeoutMs} ms`)),
    timeoutMs,
  );
  if (caller?.aborted) cancel();
  else caller?.addEventListener('abort', cancel, { once: true });
  return {
    signal: controller.signal,
    race(promise) {
      return new Promise((resolve, reject) => {
        const abort = () => reject(controller.signal.reason);
        if (controller.signal.aborted) abort();
        controller.signal.addEventListener('abort', abort, { once: true });
        promise.then(resolve, reject).finally(() => controller.signal.removeEventListener('abort', abort));
      });
    },
    clear() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', cancel);
    },
  };
}
