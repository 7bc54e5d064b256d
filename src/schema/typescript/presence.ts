/** Objects described only by which properties are present and which are absent. */
import { isPlainObject } from '../../util/canonical.js';
import { toList } from './kinds.js';
import { type Node, never, type PropertyNode, unknown } from './node.js';

/** The one property that the schema requires, if it requires nothing else. */
export function onlyRequired(schema: unknown): string | undefined {
  if (!isPlainObject(schema) || Object.keys(schema).some((keyword) => keyword !== 'required')) return undefined;
  const [name, ...more] = toList(schema.required);
  return typeof name === 'string' && more.length === 0 ? name : undefined;
}

export function lacks(names: readonly unknown[]): Node {
  return withProperties(names, { node: never, required: false });
}

export function asksFor(names: readonly unknown[]): Node {
  return withProperties(names, { node: unknown, required: true });
}

export function withProperties(names: readonly unknown[], property: PropertyNode): Node {
  const properties = new Map(names.filter((name) => typeof name === 'string').map((name) => [name, property] as const));
  return { kind: 'object', properties, rest: unknown, prefixes: [] };
}
