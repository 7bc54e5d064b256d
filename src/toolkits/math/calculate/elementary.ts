/**
 * The elementary functions on doubles, rounded correctly by way of fixed point.
 *
 * Special values (nan, infinities, zeros) and arguments so small that the series ends at its first term are answered
 * by Math directly; there both libraries agree.
 */
import { bitLength, decompose, divideToDouble, integerSquareRoot, scaleToDouble } from './exact.js';
import {
  exponential,
  ln2,
  logarithm,
  one,
  precision,
  refineAngle,
  sineAndCosine,
  toFixedPoint,
} from './fixed-point.js';

/** Below this, x - x ** 3 / 6 rounds to x. */
const tiny = 2 ** -30;

function isPlain(x: number): boolean {
  return Number.isFinite(x) && Math.abs(x) >= tiny;
}

export function exp(x: number): number {
  if (!Number.isFinite(x) || Math.abs(x) > 800) return Math.exp(x);
  const { fraction, exponent } = exponential(toFixedPoint(x));
  return scaleToDouble(fraction, exponent - precision);
}

export function log(x: number): number {
  if (!(x > 0) || x === Number.POSITIVE_INFINITY) return Math.log(x);
  const { mantissa, exponent } = decompose(x);
  return scaleToDouble(logarithm(mantissa, exponent), -precision);
}

export function log2(x: number): number {
  if (!(x > 0) || x === Number.POSITIVE_INFINITY) return Math.log2(x);
  const { mantissa, exponent } = decompose(x);
  const length = bitLength(mantissa);
  if (mantissa === 1n << BigInt(length - 1)) return length - 1 + exponent;
  return divideToDouble(logarithm(mantissa, exponent), ln2());
}

/** glibc's own formula, whose last digit is not always the nearest. */
export function log10(x: number): number {
  if (!(x > 0) || x === Number.POSITIVE_INFINITY) return Math.log10(x);
  const { mantissa, exponent } = decompose(x);
  const length = bitLength(mantissa);
  const floor = length - 1 + exponent;
  const whole = floor < 0 ? floor + 1 : floor;
  const fraction = scaleToDouble(mantissa, exponent - whole);
  const low = whole * 3.694239077158931e-13 + Math.LOG10E * log(fraction);
  return low + whole * 0.30102999566361177;
}

export function sin(x: number): number {
  return isPlain(x) ? scaleToDouble(sineAndCosine(x).sine, -precision) : Math.sin(x);
}

export function cos(x: number): number {
  return isPlain(x) ? scaleToDouble(sineAndCosine(x).cosine, -precision) : Math.cos(x);
}

export function tan(x: number): number {
  if (!isPlain(x)) return Math.tan(x);
  const { sine, cosine } = sineAndCosine(x);
  return divideToDouble(sine, cosine);
}

export function atan2(y: number, x: number): number {
  const guess = Math.atan2(y, x);
  if (!Number.isFinite(x) || !Number.isFinite(y) || x === 0 || y === 0) return guess;
  if (Math.abs(guess) < tiny) return x > 0 ? y / x : guess;
  const left = decompose(y);
  const right = decompose(x);
  const top = Math.max(left.exponent, right.exponent);
  const down = (part: { mantissa: bigint; exponent: number }) =>
    (part.mantissa << BigInt(precision)) >> BigInt(top - part.exponent);
  return scaleToDouble(refineAngle(guess, down(left), down(right)), -precision);
}

export function atan(x: number): number {
  return isPlain(x) ? atan2(x, 1) : Math.atan(x);
}

/** sqrt(1 - x * x) in fixed point: the other leg of the right triangle, for asin and acos. */
function otherLeg(x: bigint): bigint {
  return integerSquareRoot(one * one - x * x);
}

export function asin(x: number): number {
  if (!isPlain(x) || Math.abs(x) > 1) return Math.asin(x);
  const y = toFixedPoint(x);
  return scaleToDouble(refineAngle(Math.asin(x), y, otherLeg(y)), -precision);
}

export function acos(x: number): number {
  if (!(Math.abs(x) < 1)) return Math.acos(x);
  const leg = toFixedPoint(x);
  return scaleToDouble(refineAngle(Math.acos(x), otherLeg(leg), leg), -precision);
}

/** sinh, cosh and tanh follow glibc's formulas over exp and expm1, including their roundings. */
export function sinh(x: number): number {
  const size = Math.abs(x);
  if (!isPlain(x) || size > 709) return Math.sinh(x);
  if (size >= 22) return Math.sign(x) * 0.5 * exp(size);
  const grown = Math.expm1(size);
  const doubled = size < 1 ? 2 * grown - (grown * grown) / (grown + 1) : grown + grown / (grown + 1);
  return Math.sign(x) * 0.5 * doubled;
}

export function cosh(x: number): number {
  const size = Math.abs(x);
  if (!isPlain(x) || size > 709) return Math.cosh(x);
  if (size >= 22) return 0.5 * exp(size);
  const grown = size < 0.5 * Math.LN2 ? Math.expm1(size) : exp(size);
  return size < 0.5 * Math.LN2 ? 1 + (grown * grown) / (2 * (1 + grown)) : 0.5 * grown + 0.5 / grown;
}

export function tanh(x: number): number {
  const size = Math.abs(x);
  if (!isPlain(x) || size >= 22) return Math.tanh(x);
  const power = Math.expm1(size >= 1 ? 2 * size : -2 * size);
  return Math.sign(x) * (size >= 1 ? 1 - 2 / (power + 2) : -power / (power + 2));
}

/** x ** y for a finite x > 0 and a finite y other than 0. Exact integer powers first: only they can be exact ties. */
export function positivePower(x: number, y: number): number {
  const { mantissa, exponent } = decompose(x);
  let odd = mantissa;
  let twos = exponent;
  for (; (odd & 1n) === 0n; odd >>= 1n) twos += 1;
  if (Number.isInteger(y) && (odd === 1n || (y > 0 && bitLength(odd) * y <= 2_048))) {
    return scaleToDouble(odd === 1n ? 1n : odd ** BigInt(y), Math.max(-5_000, Math.min(5_000, twos * y)));
  }
  const by = decompose(y);
  const size = Math.abs(Math.log(x) * y);
  if (size > 800) return Math.log(x) * y > 0 ? Number.POSITIVE_INFINITY : 0;
  const product = logarithm(mantissa, exponent) * by.mantissa;
  const shifted = by.exponent >= 0 ? product << BigInt(by.exponent) : product >> BigInt(-by.exponent);
  const result = exponential(shifted);
  return scaleToDouble(result.fraction, result.exponent - precision);
}

/** The length of a vector, rounded once. */
export function hypot(...parts: number[]): number {
  if (parts.some((part) => Math.abs(part) === Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY;
  if (parts.some(Number.isNaN)) return Number.NaN;
  const split = parts.filter((part) => part !== 0).map(decompose);
  const lowest = split.reduce((least, part) => Math.min(least, part.exponent), 1_024);
  const squares = split.reduce((sum, part) => sum + (part.mantissa << BigInt(part.exponent - lowest)) ** 2n, 0n);
  const wide = squares << 160n;
  const root = integerSquareRoot(wide);
  const sticky = root * root === wide ? 0n : 1n;
  return squares === 0n ? 0 : scaleToDouble((root << 1n) | sticky, lowest - 81);
}
