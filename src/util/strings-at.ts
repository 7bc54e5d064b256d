/** For settings stored by name: returns the string that each has under `key`, if any. */
import type { JsonValue } from '../domain/json.js';

export function stringsAt(record: JsonValue | undefined, key: string): string[] {
  if (typeof record !== 'object' || record === null) return [];
  return Object.values(record).flatMap((one: JsonValue) => {
    const found = typeof one === 'object' && one !== null ? Object.entries(one).find(([name]) => name === key) : [];
    return typeof found?.[1] === 'string' ? [found[1]] : [];
  });
}
