/**
 * Which words of names a text asks for by its wording, even if it has none of them: `the customer wants his money back`
 * speaks for `refund`, and less for `invoice`. Learned from written requests and the descriptions of tools, each time
 * against the other tools of the same app, and added to by hand. It only changes the order of candidates; it decides nothing
 * about a call.
 */
import { maxWords, sumOdds } from './act-wording.js';

export interface NameWeights {
  /** Words of names, as stems; the other members have their numbers in this list. */
  readonly words: readonly string[];
  /** What each word adds to a name that has it, for every text. */
  readonly bias: readonly number[];
  /** What a stem of a text adds to that, as pairs of the number of a word and ten times the addition. */
  readonly marks: Readonly<Record<string, readonly number[]>>;
}

/** A text of more stems than these counts less, by the square: it speaks of more than one tool. */
const usualWords = 6;

/** The marks of a text: its stems, each once. */
export const listNameMarks = (said: readonly string[]): string[] => [...new Set(said.slice(0, maxWords))];

/** By how much the sum over the marks of a text and the words of a name is multiplied. */
export const scaleOf = (marks: number, words: number): number =>
  Math.min(1, (usualWords / Math.max(1, marks)) ** 2) / Math.sqrt(Math.max(1, words));

/**
 * Returns a function from the stems of a text, in order, and the stems of names, to how much the text speaks for each of these
 * names. The numbers of one text may be compared with each other, and added to the scores of candidates.
 */
export function createNameReader({ words, bias, marks }: NameWeights) {
  const weights = new Map(Object.entries(marks));
  const numbers = new Map(words.map((word, at) => [word, at]));
  return (said: readonly string[], names: readonly (readonly string[])[]): readonly number[] => {
    const known = listNameMarks(said);
    const odds = sumOdds(bias, weights, known);
    return names.map((name) => {
      const sum = name.reduce((before, word) => before + (odds[numbers.get(word) ?? -1] ?? 0), 0);
      return sum * scaleOf(known.length, name.length);
    });
  };
}
