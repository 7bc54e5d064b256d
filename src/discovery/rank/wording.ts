/**
 * How much a text sounds like a request for a tool, by its words alone, whatever they mean: people ask tools for other
 * things, and in other forms, than they say to each other. Learned from written requests, and from small talk, questions
 * about the world and chores.
 */

/** What each mark of a text adds to the log-odds. */
export interface WordingWeights {
  readonly bias: number;
  readonly marks: Readonly<Record<string, number>>;
}

/** Maximum words of a text that are looked at. */
const maxWords = 60;
const maxSize = 6;
/** Words and the two signs that end sentences; a letter of a script without spaces stands alone. */
const wordShape = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}']+|[?!]/gu;

/** The marks of a text, each once: its words, pairs of words, how it begins, and its length. */
export function listMarks(text: string): string[] {
  const words = (text.toLowerCase().match(wordShape) ?? []).slice(0, maxWords);
  const size = Math.min(maxSize, Math.floor(2 * Math.log2(1 + words.length)));
  const begins = [1, 2, 3].map((count) => `^${words.slice(0, count).join(' ')}`);
  const pairs = words.slice(1).map((word, at) => `${words[at]} ${word}`);
  return [...new Set([...begins, ...words, ...pairs, `#${size}`])];
}

/** Returns a function from a text to its log-odds. */
export function createWording({ bias, marks }: WordingWeights): (text: string) => number {
  const weights = new Map(Object.entries(marks));
  return (text) => listMarks(text).reduce((sum, mark) => sum + (weights.get(mark) ?? 0), bias);
}
