/** Keeps only the values that were used most recently. */

export interface Recent<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

/** Keeps at most `max` values, and forgets the least recently used one. */
export function createRecent<Value>(max: number): Recent<Value> {
  /** The most recently used value is the last one. */
  const kept = new Map<string, Value>();
  let newest: string | undefined;
  return {
    get(key) {
      const found = kept.get(key);
      // Most often it is the last one already. Moving it each time would make new tables all the time.
      if (found === undefined || key === newest) return found;
      kept.delete(key);
      kept.set(key, found);
      newest = key;
      return found;
    },
    set(key, value) {
      kept.delete(key);
      kept.set(key, value);
      newest = key;
      const [oldest] = kept.size > max ? kept.keys() : [];
      if (oldest !== undefined) kept.delete(oldest);
    },
    delete: (key) => void kept.delete(key),
  };
}
