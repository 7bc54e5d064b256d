/**
 * The schemas of a document as nodes with every reference resolved, made as they are reached. A dynamic reference depends on
 * the resources that were entered on the way to it; where a document has such references, each way gets a node of its own,
 * so that for the one who walks the nodes every reference is fixed.
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
  /** Made when it is first used. */
  checks: readonly Check[] | undefined;
  readonly id: number;
}

export interface Graph {
  readonly root: SchemaNode;
  readonly references: References;
  /** Whether `format` is held to in a schema of this dialect. */
  readonly formats: boolean;
  /** Whether any reference depends on the way to it. */
  readonly dynamic: boolean;
  child(from: SchemaNode, schema: unknown): SchemaNode;
  /** The node that a reference leads to; undefined where nothing is there. */
  refer(from: SchemaNode, keyword: '$ref' | '$dynamicRef' | '$recursiveRef', reference: string): SchemaNode | undefined;
}

export interface GraphOptions {
  readonly references: References;
  readonly formats: boolean;
  /** Whether there is a `$dynamicRef` or `$recursiveRef` anywhere: only then does the way to a node matter. */
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
