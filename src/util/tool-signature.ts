/**
 * A tool's parameters in one short line for a model: `(owner: string, labels: string[], body?: string, …)`. Required
 * parameters come first, then those that a call is about, then those that only shape the answer. What does not fit is
 * cut from the end.
 */
import type { JsonSchema } from '../domain/json.js';
import { isPlainObject } from './canonical.js';
import { followReference } from './follow-reference.js';

const shortLength = 72;
const maxAlternatives = 28;
const maxDepth = 2;
/** Optional parameters that nearly every API has and that say nothing about what this tool does. */
const shaping =
  /^\$?(?:page|per_?page|page_?size|page_?number|(?:next_?)?page_?token|limit|offset|skip|top|count|max_?results|cursor|after|before|starting_after|ending_before|fields|expand|include|select|format|pretty|order(?:_?by)?|sort(?:_?by)?|direction|user_?id|request_?id|idempotency_?key)$/i;
const known = new WeakMap<object, string>();

/** Returns the signature with at most 72 characters between the parentheses; cached by schema. */
export function toolSignature({ inputSchema }: { readonly inputSchema: JsonSchema }): string {
  const before = known.get(inputSchema);
  if (before !== undefined) return before;
  const signature = writeSignature(inputSchema, shortLength);
  known.set(inputSchema, signature);
  return signature;
}

/**
 * Writes the signature with at most `maxLength` characters between the parentheses, except that the first parameter is
 * always included.
 */
export function writeSignature(schema: JsonSchema, maxLength: number): string {
  const properties = isPlainObject(schema.properties) ? schema.properties : {};
  const typeOf = (name: string) => shortType(properties[name], { root: schema, depth: 0 });
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const names = Object.keys(properties);
  const rank = (name: string) => (required.has(name) ? 0 : shaping.test(name) ? 2 : 1);
  const ordered = [0, 1, 2].flatMap((group) => names.filter((name) => rank(name) === group));
  const parameters = ordered.map((name) =>
    required.has(name) ? `${name}: ${typeOf(name)}` : `${name}?: ${typeOf(name)}`,
  );
  const shown: string[] = [];
  let length = 0;
  for (const parameter of parameters) {
    length += parameter.length + 2;
    if (shown.length > 0 && length > maxLength) break;
    shown.push(parameter);
  }
  if (shown.length < parameters.length) shown.push('…');
  return `(${shown.join(', ')})`;
}

interface Place {
  /** The schema that references in it point into. */
  readonly root: JsonSchema;
  readonly depth: number;
}

function shortType(given: unknown, { root, depth }: Place): string {
  const schema = depth > maxDepth ? undefined : followReference(given, root);
  if (!isPlainObject(schema)) return 'any';
  const inside = { root, depth: depth + 1 };
  const listed = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : undefined;
  const values = listed?.map((value) => JSON.stringify(value)).join(' | ');
  if (values !== undefined && values.length <= maxAlternatives) return values;
  const alternatives = [schema.anyOf, schema.oneOf].find(Array.isArray);
  if (schema.type === undefined && alternatives) return union(alternatives, inside);
  const [type, ...others] = [schema.type].flat().filter((one) => one !== 'null');
  if (others.length > 0) return [...new Set([type, ...others].map(plainType))].join(' | ');
  if (listed && schema.type === undefined) return typeof listed[0];
  if (type !== 'array') return plainType(type);
  const item = shortType(schema.items, inside);
  return item.includes(' ') ? `(${item})[]` : `${item}[]`;
}

function union(alternatives: readonly unknown[], place: Place): string {
  const types = alternatives
    .filter((one) => !(isPlainObject(one) && one.type === 'null'))
    .map((one) => shortType(one, place));
  const text = [...new Set(types)].join(' | ');
  return text === '' || text.length > maxAlternatives ? 'any' : text;
}

function plainType(type: unknown): string {
  if (type === 'integer') return 'number';
  return typeof type === 'string' ? type : 'any';
}
