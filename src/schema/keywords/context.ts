/** The context from which a keyword creates its check. */
import type { JsonSchema } from '../../domain/json.js';
import type { Dialect } from '../dialect.js';
import type { Graph, SchemaNode } from '../graph.js';
import { type Check, own } from '../run.js';

export interface Context {
  readonly graph: Graph;
  readonly node: SchemaNode;
  readonly dialect: Dialect;
  readonly schema: JsonSchema;
  /** Returns the check of a subschema. */
  readonly check: (schema: unknown) => Check;
  readonly reference: (keyword: '$ref' | '$dynamicRef' | '$recursiveRef', target: string) => Check;
}

/** The value of a keyword, if it is a number. */
export function toNumber({ schema }: Context, keyword: string): number | undefined {
  const value = own(schema, keyword);
  return typeof value === 'number' ? value : undefined;
}
