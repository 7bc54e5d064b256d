/**
 * BM25F over many shards. A word counts once for a tool, by the best of its variants.
 *
 * The arrays are kept between searches and only what a search touched is wiped; a search over few toolkits touches only
 * those.
 */
import { findSlot, type Shard, weightUnit } from './shard.js';
import type { Vocabulary } from './vocabulary.js';

export interface ScoredWord {
  readonly weight: number;
  readonly variants: readonly { readonly term: number; readonly share: number; readonly rarity: number }[];
}

export interface Scoreboard {
  /** Scores of all tools of these shards (by number), as pairs of tool number and score, unordered. */
  run(
    words: readonly ScoredWord[],
    shards: readonly number[] | undefined,
  ): { tools: Uint32Array; scores: Float32Array };
}

const saturation = 1.2;

/** How rare a term is among `total` tools. */
export function rarityOf(count: number, total: number): number {
  return Math.log(1 + (total - count + 0.5) / (count + 0.5));
}

/** `bases[shard]` is the number of the first tool of a shard. */
export function createScoreboard(
  shards: readonly (Shard | undefined)[],
  bases: Uint32Array,
  total: number,
  vocabulary: Vocabulary,
): Scoreboard {
  const scores = new Float32Array(total);
  const best = new Float32Array(total);
  const wordOf = new Uint16Array(total);
  const touched = new Uint32Array(total);
  let count = 0;

  const score = (at: number, term: number, word: number, factor: number) => {
    const shard = shards[at];
    const slot = shard === undefined ? -1 : findSlot(shard, term);
    if (shard === undefined || slot < 0) return;
    const base = bases[at] ?? 0;
    const end = shard.starts[slot + 1] ?? 0;
    for (let next = shard.starts[slot] ?? 0; next < end; next++) {
      const tool = base + (shard.tools[next] ?? 0);
      const weight = (shard.weights[next] ?? 0) / weightUnit;
      const value = (factor * weight) / (saturation + weight);
      if ((scores[tool] ?? 0) === 0) touched[count++] = tool;
      const before = wordOf[tool] === word ? (best[tool] ?? 0) : 0;
      if (value <= before) continue;
      scores[tool] = (scores[tool] ?? 0) + value - before;
      best[tool] = value;
      wordOf[tool] = word;
    }
  };

  return {
    run(words, only) {
      for (const [at, { weight, variants }] of words.entries()) {
        for (const { term, share, rarity } of variants) {
          const factor = weight * share * rarity * (saturation + 1);
          for (const shard of only ?? vocabulary.places(term)) score(shard, term, at + 1, factor);
        }
      }
      const tools = touched.slice(0, count);
      const found = new Float32Array(count);
      for (let at = 0; at < count; at++) {
        const tool = tools[at] ?? 0;
        found[at] = scores[tool] ?? 0;
        scores[tool] = 0;
        wordOf[tool] = 0;
      }
      count = 0;
      return { tools, scores: found };
    },
  };
}
