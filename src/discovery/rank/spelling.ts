/**
 * Which word a mistyped one is probably meant to be: among the words of the available tools, the apps that may be used
 * and the usual words of requests. Words that are known, however rare, are never read as others.
 */
import { computedOnce } from '../../util/computed-once.js';
import type { CatalogueState } from '../catalogue-state.js';
import type { WordVectors } from '../semantic/word-vectors.js';
import { createNearWords } from '../text/near-words.js';
import { stem } from '../text/stem.js';
import { isAskedVerb, verbMask } from '../text/verbs.js';
import { stopWords } from '../text/vocabulary-data.js';
import type { Reachable } from './scope.js';

/** A word as it was probably meant. */
export interface Meant {
  /** A lower-case word; two words if a space was missing; the name of an app. */
  readonly read: string;
  /** The weight of what is found by it, relative to a word as written. */
  readonly share: number;
}

/** Where a word stands: first, where requests have a verb; after a word like `in`; with a capital inside the text. */
export interface Position {
  readonly isFirst: boolean;
  readonly isPlace: boolean;
  readonly isCapital: boolean;
}

export type Correct = (word: string, position: Position) => Meant | undefined;

/** Shorter words are one error away from too many others; a letter may be missing from those one shorter. */
const minLength = 4;
/** From this length on, two errors are corrected, and the first letter must be right. */
const longLength = 8;
const share = 0.9;
/** For a name of somebody, which is most likely what a capital inside a text means. */
const nameShare = 0.5;
/** For a word that exists, but hardly where it stands. */
const rareShare = 0.8;
/** How often a usual word of requests, and the name of an app after `in`, is assumed to occur. */
const usual = 400;
const named = 2_000;
/** A word that so few tools have may be mistyped there as well, if others have a word like it this often. */
const fewTools = 2;
const manyTools = 60;

interface Choice {
  readonly read: string;
  readonly cost: number;
}

const requestWords = [...stopWords].filter((word) => word.length >= minLength);
const nearRequestWords = computedOnce(() =>
  createNearWords({ size: requestWords.length, word: (at) => requestWords[at] ?? '' }),
);

export function createCorrect(
  state: CatalogueState,
  vectors: WordVectors | undefined,
  { has, isAllowed }: Reachable,
): Correct {
  const { vocabulary, apps } = state;
  const countOf = (word: string) => {
    const term = vocabulary.find(stem(word));
    return term !== undefined && has(term) ? vocabulary.count(term) : 0;
  };
  const near = (word: string, least: number, passes: (read: string) => boolean): Choice[] => {
    const most = word.length >= longLength ? 2 : 1;
    const choices: Choice[] = [];
    const add = (read: string, distance: number, term: number | undefined) => {
      const count = term === undefined || !has(term) ? 0 : vocabulary.count(term);
      if (count > least && passes(read)) choices.push(weigh(word, read, distance, count));
    };
    for (const { at, distance } of state.nearWords.find(word, most))
      add(toWord(vocabulary.word(at), vectors), distance, at);
    for (const { at, distance } of vectors?.nearWords.find(word, most) ?? []) {
      const read = vectors?.word(at) ?? '';
      add(read, distance, vocabulary.find(stem(read)));
    }
    return choices;
  };
  const nearApps = (word: string, count: number) =>
    apps
      .near(word, word.length >= longLength ? 2 : 1, isAllowed)
      .map(({ name, distance }) => weigh(word, name, distance, count));
  /** A word that exists but that no tool has, where a verb or an app is expected. */
  const correctRare = (word: string, { isFirst, isPlace, isCapital }: Position): Meant | undefined => {
    const verbs = isFirst ? near(word, manyTools, (read) => verbMask(stem(read)) !== 0 && read[0] === word[0]) : [];
    const choices = isPlace && isCapital ? nearApps(word, named) : verbs;
    const best = cheapest(choices);
    return best === undefined ? undefined : { read: best.read, share: rareShare };
  };
  const isKnown = (word: string, count: number, { isFirst }: Position) => {
    const row = vectors?.find(word) ?? -1;
    if (row >= 0 && vectors?.word(row) === word) return true;
    // `lits` is no word, though `lit` is one.
    return count > (isFirst && word.endsWith('s') ? manyTools : fewTools);
  };
  return (word, position) => {
    if (word.length < minLength - 1 || !/^[a-z]+$/.test(word) || isUsual(word) || apps.has(word)) return undefined;
    const count = countOf(word);
    if (isKnown(word, count, position)) return count > fewTools ? undefined : correctRare(word, position);
    const isShort = word.length < minLength;
    const choices = near(
      word,
      count === 0 && !isShort ? 0 : manyTools,
      (read) => !isShort || read.length > word.length,
    );
    if (count === 0 && !isShort) {
      for (const { at, distance } of nearRequestWords().find(word, 1))
        choices.push(weigh(word, requestWords[at] ?? '', distance, usual));
      choices.push(...nearApps(word, position.isPlace || position.isCapital ? named : 1));
    }
    const best = cheapest(choices);
    if (best === undefined) return count === 0 ? splitInTwo(word, countOf) : undefined;
    return { read: best.read, share: position.isCapital && !position.isPlace ? nameShare : share };
  };
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

/** Two errors in a word must be outweighed by how usual the other word is. */
const tooMuch = 8;

function weigh(word: string, read: string, distance: number, count: number): Choice {
  const isSameStart = word[0] === read[0];
  if (distance > 1 && !isSameStart) return { read, cost: tooMuch };
  // The usual errors: two letters exchanged, or a double letter written once.
  const isExchanged = distance === 1 && word.length === read.length && isSameLetters(word, read);
  const isDouble = word.length < read.length && read.replace(/(.)\1/g, '$1') === word.replace(/(.)\1/g, '$1');
  const cost = 3 * distance + (isSameStart || isExchanged ? 0 : 1.5) - (isExchanged || isDouble ? 1 : 0);
  return { read, cost: cost - Math.log10(1 + count) };
}

const isSameLetters = (one: string, other: string) => [...one].sort().join('') === [...other].sort().join('');

/** `listrepos`: both parts must be usual. */
function splitInTwo(word: string, countOf: (word: string) => number): Meant | undefined {
  let best: { readonly read: string; readonly count: number } | undefined;
  for (let at = 3; at <= word.length - 3; at++) {
    const [one, other] = [word.slice(0, at), word.slice(at)];
    const count = Math.min(countOf(one), countOf(other));
    if (count >= manyTools / 4 && count > (best?.count ?? 0)) best = { read: `${one} ${other}`, count };
  }
  return best === undefined ? undefined : { read: best.read, share };
}
