/** Returns a value with the `default`s of omitted members. If it is not clear which default is meant, none is used. */
import { isPlainObject } from '../util/canonical.js';
import type { Graph, SchemaNode } from './graph.js';
import { itemSchemas } from './keywords/arrays.js';
import { copyJson, has, isObject, own } from './run.js';

/** Deeper values, and values beyond this number, stay unchanged. */
const maxDepth = 100;
const maxSteps = 20_000;

interface Filling {
  readonly graph: Graph;
  left: number;
}

/** Returns the value itself if nothing is missing; never changes it. */
export function withDefaults(graph: Graph, value: unknown): unknown {
  return filled({ graph, left: maxSteps }, graph.root, value, 0);
}

function filled(filling: Filling, node: SchemaNode, value: unknown, depth: number): unknown {
  filling.left -= 1;
  const { schema, dialect } = node;
  if (!isPlainObject(schema) || depth > maxDepth || filling.left < 0) return value;
  const reference = own(schema, '$ref');
  const target = typeof reference === 'string' ? filling.graph.refer(node, '$ref', reference) : undefined;
  let result = target ? filled(filling, target, value, depth + 1) : value;
  if (target && dialect.year === 0) return result;
  const all = own(schema, 'allOf');
  for (const part of Array.isArray(all) ? all : [])
    result = filled(filling, filling.graph.child(node, part), result, depth + 1);
  if (Array.isArray(result)) return filledItems(filling, node, result, depth);
  return isObject(result) ? filledMembers(filling, node, result, depth) : result;
}

function filledMembers(
  filling: Filling,
  node: SchemaNode,
  value: Readonly<Record<string, unknown>>,
  depth: number,
): unknown {
  const properties = isPlainObject(node.schema) ? own(node.schema, 'properties') : undefined;
  if (!isPlainObject(properties)) return value;
  const changes: [string, unknown][] = [];
  for (const [name, part] of Object.entries(properties)) {
    if (!isPlainObject(part)) continue;
    if (has(value, name)) {
      const member = filled(filling, filling.graph.child(node, part), value[name], depth + 1);
      if (member !== value[name]) changes.push([name, member]);
    } else {
      const preset = findDefault(filling.graph, filling.graph.child(node, part));
      if (preset !== undefined) changes.push([name, copyJson(preset)]);
    }
  }
  // From entries: a member may be named `__proto__`.
  return changes.length === 0 ? value : Object.fromEntries([...Object.entries(value), ...changes]);
}

/** The default of a schema itself, or else of what it refers to. */
function findDefault(graph: Graph, node: SchemaNode, depth = 0): unknown {
  if (!isPlainObject(node.schema) || depth > maxDepth) return undefined;
  const preset = own(node.schema, 'default');
  const reference = own(node.schema, '$ref');
  if (preset !== undefined || typeof reference !== 'string') return preset;
  const target = graph.refer(node, '$ref', reference);
  return target && findDefault(graph, target, depth + 1);
}

function filledItems(filling: Filling, node: SchemaNode, items: readonly unknown[], depth: number): unknown {
  const { schema, dialect } = node;
  if (!isPlainObject(schema)) return items;
  const { first, rest } = itemSchemas({ schema, dialect });
  let changed = false;
  const result = items.map((item, index) => {
    const part = first[index] ?? rest;
    const made = isPlainObject(part) ? filled(filling, filling.graph.child(node, part), item, depth + 1) : item;
    changed ||= made !== item;
    return made;
  });
  return changed ? result : items;
}
