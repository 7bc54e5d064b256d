/**
 * Stems as small numbers, with how many tools have each. The letters of all stems are in one array, so that hundreds of
 * thousands of them do not burden the garbage collector and can be saved and loaded directly.
 */
import { remembered } from '../../util/remembered.js';
import { createHashTable, hashLetters, hashText } from '../hash-table.js';
import { splitName } from '../text/split-words.js';
import { stem } from '../text/stem.js';
import { stopWords } from '../text/vocabulary-data.js';
import type { PackedPostings } from './posting-list.js';

export interface Vocabulary {
  /** The number of a stem; adds it if it is new. */
  enter(stemmed: string): number;
  /** The number of the stem of a lower-case word; adds it if it is new; -1 for a stop word. */
  read(word: string): number;
  /** The same for all words of a name, without stop words. */
  readName(name: string): readonly number[];
  /** The number of a stem, undefined if no tool ever had it. */
  find(stemmed: string): number | undefined;
  word(term: number): string;
  readonly size: number;
  /** The number of tools that have the term now. */
  count(term: number): number;
  /** The number of toolkits that have the term now. */
  spread(term: number): number;
  /**
   * Adds the tools of a toolkit to the counts, or subtracts them: `starts[i + 1] - starts[i]` tools have `terms[i]`.
   */
  adjust(postings: PackedPostings, sign: 1 | -1): void;
  /** The start of each term's postings in a single list of all present postings by term; then their total number. */
  starts(): Uint32Array;
  /** The letters of the first `size` stems, concatenated, and the end of each. */
  letters(size: number): VocabularyLetters;
  /** Enters such letters into an empty vocabulary, some per step. */
  fill(from: VocabularyLetters): Generator<undefined, void>;
}

export interface VocabularyLetters {
  readonly letters: Uint16Array;
  readonly ends: Uint32Array;
}

const wordsAStep = 2_000;
/** Cache size for words as written: a catalogue repeats the same words. */
const maxRead = 60_000;
/** Cache size for names of parameters (`limit`, `access_token`), which occur thousands of times. */
const maxNames = 20_000;

export function createVocabulary(): Vocabulary {
  const table = createHashTable();
  let letters = new Uint16Array(1_024);
  let ends = new Uint32Array(256);
  let counts = new Uint32Array(256);
  let spreads = new Uint32Array(256);
  let size = 0;
  // A shared variable instead of a closure per search: thousands of words are looked up.
  let wanted = '';
  const isWanted = (term: number) => isSpelt(letters, getStart(ends, term), ends[term] ?? 0, wanted);
  const find = (stemmed: string) => {
    wanted = stemmed;
    return table.find(hashText(stemmed), isWanted);
  };
  const reserve = (words: number, length: number) => {
    if (words > ends.length) {
      ends = grown(ends, words);
      counts = grown(counts, words);
      spreads = grown(spreads, words);
    }
    if (length > letters.length) letters = grown(letters, length);
  };
  const enter = (stemmed: string) => {
    const term = find(stemmed);
    if (term >= 0) return term;
    const start = getStart(ends, size);
    reserve(size + 1, start + stemmed.length);
    for (let at = 0; at < stemmed.length; at++) letters[start + at] = stemmed.charCodeAt(at);
    ends[size] = start + stemmed.length;
    table.add(hashText(stemmed), size);
    return size++;
  };
  const read = remembered(maxRead, (word: string) => (stopWords.has(word) ? -1 : enter(stem(word))));
  return {
    enter,
    read,
    readName: remembered(maxNames, (name) =>
      splitName(name)
        .map(read)
        .filter((term) => term >= 0),
    ),
    find: (stemmed) => known(find(stemmed)),
    word: (term) => (term < size ? String.fromCharCode(...letters.subarray(getStart(ends, term), ends[term])) : ''),
    get size() {
      return size;
    },
    count: (term) => (term < size ? (counts[term] ?? 0) : 0),
    spread: (term) => (term < size ? (spreads[term] ?? 0) : 0),
    starts: () => computeSums(counts, size),
    adjust: (postings, sign) => adjustAll(counts, spreads, postings, sign),
    letters: (count) => ({ letters: letters.slice(0, getStart(ends, count)), ends: ends.slice(0, count) }),
    *fill(from) {
      reserve(from.ends.length, from.letters.length);
      letters.set(from.letters);
      ends.set(from.ends);
      for (; size < from.ends.length; size++) {
        table.add(hashLetters(letters, getStart(ends, size), ends[size] ?? 0), size);
        if (size % wordsAStep === 0) yield undefined;
      }
    },
  };
}

/** The sum of all numbers before each of the first `count`, and of all of these. */
function computeSums(numbers: Uint32Array, count: number): Uint32Array {
  const sums = new Uint32Array(count + 1);
  for (let at = 0; at < count; at++) sums[at + 1] = (sums[at] as number) + (numbers[at] as number);
  return sums;
}

function isSpelt(letters: Uint16Array, start: number, end: number, wanted: string): boolean {
  if (end - start !== wanted.length) return false;
  for (let at = 0; at < wanted.length; at++) if (letters[start + at] !== wanted.charCodeAt(at)) return false;
  return true;
}

function adjustAll(counts: Uint32Array, spreads: Uint32Array, { terms, starts }: PackedPostings, sign: 1 | -1): void {
  for (let slot = 0; slot < terms.length; slot++) {
    const term = terms[slot] ?? 0;
    spreads[term] = (spreads[term] ?? 0) + sign;
    counts[term] = (counts[term] ?? 0) + sign * ((starts[slot + 1] ?? 0) - (starts[slot] ?? 0));
  }
}

const known = (term: number) => (term < 0 ? undefined : term);

const getStart = (ends: Uint32Array, term: number) => (term === 0 ? 0 : (ends[term - 1] ?? 0));

function grown<Kind extends Uint16Array | Uint32Array>(array: Kind, least: number): Kind {
  const larger = new (array.constructor as new (length: number) => Kind)(Math.max(least, array.length * 2));
  larger.set(array);
  return larger;
}
