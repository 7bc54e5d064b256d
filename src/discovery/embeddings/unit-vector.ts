/** A model's vectors, checked and scaled to length 1. */
declare const unit: unique symbol;

/** Of length 1. */
export type UnitVector = Float32Array & { readonly [unit]?: true };

const maxDimensions = 4_096;

/** Undefined if it is not a list of finite numbers, is empty or too long, or has no direction. */
export function normalised(given: unknown): UnitVector | undefined {
  if (!Array.isArray(given) || given.length === 0 || given.length > maxDimensions) return undefined;
  let sum = 0;
  for (const value of given as unknown[]) {
    if (typeof value !== 'number') return undefined;
    sum += value * value;
  }
  if (!Number.isFinite(sum) || sum === 0) return undefined;
  const length = Math.sqrt(sum);
  return Float32Array.from(given as number[], (value) => value / length);
}
