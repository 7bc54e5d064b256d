/**
 * Reuses what was previously read of a toolkit's tools. An app that is listed again has mostly the same tools, and
 * reading a text takes many times as long as detecting that it is unchanged: each tool has a fingerprint of everything
 * that its shard stores about it.
 */
import type { PackedPostings } from './posting-list.js';

/** Two 32-bit halves. */
export type Fingerprint = readonly [number, number];

/**
 * Two multipliers, so that texts that share one half do not share the other: one hash with two seeds would be too
 * similar.
 */
const primes = [0x01000193, 0x2c1b3c6d] as const;

/** A fingerprint of several texts, including their boundaries. */
export function computeFingerprint(texts: readonly string[]): Fingerprint {
  const [prime, otherPrime] = primes;
  let one = 0;
  let other = 0;
  for (const text of texts) {
    one = Math.imul(one ^ (one >>> 15) ^ text.length, prime);
    other = Math.imul(other ^ (other >>> 13) ^ text.length, otherPrime);
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      one = Math.imul(one ^ code, prime);
      other = Math.imul(other ^ code, otherPrime) + 1;
    }
  }
  return [one >>> 0, other >>> 0];
}

export interface EarlierTools {
  /** The number of the tool with this fingerprint; undefined if there is none. */
  find(fingerprint: Fingerprint): number | undefined;
  /** Calls `tell` for each posting of that tool. */
  postings(tool: number, tell: (term: number, weight: number) => void): void;
}

const postingsAStep = 8_192;

/** The tools of a shard by their fingerprints, two numbers each, and its postings tool by tool. */
export function* readEarlier(
  { terms, starts, tools, weights }: PackedPostings,
  fingerprints: Uint32Array,
): Generator<undefined, EarlierTools> {
  const count = fingerprints.length / 2;
  const numbers = new Map<number, number>();
  for (let tool = 0; tool < count; tool++) numbers.set(fingerprints[2 * tool] as number, tool);
  const ends = new Uint32Array(count + 1);
  for (const tool of tools) ends[tool + 1] = (ends[tool + 1] as number) + 1;
  yield undefined;
  for (let tool = 0; tool < count; tool++) ends[tool + 1] = (ends[tool + 1] ?? 0) + (ends[tool] ?? 0);
  const next = ends.slice();
  const termOf = new Uint32Array(tools.length);
  const weightOf = new Uint8Array(tools.length);
  // All indexes are within the arrays; checking each for `undefined` costs a third of the time.
  let due = postingsAStep;
  for (let slot = 0; slot < terms.length; slot++) {
    const end = starts[slot + 1] as number;
    for (let at = starts[slot] as number; at < end; at++) {
      const tool = tools[at] as number;
      const to = next[tool] as number;
      next[tool] = to + 1;
      termOf[to] = terms[slot] as number;
      weightOf[to] = weights[at] as number;
    }
    if (end < due) continue;
    due = end + postingsAStep;
    yield undefined;
  }
  return {
    find([one, other]) {
      // Of two tools that share one half, the last is found: the first is read again, which is only slower.
      const tool = numbers.get(one);
      return tool !== undefined && fingerprints[2 * tool + 1] === other ? tool : undefined;
    },
    postings(tool, tell) {
      for (let at = ends[tool] ?? 0; at < (ends[tool + 1] ?? 0); at++) tell(termOf[at] ?? 0, weightOf[at] ?? 0);
    },
  };
}
