/** Parameters as Stripe reads them: `metadata[key]=…`, `line_items[0][price]=…`, in bodies and addresses. */
import { HelveError } from '../../domain/errors.js';

/** Undefined is left out; null, '' and an empty list remove a value. */
export function encodeForm(parameters: object): [name: string, value: string][] {
  return Object.entries(parameters).flatMap(([name, value]) => flatten(name, value));
}

function flatten(name: string, value: unknown): [string, string][] {
  if (value === undefined) return [];
  if (value === null || (Array.isArray(value) && value.length === 0)) return [[name, '']];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, one]) => flatten(`${name}[${checkKey(key)}]`, one));
}

/** A bracket in a key would change the name of the parameter. */
function checkKey(key: string): string {
  if (!/[[\]]/.test(key)) return key;
  throw new HelveError('invalid_input', `${JSON.stringify(key)}: keys of metadata cannot contain square brackets`);
}
