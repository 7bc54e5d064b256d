/**
 * Checks the fields that are read from Composio's responses, in place: rows are used as they came, because a synchronisation
 * processes twelve thousand of them. Other fields are not checked, and null counts as missing.
 */
import { HelveError } from '../../domain/errors.js';
import { isPlainObject } from '../../util/canonical.js';

type FieldKind = 'text' | 'number' | 'boolean' | 'texts' | 'object' | 'list';

/** Name and kind of each field that is read; `!` marks required ones. */
export type Fields = readonly (readonly [name: string, kind: FieldKind | `${FieldKind}!`])[];

/** The route, for error messages: `GET /tools`. */
export interface Place {
  readonly route: string;
  /** `items/3` */
  readonly path: string;
}

const checks: Readonly<Record<FieldKind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  texts: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  object: isPlainObject,
  list: Array.isArray,
};

/** Returns the same object, typed by its fields. Throws `upstream_failed` naming the field. */
export function readFields<Row>(value: unknown, fields: Fields, place: Place): Row {
  if (!isPlainObject(value)) throw unexpected(place, 'an object', value);
  for (const [name, kind] of fields) {
    const field = value[name];
    const required = kind.endsWith('!');
    if (!required && (field === undefined || field === null)) continue;
    const plain = (required ? kind.slice(0, -1) : kind) as FieldKind;
    if (!checks[plain](field)) throw unexpected(within(place, name), wordFor[plain], field);
  }
  return value as Row;
}

/** Returns the list's rows, each with valid fields. Throws `upstream_failed` naming the first invalid field. */
export function readList<Row>(value: unknown, fields: Fields, place: Place): readonly Row[] {
  if (!Array.isArray(value)) throw unexpected(place, 'a list', value);
  for (let index = 0; index < value.length; index++) readFields(value[index], fields, within(place, String(index)));
  return value as readonly Row[];
}

/** Returns a list's strings without the few other members. Throws `upstream_failed` if those are more than 1 %. */
export function readMostTexts(value: unknown, place: Place): readonly string[] {
  if (!Array.isArray(value)) throw unexpected(place, 'a list of texts', value);
  const texts = value.filter((one) => typeof one === 'string');
  if (value.length - texts.length > Math.max(1, value.length / 100)) throw unexpected(place, 'a list of texts', value);
  return texts;
}

const wordFor: Readonly<Record<FieldKind, string>> = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  texts: 'a list of texts',
  object: 'an object',
  list: 'a list',
};

export function within({ route, path }: Place, name: string): Place {
  return { route, path: path === '' ? name : `${path}/${name}` };
}

/** Names the kind of the value, never the value itself, which may be a secret. */
function unexpected({ route, path }: Place, wanted: string, found: unknown): HelveError {
  const kind = found === null ? 'null' : Array.isArray(found) ? 'a list' : typeof found;
  const where = path === '' ? '' : ` at ${path}`;
  return new HelveError(
    'upstream_failed',
    `Composio's answer to ${route} has no ${wanted.replace(/^an? /, '')}${where}`,
    {
      hint: 'Check the address of Composio, and whether its API has changed.',
      details: { route, field: path, found: kind },
    },
  );
}
