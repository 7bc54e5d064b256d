/** The properties that schemas speak of, as far as they say so plainly. */
import type { JsonSchema } from '../domain/json.js';
import { isPlainObject, objectOrEmpty } from '../util/canonical.js';

/** The properties that a schema requires or says something about, at its top level. */
export function namedProperties({ required, properties }: JsonSchema): readonly string[] {
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  return [...new Set([...names, ...Object.keys(objectOrEmpty(properties))])];
}

/** Whether a value can have this property: only a closed schema of the plainest form says that it cannot. */
export function mayHaveProperty(schema: JsonSchema, name: string): boolean {
  const { properties, additionalProperties, $ref, allOf, anyOf, oneOf, patternProperties } = schema;
  const isPlain = [$ref, allOf, anyOf, oneOf, patternProperties].every((part) => part === undefined);
  if (!isPlain || additionalProperties !== false || !isPlainObject(properties)) return true;
  return Object.hasOwn(properties, name);
}
