/**
 * `if`, `dependentRequired`, `dependentSchemas` (and `dependencies`) and `not`, as far as a type can express them; each
 * result is one more type that the value has. What cannot be expressed is omitted.
 */
import { isPlainObject } from '../../util/canonical.js';
import type { Schema } from './keywords.js';
import { kinds, toList } from './kinds.js';
import { meet } from './meet.js';
import { literal, type Node, never, union, unknown } from './node.js';
import { asksFor, lacks, onlyRequired, withProperties } from './presence.js';

/** More would multiply the types that the compiler has to try. */
const maxDependencies = 6;

export function conditions(schema: Schema, allowed: number, build: (part: unknown) => Node): Node[] {
  const found: Node[] = [...byCondition(schema, allowed, build), ...forbidden(schema.not, allowed)];
  // These keywords concern only objects: if other kinds are allowed, nothing follows.
  if (allowed !== kinds.object) return found;
  for (const [key, value] of dependencies(schema).slice(0, maxDependencies)) {
    if (Array.isArray(value) && value.length === 0) continue;
    found.push(union([lacks([key]), Array.isArray(value) ? asksFor(value) : build(value)]));
  }
  return found;
}

/** If the condition holds, so does `then`; if it does not, so does `else`. */
function byCondition(schema: Schema, allowed: number, build: (part: unknown) => Node): Node[] {
  if (schema.if === undefined || (schema.then === undefined && schema.else === undefined)) return [];
  const part = (value: unknown): Node => (value === undefined ? unknown : build(value));
  const opposite = allowed === kinds.object ? getOpposite(schema.if, schema.properties) : unknown;
  const otherwise = meet([opposite, part(schema.else)]);
  if (otherwise.kind === 'unknown') return [];
  return [union([meet([build(schema.if), part(schema.then)]), otherwise])];
}

/** For a condition on one property with listed values: the property has another of its values, or is absent. */
function getOpposite(condition: unknown, declared: unknown): Node {
  if (!isPlainObject(condition) || !isPlainObject(condition.properties) || !isPlainObject(declared)) return unknown;
  const [name, ...more] = Object.keys(condition.properties);
  const required = toList(condition.required);
  const plain = Object.keys(condition).every((keyword) => ['properties', 'required', 'type'].includes(keyword));
  if (name === undefined || more.length > 0 || !plain || required.some((entry) => entry !== name)) return unknown;
  const values = listed(condition.properties[name]);
  const all = Object.hasOwn(declared, name) ? listed(declared[name]) : undefined;
  if (!values || !all) return unknown;
  const others = all.filter((value) => !values.includes(value));
  return withProperties([name], {
    node: union(others.map((value) => literal(value))),
    required: required.length === 0,
  });
}

/** The values that a schema lists, if that is its only constraint. */
function listed(schema: unknown): readonly unknown[] | undefined {
  if (!isPlainObject(schema)) return undefined;
  if (Object.hasOwn(schema, 'const') && isScalar(schema.const) && constraints(schema) === 1) return [schema.const];
  return Array.isArray(schema.enum) && schema.enum.every(isScalar) && constraints(schema) === 1
    ? schema.enum
    : undefined;
}

const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';

const annotations = new Set(['type', 'title', 'description', 'default', 'examples', 'example']);

const constraints = (schema: Schema): number =>
  Object.keys(schema).filter((keyword) => !annotations.has(keyword)).length;

function dependencies(schema: Schema): [string, unknown][] {
  const entries: [string, unknown][] = [];
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies'])
    if (isPlainObject(schema[keyword])) entries.push(...Object.entries(schema[keyword]));
  return entries;
}

/** `not: { required: ['a'] }`, alone or one of several: the property is absent. */
function forbidden(not: unknown, allowed: number): Node[] {
  if (not === true || (isPlainObject(not) && Object.keys(not).length === 0)) return [never];
  if (!isPlainObject(not) || allowed !== kinds.object) return [];
  const several = Object.keys(not).length === 1 && Array.isArray(not.anyOf) && not.anyOf.length > 0;
  const names = (several ? toList(not.anyOf) : [not]).map(onlyRequired);
  return names.every((name) => name !== undefined) ? [lacks(names)] : [];
}
