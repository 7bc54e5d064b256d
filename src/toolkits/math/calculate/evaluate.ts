/**
 * Walks the tree and computes, left to right and lazily where Python is lazy (and, or, if, chained comparisons).
 *
 * Left-leaning chains such as 1 + 2 + 3 + … are walked in a loop; what recursion remains is bounded by the parser.
 */
import { suggestName } from '../../../util/nearest.js';
import type { Spend } from './budget.js';
import { constants, functions, type PythonFunction } from './functions.js';
import { applyBinary, applyUnary, compare, isTrue, typeName } from './operators.js';
import { PythonError, typeError } from './python-error.js';
import type { BinaryNode, CallNode, Comparison, Node, Value } from './syntax.js';

export function evaluate(node: Node, spend: Spend): Value {
  spend(50);
  switch (node.kind) {
    case 'value':
      return node.value;
    case 'name':
      return readConstant(node.name, node.position);
    case 'unary': {
      const operand = evaluate(node.operand, spend);
      return located(node.position, () => applyUnary(node.operator, operand));
    }
    case 'binary':
      return evaluateBinary(node, spend);
    case 'compare':
      return evaluateComparison(node.first, node.rest, spend);
    case 'logical':
      return evaluateLogical(node.operator, node.operands, spend);
    case 'conditional':
      return evaluate(isTrue(evaluate(node.test, spend)) ? node.whenTrue : node.whenFalse, spend);
    case 'call':
      return evaluateCall(node, spend);
  }
}

function located<T>(position: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof PythonError ? error.at(position) : error;
  }
}

function evaluateBinary(node: BinaryNode, spend: Spend): Value {
  const spine: BinaryNode[] = [];
  let leftmost: Node = node;
  while (leftmost.kind === 'binary') {
    spine.push(leftmost);
    leftmost = leftmost.left;
  }
  let value = evaluate(leftmost, spend);
  for (const { operator, right, position } of spine.reverse()) {
    const left = value;
    const operand = evaluate(right, spend);
    value = located(position, () => applyBinary(operator, left, operand, spend));
  }
  return value;
}

function evaluateComparison(first: Node, rest: readonly Comparison[], spend: Spend): boolean {
  let left = evaluate(first, spend);
  for (const { operator, operand } of rest) {
    const right = evaluate(operand, spend);
    if (!compare(operator, left, right)) return false;
    left = right;
  }
  return true;
}

function evaluateLogical(operator: 'and' | 'or', operands: readonly Node[], spend: Spend): Value {
  let value: Value = operator === 'and';
  for (const operand of operands) {
    value = evaluate(operand, spend);
    if (isTrue(value) === (operator === 'or')) break;
  }
  return value;
}

function evaluateCall({ callee, arguments: list, position }: CallNode, spend: Spend): Value {
  const target = callee.kind === 'name' ? readCallable(callee.name, callee.position) : evaluate(callee, spend);
  const values = list.map((node) => evaluate(node, spend));
  if (typeof target !== 'object') {
    const hint = 'Write * to multiply: 2 * (3 + 4).';
    throw typeError(`'${typeName(target)}' object is not callable`, hint).at(position);
  }
  const { least, most } = target;
  if (values.length < least || values.length > most) {
    const name = callee.kind === 'name' ? callee.name : '';
    const wanted =
      least === most ? `${least}` : most === Number.POSITIVE_INFINITY ? `at least ${least}` : `${least} to ${most}`;
    throw typeError(`${name}() takes ${wanted} argument(s), ${values.length} given`, `Pass ${wanted}.`).at(position);
  }
  return located(position, () => target.call(values, spend));
}

function readCallable(name: string, position: number): PythonFunction | Value {
  return functions.get(name) ?? readConstant(name, position);
}

function readConstant(name: string, position: number): Value {
  const constant = constants.get(name);
  if (constant !== undefined) return constant;
  if (functions.has(name)) {
    throw typeError(`${name} is a function, not a number`, `Call it with arguments: ${name}(…).`).at(position);
  }
  const shown = name.length > 40 ? `${name.slice(0, 40)}…` : name;
  throw new PythonError('NameError', `name '${shown}' is not defined`, hintForName(name), position);
}

function hintForName(name: string): string {
  const suggestion = suggestName(name, [...functions.keys(), ...constants.keys()], '');
  const known = `Functions: ${[...functions.keys()].join(', ')}. Constants: ${[...constants.keys()].join(', ')}.`;
  return `${suggestion} ${known}`.trimStart();
}
