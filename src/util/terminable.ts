/**
 * Work on hostile input, off the main thread, that can be ended at any moment: a query that never
 * comes back costs its own thread and nothing else.
 */
import { Worker } from 'node:worker_threads';
import { HelveError } from '../spec/errors.js';

export interface TerminableWork {
  /** JavaScript that reads `workerData` and posts exactly one message. Ours, never a caller's. */
  readonly code: string;
  readonly data: unknown;
  readonly timeoutMs: number;
  readonly maxHeapMb: number;
  readonly signal?: AbortSignal;
}

/** The posted message. Throws `timeout`, `too_large` (out of memory), `cancelled` or what the code threw. */
export function runTerminable<T>(work: TerminableWork): Promise<T> {
  const worker = new Worker(work.code, {
    eval: true,
    workerData: work.data,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: work.maxHeapMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  });
  return new Promise<T>((resolve, reject) => {
    const cancel = (): void => reject(new HelveError('cancelled', 'The work was cancelled'));
    const timer = setTimeout(() => {
      reject(
        new HelveError('timeout', `The work did not end within ${work.timeoutMs} ms`, {
          hint: 'Ask for something simpler.',
        }),
      );
    }, work.timeoutMs);
    work.signal?.addEventListener('abort', cancel, { once: true });
    worker.once('message', (message: T) => resolve(message));
    worker.once('error', (error: Error & { code?: string }) => {
      const spent = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      reject(spent ? new HelveError('too_large', 'The work needed too much memory', { hint: 'Ask for less.' }) : error);
    });
    worker.once('exit', () => {
      clearTimeout(timer);
      work.signal?.removeEventListener('abort', cancel);
      reject(new HelveError('internal', 'The worker ended without an answer'));
    });
  }).finally(() => void worker.terminate());
}
