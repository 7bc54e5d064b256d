/**
 * How near the words of a request are to a word of a name: 1 for the same word, a share for its synonyms, and for all
 * others what the word vectors say. Worked out once a search for each word of a name.
 */
import type { Vocabulary } from '../postings/vocabulary.js';
import { rowOf } from '../semantic/text-vectors.js';
import type { WordVectors } from '../semantic/word-vectors.js';

/** A word of the request as it is compared. */
export interface SoftWord {
  readonly stemmed: string;
  /** How much of the request it is. */
  readonly mass: number;
  /** Whether it is part of what the act is done to. */
  readonly isObject: boolean;
  /** Terms it may be found by, with their shares. */
  readonly variants: readonly { readonly term: number; readonly share: number }[];
}

/** A word of names, beside the words of the request. */
export interface TermMatch {
  /** Nearness to each word of the request, in their order, 0 to 1. */
  readonly near: Float32Array;
  /** The greatest of them, and the greatest of those to words of the object. */
  readonly most: number;
  readonly mostObject: number;
  readonly rarity: number;
}

export type SoftMatch = (term: number) => TermMatch;

/** Cosines below this say nothing. */
const leastCosine = 0.35;

export function createSoftMatch(
  words: readonly SoftWord[],
  vocabulary: Vocabulary,
  vectors: WordVectors | undefined,
  rarity: (term: number) => number,
): SoftMatch {
  const known = new Map<number, TermMatch>();
  const rows = words.map(({ stemmed }) => (vectors === undefined ? -1 : rowOf(stemmed, vectors)));
  return (term) => {
    const before = known.get(term);
    if (before !== undefined) return before;
    const near = new Float32Array(words.length);
    const row = vectors === undefined ? -1 : rowOf(vocabulary.word(term), vectors);
    let most = 0;
    let mostObject = 0;
    for (const [at, { variants, isObject }] of words.entries()) {
      let value = 0;
      for (const variant of variants) if (variant.term === term) value = Math.max(value, variant.share);
      if (value < 1 && vectors !== undefined && row >= 0)
        value = Math.max(value, toNearness(vectors.similarity(row, rows[at] ?? -1)));
      near[at] = value;
      most = Math.max(most, value);
      if (isObject) mostObject = Math.max(mostObject, value);
    }
    const made = { near, most, mostObject, rarity: rarity(term) };
    known.set(term, made);
    return made;
  };
}

function toNearness(cosine: number): number {
  return cosine <= leastCosine ? 0 : Math.min(0.95, (cosine - leastCosine) / (1 - leastCosine));
}
