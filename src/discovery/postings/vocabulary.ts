/**
 * Stems as small numbers, with how many tools have each. The letters of all stems stand in one array, so that hundreds of
 * thousands of them are no work for the garbage collector and are saved and loaded as they are.
 */
import { remembered } from '../../util/remembered.js';
import { createHashTable, hashLetters, hashText } from '../hash-table.js';
import { splitName } from '../text/split-words.js';
import { stem } from '../text/stem.js';
import { stopWords } from '../text/vocabulary-data.js';
import type { PackedPostings } from './posting-list.js';

export interface Vocabulary {
  /** The number of a stem, made if it is new. */
  enter(stemmed: string): number;
  /** The number of the stem of a lower-case word, made if it is new; -1 for a word that says nothing. */
  read(word: string): number;
  /** The same for all words of a name, without those that say nothing. */
  readName(name: string): readonly number[];
  /** The number of a stem, undefined if no tool ever had it. */
  find(stemmed: string): number | undefined;
  word(term: number): string;
  readonly size: number;
  /** Tools that have the term now. */
  count(term: number): number;
  /** How many toolkits have the term now. */
  spread(term: number): number;
  /** Counts the tools of a toolkit in, or out: those with `terms[i]` are `starts[i + 1] - starts[i]`. */
  adjust(postings: PackedPostings, sign: 1 | -1): void;
  /** Where the postings of each term begin, were those of all tools of now in one list by term; then how many they are. */
  starts(): Uint32Array;
  /** The letters of the first `size` stems, one after the other, and where each ends. */
  letters(size: number): VocabularyLetters;
  /** Enters such letters into an empty vocabulary, some at each step. */
  fill(from: VocabularyLetters): Generator<undefined, void>;
}

export interface VocabularyLetters {
  readonly letters: Uint16Array;
  readonly ends: Uint32Array;
}

const wordsAStep = 2_000;
/** Words as they are written that are known by number: a catalogue has the same ones again and again. */
const maxRead = 60_000;
/** Names of parameters (`limit`, `access_token`) come many thousand times. */
const maxNames = 20_000;

export function createVocabulary(): Vocabulary {
  const table = createHashTable();
  let letters = new Uint16Array(1_024);
  let ends = new Uint32Array(256);
  let counts = new Uint32Array(256);
  let spreads = new Uint32Array(256);
  let size = 0;
  // Looked for here, not in a closure a search: words are looked up by the thousand.
  let wanted = '';
  const isWanted = (term: number) => isSpelt(letters, startOf(ends, term), ends[term] ?? 0, wanted);
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
    const start = startOf(ends, size);
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
    word: (term) => (term < size ? String.fromCharCode(...letters.subarray(startOf(ends, term), ends[term])) : ''),
    get size() {
      return size;
    },
    count: (term) => (term < size ? (counts[term] ?? 0) : 0),
    spread: (term) => (term < size ? (spreads[term] ?? 0) : 0),
    starts: () => sumsOf(counts, size),
    adjust: (postings, sign) => adjustAll(counts, spreads, postings, sign),
    letters: (count) => ({ letters: letters.slice(0, startOf(ends, count)), ends: ends.slice(0, count) }),
    *fill(from) {
      reserve(from.ends.length, from.letters.length);
      letters.set(from.letters);
      ends.set(from.ends);
      for (; size < from.ends.length; size++) {
        table.add(hashLetters(letters, startOf(ends, size), ends[size] ?? 0), size);
        if (size % wordsAStep === 0) yield undefined;
      }
    },
  };
}

/** The sum of all numbers before each of the first `count`, and of all of these. */
function sumsOf(numbers: Uint32Array, count: number): Uint32Array {
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

const startOf = (ends: Uint32Array, term: number) => (term === 0 ? 0 : (ends[term - 1] ?? 0));

function grown<Kind extends Uint16Array | Uint32Array>(array: Kind, least: number): Kind {
  const larger = new (array.constructor as new (length: number) => Kind)(Math.max(least, array.length * 2));
  larger.set(array);
  return larger;
}
