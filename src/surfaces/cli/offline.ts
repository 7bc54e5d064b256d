/** Commands that work on a data folder or a store themselves, without a server: progress, Ctrl-C, errors. */
import type { Command } from 'commander';
import { HelveError } from '../../domain/errors.js';
import { fail } from './context.js';
import { createOutput, type Output } from './print.js';
import { createProgress } from './progress.js';

export interface OfflineContext {
  readonly output: Output;
  /** Aborted by the first Ctrl-C or SIGTERM: the work ends and cleans up. */
  readonly signal: AbortSignal;
  /** Shown on a terminal. */
  readonly onCopied: (done: number, total: number | undefined, what: string) => void;
  /** Removes the progress, before anything else is printed. */
  end(): void;
}

/** Runs a command's work; an error that it throws is printed and becomes the exit code. */
export function offline<Arguments extends unknown[]>(
  work: (context: OfflineContext, ...rest: Arguments) => Promise<void>,
): (this: Command, ...given: unknown[]) => Promise<void> {
  return async function (this: Command, ...given: unknown[]) {
    const output = createOutput(this.opts<{ json?: boolean }>().json ?? false);
    const progress = process.stderr.isTTY ? createProgress(output) : undefined;
    const stop = new AbortController();
    const abort = (): void => stop.abort();
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, abort);
    const context: OfflineContext = {
      output,
      signal: stop.signal,
      onCopied: (done, total, what) => progress?.at(done, total, what),
      end: () => progress?.end(),
    };
    try {
      await work(context, ...(given.slice(0, -1) as Arguments));
    } catch (error) {
      progress?.end();
      fail(stop.signal.aborted ? stopped(error) : error, output);
    } finally {
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, abort);
    }
  };
}

function stopped(cause: unknown): HelveError {
  return new HelveError('cancelled', 'Stopped; what it had written was removed', { cause });
}
