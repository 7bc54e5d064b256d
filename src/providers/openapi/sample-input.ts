/** Creates a value that a schema accepts, from the schema alone: for trying operations in tests and benchmarks. */
import type { JsonObject, JsonSchema, JsonValue } from '../../domain/json.js';
import { isPlainObject, objectOrEmpty } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';

export interface SampleOptions {
  /** Text that a regular expression matches somewhere. */
  readonly matching: (pattern: string) => string;
  /** Also includes optional members, to this depth. Default 0: none. */
  readonly optionalDepth?: number;
}

interface State extends SampleOptions {
  readonly definitions: Record<string, unknown>;
}

const maxDepth = 40;

/** Returns a sample value. It may be invalid for a schema that nothing simple satisfies. */
export function sampleInput(schema: JsonSchema, options: SampleOptions): JsonValue {
  const definitions = objectOrEmpty(schema.$defs);
  return sample(schema, { ...options, definitions }, 0);
}

function sample(schema: unknown, state: State, depth: number): JsonValue {
  if (!isPlainObject(schema) || depth > maxDepth) return null;
  const whole = flattened(schema, state, 0);
  const type = getType(whole);
  const given = givenValue(whole, type);
  if (given !== undefined) return given;
  switch (type) {
    case 'string':
      return sampleText(whole, state);
    case 'integer':
    case 'number':
      return sampleNumber(whole);
    case 'boolean':
      return true;
    case 'array':
      return sampleList(whole, state, depth);
    case 'object':
      return sampleObject(whole, state, depth);
    default:
      return type === 'null' ? null : 'text';
  }
}

/** A value that the schema itself names. */
function givenValue(schema: Record<string, unknown>, type: string): JsonValue | undefined {
  const { const: only, enum: values, examples } = schema;
  if (only !== undefined) return only as JsonValue;
  if (Array.isArray(values) && values.length > 0) return (values.find((value) => value !== null) ?? null) as JsonValue;
  const [example] = Array.isArray(examples) ? examples : [];
  return typeof example === type && fits(schema, example) ? (example as JsonValue) : undefined;
}

/** The schema with its references and combinations merged: all of `allOf`, the first of `anyOf`. */
function flattened(schema: Record<string, unknown>, state: State, depth: number): Record<string, unknown> {
  const { $ref, allOf, anyOf, ...own } = schema;
  if (depth > maxDepth) return own;
  const name = typeof $ref === 'string' ? $ref.slice('#/$defs/'.length) : undefined;
  const target = name === undefined ? undefined : state.definitions[name];
  const choice = Array.isArray(anyOf) ? anyOf[0] : undefined;
  const parts = [target, ...(Array.isArray(allOf) ? allOf : []), choice].filter(isPlainObject);
  return parts.map((part) => flattened(part, state, depth + 1)).reduce(merged, own);
}

function merged(one: Record<string, unknown>, other: Record<string, unknown>): Record<string, unknown> {
  const list = (key: string): unknown[] => [one[key], other[key]].flatMap((each) => (Array.isArray(each) ? each : []));
  const properties = [one.properties, other.properties].filter(isPlainObject);
  const required = new Set(list('required'));
  return {
    ...other,
    ...one,
    ...defined({
      properties: properties.length > 0 ? joined(properties) : undefined,
      required: required.size > 0 ? [...required] : undefined,
    }),
  };
}

/** A member that several parts describe must satisfy all of them. */
function joined(parts: readonly Record<string, unknown>[]): Record<string, unknown> {
  const names = new Set(parts.flatMap((part) => Object.keys(part)));
  const entries = [...names].map((name) => {
    const here = parts.flatMap((part) => (Object.hasOwn(part, name) ? [part[name]] : []));
    return [name, here.length === 1 ? here[0] : { allOf: here }] as const;
  });
  return Object.fromEntries(entries);
}

function getType(schema: Record<string, unknown>): string {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const type = types.find((each) => each !== 'null' && each !== undefined) ?? types[0];
  if (typeof type === 'string') return type;
  if (schema.properties !== undefined || schema.required !== undefined) return 'object';
  return schema.items === undefined ? '' : 'array';
}

function fits({ minLength, maxLength, pattern, format }: Record<string, unknown>, example: unknown): boolean {
  if (typeof example !== 'string') return false;
  if (example.length < Number(minLength ?? 0) || example.length > Number(maxLength ?? Infinity)) return false;
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(example)) return false;
  return !Object.hasOwn(formatted, String(format));
}

const formatted: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  uuid: '6f8a7c1e-0b1d-4c2a-9e3f-1a2b3c4d5e6f',
  email: 'somebody@example.org',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  byte: 'aGVsdmU=',
  binary: 'aGVsdmU=',
};

function sampleText(schema: Record<string, unknown>, { matching }: State): string {
  const { pattern, format, minLength, maxLength } = schema;
  if (typeof format === 'string' && Object.hasOwn(formatted, format)) return formatted[format] ?? '';
  const min = Number(minLength ?? 0);
  const max = Number(maxLength ?? Math.max(8, min));
  if (typeof pattern !== 'string')
    return 'abcdefgh'.repeat(Math.ceil(Math.max(min, 1) / 8)).slice(0, Math.max(min, Math.min(max, 8)));
  const longest = Math.max(max, min);
  // An unbounded part repeats as often as the length requires.
  const bounded = pattern.replace(/(?<!\\)[*+](?=\)?\$?$)/, `{${min},${longest}}`);
  for (const tried of new Set([pattern, bounded])) {
    for (let turn = 0; turn < 40; turn++) {
      const text = matching(tried);
      if (text.length >= min && text.length <= longest) return text;
    }
  }
  return matching(pattern);
}

function sampleNumber(schema: Record<string, unknown>): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const low = Math.max(Number(minimum ?? -Infinity), Number(exclusiveMinimum ?? -Infinity));
  const high = Math.min(Number(maximum ?? Infinity), Number(exclusiveMaximum ?? Infinity));
  const step = getStep(schema, high - low);
  if (low === -Infinity)
    return high > step ? step : Math.floor(high / step) * step - (exclusiveMaximum === undefined ? 0 : step);
  const first = Math.ceil(low / step) * step;
  const open = exclusiveMinimum !== undefined && low === Number(exclusiveMinimum);
  const from = open && first <= low ? first + step : first;
  return from <= high ? from : low;
}

/** The distance between two numbers that it accepts, within a range of this width. */
function getStep({ multipleOf, type }: Record<string, unknown>, width: number): number {
  if (typeof multipleOf === 'number') return multipleOf;
  const isWhole = type === 'integer' || (Array.isArray(type) && type.includes('integer'));
  return isWhole ? 1 : Math.min(1, width / 2 || 1);
}

function sampleList(schema: Record<string, unknown>, state: State, depth: number): JsonValue[] {
  const length = Math.max(Number(schema.minItems ?? 0), depth <= (state.optionalDepth ?? 0) ? 1 : 0);
  const max = Math.min(length, Number(schema.maxItems ?? length), 100);
  return Array.from({ length: max }, (_, index) => {
    const item = sample(schema.items ?? {}, state, depth + 1);
    return schema.uniqueItems === true && index > 0 ? different(item, index) : item;
  });
}

const different = (item: JsonValue, index: number): JsonValue =>
  typeof item === 'number' ? item + index : typeof item === 'string' ? `${item}${index}` : item;

function sampleObject(schema: Record<string, unknown>, state: State, depth: number): JsonObject {
  const properties = objectOrEmpty(schema.properties);
  const needed = new Set(Array.isArray(schema.required) ? schema.required.map(String) : []);
  const more = depth < (state.optionalDepth ?? 0) ? Object.keys(properties) : [];
  const names = new Set([...needed, ...more]);
  for (const name of Object.keys(properties)) if (names.size < Number(schema.minProperties ?? 0)) names.add(name);
  const entries = [...names].map((name) => {
    const member = Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties;
    return [name, sample(objectOrEmpty(member), state, depth + 1)] as const;
  });
  const extra = Math.max(0, Number(schema.minProperties ?? 0) - entries.length);
  const others = Array.from({ length: Math.min(extra, 20) }, (_, index) => {
    const member = objectOrEmpty(schema.additionalProperties);
    return [`member_${index + 1}`, sample(member, state, depth + 1)] as const;
  });
  return Object.fromEntries([...entries, ...others]);
}
