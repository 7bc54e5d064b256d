/**
 * Canonical JSON: one text for one value, whatever order its keys came in. What is hashed, approved
 * and recorded is this text, and what is executed is parsed back from it, so the two cannot differ.
 */
import { HelveError } from '../spec/errors.js';

/** Deeper input is refused: no real tool needs it, and recursion elsewhere must be safe. */
const maxDepth = 64;

/** Throws `invalid_input`, naming the place, for what JSON cannot hold or what is nested too deeply. */
export function canonicalJson(value: unknown): string {
  return write(value, '', 0);
}

function write(value: unknown, path: string, depth: number): string {
  if (depth > maxDepth) {
    throw new HelveError('invalid_input', `Nested deeper than ${maxDepth} levels at ${path.slice(0, 80) || '/'}`, {
      hint: 'Send a flatter value.',
    });
  }
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return JSON.stringify(value);
    throw notJson(path, String(value));
  }
  if (Array.isArray(value)) {
    return `[${value.map((item, index) => write(item, `${path}/${index}`, depth + 1)).join(',')}]`;
  }
  if (typeof value === 'object') return writeObject(value as Record<string, unknown>, path, depth);
  throw notJson(path, typeof value);
}

function writeObject(value: Record<string, unknown>, path: string, depth: number): string {
  const parts: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member === undefined) continue;
    parts.push(`${JSON.stringify(key)}:${write(member, `${path}/${key}`, depth + 1)}`);
  }
  return `{${parts.join(',')}}`;
}

function notJson(path: string, what: string): HelveError {
  return new HelveError('invalid_input', `${what} at ${path || '/'} is not JSON`, { hint: 'Send plain JSON values.' });
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
