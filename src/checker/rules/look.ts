/** What every rule gets to see, and what it finds. Positions are those of the wrapped text. */
import type { Inspection, Node, Type } from '../engine.js';
import type { Meanings, Tool } from '../meanings.js';
import type { Tree } from '../tree.js';

export interface Look {
  readonly inspection: Inspection;
  readonly tree: Tree;
  readonly meanings: Meanings;
  /** Names of all namespaces that exist. */
  readonly known: readonly string[];
  /** As in `CheckedProgram`. */
  readonly ambiguous: Readonly<Record<string, readonly string[]>>;
  /** The function that is the program, and the text between its braces that belongs to the wrapper. */
  readonly program: Node;
  typeOf(node: Node): Type | undefined;
}

export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly tool?: Tool | undefined;
}

export function find(node: Node, message: string, tool?: Tool): Finding {
  return { start: node.getStart(), end: node.end, message, tool };
}
