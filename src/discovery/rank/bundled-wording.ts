/**
 * Which of the tools that come with Helve a text asks for, by its wording. These tools are the same everywhere, so what
 * people say when they want one can be learned: `is it warm in Bergen?` needs `web_search`, though it shares no word
 * with it. Learned from written requests for them, and from texts that no tool serves.
 */
import type { WordVectors } from '../semantic/word-vectors.js';
import { listActMarks, sumOdds } from './act-wording.js';

export interface BundledWeights {
  /** The tools, as `toolkit/name`, in the order of the classes. One more class means none of them. */
  readonly tools: readonly string[];
  /** For a tool, those that serve the same requests. */
  readonly alike: Readonly<Record<string, readonly string[]>>;
  /** The log-odds of each class. */
  readonly bias: readonly number[];
  /** What a mark of a text adds to them, as pairs of the number of a class and ten times the addition. */
  readonly marks: Readonly<Record<string, readonly number[]>>;
  /** What each number of the mean word vector of a text adds to each class. */
  readonly meaning: readonly (readonly number[])[];
}

/** A text, its stems in order (`Query.said`), and the tools that can be used, as `toolkit/name`. */
export interface BundledQuestion {
  readonly text: string;
  readonly said: readonly string[];
  readonly available: readonly string[];
}

/** Returns how probable it is that a text asks for each of the available tools; the sum is at most 1. */
export type BundledWording = (question: BundledQuestion) => ReadonlyMap<string, number>;

/** An address without a path, which the signs of `signs.ts` do not read. */
const addressShape = /(?<![\w@.-])[a-z\d-]+(?:\.[a-z\d-]+)*\.(?:app|co|com|dev|edu|gov|info|io|net|org)(?![\w-])/i;

/** The marks of a text, each once. */
export function listBundledMarks(text: string, said: readonly string[]): string[] {
  const signs = [/\d/.test(text) ? '#number' : '', addressShape.test(text) ? '#address' : ''];
  return [...listActMarks(said), ...signs.filter((sign) => sign !== '')];
}

/** The mean of the vectors of these stems, weighted as in a text; zeros if none of them has one. */
export function meanOfStems(said: readonly string[], vectors: WordVectors): Float64Array {
  const mean = new Float64Array(vectors.dimensions);
  const rows = said.map(vectors.findStem).filter((row) => row >= 0);
  const whole = rows.reduce((sum, row) => sum + vectors.weight(row), 0);
  if (whole > 0) for (const row of rows) vectors.addTo(row, mean, vectors.weight(row) / whole);
  return mean;
}

export function createBundledWording(weights: BundledWeights, vectors: WordVectors): BundledWording {
  const { tools, alike } = weights;
  const marks = new Map(Object.entries(weights.marks));
  return ({ text, said, available }) => {
    const shares = sumOdds(weights.bias, marks, listBundledMarks(text, said));
    for (const [at, value] of meanOfStems(said, vectors).entries())
      for (const [one, weight] of (weights.meaning[at] ?? []).entries())
        shares[one] = (shares[one] ?? 0) + weight * value;
    toProbabilities(shares);
    const found = new Map(available.map((tool) => [tool, 0]));
    for (const [at, tool] of tools.entries()) {
      // What speaks for a tool that cannot be used speaks for those that serve the same requests.
      const takers = found.has(tool) ? [tool] : (alike[tool] ?? []).filter((other) => found.has(other));
      for (const taker of takers) found.set(taker, (found.get(taker) ?? 0) + (shares[at] ?? 0) / takers.length);
    }
    return found;
  };
}

/** Turns log-odds into probabilities, in place. */
function toProbabilities(odds: Float64Array): void {
  const most = Math.max(...odds);
  const whole = odds.reduce((sum, one) => sum + Math.exp(one - most), 0);
  for (const [at, one] of odds.entries()) odds[at] = Math.exp(one - most) / whole;
}
