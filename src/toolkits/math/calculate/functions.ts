/**
 * The functions and constants an expression may name: one table, a Map, so that no name of JavaScript's own resolves.
 *
 * `pow`, `abs`, `round`, `min` and `max` are Python's builtins; the rest is its math module.
 */
import type { Spend } from './budget.js';
import * as elementary from './elementary.js';
import * as integers from './integers.js';
import { applyBinary, compare, isTrue, toFloat } from './operators.js';
import { domainError, rangeError, typeError, zeroDivision } from './python-error.js';
import { ceil, floor, round, truncate } from './rounding.js';
import type { Value } from './syntax.js';

export interface PythonFunction {
  readonly least: number;
  readonly most: number;
  readonly call: (list: readonly Value[], spend: Spend) => Value;
}

export const constants: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
  ['tau', 2 * Math.PI],
  ['inf', Number.POSITIVE_INFINITY],
  ['nan', Number.NaN],
]);

/** The arity is checked before the call, so a missing argument is a bug and is reported as one. */
function argument(list: readonly Value[], index: number): Value {
  const value = list[index];
  if (value === undefined) throw new Error(`argument ${index} is missing`);
  return value;
}

function one(call: (value: Value, spend: Spend) => Value): PythonFunction {
  return { least: 1, most: 1, call: (list, spend) => call(argument(list, 0), spend) };
}

/** A function of floats with the error rules of CPython's math module. */
function ofFloats(count: number, call: (...list: number[]) => number): PythonFunction {
  return {
    least: count,
    most: count,
    call: (list, spend) => {
      spend(20_000);
      const floats = list.map(toFloat);
      const result = call(...floats);
      if (Number.isNaN(result) && !floats.some(Number.isNaN)) throw domainError();
      if (Math.abs(result) === Number.POSITIVE_INFINITY && floats.every(Number.isFinite)) {
        throw rangeError('math range error');
      }
      return result;
    },
  };
}

/** log, log2, log10: an int too large for a float is halved into range first, as CPython does. */
function computeLogarithm(value: Value, logarithm: (x: number) => number, spend: Spend): number {
  spend(20_000);
  const positive = typeof value === 'bigint' ? value > 0n : !(Number(value) <= 0);
  if (!positive) throw domainError();
  if (typeof value !== 'bigint' || Number.isFinite(Number(value))) return logarithm(Number(value));
  // frexp: a fraction in [0.5, 1) times a power of two.
  const bits = value.toString(2).length;
  return logarithm(Number(value >> BigInt(bits - 1_000)) / 2 ** 1_000) + logarithm(2) * bits;
}

function logWithBase(list: readonly Value[], spend: Spend): number {
  const result = computeLogarithm(argument(list, 0), elementary.log, spend);
  if (list.length === 1) return result;
  const base = computeLogarithm(argument(list, 1), elementary.log, spend);
  if (base === 0) throw zeroDivision('float division by zero');
  return result / base;
}

function pow(list: readonly Value[], spend: Spend): Value {
  const [base, exponent] = [argument(list, 0), argument(list, 1)];
  if (list.length === 2) return applyBinary('**', base, exponent, spend);
  const modulus = argument(list, 2);
  if ([base, exponent, modulus].some((value) => typeof value === 'number')) {
    throw typeError('pow() 3rd argument not allowed unless all arguments are integers');
  }
  return integers.modularPower(BigInt(base), BigInt(exponent), BigInt(modulus), spend);
}

/** min and max return the first of equal values; whether nan wins depends on its position, as in Python. */
function extreme(operator: '<' | '>'): PythonFunction {
  return {
    least: 1,
    most: Number.POSITIVE_INFINITY,
    call: (list) => {
      if (list.length === 1) {
        throw typeError('one number is not iterable', 'Pass two numbers or more: max(a, b).');
      }
      return list.reduce((best, value) => (compare(operator, value, best) ? value : best));
    },
  };
}

function ofIntegers(start: bigint, combine: (a: bigint, b: bigint, spend: Spend) => bigint): PythonFunction {
  return {
    least: 0,
    most: Number.POSITIVE_INFINITY,
    call: (list, spend) => list.map(integers.requireInteger).reduce((sum, next) => combine(sum, next, spend), start),
  };
}

function absolute(value: Value): Value {
  if (typeof value === 'number') return Math.abs(value);
  const integer = BigInt(value);
  return integer < 0n ? -integer : integer;
}

/** int(), float(), bool(): no argument gives zero. */
function conversion(convert: (value: Value) => Value): PythonFunction {
  return { least: 0, most: 1, call: (list) => convert(list[0] ?? 0n) };
}

function fmod(a: number, b: number): number {
  return a % b;
}

const simple = (convert: (x: number) => number): PythonFunction => one((value) => convert(toFloat(value)));

export const functions: ReadonlyMap<string, PythonFunction> = new Map<string, PythonFunction>([
  ['abs', one(absolute)],
  [
    'round',
    {
      least: 1,
      most: 2,
      call: (list, spend) => {
        const digits = list[1] === undefined ? undefined : integers.requireInteger(list[1]);
        return round(argument(list, 0), digits, spend);
      },
    },
  ],
  ['min', extreme('<')],
  ['max', extreme('>')],
  ['pow', { least: 2, most: 3, call: pow }],
  ['int', conversion(truncate)],
  ['float', conversion(toFloat)],
  ['bool', conversion(isTrue)],
  ['floor', one(floor)],
  ['ceil', one(ceil)],
  ['trunc', one(truncate)],
  ['sqrt', ofFloats(1, Math.sqrt)],
  ['exp', ofFloats(1, elementary.exp)],
  ['log', { least: 1, most: 2, call: logWithBase }],
  ['log10', one((value, spend) => computeLogarithm(value, elementary.log10, spend))],
  ['log2', one((value, spend) => computeLogarithm(value, elementary.log2, spend))],
  ['sin', ofFloats(1, elementary.sin)],
  ['cos', ofFloats(1, elementary.cos)],
  ['tan', ofFloats(1, elementary.tan)],
  ['asin', ofFloats(1, elementary.asin)],
  ['acos', ofFloats(1, elementary.acos)],
  ['atan', ofFloats(1, elementary.atan)],
  ['atan2', ofFloats(2, elementary.atan2)],
  ['sinh', ofFloats(1, elementary.sinh)],
  ['cosh', ofFloats(1, elementary.cosh)],
  ['tanh', ofFloats(1, elementary.tanh)],
  ['fabs', simple(Math.abs)],
  ['degrees', simple((x) => x * (180 / Math.PI))],
  ['radians', simple((x) => x * (Math.PI / 180))],
  ['fmod', ofFloats(2, fmod)],
  [
    'hypot',
    {
      least: 0,
      most: Number.POSITIVE_INFINITY,
      call: (list, spend) => {
        spend(20_000 * (list.length + 1));
        return elementary.hypot(...list.map(toFloat));
      },
    },
  ],
  ['factorial', one((value, spend) => integers.factorial(integers.requireInteger(value), spend))],
  ['isqrt', one((value, spend) => integers.squareRoot(integers.requireInteger(value), spend))],
  ['gcd', ofIntegers(0n, integers.greatestCommonDivisor)],
  ['lcm', ofIntegers(1n, integers.leastCommonMultiple)],
]);
