/** The locations of subschemas within a schema, in any draft. */
import { isPlainObject } from '../util/canonical.js';

/** The structure of a keyword's value. */
export type SubschemaForm = 'schema' | 'list' | 'map' | 'schema-or-list' | 'map-of-schema-or-names';

export const subschemaForms: ReadonlyMap<string, SubschemaForm> = new Map<string, SubschemaForm>([
  ...['additionalItems', 'additionalProperties', 'contains', 'contentSchema', 'else', 'if', 'not', 'propertyNames'].map(
    (keyword) => [keyword, 'schema'] as const,
  ),
  ...['then', 'unevaluatedItems', 'unevaluatedProperties'].map((keyword) => [keyword, 'schema'] as const),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((keyword) => [keyword, 'list'] as const),
  ...['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'].map(
    (keyword) => [keyword, 'map'] as const,
  ),
  ['items', 'schema-or-list'],
  ['dependencies', 'map-of-schema-or-names'],
]);

/** Returns the schemas directly within this one. Anything malformed is omitted. */
export function listSubschemas(schema: Readonly<Record<string, unknown>>): unknown[] {
  const parts: unknown[] = [];
  for (const keyword of Object.keys(schema)) {
    const form = subschemaForms.get(keyword);
    if (form === undefined) continue;
    const value = schema[keyword];
    if (Array.isArray(value)) {
      if (form === 'list' || form === 'schema-or-list') for (const part of value) parts.push(part);
    } else if (isPlainObject(value)) {
      if (form === 'map' || form === 'map-of-schema-or-names')
        for (const name of Object.keys(value)) parts.push(value[name]);
      else if (form !== 'list') parts.push(value);
    }
  }
  return parts;
}
