/**
 * Where errors go that callers are not told: standard error, for the operator. A failure that comes again and again, such
 * as a database that is away, is written once and then counted, so that it neither fills the disk nor hides the rest.
 */
import { inspect } from 'node:util';
import { HelveError } from '../domain/errors.js';

const windowMs = 10_000;
/** Failures that are counted at one time; beyond that the one counted longest is told and forgotten. */
const maxKinds = 100;

export interface ErrorLogOptions {
  readonly write?: (text: string) => void;
  readonly windowMs?: number;
}

/** A function that writes an error, or a message, unless it has written the same one a moment ago. */
export function createErrorLog(options: ErrorLogOptions = {}): (error: unknown) => void {
  const { write = (text: string): void => console.error(text), windowMs: everyMs = windowMs } = options;
  const counted = new Map<string, { more: number; timer: NodeJS.Timeout }>();

  /** Says how often it came since it was last told. Forgets it when it did not. */
  function tellCount(message: string): void {
    const entry = counted.get(message);
    if (!entry || entry.more === 0) {
      counted.delete(message);
      return;
    }
    const times = entry.more === 1 ? 'once more' : `${entry.more} times more`;
    write(`${message} [${times} in the last ${Math.round(everyMs / 1_000)} seconds]`);
    entry.more = 0;
    entry.timer = startTimer(message);
  }

  function startTimer(message: string): NodeJS.Timeout {
    return setTimeout(() => tellCount(message), everyMs).unref();
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

/** An expected failure in one line: where in Helve it was noticed helps nobody. A bug with all that is known of it. */
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
