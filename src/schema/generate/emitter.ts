/**
 * What the writers of code share. Whatever comes from a schema gets into the code as a JSON text or as a numbered constant,
 * and in no other way: a name or a pattern of a stranger cannot become code.
 */
import type { Graph, SchemaNode } from '../graph.js';
import type { Run } from '../run.js';

export interface Emitter {
  readonly graph: Graph;
  readonly run: Run;
  readonly constants: unknown[];
  /** Source of functions by the node that they check. */
  readonly functions: Map<SchemaNode, string>;
  /** Nodes whose function has yet to be written. */
  readonly waiting: SchemaNode[];
  /** The statements that return false for a value which the node does not allow. */
  readonly statements: (node: SchemaNode, value: string, nesting: number) => string;
  /** Steps of what is being written: what a loop pays each time around. */
  cost: number;
  parts: number;
  names: number;
}

/** Thrown where writing on would take longer than the code ever saves. */
export class TooMuchCode {}

/** The name under which the code finds this value. */
export function constant(emitter: Emitter, value: unknown): string {
  emitter.constants.push(value);
  return `k${emitter.constants.length - 1}`;
}

export function variable(emitter: Emitter): string {
  emitter.names += 1;
  return `v${emitter.names}`;
}

export const functionName = (node: SchemaNode): string => `f${node.id}`;

/** Safe within code: JSON is a part of JavaScript since 2019. */
export const literal = (value: string | number | boolean | null): string => JSON.stringify(value);

/** A call of the node's own function. */
export function callOf(emitter: Emitter, node: SchemaNode, value: string, depth = 'd'): string {
  if (!emitter.functions.has(node)) {
    emitter.functions.set(node, '');
    emitter.waiting.push(node);
  }
  return `${functionName(node)}(${value}, ${depth})`;
}
