/** Repeats work that PostgreSQL rolled back to resolve a deadlock, which can happen while a newer Helve migrates the store. */
import { HelveError } from '../domain/errors.js';
import { errorCode } from './failures.js';

const deadlock = '40P01';
/** How many times the work is repeated after a deadlock. */
const maxDeadlocks = 5;

/**
 * Runs a transaction, or one statement outside of any, which must change nothing but the store. Throws the errors of
 * the work; a deadlock only after five retries.
 */
export async function repeatDeadlocked<T>(work: () => Promise<T>): Promise<T> {
  for (let deadlocks = 0; ; deadlocks++) {
    try {
      return await work();
    } catch (thrown) {
      const isDeadlock = thrown instanceof HelveError && errorCode(thrown.cause) === deadlock;
      if (!isDeadlock || deadlocks === maxDeadlocks) throw thrown;
    }
  }
}
