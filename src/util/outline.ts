/** The outline of a JSON value in one short line: keys, types and lengths, so that a reader knows what to ask for. */
import type { JsonValue } from '../domain/json.js';
import { isPlainObject } from './canonical.js';
import { parseExactJson } from './json-text.js';

const maxKeys = 20;
const maxLevels = 4;
/** Longer texts are not parsed: that would block everyone else. */
const maxText = 2_000_000;

/** `{ items: array(120) of { id: number, title: string }, next: null }` */
export function outline(value: JsonValue, level = 0): string {
  if (typeof value === 'string') return outlineText(value, level);
  if (Array.isArray(value)) {
    const [first] = value;
    return first === undefined || level >= maxLevels
      ? `array(${value.length})`
      : `array(${value.length}) of ${outline(first, level + 1)}`;
  }
  if (!isPlainObject(value)) return value === null ? 'null' : typeof value;
  const keys = Object.keys(value);
  if (level >= maxLevels) return `object(${keys.length} keys)`;
  const shown = keys
    .slice(0, maxKeys)
    .map((key) => `${key.slice(0, 60)}: ${outline(value[key] as JsonValue, level + 1)}`);
  if (keys.length > maxKeys) shown.push(`… ${keys.length - maxKeys} more`);
  return `{ ${shown.join(', ')} }`;
}

/** A result, or a field of one, may be a JSON document as text, such as the body that `fetch_url` returns. */
function outlineText(text: string, level: number): string {
  if (text.length <= 40) return 'string';
  if (level <= 1 && text.length <= maxText && /^\s*[[{]/.test(text)) {
    try {
      return `JSON text of ${outline(parseExactJson(text), level)}`;
    } catch {
      // It looked like JSON only at its start.
    }
  }
  return `string(${text.length})`;
}
