/**
 * Float arithmetic where Python's rules are its own: `//`, `%` and `**`, after CPython's floatobject.c.
 */
import { positivePower } from './elementary.js';
import { PythonError, rangeError, zeroDivision } from './python-error.js';

function copySign(magnitude: number, sign: number): number {
  const negative = sign < 0 || Object.is(sign, -0);
  return negative ? -Math.abs(magnitude) : Math.abs(magnitude);
}

export function divideFloats(a: number, b: number): number {
  if (b === 0) throw zeroDivision('float division by zero');
  return a / b;
}

export function moduloFloats(a: number, b: number): number {
  if (b === 0) throw zeroDivision('float modulo');
  const rest = a % b;
  if (rest === 0) return copySign(0, b);
  return b < 0 !== rest < 0 ? rest + b : rest;
}

export function floorDivideFloats(a: number, b: number): number {
  if (b === 0) throw zeroDivision('float floor division by zero');
  const rest = a % b;
  let quotient = (a - rest) / b;
  if (rest !== 0 && b < 0 !== rest < 0) quotient -= 1;
  if (quotient === 0) return copySign(0, a / b);
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

function isOdd(integer: number): boolean {
  return Math.abs(integer) % 2 === 1;
}

function powerToInfinity(base: number, exponent: number): number {
  const size = Math.abs(base);
  if (size === 1) return 1;
  return exponent > 0 === size > 1 ? Number.POSITIVE_INFINITY : 0;
}

function powerOfInfinity(base: number, exponent: number): number {
  const magnitude = exponent > 0 ? Number.POSITIVE_INFINITY : 0;
  return isOdd(exponent) ? copySign(magnitude, base) : magnitude;
}

function specialPower(base: number, exponent: number): number | undefined {
  if (exponent === 0 || base === 1) return 1;
  if (Number.isNaN(base) || Number.isNaN(exponent)) return Number.NaN;
  if (!Number.isFinite(exponent)) return powerToInfinity(base, exponent);
  if (!Number.isFinite(base)) return powerOfInfinity(base, exponent);
  if (base !== 0) return undefined;
  if (exponent < 0) throw zeroDivision('0.0 cannot be raised to a negative power');
  return isOdd(exponent) ? base : 0;
}

/** base ** exponent in the order of float_pow: special cases first, then the sign, then the magnitude. */
export function powerFloats(base: number, exponent: number): number {
  const special = specialPower(base, exponent);
  if (special !== undefined) return special;
  if (base < 0 && !Number.isInteger(exponent)) {
    throw new PythonError(
      'ValueError',
      'a negative number to a fractional power is complex',
      'Complex numbers are not supported; take the power of abs(x), or an integer exponent.',
    );
  }
  const size = Math.abs(base) === 1 ? 1 : positivePower(Math.abs(base), exponent);
  if (!Number.isFinite(size)) throw rangeError('Numerical result out of range');
  return base < 0 && isOdd(exponent) ? -size : size;
}
