/**
 * Arguments as shown to the person who decides on them: exact, except what the tool's schema itself marks as secret
 * (`writeOnly`, `format: password`). Nothing is guessed from names or shapes: an agent chooses both, and could hide
 * behind them what it wants to run.
 */
import type { JsonObject, JsonSchema, JsonValue } from '../domain/json.js';
import { isPlainObject } from '../util/canonical.js';

export const hiddenMark = '[hidden: the tool marks this as secret]';

export function hideMarked(input: JsonObject, schema: JsonSchema): JsonObject {
  const member = (value: JsonValue, given: readonly unknown[]): JsonValue => {
    const schemas = withBranches(given, schema);
    if (value !== null && schemas.some(isMarked)) return hiddenMark;
    if (Array.isArray(value)) return value.map((item: JsonValue, index) => member(item, itemSchemas(schemas, index)));
    if (!isPlainObject(value)) return value;
    const names = Object.keys(value);
    // Entries, not assignment: a member may be named __proto__.
    return Object.fromEntries(
      names.map((name) => [name, member(value[name] as JsonValue, memberSchemas(schemas, name))]),
    );
  };
  return member(input, [schema]) as JsonObject;
}

function isMarked(schema: Record<string, unknown>): boolean {
  return schema.writeOnly === true || schema.format === 'password';
}

/** The schemas, with what `$ref` and the combining keywords add to them. */
function withBranches(given: readonly unknown[], root: JsonSchema): Record<string, unknown>[] {
  const found = new Set<Record<string, unknown>>();
  const add = (schema: unknown): void => {
    if (!isPlainObject(schema) || found.has(schema)) return;
    found.add(schema);
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) for (const branch of toList(schema[keyword])) add(branch);
    for (const keyword of ['if', 'then', 'else']) add(schema[keyword]);
    if (typeof schema.$ref === 'string') add(atPointer(root, schema.$ref));
  };
  for (const schema of given) add(schema);
  return [...found];
}

function memberSchemas(schemas: readonly Record<string, unknown>[], name: string): unknown[] {
  return schemas.flatMap((schema) => {
    const { properties, additionalProperties } = schema;
    return isPlainObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [additionalProperties];
  });
}

function itemSchemas(schemas: readonly Record<string, unknown>[], index: number): unknown[] {
  return schemas.map(({ prefixItems, items }) => toList(prefixItems)[index] ?? items);
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
