/**
 * What each operator does to two Python values.
 *
 * Bools act as ints; an int meeting a float becomes a float (or refuses, when too large); a comparison of int and
 * float is exact, as JavaScript's own comparison of bigint and number is.
 */
import type { Spend } from './budget.js';
import { divideFloats, floorDivideFloats, moduloFloats, powerFloats } from './floats.js';
import * as integers from './integers.js';
import { typeError } from './python-error.js';
import type { Value } from './syntax.js';

export function typeName(value: Value): string {
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'int' : 'float';
}

export function toFloat(value: Value): number {
  return typeof value === 'bigint' ? integers.toDouble(value) : Number(value);
}

interface Arithmetic {
  readonly ints: (a: bigint, b: bigint, spend: Spend) => Value;
  readonly floats: (a: number, b: number) => number;
}

const arithmetic: ReadonlyMap<string, Arithmetic> = new Map([
  ['+', { ints: (a, b) => a + b, floats: (a, b) => a + b }],
  ['-', { ints: (a, b) => a - b, floats: (a, b) => a - b }],
  ['*', { ints: integers.multiply, floats: (a, b) => a * b }],
  ['/', { ints: integers.trueDivide, floats: divideFloats }],
  ['//', { ints: integers.floorDivide, floats: floorDivideFloats }],
  ['%', { ints: integers.modulo, floats: moduloFloats }],
  ['**', { ints: powerIntegers, floats: powerFloats }],
] satisfies [string, Arithmetic][]);

type IntegerOperation = (a: bigint, b: bigint) => bigint;

const bitwise: ReadonlyMap<string, IntegerOperation> = new Map([
  ['&', (a, b) => a & b],
  ['|', (a, b) => a | b],
  ['^', (a, b) => a ^ b],
  ['<<', integers.shiftLeft],
  ['>>', integers.shiftRight],
] satisfies [string, IntegerOperation][]);

/** A negative exponent makes a float of both, as in Python: 2 ** -1 is 0.5. */
function powerIntegers(a: bigint, b: bigint, spend: Spend): Value {
  if (b >= 0n) return integers.power(a, b, spend);
  return powerFloats(integers.toDouble(a), integers.toDouble(b));
}

export function applyBinary(operator: string, a: Value, b: Value, spend: Spend): Value {
  spend(operator === '**' ? 28_000 : 500);
  const operation = arithmetic.get(operator);
  if (operation === undefined) return applyBitwise(operator, a, b, spend);
  if (typeof a === 'number' || typeof b === 'number') return operation.floats(toFloat(a), toFloat(b));
  return operation.ints(BigInt(a), BigInt(b), spend);
}

function applyBitwise(operator: string, a: Value, b: Value, spend: Spend): Value {
  const operation = bitwise.get(operator);
  if (operation === undefined || typeof a === 'number' || typeof b === 'number') {
    const hint =
      operator === '^' ? '^ is bitwise xor in Python; write ** for powers.' : `${operator} takes integers only.`;
    throw typeError(`unsupported operand type(s) for ${operator}: '${typeName(a)}' and '${typeName(b)}'`, hint);
  }
  spend(1_000);
  const result = operation(BigInt(a), BigInt(b));
  const logical =
    typeof a === 'boolean' && typeof b === 'boolean' && !operator.includes('<') && !operator.includes('>');
  return logical ? result === 1n : result;
}

export function applyUnary(operator: string, operand: Value): Value {
  if (operator === 'not') return !isTrue(operand);
  if (typeof operand === 'number') {
    if (operator === '~') throw typeError("bad operand type for unary ~: 'float'", '~ takes integers only.');
    return operator === '-' ? -operand : operand;
  }
  const integer = BigInt(operand);
  if (operator === '~') return ~integer;
  return operator === '-' ? -integer : integer;
}

export function isTrue(value: Value): boolean {
  return typeof value === 'boolean' ? value : typeof value === 'bigint' ? value !== 0n : value !== 0;
}

export function compare(operator: string, left: Value, right: Value): boolean {
  const a = typeof left === 'boolean' ? Number(left) : left;
  const b = typeof right === 'boolean' ? Number(right) : right;
  // Both false for nan, which equals nothing.
  const equal = a <= b && a >= b;
  switch (operator) {
    case '<':
      return a < b;
    case '>':
      return a > b;
    case '<=':
      return a <= b;
    case '>=':
      return a >= b;
    case '==':
      return equal;
    default:
      return !equal;
  }
}
