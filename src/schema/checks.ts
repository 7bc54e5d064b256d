/**
 * Verdicts for code that holds a raw schema and uses it repeatedly: inputs, outputs, argument limits and configuration.
 * The compiled form of a schema lives as long as the schema.
 */
import { HelveError } from '../domain/errors.js';
import type { JsonSchema } from '../domain/json.js';
import { isPlainObject } from '../util/canonical.js';
import { type AdmittedSchema, admitSchema } from './admit-schema.js';
import { copyJson, type SchemaIssue } from './run.js';

const admitted = new WeakMap<JsonSchema, AdmittedSchema>();

/** Throws `invalid_config` for a schema that cannot be honoured. */
function getAdmitted(schema: JsonSchema): AdmittedSchema {
  const known = admitted.get(schema);
  if (known) return known;
  try {
    const made = admitSchema(schema);
    admitted.set(schema, made);
    return made;
  } catch (cause) {
    throw new HelveError('invalid_config', `A schema does not compile: ${(cause as Error).message}`, { cause });
  }
}

/** Whether a value satisfies the schema. Throws `invalid_config` for a schema that cannot be honoured. */
export function satisfies(schema: JsonSchema, value: unknown): boolean {
  return getAdmitted(schema).validate(value).ok;
}

/**
 * Returns at most ten issues, each with the JSON Pointer of the value, `/` for the whole. Empty if the value is valid.
 */
export function schemaIssues(schema: JsonSchema, value: unknown): Omit<SchemaIssue, 'keyword'>[] {
  const verdict = getAdmitted(schema).validate(value);
  return verdict.ok ? [] : verdict.issues.map(({ path, message }) => ({ path: path || '/', message }));
}

/**
 * Fills in `default` values of object properties, in place: the caller owns the value. Returns whether there were any.
 */
export function fillDefaults(schema: JsonSchema, value: unknown): boolean {
  if (!isPlainObject(value) || !isPlainObject(schema.properties)) return false;
  let filled = false;
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!isPlainObject(property)) continue;
    if (Object.hasOwn(value, name)) filled = fillDefaults(property, value[name]) || filled;
    else if (property.default !== undefined) {
      // Not by assignment: a member may be named `__proto__`.
      const member = { value: copyJson(property.default), writable: true, enumerable: true, configurable: true };
      Object.defineProperty(value, name, member);
      filled = true;
    }
  }
  return filled;
}

/** Whether the schema itself declares this property at its top level. */
export function declaresProperty(schema: JsonSchema, name: string): boolean {
  return isPlainObject(schema.properties) && Object.hasOwn(schema.properties, name);
}
