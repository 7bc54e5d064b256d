/** The types of JSON Schema, including `nullable` of OpenAPI 3.0. */
import type { JsonSchema } from '../domain/json.js';
import { isObject, own } from './run.js';

export const typeNames = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] as const;
export type TypeName = (typeof typeNames)[number];

/** Returns the types that a schema allows; undefined for any. */
export function listTypes(schema: JsonSchema): readonly TypeName[] | undefined {
  const type = own(schema, 'type');
  if (type === undefined) return undefined;
  const types = (Array.isArray(type) ? type : [type]) as readonly TypeName[];
  return own(schema, 'nullable') === true && !types.includes('null') ? [...types, 'null'] : types;
}

/**
 * Whether `null` is allowed in addition to the schema's other keywords. OpenAPI 3.0.3 gives `nullable` no meaning
 * without a `type`, but its authors mean it; with a `type`, that type list contains null.
 */
export const isNullBesides = (schema: JsonSchema): boolean =>
  own(schema, 'nullable') === true &&
  own(schema, 'type') === undefined &&
  ['$ref', 'allOf', 'anyOf', 'oneOf'].some((keyword) => own(schema, keyword) !== undefined);

export function isOfType(type: TypeName, value: unknown): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'number':
      return Number.isFinite(value);
    case 'integer':
      return Number.isInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
  }
}
