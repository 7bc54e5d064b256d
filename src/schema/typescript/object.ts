/**
 * Objects. As in JSON Schema, an object is open unless its schema closes it: a property that is not named is valid, so
 * the type allows it (`[k: string]: unknown`). With `additionalProperties: false` the type is closed, and the compiler
 * finds a misspelt name in a literal.
 */
import { isPlainObject } from '../../util/canonical.js';
import type { BuildPart } from './build-part.js';
import type { Schema } from './keywords.js';
import { toList } from './kinds.js';
import { type Node, never, type ObjectNode, type PropertyNode, union, unknown, withDocs } from './node.js';

const spoken = [
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
];
/** If there are other keywords than these, it cannot be decided here which properties remain. */
const inPlace = [
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'dependentSchemas',
  'dependencies',
];
const maxNames = 500;
/** The compiler compares each with each. */
const maxPrefixes = 20;

/**
 * Undefined if the schema has no keywords for objects; `never` for one that requires a property that it does not allow.
 */
export function buildObject(schema: Schema, name: string, part: BuildPart): ObjectNode | Node | undefined {
  if (!spoken.some((keyword) => Object.hasOwn(schema, keyword)) && schema.maxProperties !== 0) return undefined;
  const declared = isPlainObject(schema.properties) ? schema.properties : {};
  const required = new Set(toList(schema.required).filter((entry) => typeof entry === 'string'));
  const { rest, prefixes } = others(schema, Object.keys(declared), name, part);
  const names = listNames(schema.propertyNames);
  const properties = new Map<string, PropertyNode>();
  const add = (key: string, node: Node): void => {
    properties.set(key, { node: names && !names.has(key) ? never : node, required: required.has(key) });
  };
  for (const key of Object.keys(declared)) add(key, part(declared[key], key));
  for (const key of [...required, ...(names ?? [])]) if (!properties.has(key)) add(key, restFor(key, rest, prefixes));
  for (const property of properties.values()) if (property.required && property.node.kind === 'never') return never;
  const empty = names !== undefined || schema.maxProperties === 0;
  const isSilent = schema.additionalProperties === undefined && schema.unevaluatedProperties === undefined;
  return { kind: 'object', properties, rest: empty ? undefined : rest, isSilent, prefixes: empty ? [] : prefixes };
}

interface Others {
  readonly rest: Node | undefined;
  readonly prefixes: ObjectNode['prefixes'];
}

function others(schema: Schema, declared: readonly string[], name: string, part: BuildPart): Others {
  const rest = additional(schema, name, part);
  const entries = isPlainObject(schema.patternProperties) ? Object.entries(schema.patternProperties) : [];
  if (entries.length === 0) return { rest, prefixes: [] };
  const patterns = entries.map(([pattern, value]) => ({
    prefix: /^\^([\w-]+)$/.exec(pattern)?.[1],
    node: withDocs(part(value, name), `@pattern ${pattern}`),
  }));
  const exact =
    rest === undefined &&
    patterns.length <= maxPrefixes &&
    patterns.every(({ prefix }) => prefix !== undefined && !declared.some((key) => key.startsWith(prefix))) &&
    !patterns.some(({ prefix }) =>
      patterns.some((other) => other.prefix !== prefix && other.prefix?.startsWith(prefix ?? '')),
    );
  if (exact) return { rest, prefixes: patterns.map(({ prefix, node }) => [prefix ?? '', node]) };
  return { rest: union([...(rest ? [rest] : []), ...patterns.map(({ node }) => node)]), prefixes: [] };
}

/** What a property that is not named may contain; undefined if there may be none. */
function additional(schema: Schema, name: string, part: BuildPart): Node | undefined {
  let value = schema.additionalProperties;
  if (value === undefined && !inPlace.some((keyword) => Object.hasOwn(schema, keyword)))
    value = schema.unevaluatedProperties;
  const node = value === undefined ? unknown : part(value, name);
  return node.kind === 'never' ? undefined : node;
}

function restFor(key: string, rest: Node | undefined, prefixes: ObjectNode['prefixes']): Node {
  const matching = prefixes.find(([prefix]) => key.startsWith(prefix));
  const { docs: _, ...bare } = matching?.[1] ?? rest ?? never;
  return bare as Node;
}

/** The names that `propertyNames` lists, if it does. */
function listNames(schema: unknown): ReadonlySet<string> | undefined {
  if (schema === false) return new Set();
  if (!isPlainObject(schema)) return undefined;
  const values = Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum;
  if (!Array.isArray(values) || values.length > maxNames) return undefined;
  return new Set(values.filter((value) => typeof value === 'string'));
}
