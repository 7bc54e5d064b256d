/** Chooses the scale of an axis: round steps that cover all values. */
export interface Scale {
  readonly ticks: readonly number[];
  /** 0 at the low end of the axis, 1 at the high end. */
  part(value: number): number;
}

export function scaleFor(values: readonly number[], fromZero: boolean): Scale {
  let low = values.reduce((least, value) => Math.min(least, value), fromZero ? 0 : Number.POSITIVE_INFINITY);
  let high = values.reduce((most, value) => Math.max(most, value), fromZero ? 0 : Number.NEGATIVE_INFINITY);
  if (low === high) [low, high] = low === 0 ? [0, 1] : [Math.min(0, low), Math.max(0, high)];
  // Both values are halved first, so that no difference is too large for a number.
  const rough = high / 5 - low / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5].find((round) => round * power >= rough) ?? 10);
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
  const ticks = Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
  const [bottom, top] = [first * step, last * step];
  return { ticks, part: (value) => (value / 2 - bottom / 2) / (top / 2 - bottom / 2) };
}

export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e12 || size < 1e-4)) return value.toExponential(1);
  return value.toLocaleString('en-US', { maximumFractionDigits: 4 });
}
