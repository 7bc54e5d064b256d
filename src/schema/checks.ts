/**
 * Verdicts for code that holds a raw schema and uses it repeatedly: inputs, outputs, argument limits and configuration.
 * The compiled form of a schema lives as long as the schema.
 */
import { HelveError } from '../domain/errors.js';
import type { JsonSchema, JsonValue } from '../domain/json.js';
import { type AdmittedSchema, admitSchema } from './admit-schema.js';
import type { SchemaIssue } from './run.js';

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
 * Returns the value with the `default`s of omitted members; the value itself if nothing is missing. Throws
 * `invalid_config` for a schema that cannot be honoured.
 */
export function withDefaults<T extends JsonValue>(schema: JsonSchema, value: T): T {
  return getAdmitted(schema).withDefaults(value) as T;
}
