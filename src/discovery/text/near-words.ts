/**
 * Finds the words of a list that are one or two typing errors away from a word.
 *
 * The list may be long, so most words are skipped without a comparison: only words of about the same length are
 * considered, and of these only words with almost the same letters, which one comparison of two numbers shows.
 */

export interface WordList {
  readonly size: number;
  /** Never changes for a number below `size`. */
  word(at: number): string;
}

export interface NearWord {
  /** Its number in the list. */
  readonly at: number;
  /** How many letters are added, missing, wrong or swapped with the next: 1 or 2. */
  readonly distance: number;
}

export interface NearWords {
  /** All words at most `most` errors away, in no order; the word itself is not among them. */
  find(word: string, most: 1 | 2): NearWord[];
  /** Adds words that are new in the list, in steps; `find` adds the remaining ones at once. */
  extend(): Generator<undefined, void>;
}

/** The numbers of all words of one length, and a bit for each letter that they have. */
interface OfLength {
  words: Uint32Array;
  letters: Uint32Array;
  count: number;
}

const minLength = 3;
const maxLength = 24;
const wordsAStep = 2_000;

export function createNearWords(list: WordList): NearWords {
  const byLength: OfLength[] = [];
  let taken = 0;
  const take = (at: number) => {
    const word = list.word(at);
    if (word.length < minLength || word.length > maxLength || !/^[a-z]+$/.test(word)) return;
    const same = byLength[word.length] ?? { words: new Uint32Array(16), letters: new Uint32Array(16), count: 0 };
    byLength[word.length] = same;
    if (same.count === same.words.length) {
      same.words = doubled(same.words);
      same.letters = doubled(same.letters);
    }
    same.words[same.count] = at;
    same.letters[same.count++] = lettersOf(word);
  };
  const extend = function* (): Generator<undefined, void> {
    while (taken < list.size) {
      take(taken++);
      if (taken % wordsAStep === 0) yield undefined;
    }
  };
  return {
    extend,
    find(word, most) {
      while (taken < list.size) take(taken++);
      const found: NearWord[] = [];
      const own = lettersOf(word);
      for (let length = word.length - most; length <= word.length + most; length++) {
        const { words, letters, count } = byLength[length] ?? nothing;
        for (let at = 0; at < count; at++) {
          const different = (letters[at] as number) ^ own;
          // Each error changes at most two of these bits.
          if (different !== 0 && countBits(different) > 2 * most) continue;
          const other = list.word(words[at] as number);
          const distance = countErrors(word, other, most);
          if (distance > 0 && distance <= most) found.push({ at: words[at] as number, distance });
        }
      }
      return found;
    },
  };
}

const nothing: OfLength = { words: new Uint32Array(0), letters: new Uint32Array(0), count: 0 };

function doubled(array: Uint32Array): Uint32Array {
  const larger = new Uint32Array(2 * array.length);
  larger.set(array);
  return larger;
}

function lettersOf(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31);
  return bits >>> 0;
}

function countBits(number: number): number {
  let bits = number - ((number >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

const rows = [new Uint8Array(maxLength + 4), new Uint8Array(maxLength + 4), new Uint8Array(maxLength + 4)] as const;

/**
 * The typing errors between two texts: letters added, missing, wrong, or exchanged with the next (Damerau's distance);
 * some number above `most` if they are more.
 */
export function countErrors(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most || Math.max(one.length, other.length) > maxLength + 2) return most + 1;
  let [last, before, current] = rows as readonly [Uint8Array, Uint8Array, Uint8Array];
  for (let at = 0; at <= other.length; at++) before[at] = at;
  for (let row = 1; row <= one.length; row++) {
    current[0] = row;
    let least = row;
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1];
      let cost = Math.min(
        (before[at] as number) + 1,
        (current[at - 1] as number) + 1,
        (before[at - 1] as number) + (isSame ? 0 : 1),
      );
      const isExchanged = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      if (isExchanged) cost = Math.min(cost, (last[at - 2] as number) + 1);
      current[at] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    [last, before, current] = [before, current, last];
  }
  return before[other.length] as number;
}
