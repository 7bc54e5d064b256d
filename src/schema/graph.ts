/**
 * The schemas of a document as nodes with every reference resolved, created as they are reached. A dynamic reference
 * depends on the resources that were entered on the way to it; in a document with such references, each path gets its
 * own node, so that every reference of a node is fixed.
 */
import { HelveError } from '../domain/errors.js';
import { isPlainObject } from '../util/canonical.js';
import type { Dialect } from './dialect.js';
import type { Place, References, Resource } from './references.js';
import type { Check } from './run.js';

export interface SchemaNode {
  readonly schema: unknown;
  readonly dialect: Dialect;
  readonly place: Place;
  readonly scope: readonly Resource[];
  /** Created on first use. */
  checks: readonly Check[] | undefined;
  readonly id: number;
}

export interface Graph {
  readonly root: SchemaNode;
  readonly references: References;
  /** Whether `format` is asserted in a schema of this dialect. */
  readonly formats: boolean;
  /** Whether any reference depends on the path to it. */
  readonly dynamic: boolean;
  child(from: SchemaNode, schema: unknown): SchemaNode;
  /** Returns the node that a reference leads to, or undefined if there is none. */
  refer(from: SchemaNode, keyword: '$ref' | '$dynamicRef' | '$recursiveRef', reference: string): SchemaNode | undefined;
}

export interface GraphOptions {
  readonly references: References;
  readonly formats: boolean;
  /** Whether there is a `$dynamicRef` or `$recursiveRef` anywhere: only then does the path to a node matter. */
  readonly dynamic: boolean;
}

const maxNodes = 400_000;

export function createGraph({ references, formats, dynamic }: GraphOptions): Graph {
  const byScope = new Map<string, Map<unknown, SchemaNode>>();
  let count = 0;
  const nodeAt = (place: Place, from: readonly Resource[]): SchemaNode => {
    const scope = dynamic && !from.includes(place.resource) ? [...from, place.resource] : from;
    const key = dynamic ? scope.map(({ uri }) => uri).join(' ') : '';
    const nodes = byScope.get(key) ?? new Map<unknown, SchemaNode>();
    if (nodes.size === 0) byScope.set(key, nodes);
    const known = isPlainObject(place.schema) ? nodes.get(place.schema) : undefined;
    if (known) return known;
    count += 1;
    if (count > maxNodes) throw new HelveError('invalid_input', `The schema stands for more than ${maxNodes} schemas`);
    const node = { schema: place.schema, dialect: place.resource.dialect, place, scope, checks: undefined, id: count };
    if (isPlainObject(place.schema)) nodes.set(place.schema, node);
    return node;
  };
  return {
    root: nodeAt(references.root, []),
    references,
    formats,
    dynamic,
    child: (from, schema) => nodeAt(references.placeOf(schema, from.place), from.scope),
    refer(from, keyword, reference) {
      const place = find(references, keyword, reference, from);
      return place && nodeAt(place, from.scope);
    },
  };
}

function find(references: References, keyword: string, reference: string, { place, scope }: SchemaNode) {
  if (keyword === '$ref') return references.resolve(place, reference);
  if (keyword === '$dynamicRef') return references.resolveDynamic(place, reference, scope);
  return references.resolveRecursive(place, reference, scope);
}
