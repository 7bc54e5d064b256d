/**
 * Word vectors for the language of APIs, created by `scripts/discovery/train.js`. The vector of a text is the sum of
 * `weight × vector` over its words; the similarity of two texts is the cosine of their sums.
 *
 * The file is little-endian, with each block at a multiple of 4 bytes: eight u32 (mark, version, dimensions, words,
 * stems, length of the rest, its checksum, 0); per word an f32 scale and an f32 weight; per word its dimensions as i8;
 * the words in byte order as u32 ends and ASCII text; the same for the stems that differ from their word; their rows as
 * u16.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { HelveError } from '../../domain/errors.js';
import { createSlices } from '../../util/slices.js';
import { createNearWords, type NearWords } from '../text/near-words.js';
import { stem } from '../text/stem.js';
import { readLayout } from './layout.js';
import { createTextTable } from './text-table.js';

export interface WordVectors {
  readonly dimensions: number;
  /** The number of words with a vector; rows are 0 to size - 1. */
  readonly size: number;
  /** The row of a lower-case word, by its own form or else by its stem; -1 if it is unknown. */
  find(word: string): number;
  /** The row of the most used word with this stem (`not` is the stem of `note`); -1 if there is none. */
  findStem(stemmed: string): number;
  /** The word of a row, as it is spelt. */
  word(row: number): string;
  /** All its words, by their rows: to find those that a mistyped word is near to. */
  readonly nearWords: NearWords;
  /** The weight of a word in a text, 0 or more; multiply by it before adding. */
  weight(row: number): number;
  /** Adds `factor` times the word's vector, which has length 1, to `target`. */
  addTo(row: number, target: Float32Array | Float64Array, factor: number): void;
  /** The cosine of two words' vectors, -1 to 1. */
  similarity(rowA: number, rowB: number): number;
}

const shipped = new URL('../../../weights/discovery-words.bin', import.meta.url);

/** Reads the vectors. Throws `internal` if the file cannot be read, is truncated or was altered. */
export async function loadWordVectors(path: URL | string = shipped): Promise<WordVectors> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw new HelveError(
      'internal',
      `The word vectors cannot be read: ${path instanceof URL ? fileURLToPath(path) : path}`,
      {
        hint: 'The file belongs to the package. Install it again, or create it with `npm run train:discovery`.',
        cause: error,
      },
    );
  }
  return createSlices(sliceMs).run(readWordVectors(bytes));
}

/** Milliseconds that reading may block the event loop at a time. */
const sliceMs = 3;

/**
 * Reads the vectors in these bytes, which must not change afterwards. Throws `internal` if they are truncated or
 * altered.
 */
export function* readWordVectors(bytes: Uint8Array): Generator<undefined, WordVectors> {
  const { dimensions, scales, weights, numbers, words, stems, stemRows } = yield* readLayout(bytes);
  const size = scales.length;
  const wordTable = yield* createTextTable(words.ends, words.text);
  const stemTable = yield* createTextTable(stems.ends, stems.text);
  const findStem = (stemmed: string) => {
    const at = stemTable.find(stemmed);
    return at < 0 ? wordTable.find(stemmed) : (stemRows[at] ?? -1);
  };
  const find = (word: string) => {
    const row = wordTable.find(word);
    if (row >= 0) return row;
    const byStem = stemTable.find(word);
    return byStem < 0 ? findStem(stem(word)) : (stemRows[byStem] ?? -1);
  };
  const nearWords = createNearWords({ size, word: wordTable.word });
  yield* nearWords.extend();
  return {
    dimensions,
    size,
    find,
    findStem,
    word: wordTable.word,
    nearWords,
    weight: (row) => weights[row] ?? 0,
    addTo: (row, target, factor) => {
      if (row < 0 || row >= size) return;
      const start = row * dimensions;
      const share = factor * (scales[row] as number);
      // Four at a time halves the time, and every text of a catalogue is processed here. All indexes are within the
      // arrays; checking each for `undefined` costs a third of the time.
      let at = 0;
      for (; at + 3 < dimensions; at += 4) {
        const from = start + at;
        target[at] = (target[at] as number) + share * (numbers[from] as number);
        target[at + 1] = (target[at + 1] as number) + share * (numbers[from + 1] as number);
        target[at + 2] = (target[at + 2] as number) + share * (numbers[from + 2] as number);
        target[at + 3] = (target[at + 3] as number) + share * (numbers[from + 3] as number);
      }
      for (; at < dimensions; at++) target[at] = (target[at] as number) + share * (numbers[start + at] as number);
    },
    similarity: (rowA, rowB) => {
      if (rowA < 0 || rowB < 0 || rowA >= size || rowB >= size) return 0;
      const startA = rowA * dimensions;
      const startB = rowB * dimensions;
      // Two sums that do not wait for each other save a third of the time.
      let sum = 0;
      let other = 0;
      let at = 0;
      for (; at + 1 < dimensions; at += 2) {
        sum += (numbers[startA + at] as number) * (numbers[startB + at] as number);
        other += (numbers[startA + at + 1] as number) * (numbers[startB + at + 1] as number);
      }
      if (at < dimensions) sum += (numbers[startA + at] as number) * (numbers[startB + at] as number);
      return (sum + other) * (scales[rowA] as number) * (scales[rowB] as number);
    },
  };
}
