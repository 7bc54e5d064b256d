/**
 * What a rule on arguments can only hold for, as far as it can be looked up: a property that must be there, and the values that it
 * must have. Only schemas of the plainest form are read; such a schema always compiles, so that leaving it out never hides one that
 * cannot be honoured.
 */
import type { JsonObject, JsonSchema } from '../domain/json.js';
import { isUsablePattern } from '../schema/index.js';
import { isPlainObject } from '../util/canonical.js';

export interface ArgumentKey {
  /** The arguments must have this property. */
  readonly property: string;
  /** It must have one of these values; undefined: any. */
  readonly values?: readonly (string | boolean)[];
}

type Check = (value: unknown) => boolean;

const isString: Check = (value) => typeof value === 'string';
const isFiniteNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isLength: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isScalar: Check = (value) => typeof value === 'string' || typeof value === 'boolean' || isFiniteNumber(value);
/** More of them, and the schema is not plain: admission has bounds too. */
const maxMembers = 200;
const isList: Check = (value) => Array.isArray(value) && value.length <= maxMembers;
const types = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** The keywords that a property of a plain schema may have, with what is a plain value of each. */
const propertyKeywords: Readonly<Record<string, Check>> = {
  type: (value) => types.has(value),
  title: isString,
  description: isString,
  const: isScalar,
  enum: (value) => isList(value) && (value as unknown[]).length > 0 && (value as unknown[]).every(isScalar),
  minimum: isFiniteNumber,
  maximum: isFiniteNumber,
  minLength: isLength,
  maxLength: isLength,
  pattern: (value) => typeof value === 'string' && isUsablePattern(value),
};
const rootKeywords: Readonly<Record<string, Check>> = {
  type: (value) => value === 'object',
  title: isString,
  description: isString,
  required: (value) => isList(value) && (value as unknown[]).every(isString),
  properties: (value) =>
    isPlainObject(value) &&
    isList(Object.values(value)) &&
    Object.values(value).every((one) => hasOnly(one, propertyKeywords)),
};

/**
 * Returns a property that the arguments must have for the rule to hold, one with known values if there is one; undefined if it cannot
 * be said.
 */
export function findArgumentKey(shape: JsonSchema): ArgumentKey | undefined {
  if (!hasOnly(shape, rootKeywords)) return undefined;
  const { required = [], properties = {} } = shape as { required?: string[]; properties?: JsonObject };
  const keys = required.map((property): ArgumentKey => {
    const values = Object.hasOwn(properties, property) ? knownValues(properties[property] as JsonObject) : undefined;
    return values === undefined ? { property } : { property, values };
  });
  return keys.find(({ values }) => values !== undefined) ?? keys[0];
}

/** Numbers are left out: they are compared by their value, however they are written. */
function knownValues(shape: JsonObject): readonly (string | boolean)[] | undefined {
  const listed = shape.const === undefined ? shape.enum : [shape.const];
  if (!Array.isArray(listed) || !listed.every(isKnown)) return undefined;
  return listed;
}

function isKnown(value: unknown): value is string | boolean {
  return typeof value === 'string' || typeof value === 'boolean';
}

function hasOnly(schema: unknown, keywords: Readonly<Record<string, Check>>): boolean {
  return (
    isPlainObject(schema) &&
    Object.entries(schema).every(([name, value]) => Object.hasOwn(keywords, name) && keywords[name]?.(value))
  );
}
