/** Repeats what PostgreSQL has undone to end a deadlock. That happens beside the migration of a newer Helve on a busy machine. */
import { HelveError } from '../domain/errors.js';
import { errorCode } from './failures.js';

const deadlock = '40P01';
/** So many deadlocks of one piece of work are followed by another attempt. */
const maxDeadlocks = 5;

/** Runs a transaction, or one statement outside of any, which must change nothing but the store. Throws what it throws, a deadlock only after five others. */
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
