/**
 * A Pratt parser for Python expressions: tokens in, a tree out.
 *
 * Python's precedence is one table of binding powers. `maximumDepth` counts every operand still awaited, so hostile
 * nesting ends in an error long before the JavaScript stack does.
 */
import { maximumDepth } from './budget.js';
import { type PythonError, syntaxError } from './python-error.js';
import type { Comparison, Node, Token } from './syntax.js';

const power = { conditional: 1, or: 2, and: 3, not: 4, compare: 5, bitOr: 6, unary: 12, exponent: 13, call: 14 };

const bindingPowers: ReadonlyMap<string, number> = new Map([
  ['if', power.conditional],
  ['or', power.or],
  ['and', power.and],
  ...['<', '>', '<=', '>=', '==', '!='].map((operator) => [operator, power.compare] as const),
  ['|', power.bitOr],
  ['^', 7],
  ['&', 8],
  ['<<', 9],
  ['>>', 9],
  ['+', 10],
  ['-', 10],
  ...['*', '/', '//', '%'].map((operator) => [operator, 11] as const),
  ['**', power.exponent],
  ['(', power.call],
]);

interface Cursor {
  readonly tokens: readonly Token[];
  readonly end: Token;
  index: number;
  depth: number;
}

export function parse(tokens: readonly Token[]): Node {
  const end = tokens.at(-1) ?? { kind: 'end', text: '', position: 0 };
  const cursor: Cursor = { tokens, end, index: 0, depth: 0 };
  const tree = parseExpression(cursor, 0);
  const rest = peek(cursor);
  if (rest.kind !== 'end') throw unexpected(rest);
  return tree;
}

function peek(cursor: Cursor): Token {
  return cursor.tokens[cursor.index] ?? cursor.end;
}

function take(cursor: Cursor): Token {
  const token = peek(cursor);
  cursor.index += 1;
  return token;
}

function isOperator(token: Token, text: string): boolean {
  return token.kind === 'operator' && token.text === text;
}

function expect(cursor: Cursor, text: string): void {
  const token = take(cursor);
  if (!isOperator(token, text)) throw unexpected(token, `expected '${text}'`);
}

function unexpected(token: Token, expected = 'invalid syntax'): PythonError {
  if (token.kind === 'end') {
    return syntaxError(`${expected}: the expression ends too early`, token.position, 'Add the missing operand.');
  }
  const hint = isOperator(token, ',')
    ? 'Tuples are not supported; write one expression, commas only between the arguments of a function.'
    : 'Check for a missing operator or operand before it.';
  return syntaxError(`${expected}: unexpected '${token.text.slice(0, 40)}'`, token.position, hint);
}

function parseExpression(cursor: Cursor, minimum: number): Node {
  cursor.depth += 1;
  if (cursor.depth > maximumDepth) {
    throw syntaxError('too deeply nested', peek(cursor).position, 'Split the expression into several calls.');
  }
  let left = parsePrefix(cursor, minimum);
  for (;;) {
    const token = peek(cursor);
    const binding = token.kind === 'operator' ? bindingPowers.get(token.text) : undefined;
    if (binding === undefined || binding < minimum) break;
    left = parseInfix(cursor, left, binding);
  }
  cursor.depth -= 1;
  return left;
}

function parsePrefix(cursor: Cursor, minimum: number): Node {
  const token = take(cursor);
  const { position } = token;
  if (token.kind === 'value') return { kind: 'value', value: token.value, position };
  if (token.kind === 'name') return { kind: 'name', name: token.text, position };
  if (isOperator(token, '(')) {
    const inner = parseExpression(cursor, 0);
    expect(cursor, ')');
    return inner;
  }
  if (isOperator(token, 'not') && minimum <= power.not) {
    return { kind: 'unary', operator: 'not', operand: parseExpression(cursor, power.not), position };
  }
  if (isOperator(token, '-') || isOperator(token, '+') || isOperator(token, '~')) {
    return { kind: 'unary', operator: token.text, operand: parseExpression(cursor, power.unary), position };
  }
  throw unexpected(token);
}

function parseInfix(cursor: Cursor, left: Node, binding: number): Node {
  const { text: operator, position } = peek(cursor);
  switch (binding) {
    case power.conditional:
      return parseConditional(cursor, left);
    case power.or:
      return { kind: 'logical', operator: 'or', operands: parseOperands(cursor, left, 'or', power.and), position };
    case power.and:
      return { kind: 'logical', operator: 'and', operands: parseOperands(cursor, left, 'and', power.not), position };
    case power.compare:
      return { kind: 'compare', first: left, rest: parseComparisons(cursor), position };
    case power.call:
      return { kind: 'call', callee: left, arguments: parseArguments(cursor), position: left.position };
    default: {
      take(cursor);
      // `**` binds to the right and takes a signed exponent: 2 ** -1.
      const right = parseExpression(cursor, binding === power.exponent ? power.unary : binding + 1);
      return { kind: 'binary', operator, left, right, position };
    }
  }
}

function parseConditional(cursor: Cursor, whenTrue: Node): Node {
  const { position } = take(cursor);
  const test = parseExpression(cursor, power.or);
  expect(cursor, 'else');
  return { kind: 'conditional', test, whenTrue, whenFalse: parseExpression(cursor, power.conditional), position };
}

function parseOperands(cursor: Cursor, first: Node, operator: string, minimum: number): Node[] {
  const operands = [first];
  while (isOperator(peek(cursor), operator)) {
    take(cursor);
    operands.push(parseExpression(cursor, minimum));
  }
  return operands;
}

function parseComparisons(cursor: Cursor): Comparison[] {
  const rest: Comparison[] = [];
  while (peek(cursor).kind === 'operator' && bindingPowers.get(peek(cursor).text) === power.compare) {
    const { text } = take(cursor);
    rest.push({ operator: text, operand: parseExpression(cursor, power.bitOr) });
  }
  return rest;
}

function parseArguments(cursor: Cursor): Node[] {
  expect(cursor, '(');
  const list: Node[] = [];
  while (!isOperator(peek(cursor), ')')) {
    list.push(parseExpression(cursor, 0));
    if (!isOperator(peek(cursor), ',')) break;
    take(cursor);
  }
  expect(cursor, ')');
  return list;
}
