/** The properties that schemas describe, as far as this can be seen without evaluating them. */
import type { JsonSchema } from '../domain/json.js';
import { isPlainObject, objectOrEmpty } from '../util/canonical.js';

/** The properties that a schema requires or describes at its top level. */
export function namedProperties({ required, properties }: JsonSchema): readonly string[] {
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  return [...new Set([...names, ...Object.keys(objectOrEmpty(properties))])];
}

/** The schema as if it took only what it lists, if it lists something and says nothing about the rest. */
export function closeListed(schema: JsonSchema): JsonSchema {
  const isSilent = schema.additionalProperties === undefined && schema.unevaluatedProperties === undefined;
  const isListing = Object.keys(objectOrEmpty(schema.properties)).length > 0;
  return isSilent && isListing ? { ...schema, additionalProperties: false } : schema;
}

/** Whether a value can have this property. Only a closed schema of the plainest form rules it out. */
export function mayHaveProperty(schema: JsonSchema, name: string): boolean {
  const { properties, additionalProperties, $ref, allOf, anyOf, oneOf, patternProperties } = schema;
  const isPlain = [$ref, allOf, anyOf, oneOf, patternProperties].every((part) => part === undefined);
  if (!isPlain || additionalProperties !== false || !isPlainObject(properties)) return true;
  return Object.hasOwn(properties, name);
}

/** Whether it can be seen at once that no object satisfies the schema. False says nothing. */
export function acceptsNoObject(schema: unknown): boolean {
  if (isNever(schema)) return true;
  // Beside a reference, other keywords count or do not, as the draft says.
  if (!isPlainObject(schema) || schema.$ref !== undefined) return false;
  const { type, required, allOf, anyOf } = schema;
  if (type !== undefined && ![type].flat().includes('object')) return true;
  const properties = objectOrEmpty(schema.properties);
  const cannotBeGiven = (name: unknown): boolean =>
    typeof name === 'string' &&
    ((Object.hasOwn(properties, name) && isNever(properties[name])) || !mayHaveProperty(schema, name));
  if (Array.isArray(required) && required.some(cannotBeGiven)) return true;
  if (Array.isArray(allOf) && allOf.some(acceptsNoObject)) return true;
  return Array.isArray(anyOf) && anyOf.length > 0 && anyOf.every(acceptsNoObject);
}

const isNever = (schema: unknown): boolean =>
  schema === false || (isPlainObject(schema) && (schema.not === true || isEmpty(schema.not)));

const isEmpty = (schema: unknown): boolean => isPlainObject(schema) && Object.keys(schema).length === 0;
