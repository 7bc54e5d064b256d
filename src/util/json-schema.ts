/**
 * Compiled validation of raw JSON Schemas, made on first use and kept as long as the schema is.
 * Knows nothing of tools: inputs, outputs, argument limits and configuration all come here.
 */
import { Compile, type Validator } from 'typebox/schema';
import { HelveError } from '../spec/errors.js';
import type { JsonSchema } from '../spec/json.js';
import { isPlainObject } from './canonical.js';

export interface SchemaIssue {
  /** JSON Pointer to the offending value. */
  readonly path: string;
  readonly message: string;
}

const compiled = new WeakMap<JsonSchema, Validator>();

function validatorFor(schema: JsonSchema): Validator {
  const known = compiled.get(schema);
  if (known) return known;
  try {
    const validator = Compile(schema);
    compiled.set(schema, validator);
    return validator;
  } catch (cause) {
    throw new HelveError('invalid_config', `A schema does not compile: ${(cause as Error).message}`, { cause });
  }
}

export function satisfies(schema: JsonSchema, value: unknown): boolean {
  return validatorFor(schema).Check(value);
}

/** At most ten issues; an empty list means that the value is valid. */
export function schemaIssues(schema: JsonSchema, value: unknown): SchemaIssue[] {
  const validator = validatorFor(schema);
  if (validator.Check(value)) return [];
  const [, errors] = validator.Errors(value);
  // `boolean` only repeats what `additionalProperties` says with the property's name.
  const telling = errors.filter((error) => error.keyword !== 'boolean');
  const issues = telling.slice(0, 10).map((error) => ({
    path: error.instancePath || '/',
    message: describe(error.keyword, error.params, error.message),
  }));
  return issues.length > 0 ? issues : [{ path: '/', message: 'does not match the schema' }];
}

function describe(keyword: string, params: unknown, message: string): string {
  if (!isPlainObject(params)) return message;
  if (keyword === 'additionalProperties' && Array.isArray(params.additionalProperties)) {
    // Whole or not at all: a part of a secret is no longer recognised as one.
    const names = params.additionalProperties
      .slice(0, 5)
      .map((name: unknown) => (String(name).length > 300 ? 'of over 300 characters' : JSON.stringify(name)));
    const more = params.additionalProperties.length - names.length;
    return `unknown property ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  }
  if (keyword === 'enum' && Array.isArray(params.allowedValues)) {
    return `must be one of ${params.allowedValues.map((allowed) => JSON.stringify(allowed)).join(', ')}`;
  }
  return message;
}

/** Fills in `default` values of object properties, in place: the caller owns the value. Whether there were any. */
export function fillDefaults(schema: JsonSchema, value: unknown): boolean {
  if (!isPlainObject(value) || !isPlainObject(schema.properties)) return false;
  let filled = false;
  for (const [name, property] of Object.entries(schema.properties)) {
    if (!isPlainObject(property)) continue;
    if (Object.hasOwn(value, name)) filled = fillDefaults(property, value[name]) || filled;
    else if (property.default !== undefined) {
      value[name] = structuredClone(property.default);
      filled = true;
    }
  }
  return filled;
}

/** Whether the schema itself names this property at its top level. */
export function declaresProperty(schema: JsonSchema, name: string): boolean {
  return isPlainObject(schema.properties) && Object.hasOwn(schema.properties, name);
}
