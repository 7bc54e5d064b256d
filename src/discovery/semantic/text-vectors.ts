/** Vectors of whole texts, as bytes: the sum of their words' vectors, each by what it says, of length 1. */
import type { WordVectors } from './word-vectors.js';

const unit = 127;

/** Writes the vector of these stems at `start`; zeros if none of them is known. */
export function writeTextVector(stems: Iterable<string>, vectors: WordVectors, target: Int8Array, start: number): void {
  const sum = textVector(stems, vectors);
  for (let at = 0; at < sum.length; at++) target[start + at] = Math.round((sum[at] ?? 0) * unit);
}

/** The vector of these stems, of length 1 or 0. The array is used again by the next call. */
export function textVector(stems: Iterable<string>, vectors: WordVectors): Float32Array {
  if (scratch.length !== vectors.dimensions) scratch = new Float32Array(vectors.dimensions);
  scratch.fill(0);
  for (const one of stems) {
    const row = rowOf(one, vectors);
    if (row >= 0) vectors.addTo(row, scratch, vectors.weight(row));
  }
  let length = 0;
  for (const value of scratch) length += value * value;
  const scale = length === 0 ? 0 : 1 / Math.sqrt(length);
  for (let at = 0; at < scratch.length; at++) scratch[at] = (scratch[at] ?? 0) * scale;
  return scratch;
}

let scratch = new Float32Array();
const rows = new WeakMap<WordVectors, Map<string, number>>();
const mostRows = 50_000;

/** The row of a stem, kept: a catalogue's words come again and again. */
export function rowOf(stemmed: string, vectors: WordVectors): number {
  const kept = rows.get(vectors);
  const known = kept === undefined || kept.size >= mostRows ? new Map<string, number>() : kept;
  if (known !== kept) rows.set(vectors, known);
  const before = known.get(stemmed);
  if (before !== undefined) return before;
  const row = vectors.findStem(stemmed);
  known.set(stemmed, row);
  return row;
}

/** The cosine of a text's vector with the one of bytes at `start`. */
export function cosineAt(vector: Float32Array, bytes: Int8Array, start: number): number {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += (vector[at] ?? 0) * (bytes[start + at] ?? 0);
  return sum / unit;
}
