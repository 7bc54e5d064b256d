/**
 * exp, log, sin, cos and the angle of a point to some 150 exact bits, as integers scaled by 2 ** precision.
 *
 * V8's own functions are off by one in the last place for a few percent of arguments, where glibc (and so CPython)
 * nearly always rounds correctly. Computing with spare bits and rounding once is short, and needs no tables.
 */
import { bitLength, decompose } from './exact.js';

export const precision = 192;
const scale = BigInt(precision);
export const one = 1n << scale;

/** Computed at first use, then kept: pi by its number of bits, and ln 2. */
const cache = new Map<string, bigint>();

function cached(key: string, compute: () => bigint): bigint {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const value = compute();
  cache.set(key, value);
  return value;
}

/** atan(1/n), or atanh(1/n) when the signs do not alternate. */
function inverseSeries(n: bigint, unit: bigint, alternating: boolean): bigint {
  let term = unit / n;
  let sum = term;
  for (let k = 3n; term !== 0n; k += 2n) {
    term = (alternating ? -term : term) / (n * n);
    sum += term / k;
  }
  return sum;
}

function pi(bits: number): bigint {
  return cached(`pi ${bits}`, () => {
    const unit = 1n << BigInt(bits + 32);
    return (16n * inverseSeries(5n, unit, true) - 4n * inverseSeries(239n, unit, true)) >> 32n;
  });
}

export function ln2(): bigint {
  return cached('ln 2', () => (2n * inverseSeries(3n, one << 32n, false)) >> 32n);
}

/** A finite double as fixed point; what lies below the precision is cut. */
export function toFixedPoint(double: number): bigint {
  const { mantissa, exponent } = decompose(double);
  const shift = exponent + precision;
  return shift >= 0 ? mantissa << BigInt(shift) : mantissa >> BigInt(-shift);
}

/** e ** x as fraction * 2 ** exponent, fraction near 1. */
export function exponential(x: bigint): { fraction: bigint; exponent: number } {
  const exponent = x / ln2();
  const small = (x - exponent * ln2()) >> 8n;
  let term = one;
  let sum = one;
  for (let k = 1n; term !== 0n && term !== -1n; k += 1n) {
    term = ((term * small) >> scale) / k;
    sum += term;
  }
  for (let k = 0; k < 8; k += 1) sum = (sum * sum) >> scale;
  return { fraction: sum, exponent: Number(exponent) };
}

/** The natural logarithm of a positive integer * 2 ** exponent. */
export function logarithm(integer: bigint, exponent: number): bigint {
  const length = bitLength(integer);
  // Between 0.75 and 1.5, so that an argument near 1 loses nothing to cancellation.
  const nearOne = length >= 2 && integer >> BigInt(length - 2) === 2n ? length - 1 : length;
  const shift = BigInt(precision - nearOne);
  const fraction = shift >= 0n ? integer << shift : integer >> -shift;
  const guess = toFixedPoint(Math.log(Number(fraction >> (scale - 60n)) / 2 ** 60));
  const reached = exponential(guess);
  const value =
    reached.exponent < 0 ? reached.fraction >> BigInt(-reached.exponent) : reached.fraction << BigInt(reached.exponent);
  const refined = guess + (2n * (fraction - value) * one) / (fraction + value);
  return refined + BigInt(nearOne + exponent) * ln2();
}

/** sin and cos of a finite double, reduced by as many bits of pi as its size demands. */
export function sineAndCosine(double: number): { sine: bigint; cosine: bigint } {
  const { mantissa, exponent } = decompose(double);
  const bits = exponent <= 11 ? precision + 64 : precision + 1_088;
  const shift = exponent + bits;
  const x = shift >= 0 ? mantissa << BigInt(shift) : mantissa >> BigInt(-shift);
  const quarter = pi(bits) >> 1n;
  const turns = (2n * x + (x < 0n ? -quarter : quarter)) / (2n * quarter);
  const rest = (x - turns * quarter) >> BigInt(bits - precision);
  const { sine, cosine } = smallSineAndCosine(rest);
  switch (Number(turns & 3n)) {
    case 0:
      return { sine, cosine };
    case 1:
      return { sine: cosine, cosine: -sine };
    case 2:
      return { sine: -sine, cosine: -cosine };
    default:
      return { sine: -cosine, cosine: sine };
  }
}

function smallSineAndCosine(x: bigint): { sine: bigint; cosine: bigint } {
  const square = (x * x) >> scale;
  let sineTerm = x;
  let cosineTerm = one;
  let sine = x;
  let cosine = one;
  for (let k = 1n; cosineTerm !== 0n; k += 1n) {
    cosineTerm = -((cosineTerm * square) >> scale) / ((2n * k - 1n) * (2n * k));
    sineTerm = -((sineTerm * square) >> scale) / (2n * k * (2n * k + 1n));
    cosine += cosineTerm;
    sine += sineTerm;
  }
  return { sine, cosine };
}

/** The angle of the point (x, y), given a double close to it: one step of Newton's method doubles and more its bits. */
export function refineAngle(guess: number, y: bigint, x: bigint): bigint {
  const { sine, cosine } = sineAndCosine(guess);
  return toFixedPoint(guess) + ((y * cosine - x * sine) << scale) / (x * cosine + y * sine);
}
