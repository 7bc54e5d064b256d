/**
 * The words of a request, each as written and as it is read: with its spelling corrected, and everyday phrases replaced
 * by those of APIs.
 */

import type { Language } from '../text/languages/lexicons.js';
import { foldWord } from '../text/languages/stems.js';
import { type IsEnglish, type Translated, translate } from '../text/languages/translate.js';
import { letterPattern } from '../text/letters.js';
import { findPhrases, type Phrase } from '../text/phrases.js';
import { readSigns } from '../text/signs.js';
import { stem } from '../text/stem.js';
import { isAskedVerb, verbMask } from '../text/verbs.js';
import { stopWords } from '../text/vocabulary-data.js';
import type { Correct } from './spelling.js';

export interface ReadWord {
  /** Empty for what the text implies without a word. */
  readonly written: string;
  /** In the letters of the request, unless it was read as another word. */
  readonly read: string;
  /** The weight of matches by it, relative to a word as written: 1 if it is read as written. */
  readonly share: number;
  /** Other lower-case words by which it may be found. */
  readonly also: readonly { readonly word: string; readonly share: number }[];
  /** How much it says about the request, relative to the other words. */
  readonly weight: number;
  /** Whether it is, or is translated from, a word of another language than English. */
  readonly isForeign: boolean;
  /** Whether it is a mistyped word of that language. */
  readonly isCorrected?: true | undefined;
}

/** A word of the request that was read as another. */
export interface Correction {
  readonly written: string;
  readonly read: string;
}

export const wordShape = letterPattern(String.raw`[\p{L}\p{N}]+(?:['’.&+_-][\p{L}\p{N}]+)*`, 'g');

const possessive = /^(.+)(['’]s)$/;
const places = new Set(['in', 'on', 'via', 'using', 'from', 'to', 'through', 'into', 'inside', 'within', 'with']);
/**
 * The weight of a phrase's own words relative to its replacement, and the weight of further meanings relative to the
 * first.
 */
const phraseShare = 0.3;
const furtherShare = 0.6;
/** The weight of the everyday meaning of a single word, which also keeps its own meaning. */
const wordMeaning = 0.6;
/**
 * The weight of matches by a translated word, and the weights of words that could not be translated and of quoted ones.
 */
const translatedShare = 0.95;
const unknownWeight = 0.5;
const valueWeight = 0.25;
/** The weight of what a text implies without a word. */
const signWeight = 0.6;
const signShare = 0.95;

/** Texts may be longer, but the rest adds nothing. */
const maxWords = 192;

/** `language`: if it is not English, the words are translated, and in the order of English ones. */
export function readWords(text: string, language: Language | undefined, isEnglish: IsEnglish): ReadWord[] {
  const words =
    language === undefined ? splitWords(text) : translate(text, language, isEnglish).flatMap(fromTranslated);
  const signs = readSigns(text).map((word) => ({ ...asWritten(''), read: word, share: signShare, weight: signWeight }));
  return [...words.slice(0, maxWords), ...signs];
}

const splitWords = (text: string): ReadWord[] => (text.match(wordShape(text)) ?? []).map(asWritten);

/** The original word may also be in the text of a tool, or be the name of something. */
function fromTranslated({ written, english, also, kind, isCorrected }: Translated): ReadWord[] {
  if (kind === 'mark') return [];
  if (kind === 'value') return splitWords(written).map((word) => ({ ...word, weight: valueWeight }));
  const word = asWritten(written);
  if (kind === 'unknown')
    return [{ ...word, isForeign: true, weight: /^[^\p{Lu}]/u.test(written) ? unknownWeight : 1 }];
  const own = isCorrected || written.includes(' ') ? [] : [{ word: foldWord(written), share: 1 }];
  const others = also.map((one) => ({ word: one, share: furtherShare }));
  return [{ ...word, read: english, isForeign: true, share: translatedShare, also: [...own, ...others], isCorrected }];
}

function asWritten(written: string): ReadWord {
  return { written, read: written, share: 1, also: [], weight: 1, isForeign: false };
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
    if (word.isCorrected) corrections.push({ written: word.written, read: word.read });
    if (quoted.has(word.written) || word.share < 1) return word;
    const isCapital = at > 0 && /^[A-Z][a-z]/.test(word.read);
    const isPlace = places.has(words[at - 1]?.read.toLowerCase() ?? '');
    const position = { isFirst: at === begin, isCapital, isPlace, isForeign: word.isForeign };
    const [, own = word.read, ending = ''] = possessive.exec(word.read) ?? [];
    const meant = correct(own.toLowerCase(), position);
    if (meant === undefined) return word;
    // A capital is a sign of an app's name.
    const base = /^[A-Z]/.test(own) ? `${meant.read[0]?.toUpperCase()}${meant.read.slice(1)}` : meant.read;
    const read = base + ending;
    corrections.push({ written: word.written, read });
    return { ...word, read, share: word.share * meant.share };
  });
  return { words: corrected, corrections };
}

/** Replaces everyday phrases by the words of APIs. */
export function replacePhrases(words: readonly ReadWord[], quoted: ReadonlySet<string>): ReadWord[] {
  const phrases = findPhrases(
    words.map(({ read, written, isForeign }) => (quoted.has(written) || isForeign ? '"' : read.toLowerCase())),
  );
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
  const [first] = own;
  const verbs = phrase.words.filter(isAskedVerb);
  const things = phrase.words.filter((word) => !isAskedVerb(word));
  if (own.length > 1 || first === undefined) {
    const kept = own.slice(1, 1 + between);
    const rest = [own[0], ...own.slice(1 + between)].flatMap((word) =>
      word === undefined ? [] : [{ ...word, weight: word.weight * phraseShare }],
    );
    const isStop = (word: ReadWord) => stopWords.has(word.read.toLowerCase()) || verbMask(stem(word.read)) !== 0;
    return [...meaning(verbs, own), ...kept, ...meaning(things, own), ...rest.filter((word) => !isStop(word))];
  }
  const also = [...first.also, ...phrase.words.map((word) => ({ word, share: wordMeaning }))];
  const isVerb = (word: ReadWord | undefined) => verbMask(stem(word?.read.toLowerCase() ?? '')) !== 0;
  const isAct = from === begin && verbs.length > 0 && !isVerb(first) && !isVerb(words[to]);
  return isAct ? [...meaning(verbs, own), { ...first, also }] : [{ ...first, also }];
}

/** Words with about the same meaning match each other. Words that the request itself contains stay as written. */
function meaning([first, ...others]: readonly string[], own: readonly ReadWord[]): ReadWord[] {
  if (first === undefined) return [];
  const also = others.map((word) => ({ word, share: furtherShare }));
  const said = own.find(({ read }) => stem(read.toLowerCase()) === stem(first));
  return [{ ...asWritten(said?.written ?? own.map(({ written }) => written).join(' ')), read: first, also }];
}
