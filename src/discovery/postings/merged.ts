/**
 * The postings of many toolkits as one list a word. A word that thousands of toolkits have is then one walk through
 * memory, not thousands of visits; tools are told by their number in the whole catalogue.
 */
import type { Shard } from './shard.js';

export interface MergedPostings {
  /** Postings of a term stand at `starts[term]` up to `starts[term + 1]`, by ascending tool. */
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

const slotsAStep = 4_096;

/** Merges shards in ascending order of their bases, some at each step. `terms` is the size of their vocabulary. */
export function* mergeShards(shards: readonly NumberedShard[], terms: number): Generator<undefined, MergedPostings> {
  const starts = new Uint32Array(terms + 1);
  let done = 0;
  for (const { shard } of shards) {
    for (let slot = 0; slot < shard.terms.length; slot++) {
      const after = (shard.terms[slot] ?? 0) + 1;
      starts[after] = (starts[after] ?? 0) + (shard.starts[slot + 1] ?? 0) - (shard.starts[slot] ?? 0);
      if (++done % slotsAStep === 0) yield undefined;
    }
  }
  for (let term = 0; term < terms; term++) starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
  yield undefined;
  const next = starts.slice();
  const tools = new Uint32Array(starts[terms] ?? 0);
  const weights = new Uint8Array(tools.length);
  for (const { shard, base } of shards) {
    for (let slot = 0; slot < shard.terms.length; slot++) {
      const term = shard.terms[slot] ?? 0;
      const end = shard.starts[slot + 1] ?? 0;
      let to = next[term] ?? 0;
      for (let from = shard.starts[slot] ?? 0; from < end; from++, to++) {
        tools[to] = base + (shard.tools[from] ?? 0);
        weights[to] = shard.weights[from] ?? 0;
      }
      next[term] = to;
      if (++done % slotsAStep === 0) yield undefined;
    }
  }
  return { starts, tools, weights };
}
