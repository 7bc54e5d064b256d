/** The cost of a model's answers, in cents of a US dollar. */
import type { ModelPrice } from '../domain/agent-model.js';

export interface PricedTokens {
  /** All tokens that were read, also those from the provider's cache. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Those of `inputTokens` that the provider had in its cache. Default 0. */
  readonly cachedTokens?: number | undefined;
}

/** A millionth of a cent, because sums of prices per token are exact in this unit. */
const parts = 1_000_000;
const centsPerDollar = 100;
const tokensPerPrice = 1_000_000;

/** The price in cents. Cached tokens cost as much as others, unless the price says otherwise. */
export function costInCents(price: ModelPrice, { inputTokens, outputTokens, cachedTokens = 0 }: PricedTokens): number {
  const { input, output, cached = input } = price;
  const read = Math.min(cachedTokens, inputTokens);
  const dollars = ((inputTokens - read) * input + read * cached + outputTokens * output) / tokensPerPrice;
  return addCents(dollars * centsPerDollar, 0);
}

/** The sum of two amounts in cents, without the rounding errors of binary fractions. */
export function addCents(one: number, other: number): number {
  return Math.round((one + other) * parts) / parts;
}
