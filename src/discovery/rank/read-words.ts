/** The words of a request, each as written and as it is read: spelling corrected, everyday phrases as APIs say them. */
import { letterPattern } from '../text/letters.js';
import { findPhrases, type Phrase } from '../text/phrases.js';
import { stem } from '../text/stem.js';
import { isAskedVerb, verbMask } from '../text/verbs.js';
import { stopWords } from '../text/vocabulary-data.js';
import type { Correct } from './spelling.js';

export interface ReadWord {
  readonly written: string;
  /** In the letters of the request, unless it was read as another word. */
  readonly read: string;
  /** The weight of what is found by it, relative to a word as written: 1 if it is read as written. */
  readonly share: number;
  /** Lower-case words that it may be found by as well. */
  readonly also: readonly { readonly word: string; readonly share: number }[];
  /** How much it says, relative to other words of the request. */
  readonly weight: number;
}

/** A word of the request that was read as another. */
export interface Correction {
  readonly written: string;
  readonly read: string;
}

export const wordShape = letterPattern(String.raw`[\p{L}\p{N}]+(?:['’.&+_-][\p{L}\p{N}]+)*`, 'g');

const places = new Set(['in', 'on', 'via', 'using', 'from', 'to', 'through', 'into', 'inside', 'within', 'with']);
/** What the words of a phrase weigh beside what it stands for, and its further meanings relative to the first. */
const phraseShare = 0.3;
const furtherShare = 0.6;
/** A single word keeps its own meaning beside the everyday one. */
const wordMeaning = 0.6;

export function readWords(text: string, most: number): ReadWord[] {
  return (text.match(wordShape(text)) ?? []).slice(0, most).map((written) => asWritten(written));
}

export function asWritten(written: string): ReadWord {
  return { written, read: written, share: 1, also: [], weight: 1 };
}

/** Reads mistyped words as what was probably meant; quoted words are values, and stay. */
export function correctWords(
  words: readonly ReadWord[],
  quoted: ReadonlySet<string>,
  correct: Correct,
): { readonly words: ReadWord[]; readonly corrections: readonly Correction[] } {
  const corrections: Correction[] = [];
  const begin = words.findIndex(({ read }) => !stopWords.has(read.toLowerCase()));
  const corrected = words.map((word, at) => {
    if (quoted.has(word.written) || word.share < 1) return word;
    const isCapital = at > 0 && /^[A-Z][a-z]/.test(word.read);
    const isPlace = places.has(words[at - 1]?.read.toLowerCase() ?? '');
    const meant = correct(word.read.toLowerCase(), { isFirst: at === begin, isCapital, isPlace });
    if (meant === undefined) return word;
    // A capital is a sign of an app's name.
    const read = /^[A-Z]/.test(word.read) ? `${meant.read[0]?.toUpperCase()}${meant.read.slice(1)}` : meant.read;
    corrections.push({ written: word.written, read });
    return { ...word, read, share: word.share * meant.share };
  });
  return { words: corrected, corrections };
}

/** Puts what APIs say in the place of everyday phrases. */
export function replacePhrases(words: readonly ReadWord[], quoted: ReadonlySet<string>): ReadWord[] {
  const phrases = findPhrases(words.map(({ read, written }) => (quoted.has(written) ? '"' : read.toLowerCase())));
  if (phrases.length === 0) return [...words];
  const made: ReadWord[] = [];
  const begin = words.findIndex(({ read }) => !stopWords.has(read.toLowerCase()));
  let next = 0;
  for (const phrase of phrases) {
    made.push(...words.slice(next, phrase.from), ...readPhrase(words, phrase, begin));
    next = phrase.to;
  }
  return [...made, ...words.slice(next)];
}

function readPhrase(words: readonly ReadWord[], phrase: Phrase, begin: number): readonly ReadWord[] {
  const { from, to, between } = phrase;
  const own = words.slice(from, to);
  const written = own.map((word) => word.written).join(' ');
  const [first] = own;
  const verbs = phrase.words.filter(isAskedVerb);
  const things = phrase.words.filter((word) => !isAskedVerb(word));
  if (own.length > 1 || first === undefined) {
    const kept = own.slice(1, 1 + between);
    const rest = [own[0], ...own.slice(1 + between)].flatMap((word) =>
      word === undefined ? [] : [{ ...word, weight: word.weight * phraseShare }],
    );
    const isStop = (word: ReadWord) => stopWords.has(word.read.toLowerCase()) || verbMask(stem(word.read)) !== 0;
    return [...meaning(verbs, written), ...kept, ...meaning(things, written), ...rest.filter((word) => !isStop(word))];
  }
  const also = [...first.also, ...phrase.words.map((word) => ({ word, share: wordMeaning }))];
  const isVerb = (word: ReadWord | undefined) => verbMask(stem(word?.read.toLowerCase() ?? '')) !== 0;
  const isAct = from === begin && verbs.length > 0 && !isVerb(first) && !isVerb(words[to]);
  return isAct ? [...meaning(verbs, written), { ...first, also }] : [{ ...first, also }];
}

/** Words that mean about the same are found by each other. */
function meaning([first, ...others]: readonly string[], written: string): ReadWord[] {
  if (first === undefined) return [];
  const also = others.map((word) => ({ word, share: furtherShare }));
  return [{ written, read: first, share: 1, also, weight: 1 }];
}
