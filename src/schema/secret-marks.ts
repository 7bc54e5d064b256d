/**
 * Which parts of a value the schema itself marks as secret (`writeOnly`, `format: password`): also by reference, in a branch, for every
 * other member, and for items.
 */
import type { JsonSchema } from '../domain/json.js';
import { isPlainObject } from '../util/canonical.js';
import { findMatcher } from './patterns/index.js';

/** The marks of one value and of its parts. */
export interface SecretMarks {
  readonly isSecret: boolean;
  member(name: string): SecretMarks;
  item(index: number): SecretMarks;
}

/** Schemas of tools are immutable, so what has no mark at all is found once. */
const marked = new WeakMap<JsonSchema, boolean>();

/** Undefined if the schema marks nothing. */
export function findSecretMarks(schema: JsonSchema): SecretMarks | undefined {
  const known = marked.get(schema) ?? /"writeOnly":true|"format":"password"/.test(JSON.stringify(schema));
  marked.set(schema, known);
  return known ? marksOf([schema], schema) : undefined;
}

function marksOf(given: readonly unknown[], root: JsonSchema): SecretMarks {
  const schemas = withBranches(given, root);
  return {
    isSecret: schemas.some(({ writeOnly, format }) => writeOnly === true || format === 'password'),
    member: (name) => marksOf(memberSchemas(schemas, name), root),
    item: (index) => marksOf(itemSchemas(schemas, index), root),
  };
}

/** The schemas, with what `$ref` and the combining keywords add to them. */
function withBranches(given: readonly unknown[], root: JsonSchema): Record<string, unknown>[] {
  const found = new Set<Record<string, unknown>>();
  const add = (schema: unknown): void => {
    if (!isPlainObject(schema) || found.has(schema)) return;
    found.add(schema);
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) for (const branch of toList(schema[keyword])) add(branch);
    for (const keyword of ['if', 'then', 'else']) add(schema[keyword]);
    if (isPlainObject(schema.dependentSchemas)) for (const one of Object.values(schema.dependentSchemas)) add(one);
    if (typeof schema.$ref === 'string') add(atPointer(root, schema.$ref));
  };
  for (const schema of given) add(schema);
  return [...found];
}

function memberSchemas(schemas: readonly Record<string, unknown>[], name: string): unknown[] {
  return schemas.flatMap(({ properties, patternProperties, additionalProperties }) => {
    const named = isPlainObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
    const patterns = isPlainObject(patternProperties) ? Object.entries(patternProperties) : [];
    const fitting = patterns.filter(([pattern]) => fits(pattern, name)).map(([, schema]) => schema);
    const all = [...named, ...fitting];
    return all.length > 0 ? all : [additionalProperties];
  });
}

function fits(pattern: string, name: string): boolean {
  const found = findMatcher(pattern);
  return 'matcher' in found && found.matcher.test(name) === true;
}

/** A tuple is in `prefixItems`, or in `items` in older drafts. */
function itemSchemas(schemas: readonly Record<string, unknown>[], index: number): unknown[] {
  return schemas.map(({ prefixItems, items, additionalItems }) =>
    Array.isArray(items) ? (items[index] ?? additionalItems) : (toList(prefixItems)[index] ?? items),
  );
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Resolves `#/$defs/Secret`; undefined for a reference outside this document. */
function atPointer(root: JsonSchema, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  let at: unknown = root;
  for (const part of reference.slice(1).split('/').slice(1)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (!Object.hasOwn(Object(at), key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}
