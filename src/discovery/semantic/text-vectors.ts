/** Vectors of whole texts, as bytes: the weighted sum of their words' vectors, of length 1. */
import type { Vocabulary } from '../postings/vocabulary.js';
import type { WordVectors } from './word-vectors.js';

const unit = 127;

/** Writes the vector of the words of these rows at `start`; zeros if none of them is known. */
export function writeTextVector(rows: readonly number[], vectors: WordVectors, target: Int8Array, start: number): void {
  const sum = sumUp(rows, vectors);
  for (let at = 0; at < sum.length; at++) target[start + at] = Math.round((sum[at] ?? 0) * unit);
}

/** The vector of these stems, of length 1 or 0. */
export function textVector(stems: readonly string[], vectors: WordVectors): Float32Array {
  const rows = stems.map(vectors.findStem);
  return Float32Array.from(sumUp(rows, vectors));
}

/** The sum of the words' vectors, of length 1 or 0. The next call reuses the array. */
function sumUp(rows: readonly number[], vectors: WordVectors): Float64Array {
  const sum = emptySum(vectors);
  for (const row of rows) if (row >= 0) vectors.addTo(row, sum, vectors.weight(row));
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
  // All indexes are within the arrays; checking each for `undefined` costs a third of the time.
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += (vector[at] as number) * (bytes[start + at] as number);
  return sum / unit;
}
