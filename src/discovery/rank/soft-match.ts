/**
 * How close the words of a request are to a word of a name: 1 for the same word, a share for its synonyms, and the
 * similarity of the word vectors for all others. Computed once per search for each word of a name.
 */
import type { Vocabulary } from '../postings/vocabulary.js';
import { rowOfTerm, textVector } from '../semantic/text-vectors.js';
import type { WordVectors } from '../semantic/word-vectors.js';
import type { QueryWord } from './read-query.js';

/** A word of the request, prepared for comparison. */
export interface SoftWord {
  readonly stemmed: string;
  /** Its position in the request, from 0. */
  readonly place: number;
  /** Its share of the request. */
  readonly mass: number;
  /** Whether it is part of the act's object. */
  readonly isObject: boolean;
  /** Terms it may be found by, with their shares. */
  readonly variants: readonly { readonly term: number; readonly share: number }[];
}

/** A word of names, compared with the words of the request. */
export interface TermMatch {
  /** Closeness to each word of the request, in their order, 0 to 1. */
  readonly near: Float32Array;
  /** The words to which closeness is not 0: usually one of ten. */
  readonly met: readonly number[];
  /** The greatest of them, and the greatest of those to words of the object. */
  readonly most: number;
  readonly maxObject: number;
  /** The position of the nearest word in the request. */
  readonly place: number;
  readonly rarity: number;
}

export type SoftMatch = (term: number) => TermMatch;

/** Cosines below this carry no information. */
const minCosine = 0.35;

export function createSoftMatch(
  words: readonly SoftWord[],
  vocabulary: Vocabulary,
  vectors: WordVectors | undefined,
  rarity: (term: number) => number,
): SoftMatch {
  const known = new Map<number, TermMatch>();
  const shares = sharesByTerm(words);
  const rows = Int32Array.from(words, (word) => (vectors === undefined ? -1 : meantRow(word, vocabulary, vectors)));
  return (term) => {
    const before = known.get(term);
    if (before !== undefined) return before;
    const near = shares.get(term) ?? new Float32Array(words.length);
    const row = vectors === undefined ? -1 : rowOfTerm(term, vocabulary, vectors);
    let most = 0;
    let maxObject = 0;
    let place = 0;
    const met: number[] = [];
    for (let at = 0; at < near.length; at++) {
      let value = near[at] ?? 0;
      if (value < 1 && vectors !== undefined && row >= 0) {
        value = Math.max(value, toNearness(vectors.similarity(row, rows[at] ?? -1)));
        near[at] = value;
      }
      if (value > 0) met.push(at);
      if (value > most) {
        most = value;
        place = words[at]?.place ?? 0;
      }
      if (value > maxObject && words[at]?.isObject) maxObject = value;
    }
    const made = { near, met, most, maxObject, place, rarity: rarity(term) };
    known.set(term, made);
    return made;
  };
}

/**
 * The row of the word that a word of a request stands for: itself, or what it was read as if no tool has it, such as its
 * corrected spelling or its translation.
 */
function meantRow(
  { stemmed, variants }: Pick<SoftWord, 'stemmed' | 'variants'>,
  vocabulary: Vocabulary,
  vectors: WordVectors,
): number {
  const [first] = variants;
  const isRead = first !== undefined && vocabulary.word(first.term) !== stemmed;
  const read = isRead ? rowOfTerm(first.term, vocabulary, vectors) : -1;
  return read >= 0 ? read : vectors.findStem(stemmed);
}

/** The meaning of a request, of length 1 or 0. Values count less than the words around them. */
export function requestVector(words: readonly QueryWord[], vocabulary: Vocabulary, vectors: WordVectors): Float32Array {
  const rows = words.map((word) => meantRow(word, vocabulary, vectors));
  const weights = words.map(({ weight }) => weight);
  return textVector(rows, weights, vectors);
}

/** The share of each term for each word that it is a variant of. */
function sharesByTerm(words: readonly SoftWord[]): Map<number, Float32Array> {
  const shares = new Map<number, Float32Array>();
  for (const [at, { variants }] of words.entries()) {
    for (const { term, share } of variants) {
      const own = shares.get(term) ?? new Float32Array(words.length);
      own[at] = Math.max(share, own[at] ?? 0);
      shares.set(term, own);
    }
  }
  return shares;
}

function toNearness(cosine: number): number {
  return cosine <= minCosine ? 0 : Math.min(0.95, (cosine - minCosine) / (1 - minCosine));
}
