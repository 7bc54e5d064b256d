/**
 * The postings of many toolkits as one list per word. A word that thousands of toolkits have then takes one pass
 * through memory instead of thousands of look-ups; tools are identified by their number in the whole catalogue.
 */
import type { Shard } from './shard.js';

export interface MergedPostings {
  /** The postings of a term are at `starts[term]` up to `starts[term + 1]`, by ascending tool. */
  readonly starts: Uint32Array;
  readonly tools: Uint32Array;
  readonly weights: Uint8Array;
}

export interface NumberedShard {
  readonly shard: Shard;
  /** The number of its first tool. */
  readonly base: number;
}

export const emptyMerged: MergedPostings = {
  starts: new Uint32Array(1),
  tools: new Uint32Array(0),
  weights: new Uint8Array(0),
};

const postingsAStep = 16_384;

/**
 * Merges shards in ascending order of their bases, some per step. `starts` gives the start of the postings of each of
 * their terms, with the total number at its end.
 */
export function* mergeShards(
  shards: readonly NumberedShard[],
  starts: Uint32Array,
): Generator<undefined, MergedPostings> {
  const next = starts.slice();
  const tools = new Uint32Array(starts.at(-1) ?? 0);
  const weights = new Uint8Array(tools.length);
  yield undefined;
  let left = postingsAStep;
  for (const { shard, base } of shards) {
    const own = shard.postings();
    // All indexes are within the arrays; checking each for `undefined` costs a third of the time.
    for (let slot = 0; slot < own.terms.length; slot++) {
      const term = own.terms[slot] as number;
      const end = own.starts[slot + 1] as number;
      let to = next[term] as number;
      for (let from = own.starts[slot] as number; from < end; from++, to++) {
        tools[to] = base + (own.tools[from] as number);
        weights[to] = own.weights[from] as number;
      }
      next[term] = to;
      left -= end - (own.starts[slot] as number);
      if (left > 0) continue;
      left = postingsAStep;
      yield undefined;
    }
  }
  return { starts, tools, weights };
}
