/**
 * Python's exact integers, with every size checked and every cost paid before the work is done.
 *
 * `/` stays correctly rounded for integers of any size; `//` and `%` round towards minus infinity.
 */
import { maximumBits, type Spend } from './budget.js';
import { bitLength, divideToDouble, integerSquareRoot } from './exact.js';
import { domainError, PythonError, rangeError, typeError, zeroDivision } from './python-error.js';

function words(integer: bigint): number {
  return bitLength(integer) / 64 + 1;
}

function checkSize(bits: number): void {
  if (bits <= maximumBits) return;
  throw new PythonError(
    'OverflowError',
    'the integer is too large (more than about 20,000 digits)',
    'Use smaller numbers, floats (2.0 ** 100), pow(a, b, m) for modular powers, or log() to compare sizes.',
  );
}

export function multiply(a: bigint, b: bigint, spend: Spend): bigint {
  checkSize(bitLength(a) + bitLength(b) - 1);
  spend(100 + 4 * words(a) * words(b));
  return a * b;
}

function divideAndSpend(a: bigint, b: bigint, spend: Spend, name: string): void {
  if (b === 0n) throw zeroDivision(name);
  spend(200 + 6 * words(b) * Math.max(1, words(a) - words(b)));
}

export function floorDivide(a: bigint, b: bigint, spend: Spend): bigint {
  divideAndSpend(a, b, spend, 'integer division or modulo by zero');
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

export function modulo(a: bigint, b: bigint, spend: Spend): bigint {
  divideAndSpend(a, b, spend, 'integer modulo by zero');
  const rest = a % b;
  return rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest;
}

export function trueDivide(a: bigint, b: bigint, spend: Spend): number {
  divideAndSpend(a, b, spend, 'division by zero');
  if (a === 0n) return b < 0n ? -0 : 0;
  const quotient = divideToDouble(a, b);
  if (Number.isFinite(quotient)) return quotient;
  throw rangeError('integer division result too large for a float');
}

/** An int as a float, for sums that mix the two. */
export function toDouble(integer: bigint): number {
  const double = Number(integer);
  if (Number.isFinite(double)) return double;
  throw rangeError('int too large to convert to float');
}

function log2Magnitude(integer: bigint): number {
  const magnitude = integer < 0n ? -integer : integer;
  const extra = Math.max(0, bitLength(magnitude) - 53);
  return Math.log2(Number(magnitude >> BigInt(extra))) + extra;
}

/** base ** exponent for exponent >= 0. */
export function power(base: bigint, exponent: bigint, spend: Spend): bigint {
  if (exponent === 0n) return 1n;
  if (base === 0n || base === 1n) return base;
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n;
  const bits = log2Magnitude(base) * Number(exponent);
  checkSize(bits);
  spend(200 + 2 * (bits / 64) ** 2);
  return base ** exponent;
}

export function shiftLeft(a: bigint, by: bigint): bigint {
  if (by < 0n) throw domainError('negative shift count');
  if (a === 0n) return 0n;
  checkSize(bitLength(a) + Number(by));
  return a << by;
}

export function shiftRight(a: bigint, by: bigint): bigint {
  if (by < 0n) throw domainError('negative shift count');
  if (by > bitLength(a)) return a < 0n ? -1n : 0n;
  return a >> by;
}

export function greatestCommonDivisor(a: bigint, b: bigint, spend: Spend): bigint {
  spendEuclid(a, b, spend);
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

function spendEuclid(a: bigint, b: bigint, spend: Spend): void {
  spend(Math.min(bitLength(a), bitLength(b)) * (150 + 30 * Math.min(words(a), words(b))));
}

export function leastCommonMultiple(a: bigint, b: bigint, spend: Spend): bigint {
  if (a === 0n || b === 0n) return 0n;
  const product = multiply(a / greatestCommonDivisor(a, b, spend), b, spend);
  return product < 0n ? -product : product;
}

/** pow(base, exponent, modulus): the result has the sign of the modulus; a negative exponent means the inverse. */
export function modularPower(base: bigint, exponent: bigint, modulus: bigint, spend: Spend): bigint {
  if (modulus === 0n) throw domainError('pow() 3rd argument cannot be 0');
  const size = modulus < 0n ? -modulus : modulus;
  let square = modulo(exponent < 0n ? inverse(base, size, spend) : base, size, spend);
  let result = 1n % size;
  const bits = exponent < 0n ? -exponent : exponent;
  spend(bitLength(bits) * (400 + 12 * words(size) ** 2));
  for (const bit of bits.toString(2).split('').reverse()) {
    if (bit === '1') result = (result * square) % size;
    square = (square * square) % size;
  }
  return modulo(result, modulus, spend);
}

function inverse(base: bigint, modulus: bigint, spend: Spend): bigint {
  spendEuclid(modulus, modulus, (work) => spend(2 * work));
  let [r, next] = [modulus, modulo(base, modulus, spend)];
  let [s, nextS] = [0n, 1n];
  while (next !== 0n) {
    const quotient = r / next;
    [r, next] = [next, r - quotient * next];
    [s, nextS] = [nextS, s - quotient * nextS];
  }
  if (r !== 1n) throw domainError('base is not invertible for the given modulus');
  return s;
}

export function factorial(n: bigint, spend: Spend): bigint {
  if (n < 0n) throw domainError('factorial() not defined for negative values');
  const size = Number(n);
  checkSize(size < 3 ? 0 : size * (Math.log2(size) - Math.LOG2E));
  spend(200 + size * 100 + 2 * (size / 6) ** 2);
  return product(1, size);
}

/** low * … * high by halves, which keeps the factors of each product alike in size. */
function product(low: number, high: number): bigint {
  if (high - low < 8) {
    let result = 1n;
    for (let factor = low; factor <= high; factor += 1) result *= BigInt(factor);
    return result;
  }
  const middle = Math.floor((low + high) / 2);
  return product(low, middle) * product(middle + 1, high);
}

export function squareRoot(n: bigint, spend: Spend): bigint {
  if (n < 0n) throw domainError('isqrt() argument must be nonnegative');
  spend(2_000 + 4 * words(n) ** 2);
  return integerSquareRoot(n);
}

/** The integer an argument must be; bools are integers in Python. */
export function requireInteger(value: bigint | number | boolean): bigint {
  if (typeof value === 'number') {
    throw typeError("'float' object cannot be interpreted as an integer", 'Pass an integer: int(x) or floor(x).');
  }
  return BigInt(value);
}
