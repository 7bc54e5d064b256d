/** Vectors of whole texts, as bytes: the weighted sum of their words' vectors, of length 1. */
import type { Vocabulary } from '../postings/vocabulary.js';
import type { WordVectors } from './word-vectors.js';

const unit = 127;

/** Writes the vector of the words of these rows at `start`; zeros if none of them is known. */
export function writeTextVector(rows: readonly number[], vectors: WordVectors, target: Int8Array, start: number): void {
  const sum = sumUp(rows, vectors);
  for (let at = 0; at < sum.length; at++) target[start + at] = Math.round((sum[at] ?? 0) * unit);
}

/** The vector of words, given by row and weight each, of length 1 or 0. */
export function textVector(rows: readonly number[], weights: readonly number[], vectors: WordVectors): Float32Array {
  return Float32Array.from(sumUp(rows, vectors, weights));
}

/** The sum of the words' vectors, of length 1 or 0. The next call reuses the array. */
function sumUp(rows: readonly number[], vectors: WordVectors, weights?: readonly number[]): Float64Array {
  const sum = emptySum(vectors);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? -1;
    if (row >= 0) vectors.addTo(row, sum, vectors.weight(row) * (weights?.[at] ?? 1));
  }
  let length = 0;
  for (const value of sum) length += value * value;
  const scale = length === 0 ? 0 : 1 / Math.sqrt(length);
  for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) * scale;
  return sum;
}

const sums = new WeakMap<WordVectors, Float64Array>();

/** A new array for each text would cost a tenth of the time. */
function emptySum(vectors: WordVectors): Float64Array {
  const before = sums.get(vectors);
  if (before) return before.fill(0);
  const sum = new Float64Array(vectors.dimensions);
  sums.set(vectors, sum);
  return sum;
}

const rowsOfTerms = new WeakMap<Vocabulary, Map<WordVectors, Int32Array>>();
const notAsked = -2;

/** The row of a term, cached by its number: each search compares hundreds of names. */
export function rowOfTerm(term: number, vocabulary: Vocabulary, vectors: WordVectors): number {
  const kept = rowsOfTerms.get(vocabulary) ?? new Map<WordVectors, Int32Array>();
  rowsOfTerms.set(vocabulary, kept);
  let rows = kept.get(vectors);
  if (rows === undefined || term >= rows.length) {
    const longer = new Int32Array(Math.max(vocabulary.size, 2 * term)).fill(notAsked);
    if (rows !== undefined) longer.set(rows);
    rows = longer;
    kept.set(vectors, rows);
  }
  let row = rows[term] ?? notAsked;
  if (row === notAsked) {
    row = vectors.findStem(vocabulary.word(term));
    rows[term] = row;
  }
  return row;
}

/** The cosine of a text's vector with the vector in the bytes at `start`. */
export function cosineAt(vector: Float32Array, bytes: Int8Array, start: number): number {
  // Four sums that do not wait for each other halve the time. All indexes are within the arrays; checking each for
  // `undefined` costs a third of it.
  let one = 0;
  let two = 0;
  let three = 0;
  let four = 0;
  let at = 0;
  for (; at + 3 < vector.length; at += 4) {
    const from = start + at;
    one += (vector[at] as number) * (bytes[from] as number);
    two += (vector[at + 1] as number) * (bytes[from + 1] as number);
    three += (vector[at + 2] as number) * (bytes[from + 2] as number);
    four += (vector[at + 3] as number) * (bytes[from + 3] as number);
  }
  for (; at < vector.length; at++) one += (vector[at] as number) * (bytes[start + at] as number);
  return (one + two + three + four) / unit;
}

/** The length of the sum of these words' vectors. */
export function lengthOfSum(rows: readonly number[], vectors: WordVectors): number {
  const sum = emptySum(vectors);
  for (const row of rows) if (row >= 0) vectors.addTo(row, sum, vectors.weight(row));
  let length = 0;
  for (const value of sum) length += value * value;
  return Math.sqrt(length);
}

/** The contribution of a word to the product of a text's vector with the sum of several words' vectors. */
export function shareInProduct(vector: Float32Array, row: number, vectors: WordVectors): number {
  const sum = emptySum(vectors);
  if (row >= 0) vectors.addTo(row, sum, vectors.weight(row));
  let product = 0;
  for (let at = 0; at < vector.length; at++) product += (vector[at] as number) * (sum[at] as number);
  return product;
}
