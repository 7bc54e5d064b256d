/** Whether a number is a multiple of another in decimal: 0.3 is a multiple of 0.1, though not in binary. */

export function isMultipleOf(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  if (!Number.isFinite(value)) return false;
  const [digits, places] = decimal(value);
  const [divisorDigits, divisorPlaces] = decimal(divisor);
  const scale = Math.max(places, divisorPlaces);
  const whole = digits * 10n ** BigInt(scale - places);
  return whole % (divisorDigits * 10n ** BigInt(scale - divisorPlaces)) === 0n;
}

/** Steps (of `run.ts`) that the test takes: numbers with hundreds of digits take longer. */
export function multipleSteps(value: number, divisor: number): number {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return 1;
  const spread = Math.abs(Math.log10(Math.abs(value) || 1)) + Math.abs(Math.log10(divisor));
  return 200 + spread * spread;
}

/** The digits of a number as an integer, and how many of them are after the decimal point. */
function decimal(value: number): readonly [digits: bigint, places: number] {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return places >= 0 ? [digits, places] : [digits * 10n ** BigInt(-places), 0];
}
