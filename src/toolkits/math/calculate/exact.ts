/**
 * Between doubles and exact integers: the one place where rounding to a double happens.
 *
 * `scaleToDouble` and `divideToDouble` round half to even, also among the subnormals, as IEEE 754 and CPython do.
 */

/** How many bits the magnitude needs; 0 for 0, as Python's int.bit_length. */
export function bitLength(integer: bigint): number {
  const magnitude = integer < 0n ? -integer : integer;
  if (magnitude < 0x1_0000_0000n) return 32 - Math.clz32(Number(magnitude));
  const text = magnitude.toString(16);
  return text.length * 4 - Math.clz32(Number.parseInt(text.charAt(0), 16)) + 28;
}

/** A finite double as mantissa * 2 ** exponent, exactly. */
export function decompose(double: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, double);
  const high = view.getUint32(0);
  const biased = (high >>> 20) & 0x7ff;
  const fraction = (BigInt(high & 0xfffff) << 32n) | BigInt(view.getUint32(4));
  const magnitude = biased === 0 ? fraction : fraction | 0x10_0000_0000_0000n;
  return { mantissa: high >>> 31 === 1 ? -magnitude : magnitude, exponent: Math.max(biased, 1) - 1075 };
}

/** 2 ** exponent for -1074 … 1023, exact. */
function powerOfTwo(exponent: number): number {
  const view = new DataView(new ArrayBuffer(8));
  if (exponent >= -1022) view.setBigUint64(0, BigInt(exponent + 1023) << 52n);
  else view.setBigUint64(0, 1n << BigInt(exponent + 1074));
  return view.getFloat64(0);
}

/** The double nearest to integer * 2 ** exponent; infinite when too large. */
export function scaleToDouble(integer: bigint, exponent: number): number {
  if (integer < 0n) return -scaleToDouble(-integer, exponent);
  const length = bitLength(integer);
  if (length === 0 || length + exponent < -1074) return 0;
  if (length + exponent > 1024) return Number.POSITIVE_INFINITY;
  const drop = length - Math.min(53, length + exponent + 1074);
  if (drop <= 0) return Number(integer) * powerOfTwo(exponent);
  return Number(shiftHalfEven(integer, drop)) * powerOfTwo(exponent + drop);
}

/** The double nearest to numerator / denominator * 2 ** exponent. */
export function divideToDouble(numerator: bigint, denominator: bigint, exponent = 0): number {
  if (denominator < 0n) return divideToDouble(-numerator, -denominator, exponent);
  if (numerator < 0n) return -divideToDouble(-numerator, denominator, exponent);
  const shift = 66 - bitLength(numerator) + bitLength(denominator);
  const dividend = shift > 0 ? numerator << BigInt(shift) : numerator;
  const divisor = shift < 0 ? denominator << BigInt(-shift) : denominator;
  // A last bit that says "and something more" keeps the later rounding honest.
  const quotient = ((dividend / divisor) << 1n) | (dividend % divisor === 0n ? 0n : 1n);
  return scaleToDouble(quotient, exponent - shift - 1);
}

/** numerator / denominator rounded half to even, for numerator >= 0 and denominator > 0. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && (quotient & 1n) === 1n);
  return up ? quotient + 1n : quotient;
}

function shiftHalfEven(integer: bigint, drop: number): bigint {
  return divideHalfEven(integer, 1n << BigInt(drop));
}

/** The integer square root: the largest r with r * r <= n (CPython's algorithm, growing the precision as it goes). */
export function integerSquareRoot(n: bigint): bigint {
  if (n === 0n) return 0n;
  const half = (bitLength(n) - 1) >> 1;
  let root = 1n;
  let known = 0;
  for (let step = 31 - Math.clz32(half); step >= 0; step -= 1) {
    const before = known;
    known = half >> step;
    root = (root << BigInt(known - before - 1)) + (n >> BigInt(2 * half - before - known + 1)) / root;
  }
  return root * root > n ? root - 1n : root;
}
