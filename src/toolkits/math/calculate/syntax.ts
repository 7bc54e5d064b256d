/**
 * The nouns between tokeniser, parser and evaluator.
 *
 * A value is a Python number as JavaScript holds it best: `bigint` for int, `number` always for float, `boolean` for
 * bool. `position` is the 0-based offset into the expression. Chains that are flat in Python's grammar (comparisons,
 * and/or) are flat here, so that a long chain needs no deep recursion.
 */

export type Value = bigint | number | boolean;

export type Token =
  | { readonly kind: 'value'; readonly value: Value; readonly text: string; readonly position: number }
  | { readonly kind: 'name'; readonly text: string; readonly position: number }
  | { readonly kind: 'operator'; readonly text: string; readonly position: number }
  | { readonly kind: 'end'; readonly text: string; readonly position: number };

export interface Comparison {
  readonly operator: string;
  readonly operand: Node;
}

export interface BinaryNode {
  readonly kind: 'binary';
  readonly operator: string;
  readonly left: Node;
  readonly right: Node;
  readonly position: number;
}

export interface CallNode {
  readonly kind: 'call';
  readonly callee: Node;
  readonly arguments: readonly Node[];
  readonly position: number;
}

export type Node =
  | { readonly kind: 'value'; readonly value: Value; readonly position: number }
  | { readonly kind: 'name'; readonly name: string; readonly position: number }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Node; readonly position: number }
  | BinaryNode
  | CallNode
  | { readonly kind: 'compare'; readonly first: Node; readonly rest: readonly Comparison[]; readonly position: number }
  | {
      readonly kind: 'logical';
      readonly operator: 'and' | 'or';
      readonly operands: readonly Node[];
      readonly position: number;
    }
  | {
      readonly kind: 'conditional';
      readonly test: Node;
      readonly whenTrue: Node;
      readonly whenFalse: Node;
      readonly position: number;
    };
