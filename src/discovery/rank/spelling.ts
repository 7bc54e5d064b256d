/**
 * Which word a mistyped one probably means, among the words of the available tools, the apps that may be used and the
 * usual words of requests. Known words, however rare, are never read as others.
 */
import { computedOnce } from '../../util/computed-once.js';
import type { CatalogueState } from '../catalogue-state.js';
import type { WordVectors } from '../semantic/word-vectors.js';
import { createNearWords } from '../text/near-words.js';
import { stem } from '../text/stem.js';
import { isAskedVerb, requestVerbs, verbMask } from '../text/verbs.js';
import { stopWords } from '../text/vocabulary-data.js';
import type { Reachable } from './reachable.js';

/** A word as it was probably meant. */
export interface Meant {
  /** A lower-case word; two words if a space was missing; the name of an app. */
  readonly read: string;
  /** The weight of matches by it, relative to a word as written. */
  readonly share: number;
}

/**
 * Where a word stands: first, where requests have a verb; after a word like `in`; with a capital inside the text. A word
 * of another language may only be the name of an app.
 */
export interface Position {
  readonly isFirst: boolean;
  readonly isPlace: boolean;
  readonly isCapital: boolean;
  readonly isForeign: boolean;
}

export type Correct = (word: string, position: Position) => Meant | undefined;

/**
 * Shorter words are one error away from too many others; only for words that are one letter shorter, a missing letter
 * is corrected.
 */
const minLength = 4;
/** From this length on, two errors are corrected, and the first letter must be right. */
const longLength = 8;
const share = 0.96;
/** For the name of a person, the most likely meaning of a capital inside a text. */
const nameShare = 0.5;
/** For a word that exists but is unlikely in this position. */
const rareShare = 0.9;
/** How often a usual word of requests, and the name of an app after `in`, is assumed to occur. */
const usual = 400;
const named = 2_000;
/** A word that this few tools have may be a typing error there as well, if many others have a similar word. */
const fewTools = 2;
const partOfTools = 0.05;
const manyTools = 60;

/** The number that counts as many tools: a twentieth of them, but no more than `manyTools`. */
const manyOf = ({ state: { size } }: Sources) => Math.min(manyTools, Math.max(fewTools, Math.ceil(size * partOfTools)));

interface Choice {
  readonly read: string;
  readonly cost: number;
}

const nearRequestWords = nearAmong([...stopWords]);
const nearVerbs = nearAmong(requestVerbs);

/** Returns a function that finds the words of a list that are one error away from a word. */
function nearAmong(list: readonly string[]): (word: string) => Choice[] {
  const words = list.filter((word) => word.length >= minLength);
  const nearWords = computedOnce(() => createNearWords({ size: words.length, word: (at) => words[at] ?? '' }));
  return (word) =>
    nearWords()
      .find(word, 1)
      .map(({ at, distance }) => weigh(word, words[at] ?? '', { distance, count: usual }));
}

export function createCorrect(state: CatalogueState, vectors: WordVectors | undefined, reachable: Reachable): Correct {
  const sources: Sources = { state, vectors, reachable };
  return (word, position) => {
    const { apps } = state;
    if (word.length < minLength - 1 || !/^[a-z]+$/.test(word) || isUsual(word) || apps.has(word)) return undefined;
    const count = countTools(word, sources);
    if (isKnown(word, count, { position, sources }))
      return count > fewTools ? undefined : correctRare(word, position, sources);
    if (position.isForeign) return correctForeign(word, position, sources);
    const best = cheapest(
      word.length < minLength ? nearShort(word, position, sources) : nearLong(word, count, { position, sources }),
    );
    if (best === undefined) return count === 0 ? splitInTwo(word, (part) => countTools(part, sources)) : undefined;
    return { read: best.read, share: position.isCapital && !position.isPlace ? nameShare : share };
  };
}

interface Sources {
  readonly state: CatalogueState;
  readonly vectors: WordVectors | undefined;
  readonly reachable: Reachable;
}

interface Where {
  readonly position: Position;
  readonly sources: Sources;
}

/** How many tools have the word, if any available tool has it. */
function countTools(word: string, { state: { vocabulary }, reachable }: Sources): number {
  const term = vocabulary.find(stem(word));
  return term !== undefined && reachable.has(term) ? vocabulary.count(term) : 0;
}

function isKnown(word: string, count: number, { position, sources }: Where): boolean {
  const { vectors } = sources;
  const row = vectors?.find(word) ?? -1;
  if (row >= 0 && vectors?.word(row) === word) return true;
  // `lits` is no word, though `lit` is one.
  return count > (position.isFirst && word.endsWith('s') ? manyTools : fewTools);
}

const mostErrors = (word: string) => (word.length >= longLength ? 2 : 1);

/** Words that more than `least` tools have. */
function near(word: string, least: number, { state, vectors, reachable }: Sources): Choice[] {
  const { vocabulary, nearWords } = state;
  const choices: Choice[] = [];
  const add = (read: string, distance: number, term: number | undefined) => {
    const count = term === undefined || !reachable.has(term) ? 0 : vocabulary.count(term);
    if (count > least) choices.push(weigh(word, read, { distance, count }));
  };
  for (const { at, distance } of nearWords.find(word, mostErrors(word)))
    add(toWord(vocabulary.word(at), vectors), distance, at);
  for (const { at, distance } of vectors?.nearWords.find(word, mostErrors(word)) ?? []) {
    const read = vectors?.word(at) ?? '';
    add(read, distance, vocabulary.find(stem(read)));
  }
  return choices;
}

function nearApps(word: string, count: number, { state, reachable }: Sources): Choice[] {
  const found = state.apps.near(word, mostErrors(word), reachable.isAllowed);
  return found.map(({ name, distance }) => weigh(word, name, { distance, count }));
}

/** Only a letter may be missing. */
function nearShort(word: string, { isFirst }: Position, sources: Sources): Choice[] {
  const choices = [...(isFirst ? nearVerbs(word) : []), ...near(word, manyOf(sources), sources)];
  return choices.filter(({ read }) => read.length > word.length);
}

function nearLong(word: string, count: number, { position, sources }: Where): Choice[] {
  if (count > 0) return near(word, manyOf(sources), sources);
  const choices = [...(position.isFirst ? nearVerbs(word) : []), ...nearRequestWords(word), ...near(word, 0, sources)];
  return [...choices, ...nearApps(word, position.isPlace || position.isCapital ? named : 1, sources)];
}

/** A word that exists but that no tool has, where a verb or an app is expected. */
function correctRare(word: string, { isFirst, isPlace, isCapital }: Position, sources: Sources): Meant | undefined {
  const isVerb = (read: string) => verbMask(stem(read)) !== 0 && read[0] === word[0];
  const choices =
    isPlace && isCapital
      ? nearApps(word, named, sources)
      : isFirst
        ? near(word, manyOf(sources), sources).filter(({ read }) => isVerb(read))
        : [];
  const best = cheapest(choices);
  return best === undefined ? undefined : { read: best.read, share: rareShare };
}

function correctForeign(word: string, { isPlace, isCapital }: Position, sources: Sources): Meant | undefined {
  const app = isPlace && isCapital ? cheapest(nearApps(word, named, sources)) : undefined;
  return app === undefined ? undefined : { read: app.read, share };
}

/** The most used word with this stem, if any is known. */
function toWord(stemmed: string, vectors: WordVectors | undefined): string {
  const row = vectors?.findStem(stemmed) ?? -1;
  const word = row < 0 ? '' : (vectors?.word(row) ?? '');
  return stem(word) === stemmed ? word : stemmed;
}

function cheapest(choices: readonly Choice[]): Choice | undefined {
  let best: Choice | undefined;
  for (const choice of choices) if (choice.cost < (best?.cost ?? tooMuch)) best = choice;
  return best;
}

const isUsual = (word: string) => stopWords.has(word) || isAskedVerb(word);

/** Two errors in a word must be outweighed by how common the other word is. */
const tooMuch = 8;

function weigh(
  word: string,
  read: string,
  { distance, count }: { readonly distance: number; readonly count: number },
): Choice {
  const isSameStart = word[0] === read[0];
  if (distance > 1 && !isSameStart) return { read, cost: tooMuch };
  // The usual errors: two letters exchanged, or a double letter written once.
  const isExchanged = distance === 1 && word.length === read.length && isSameLetters(word, read);
  const isDouble = word.length < read.length && read.replace(/(.)\1/g, '$1') === word.replace(/(.)\1/g, '$1');
  const cost = 3 * distance + (isSameStart || isExchanged ? 0 : 1.5) - (isExchanged || isDouble ? 1 : 0);
  const isOdd = distance === 1 && !isExchanged && !isSlip(word, read);
  return { read, cost: cost + (isOdd ? 1 : 0) - Math.log10(1 + count) };
}

const keys = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** Whether the keys of two letters lie beside each other. */
function areNeighbours(one: string, other: string): boolean {
  const [rowOne, rowOther] = [one, other].map((letter) => keys.findIndex((row) => row.includes(letter)));
  const [a = 0, b = 0] = [keys[rowOne ?? 0]?.indexOf(one), keys[rowOther ?? 0]?.indexOf(other)];
  const down = (rowOther ?? 0) - (rowOne ?? 0);
  // A key lies over two of the row below: its own column and the one before.
  return down === 0 ? Math.abs(a - b) === 1 : Math.abs(down) === 1 && (b === a || b === a - down);
}

/** Whether the one error is a likely slip of the fingers: a missing letter, a doubled one, or a neighbouring key. */
function isSlip(word: string, read: string): boolean {
  if (word.length < read.length) return true;
  let at = 0;
  while (word[at] === read[at]) at += 1;
  const typed = word[at] ?? '';
  const meant = word.length === read.length ? [read[at]] : [word[at - 1], word[at + 1]];
  return meant.some((letter) => letter !== undefined && (letter === typed || areNeighbours(letter, typed)));
}

const isSameLetters = (one: string, other: string) => [...one].sort().join('') === [...other].sort().join('');

/** `listrepos`: both parts must be common words. */
function splitInTwo(word: string, countOf: (word: string) => number): Meant | undefined {
  let best: { readonly read: string; readonly count: number } | undefined;
  for (let at = 3; at <= word.length - 3; at++) {
    const [one, other] = [word.slice(0, at), word.slice(at)];
    const count = Math.min(countOf(one), countOf(other));
    if (count >= manyTools / 4 && count > (best?.count ?? 0)) best = { read: `${one} ${other}`, count };
  }
  return best === undefined ? undefined : { read: best.read, share };
}
