/** A first-come, first-served lock. One SQLite connection serves one transaction at a time. */
import { HelveError } from '../domain/errors.js';

export interface Mutex {
  /** Resolves to the function that releases the lock. */
  lock(): Promise<() => void>;
}

/** A longer wait means that work inside a transaction waits for something outside it. */
const patienceMs = 30_000;

export function createMutex(): Mutex {
  const waiting: (() => void)[] = [];
  let held = false;

  function unlock(): void {
    const next = waiting.shift();
    if (next) next();
    else held = false;
  }

  function lock(): Promise<() => void> {
    if (!held) {
      held = true;
      return Promise.resolve(unlock);
    }
    return new Promise((resolve, reject) => {
      const turn = () => {
        clearTimeout(timer);
        resolve(unlock);
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(turn), 1);
        reject(new HelveError('storage_failed', 'Another transaction held the database for 30 seconds'));
      }, patienceMs);
      waiting.push(turn);
    });
  }

  return { lock };
}
