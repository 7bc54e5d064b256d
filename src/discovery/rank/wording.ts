/**
 * How much a text sounds like a request for a tool, judged by its words alone, whichever tools exist: people ask tools
 * for other things, and in other forms, than they say to each other. Learned from written requests, and from small
 * talk, questions about the world and chores.
 */
import type { WordVectors } from '../semantic/word-vectors.js';

/** What adds to the log-odds. */
export interface WordingWeights {
  readonly bias: number;
  /** The addition for each mark of a text. */
  readonly marks: Readonly<Record<string, number>>;
  /**
   * The addition for each number of its mean word vector: words that no training text had are judged by their meaning.
   */
  readonly meaning: readonly number[];
}

/** Maximum number of words of a text that are used. */
const maxWords = 60;
const maxSize = 6;
/** Words and the two signs that end sentences; a letter of a script without spaces stands alone. */
const wordShape = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}']+|[?!]/gu;

const listWords = (text: string): readonly string[] => (text.toLowerCase().match(wordShape) ?? []).slice(0, maxWords);

/** The marks of a text, each once: its words, pairs of words, how it begins, and its length. */
export function listMarks(text: string): string[] {
  const words = listWords(text);
  const size = Math.min(maxSize, Math.floor(2 * Math.log2(1 + words.length)));
  const begins = [1, 2, 3].map((count) => `^${words.slice(0, count).join(' ')}`);
  const pairs = words.slice(1).map((word, at) => `${words[at]} ${word}`);
  return [...new Set([...begins, ...words, ...pairs, `#${size}`])];
}

/** The mean of the vectors of a text's words; zeros if none of them has one. */
export function meanVector(text: string, vectors: WordVectors): Float64Array {
  const mean = new Float64Array(vectors.dimensions);
  const rows = listWords(text)
    .map(vectors.find)
    .filter((row) => row >= 0);
  for (const row of rows) vectors.addTo(row, mean, 1 / rows.length);
  return mean;
}

/** Returns a function from a text to its log-odds. */
export function createWording(
  { bias, marks, meaning }: WordingWeights,
  vectors: WordVectors,
): (text: string) => number {
  const weights = new Map(Object.entries(marks));
  return (text) => {
    const mean = meanVector(text, vectors);
    const byMeaning = meaning.reduce((sum, weight, at) => sum + weight * (mean[at] ?? 0), bias);
    return listMarks(text).reduce((sum, mark) => sum + (weights.get(mark) ?? 0), byMeaning);
  };
}
