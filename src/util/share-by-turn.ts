/** Shares one read among all callers in the same turn of the event loop. */

/**
 * Returns a function that reads once for all callers of one key in one turn. The read begins after all of them have asked, so it sees
 * what was written before. A failure reaches all of them.
 */
export function shareByTurn<Args extends readonly unknown[], T>(
  getKey: (...args: Args) => string,
  read: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  const asked = new Map<string, Promise<T>>();
  return (...args) => {
    const key = getKey(...args);
    const known = asked.get(key);
    if (known) return known;
    const reading = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      asked.delete(key);
      return read(...args);
    });
    asked.set(key, reading);
    return reading;
  };
}
