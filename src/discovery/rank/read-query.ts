/**
 * A request as the index sees it: its meaningful words, their synonyms, the apps it names, and the acts it asks for.
 */
import type { AppNames, Mention } from '../apps/app-names.js';
import type { Vocabulary } from '../postings/vocabulary.js';
import { type Act, clauseWords, readAskedActs } from '../text/acts.js';
import { detectLanguage } from '../text/languages/detect.js';
import type { Language } from '../text/languages/lexicons.js';
import { askingWords } from '../text/languages/translate.js';
import { letterPattern } from '../text/letters.js';
import { expandShortForm, relatedStems } from '../text/related-words.js';
import { fileEnding } from '../text/signs.js';
import { splitActs } from '../text/split-acts.js';
import { splitProse } from '../text/split-words.js';
import { stem } from '../text/stem.js';
import { actionMask, agreement, askedMask, sameAct, verbMask } from '../text/verbs.js';
import { stopWords, vagueVerbs, weakWords } from '../text/vocabulary-data.js';
import { type Correction, correctWords, type ReadWord, readWords, replacePhrases, wordShape } from './read-words.js';
import type { Correct } from './spelling.js';

/** One word of the request with the terms it may be found by. */
export interface QueryWord {
  readonly written: string;
  readonly stemmed: string;
  /** Its weight: 1, less for a word that was only added. */
  readonly weight: number;
  readonly variants: readonly { readonly term: number; readonly share: number }[];
}

export interface Query {
  readonly words: readonly QueryWord[];
  readonly mentions: readonly Mention[];
  /** Undefined: English, or unknown. */
  readonly language: Language | undefined;
  /** Words that were read as others. */
  readonly corrections: readonly Correction[];
  /** Requested verb classes; 0 if there are none. */
  readonly action: number;
  /** The verb classes of all requested acts. */
  readonly anyAction: number;
  /**
   * If it does different things to one object, or something vague: the verb classes of the first act, or those that read.
   * Otherwise 0.
   */
  readonly leading: number;
  /** Its acts as written, if it has several with objects of their own, which are searched one by one. Otherwise empty. */
  readonly parts: readonly string[];
  /** Stems of the object of the first act. */
  readonly object: ReadonlySet<string>;
  /** Stems of all its words, names of apps included. */
  readonly titleStems: readonly string[];
  /** Stems of what it says besides the names of apps and values, in order; a question ends with `?`. */
  readonly said: readonly string[];
  /** Whether it asks for several items: `list the issues`. */
  readonly isMany: boolean;
}

/** From this certainty on, words count as the name of an app and say nothing about the act. */
export const sureMention = 0.7;
/** The weight of a synonym relative to the word itself. */
const synonymShare = 0.7;
const verbShare = 0.3;
const weakShare = 0.5;
const asideShare = 0.35;
const valueShare = 0.25;
const maxWords = 48;
/** The greatest certainty of a mention that was not written like this. */
const surest = 0.95;
const questionWords = new Set(['what', 'which', 'who', 'whom', 'whose', 'where', 'when']);
const pastVerbs = new Set(['did', 'was', 'were', 'has', 'have', 'had']);
const readingMask = ['get', 'list', 'search'].reduce((mask, verb) => mask | verbMask(verb), 0);
const quoteShape = letterPattern(
  String.raw`(?<![\p{L}\p{N}])'[^']{2,80}'(?![\p{L}\p{N}])|"[^"]{2,80}"|“[^”]{2,80}”|«[^»]{2,80}»|「[^」]{2,80}」`,
  'g',
);

const headingShape = /^[^:\n]{2,30}(?=:\s)/;

/** How a request is read in one catalogue. */
export interface Reader {
  readonly vocabulary: Vocabulary;
  readonly apps: AppNames;
  /** Whether a word of an app's name is an ordinary word. */
  isOrdinary(word: string, apps: readonly number[]): boolean;
  /** Whether a lower-case word is an English one. */
  isEnglish(word: string): boolean;
  readonly correct: Correct;
}

export function readQuery(text: string, reader: Reader): Query {
  const { vocabulary } = reader;
  const quoted = quotedWords(text);
  const language = detectLanguage(text, reader.isEnglish);
  const { words: read, corrections } = correctWords(
    readWords(text, language, reader.isEnglish),
    quoted,
    reader.correct,
  );
  const mentions = findMentions(read, reader, countHeading(text));
  const sure = mentions.filter(({ confidence }) => confidence >= sureMention);
  const isTaken = (at: number) => sure.some(({ from, to }) => from <= at && at < to);
  const kept = replacePhrases(
    read.filter(({ read: word }, at) => !isTaken(at) && !isValue(word)),
    quoted,
  );
  const parts = kept.flatMap((word) => splitProse(word.read).map((part) => ({ part, word })));
  const said = parts.map(({ part }) => part);
  const words = searchWords(vocabulary, quoted);
  const asides = findAsides(said);
  for (const [at, { part, word }] of parts.entries()) {
    const weight = word.weight * (asides.has(at) ? asideShare : 1);
    words.addPart(part, { ...word, weight }, parts[at + 1]?.part ?? '');
  }
  // A tool of another app may contain an app's name, so the name remains a search word.
  for (const word of read.filter((_, at) => isTaken(at)))
    for (const part of splitProse(word.read)) words.addTelling(part, word, 1);
  const acts = readAskedActs(clauseWords(kept.map((word) => word.read).join(' ')));
  const object = acts[0]?.objects ?? [];
  const isQuestion = asksToTell(
    read.map((word) => word.read.toLowerCase()),
    language,
  );
  const action = isQuestion ? readingMask : getAction(said);
  const separate = splitActs(text, language);
  return {
    words: words.all(),
    language,
    mentions,
    corrections,
    action,
    anyAction: isQuestion ? action : acts.reduce((mask, act) => mask | act.mask, action),
    leading: isQuestion || separate.length > 0 ? 0 : getLeading(said, acts),
    parts: separate,
    object: new Set(object.map(stem)),
    said: [...said.map(stem), ...(/[?？]/.test(text) ? ['?'] : [])],
    titleStems: read.flatMap((word) => splitProse(word.read)).map(stem),
    isMany: /[^s]s$/.test(object.at(-1) ?? '') || kept.some(({ read: word }) => /^all$/i.test(word)),
  };
}

/** How many words precede a colon, if a text begins with a few and one: `Linear: what is open`. */
function countHeading(text: string): number {
  const [heading = ''] = headingShape.exec(text) ?? [];
  return heading.match(wordShape(heading))?.length ?? 0;
}

/** A mention whose words were corrected is less certain. */
function findMentions(read: readonly ReadWord[], { apps, isOrdinary }: Reader, heading: number): readonly Mention[] {
  const found = apps.mentions(
    read.map((word) => word.read),
    isOrdinary,
    heading,
  );
  return found.map((mention) => {
    const share = Math.min(...read.slice(mention.from, mention.to).map((word) => word.share));
    return share < 1 ? { ...mention, confidence: Math.min(mention.confidence, surest) * share } : mention;
  });
}

/** Collects the words to search for; each counts once, as first added. */
function searchWords(vocabulary: Vocabulary, quoted: ReadonlySet<string>) {
  const words = new Map<string, QueryWord>();
  const add = (part: string, { written, share, also }: ReadWord, weight: number): void => {
    const stemmed = stem(part);
    if (words.has(stemmed) || words.size >= maxWords) return;
    words.set(stemmed, { written, stemmed, weight, variants: getVariants(stemmed, { share, also }, vocabulary) });
  };
  const addTelling = (part: string, word: ReadWord, weight: number): void => {
    if (!stopWords.has(part)) add(part, word, weight);
  };
  return {
    addTelling,
    /** Adds a part of a word, its long form, and the word that it makes with the next part. */
    addPart(part: string, word: ReadWord, next: string): void {
      const isValue = quoted.has(word.written) || fileEnding.test(word.written);
      const weight = word.weight * (weakWords.has(part) ? weakShare : 1) * (isValue ? valueShare : 1);
      for (const long of expandShortForm(part)) add(long, word, 0.8 * weight);
      addTelling(part, word, weight);
      const joined = part + next;
      if (joined !== part && vocabulary.find(stem(joined)) !== undefined) add(joined, word, 0.6 * weight);
    },
    all: (): readonly QueryWord[] => [...words.values()],
  };
}

function getVariants(stemmed: string, { share, also }: Pick<ReadWord, 'share' | 'also'>, vocabulary: Vocabulary) {
  const variants = new Map<number, number>();
  const add = (word: string, of: number) => {
    const term = vocabulary.find(word);
    if (term !== undefined) variants.set(term, Math.max(of, variants.get(term) ?? 0));
  };
  add(stemmed, share);
  for (const other of also) add(stem(other.word), other.share);
  const related = verbMask(stemmed) === 0 ? synonymShare : verbShare;
  for (const other of relatedStems(stemmed)) add(other, related * share);
  return [...variants].map(([term, of]) => ({ term, share: of }));
}

const findBegin = (parts: readonly string[]): number => parts.findIndex((part) => !stopWords.has(part));

/**
 * Positions in which a verb only says what a thing is for or what was done to it: `find the design to export`, `list
 * published videos`.
 */
function findAsides(parts: readonly string[]): ReadonlySet<number> {
  const begin = findBegin(parts);
  const isSearch = (askedMask(parts[begin] ?? '', parts[begin + 1]) & readingMask) !== 0;
  const asides = new Set<number>();
  let isPurpose = false;
  for (const [at, part] of parts.entries()) {
    if (at <= begin || verbMask(stem(part)) === 0) continue;
    isPurpose ||= isSearch && at > begin + 2 && parts[at - 1] === 'to';
    if (isPurpose || /[^e]ed$/.test(part)) asides.add(at);
  }
  return asides;
}

/**
 * `What did I send?` asks for what was done, not to do it. Verbs that are translated have lost their tense, so that any question of
 * that kind in another language asks to be told something.
 */
function asksToTell([first = '', ...words]: readonly string[], language: Language | undefined): boolean {
  if (language !== undefined && askingWords.has(first)) return true;
  return questionWords.has(first) && words.slice(0, 4).some((word) => pastVerbs.has(word));
}

/** Identifiers, addresses and numbers in a request are a tool's arguments, not its name. */
function isValue(word: string): boolean {
  return (
    /^\d+$/.test(word) || (word.length > 12 && /\d/.test(word) && !/_/.test(word)) || /\.(?:com|org|net|io)$/.test(word)
  );
}

function quotedWords(text: string): ReadonlySet<string> {
  const quotes = text.match(quoteShape(text)) ?? [];
  return new Set(quotes.flatMap((quote) => quote.match(wordShape(quote)) ?? []));
}

/**
 * The requested verbs: the one that starts the request or else the first one, with the `all` that turns a reading verb
 * into a listing one, and those listed next to it.
 */
function getAction(parts: readonly string[]): number {
  const begin = findBegin(parts);
  const beginning = askedMask(parts[begin] ?? '', parts[begin + 1]);
  const first = beginning !== 0 ? begin : parts.findIndex(isVerb);
  if (first < 0) return 0;
  // A verb that only people use is complete: its object follows it directly.
  const isOnlyAsked = beginning !== verbMask(stem(parts[first] ?? ''));
  let mask = beginning !== 0 && isOnlyAsked ? beginning : actionMask(parts.slice(first, first + 3).map(stem));
  for (let at = first + 1; at < Math.min(parts.length, first + 8); at++) {
    const verb = parts[at] === 'and' || parts[at] === 'or' ? verbMask(stem(parts[at + 1] ?? '')) : 0;
    mask |= verb;
  }
  return mask;
}

function getLeading(parts: readonly string[], acts: readonly Act[]): number {
  const begin = findBegin(parts);
  const first = parts[begin] ?? '';
  if (vagueVerbs.has(first) || vagueVerbs.has(`${first} ${parts[begin + 1]}`)) return readingMask;
  const leading = acts[0]?.mask ?? 0;
  const others = [
    ...acts.map(({ mask }) => mask),
    ...listVerbs(parts.slice(begin)).map((verb) => verbMask(stem(verb))),
  ];
  return others.some((mask) => agreement(leading, mask) < sameAct) ? leading : 0;
}

/** The verbs that follow each other, if `and` or `or` joins one more to them: `list, create or inspect` has lost its comma. */
function listVerbs(parts: readonly string[]): readonly string[] {
  const end = parts.findIndex((part) => !isVerb(part));
  const isJoined = (parts[end] === 'and' || parts[end] === 'or') && isVerb(parts[end + 1] ?? '');
  return isJoined ? parts.slice(0, end) : [];
}

/** Inside a request, a participle or a plural is not a verb: `changed files`, `status updates`. */
const isVerb = (part: string) => !stopWords.has(part) && !/(?:[^e]ed|[^su]s)$/.test(part) && verbMask(stem(part)) !== 0;
