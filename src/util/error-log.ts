/**
 * The log for errors that callers do not see: standard error, for the operator. A repeated failure, such as an
 * unavailable database, is written once and then counted, so that it neither fills the disk nor hides other errors.
 */
import { inspect } from 'node:util';
import { HelveError } from '../domain/errors.js';

const windowMs = 10_000;
/** Maximum number of failures counted at a time; beyond that, the oldest count is written and forgotten. */
const maxKinds = 100;

export interface ErrorLogOptions {
  readonly write?: (text: string) => void;
}

/** Creates a function that writes an error, or a message, unless it has just written the same one. */
export function createErrorLog(options: ErrorLogOptions = {}): (error: unknown) => void {
  const { write = (text: string): void => console.error(text) } = options;
  const counted = new Map<string, { more: number; timer: NodeJS.Timeout }>();

  /**
   * Writes how often the error has occurred since the last line about it. Forgets the error if it has not occurred
   * again.
   */
  function tellCount(message: string): void {
    const entry = counted.get(message);
    if (!entry || entry.more === 0) {
      counted.delete(message);
      return;
    }
    const times = entry.more === 1 ? 'once more' : `${entry.more} times more`;
    write(`${message} [${times} in the last ${windowMs / 1_000} seconds]`);
    entry.more = 0;
    entry.timer = startTimer(message);
  }

  function startTimer(message: string): NodeJS.Timeout {
    return setTimeout(() => tellCount(message), windowMs).unref();
  }

  return (error) => {
    const message = describeBriefly(error);
    const entry = counted.get(message);
    if (entry) {
      entry.more += 1;
      return;
    }
    const [oldest] = counted.size >= maxKinds ? counted.keys() : [];
    if (oldest !== undefined) {
      clearTimeout(counted.get(oldest)?.timer);
      counted.delete(oldest);
    }
    counted.set(message, { more: 0, timer: startTimer(message) });
    write(describe(error));
  };
}

/** The log of this process. */
export const logError: (error: unknown) => void = createErrorLog();

/** An expected failure in one line, without its stack, which would not help. A bug with everything known about it. */
function describe(error: unknown): string {
  if (error instanceof HelveError && error.code !== 'internal') return describeBriefly(error);
  return typeof error === 'string' ? error : inspect(error);
}

function describeBriefly(error: unknown): string {
  if (error instanceof HelveError) {
    const text = error.hint ? `${error.message.replace(/\.$/, '')}. ${error.hint}` : error.message;
    return `${error.code}: ${text.replace(/\s*\n\s*/g, ' ')}`;
  }
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
