/**
 * Python's round(), floor(), ceil(), trunc() and int(): exact, half to even.
 *
 * A float is rounded to n digits by its exact binary value (round(2.675, 2) is 2.67), never by way of toFixed.
 */
import type { Spend } from './budget.js';
import { bitLength, decompose, divideHalfEven } from './exact.js';
import { PythonError, rangeError } from './python-error.js';
import type { Value } from './syntax.js';

/** A float with no fraction as an int. */
function toInteger(whole: number): bigint {
  if (Number.isFinite(whole)) return BigInt(whole);
  if (!Number.isNaN(whole)) throw rangeError('cannot convert float infinity to integer');
  throw new PythonError('ValueError', 'cannot convert float NaN to integer', 'Check for nan before converting.');
}

export function floor(value: Value): bigint {
  return typeof value === 'number' ? toInteger(Math.floor(value)) : BigInt(value);
}

export function ceil(value: Value): bigint {
  return typeof value === 'number' ? toInteger(Math.ceil(value)) : BigInt(value);
}

export function truncate(value: Value): bigint {
  return typeof value === 'number' ? toInteger(Math.trunc(value)) : BigInt(value);
}

export function round(value: Value, digits: bigint | undefined, spend: Spend): Value {
  if (typeof value === 'number') {
    return digits === undefined ? roundToInteger(value) : roundFloat(value, digits, spend);
  }
  const integer = BigInt(value);
  return digits === undefined || digits >= 0n ? integer : roundInteger(integer, -digits, spend);
}

function roundToInteger(value: number): bigint {
  const whole = Math.floor(value);
  const rest = value - whole;
  const up = rest > 0.5 || (rest === 0.5 && whole % 2 !== 0);
  return toInteger(up ? whole + 1 : whole);
}

function roundInteger(integer: bigint, zeros: bigint, spend: Spend): bigint {
  // 10 ** zeros beyond twice the number: everything rounds away.
  if (Number(zeros) * 3 > bitLength(integer) + 6) return 0n;
  spend(500 + (bitLength(integer) / 64) ** 2 * 2);
  const unit = 10n ** zeros;
  const rounded = divideHalfEven(integer < 0n ? -integer : integer, unit) * unit;
  return integer < 0n ? -rounded : rounded;
}

function roundFloat(value: number, digits: bigint, spend: Spend): number {
  if (!Number.isFinite(value) || value === 0 || digits > 323n) return value;
  if (digits < -308n) return value < 0 ? -0 : 0;
  spend(5_000);
  const { mantissa, exponent } = decompose(Math.abs(value));
  let numerator = digits > 0n ? mantissa * 10n ** digits : mantissa;
  let denominator = digits < 0n ? 10n ** -digits : 1n;
  if (exponent > 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  const rounded = Number(`${divideHalfEven(numerator, denominator)}e${-digits}`);
  if (!Number.isFinite(rounded)) throw rangeError('rounded value too large to represent');
  return value < 0 ? -rounded : rounded;
}
