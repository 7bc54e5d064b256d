/**
 * Canonical JSON: one text per value, whatever the order of its keys. This text is hashed and approved. The executed
 * value is a copy made by the same rules in the given order, since some services depend on the order.
 */
import { HelveError } from '../domain/errors.js';

/** Deeper input is refused: no real tool needs it, and recursion elsewhere must be safe. */
const maxDepth = 64;
/** Wider input is refused too: every stage spends time on each value, on the one thread that serves everyone. */
const maxValues = 30_000;
const maxKeys = 4_096;

/**
 * Returns the canonical JSON of a value. Throws `invalid_input`, naming the location, for a value that is not JSON or
 * is nested too deeply.
 */
export function canonicalJson(value: unknown): string {
  return write(value, '', 0, { left: maxValues, sorts: true });
}

/** Returns the value as JSON, with its keys in the given order. Refuses what `canonicalJson` refuses. */
export function orderedJson(value: unknown): string {
  return write(value, '', 0, { left: maxValues, sorts: false });
}

interface Budget {
  left: number;
  readonly sorts: boolean;
}

function write(value: unknown, path: string, depth: number, budget: Budget): string {
  budget.left -= 1;
  if (budget.left < 0) throw tooWide(`More than ${maxValues} values`);
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
    return `[${value.map((item, index) => write(item, `${path}/${index}`, depth + 1, budget)).join(',')}]`;
  }
  if (typeof value === 'object') return writeObject(value as Record<string, unknown>, path, depth, budget);
  throw notJson(path, typeof value);
}

function writeObject(value: Record<string, unknown>, path: string, depth: number, budget: Budget): string {
  const parts: string[] = [];
  const keys = Object.keys(value);
  if (keys.length > maxKeys) throw tooWide(`More than ${maxKeys} keys in the object at ${path.slice(0, 80) || '/'}`);
  for (const key of budget.sorts ? keys.sort() : keys) {
    const member = value[key];
    if (member === undefined) continue;
    parts.push(`${JSON.stringify(key)}:${write(member, `${path}/${key}`, depth + 1, budget)}`);
  }
  return `{${parts.join(',')}}`;
}

function tooWide(problem: string): HelveError {
  return new HelveError('invalid_input', problem, { hint: 'Send fewer values in one call.' });
}

function notJson(path: string, what: string): HelveError {
  return new HelveError('invalid_input', `${what} at ${path || '/'} is not JSON`, { hint: 'Send plain JSON values.' });
}

/** Whether a value is an object, but neither null nor an array. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object, otherwise an empty one: to read members of what may be anything. */
export function objectOrEmpty(value: unknown): Record<string, unknown> {
  return isPlainObject(value) ? value : {};
}
