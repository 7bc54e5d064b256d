// Writes the file that `src/discovery/semantic/word-vectors.ts` reads; its layout is described there.
import { inByteOrder } from './openapi-pairs.js';
import { stem } from './words.js';

const magic = 0x57564c48;
const version = 1;

/** The row for a stem: its most used form that is not a grammatical word. */
function rowsOfStems(words, uses) {
  const best = new Map();
  for (const [row, word] of words.entries()) {
    const key = stem(word);
    const other = best.get(key);
    if (other === undefined || uses(word) > uses(words[other])) best.set(key, row);
  }
  // A stem that is itself the chosen word needs no entry.
  return [...best].filter(([key, row]) => words[row] !== key).sort(([a], [b]) => inByteOrder(a, b));
}

function quantise(vector) {
  let most = 0;
  let square = 0;
  for (const value of vector) {
    square += value * value;
    if (Math.abs(value) > most) most = Math.abs(value);
  }
  const step = most === 0 ? 1 : most / 127;
  const steps = Int8Array.from(vector, (value) => Math.round(value / step));
  const unit = Math.sqrt(steps.reduce((sum, value) => sum + value * value, 0)) || 1;
  return { steps, scale: 1 / unit, length: Math.sqrt(square) };
}

function textBlock(texts) {
  const ends = new Uint32Array(texts.length + 1);
  for (const [at, text] of texts.entries()) ends[at + 1] = ends[at] + text.length;
  const bytes = new Uint8Array(Math.ceil(ends[texts.length] / 4) * 4);
  bytes.set(Buffer.from(texts.join(''), 'latin1'));
  return [ends, bytes];
}

function checksumOf(bytes) {
  let sum = 0x811c9dc5;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.byteLength; at += 4) sum = Math.imul(sum ^ view.getUint32(at, true), 0x01000193);
  return sum >>> 0;
}

/**
 * The bytes of the file. `entries` are `{ word, vector }` in any order, with ASCII words only. The length of a vector becomes
 * the word's weight; its direction is stored in 8 bits per dimension. `uses(word)` ranks the forms of one stem.
 */
export function packVectors(entries, { dimensions, uses }) {
  const sorted = [...entries].sort((a, b) => inByteOrder(a.word, b.word));
  const words = sorted.map(({ word }) => word);
  if (words.length >= 65_535) throw new Error(`${words.length} words: rows have 16 bits`);
  const packed = sorted.map(({ vector }) => quantise(vector));
  const stems = rowsOfStems(words, uses);
  const numbers = new Int8Array(Math.ceil((words.length * dimensions) / 4) * 4);
  for (const [row, { steps }] of packed.entries()) numbers.set(steps, row * dimensions);
  const stemRows = new Uint16Array(Math.ceil(stems.length / 2) * 2);
  for (const [at, [, row]] of stems.entries()) stemRows[at] = row;
  const blocks = [
    Float32Array.from(packed, ({ scale }) => scale),
    Float32Array.from(packed, ({ length }) => length),
    numbers,
    ...textBlock(words),
    ...textBlock(stems.map(([key]) => key)),
    stemRows,
  ];
  const body = Buffer.concat(
    blocks.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  );
  const header = Uint32Array.of(
    magic,
    version,
    dimensions,
    words.length,
    stems.length,
    body.length,
    checksumOf(body),
    0,
  );
  return Buffer.concat([Buffer.from(header.buffer), body]);
}
