/** Parameters as Stripe reads them: `metadata[key]=…`, `line_items[0][price]=…`, in bodies and addresses alike. */
import { HelveError } from '../../domain/errors.js';

export type Parameter =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Parameter[]
  | { readonly [name: string]: Parameter };

export type Parameters = Readonly<Record<string, Parameter>>;

/** Undefined is left out; null and '' take a value away. */
export function formOf(parameters: Parameters): [name: string, value: string][] {
  return Object.entries(parameters).flatMap(([name, value]) => flat(name, value));
}

export function queryOf(parameters: Parameters): Record<string, string> {
  return Object.fromEntries(formOf(parameters));
}

function flat(name: string, value: Parameter): [string, string][] {
  if (value === undefined) return [];
  if (value === null) return [[name, '']];
  if (typeof value !== 'object') return [[name, String(value)]];
  const entries = isList(value) ? value.map((one, index) => [index, one] as const) : Object.entries(value);
  return entries.flatMap(([key, one]) => flat(`${name}[${plain(key)}]`, one));
}

const isList = (value: object): value is readonly Parameter[] => Array.isArray(value);

/** A bracket in a key would make it another parameter. */
function plain(key: string | number): string {
  if (!/[[\]]/.test(String(key))) return String(key);
  throw new HelveError('invalid_input', `${JSON.stringify(key)}: keys of metadata cannot hold square brackets`);
}
