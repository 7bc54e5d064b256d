/**
 * A value as Python's repr prints it: ints in full, floats as the shortest text that reads back the same.
 */
import { bitLength } from './exact.js';
import { PythonError } from './python-error.js';
import type { Value } from './syntax.js';

/** CPython's own limit for turning an int into text. */
const maximumDigits = 4_300;

export function formatValue(value: Value): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'bigint' ? formatInteger(value) : formatFloat(value);
}

function formatInteger(value: bigint): string {
  // 10 ** 4300 has 14,285 bits: beyond that, do not even convert.
  const text = bitLength(value) > 14_285 ? '' : value.toString();
  if (text !== '' && text.length - (value < 0n ? 1 : 0) <= maximumDigits) return text;
  throw new PythonError(
    'ValueError',
    `Exceeds the limit (${maximumDigits} digits) for integer string conversion`,
    'Ask for log10(x), x % m, or a float instead of all the digits.',
  );
}

function formatFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  if (!Number.isFinite(value)) return `${sign}inf`;
  // JavaScript and Python choose the same shortest digits; only the layout differs.
  const [mantissa = '0', power = '0'] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    const size = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${size}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}
