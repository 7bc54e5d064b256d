/**
 * State shared by the code generators. Anything that comes from a schema enters the code only as JSON text or as a
 * numbered constant: an untrusted name or pattern cannot become code.
 */
import type { Graph, SchemaNode } from '../graph.js';
import type { Run } from '../run.js';

export interface Emitter {
  readonly graph: Graph;
  readonly run: Run;
  readonly constants: unknown[];
  /** Source of functions, by the node that they check. */
  readonly functions: Map<SchemaNode, string>;
  /** Nodes whose function is not written yet. */
  readonly waiting: SchemaNode[];
  /** Returns the statements that return false for a value that the node does not allow. */
  readonly statements: (node: SchemaNode, value: string, nesting: number) => string;
  /** Steps of the code being written: the cost of each loop iteration. */
  cost: number;
  parts: number;
  names: number;
}

/** Thrown if generating more code would take longer than the code saves. */
export class TooMuchCode {}

/** Returns the name by which the code refers to this value. */
export function constant(emitter: Emitter, value: unknown): string {
  emitter.constants.push(value);
  return `k${emitter.constants.length - 1}`;
}

export function variable(emitter: Emitter): string {
  emitter.names += 1;
  return `v${emitter.names}`;
}

export const functionName = (node: SchemaNode): string => `f${node.id}`;

/** Safe within code: JSON is a subset of JavaScript since 2019. */
export const literal = (value: string | number | boolean | null): string => JSON.stringify(value);

/** Returns a call of the node's own function. */
export function getCall(emitter: Emitter, node: SchemaNode, value: string, depth = 'd'): string {
  if (!emitter.functions.has(node)) {
    emitter.functions.set(node, '');
    emitter.waiting.push(node);
  }
  return `${functionName(node)}(${value}, ${depth})`;
}
