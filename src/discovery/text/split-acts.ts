/**
 * The acts of a request, each as its part of the text: `create an issue and post it in the channel` has two. A part
 * is an act if it says what to do and to what, so `find or update the contact` is one act.
 */
import type { Language } from './languages/lexicons.js';
import { translateInOrder } from './languages/translate.js';
import { stem } from './stem.js';
import { askedMask, verbMask } from './verbs.js';
import { articles, stopWords } from './vocabulary-data.js';

interface Token {
  /** In English, lower case; a mark as it is. */
  readonly word: string;
  readonly isMark: boolean;
  /** Whether another language says that it is a verb; undefined in English. */
  readonly isVerb: boolean | undefined;
  readonly from: number;
  readonly to: number;
}

interface Part {
  readonly tokens: Token[];
  /** Where the word or mark begins that ends it. */
  end: number;
}

const maxActs = 6;
const maxTokens = 400;
const shape = /[\p{L}\p{N}]+(?:['’.&+_@/-][\p{L}\p{N}]+)*|"[^"]*"|“[^”]*”|[.,;:!?\n]/gu;
const mark = /^[.,;:!?\n、。，！？；：]$/;
const ends = /^[.;!?\n。！？；]$/;
/** Words that begin another act. */
const sequels = new Set(
  'then next finally lastly additionally also afterwards afterward secondly thirdly plus moreover furthermore besides subsequently'.split(
    ' ',
  ),
);
const joining = new Set(['and', ',', '、', '，', ':']);
/** Verbs that are as often nouns: after `and` they count as verbs only before their object. */
const nouns = new Set(
  'email message post report share list copy import export check watch display test filter query view set change start close open text order book file label tag mark log record store answer draft count download upload merge'.split(
    ' ',
  ),
);
const pronouns = new Set(['it', 'them', 'him', 'her', 'me', 'us', 'all']);
const subjects = new Set(['the', 'this', 'that', 'these', 'a', 'an']);
/** What is left at the end of a part. */
const edge = /[\s.,;:!?、。，！？；：]+(?:(?:and|und|et|e|y|en)[\s,]*)?$/iu;
/** The first words of an act, among which its verb is. */
const early = 8;

/** The parts, in order; none if the request has only one act. `language`: undefined for English. */
export function splitActs(text: string, language: Language | undefined): readonly string[] {
  const tokens = language === undefined ? readEnglish(text) : readForeign(text, language);
  const parts = splitParts(tokens, language).filter(({ tokens: all }) => isAct(all));
  if (parts.length < 2) return [];
  return parts.slice(0, maxActs).map(({ tokens: all, end }) => text.slice(all[0]?.from ?? 0, end).replace(edge, ''));
}

function readEnglish(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: written, index } of text.matchAll(shape)) {
    if (tokens.length >= maxTokens) break;
    const isMark = mark.test(written);
    tokens.push({ word: written.toLowerCase(), isMark, isVerb: undefined, from: index, to: index + written.length });
  }
  return tokens;
}

function readForeign(text: string, language: Language): Token[] {
  let last = { written: '', from: 0, to: 0 };
  return translateInOrder(text, language).map(({ written, english, kind }) => {
    // A word that is two in English is translated twice.
    if (written !== last.written) {
      const from = findWord(text, written.split(' ')[0] ?? '', last.to);
      last = { written, from, to: Math.min(text.length, from + written.length) };
    }
    const { from, to } = last;
    return { word: english.toLowerCase(), isMark: kind === 'mark', isVerb: kind === 'verb', from, to };
  });
}

/** Where a word begins, looking from `start` on and not inside longer words; `start` if the word does not occur. */
function findWord(text: string, word: string, start: number): number {
  const isInside = (at: number) => /\p{Script=Latin}/u.test(word) && /\p{L}/u.test(text[at - 1] ?? '');
  let at = text.indexOf(word, start);
  while (at > 0 && isInside(at)) at = text.indexOf(word, at + 1);
  return at < 0 ? start : at;
}

function splitParts(tokens: readonly Token[], language: Language | undefined): Part[] {
  let current: Part = { tokens: [], end: Number.POSITIVE_INFINITY };
  const parts = [current];
  const begin = ({ from }: Token) => {
    current.end = from;
    current = { tokens: [], end: Number.POSITIVE_INFINITY };
    parts.push(current);
  };
  for (const [at, token] of tokens.entries()) {
    const { word } = token;
    const isApart = ends.test(word) || (sequels.has(word) && startsClause(tokens, at));
    const isJoined = joining.has(word) && isAct(current.tokens) && beginsAct(tokens, at + 1, language);
    if (isApart || isJoined) begin(token);
    else current.tokens.push(token);
  }
  return parts.map((part) => ({ ...part, tokens: trim(part.tokens) }));
}

/** `also` and `then` at the beginning of a sentence or after `and`, not inside one. */
function startsClause(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  return (
    before === undefined || before.isMark || before.word === 'and' || before.word === 'then' || isVerbAt(tokens, at + 1)
  );
}

function trim(tokens: readonly Token[]): Token[] {
  const isEdge = ({ word, isMark }: Token) => isMark || word === 'and' || word === 'then';
  const from = tokens.findIndex((token) => !isEdge(token));
  const to = tokens.findLastIndex((token) => !isEdge(token));
  return from < 0 ? [] : tokens.slice(from, to + 1);
}

/** Whether what follows a joining word is an act: in other languages, the verb may be at its end. */
function beginsAct(tokens: readonly Token[], at: number, language: Language | undefined): boolean {
  if (language === undefined) return isVerbAt(tokens, at);
  const rest = tokens.slice(at);
  const end = rest.findIndex(({ isMark, word }) => isMark || word === 'and' || word === 'then');
  return isAct(end < 0 ? rest : rest.slice(0, end));
}

function isVerbAt(tokens: readonly Token[], from: number): boolean {
  let at = from;
  while (tokens[at] !== undefined && isFiller(tokens[at]?.word ?? '')) at += 1;
  const { word = '', isVerb } = tokens[at] ?? {};
  if (isVerb !== undefined) return isVerb;
  const next = tokens[at + 1]?.word ?? '';
  if (/(?:[^e]ed|[^su]s)$/.test(word) || stopWords.has(word)) return false;
  const isBeforeObject = (articles.has(next) && next !== 'of') || pronouns.has(next) || /^["“]/.test(next);
  // `and play it`: a word that is followed by an object is a verb.
  return isBeforeObject || (askedMask(word, next) !== 0 && !nouns.has(word));
}

const isFiller = (word: string) => ['and', 'then', 'please', 'also', 'to', 'can', 'could', 'you', ','].includes(word);

/** Whether the tokens say what to do, among their first words, and to what. */
function isAct(tokens: readonly Token[]): boolean {
  let told = 0;
  let hasVerb = false;
  let hasThing = false;
  // `The campaign will start in June` tells, and asks for nothing.
  if (subjects.has(tokens[0]?.word ?? '')) return false;
  for (const [at, { word, isMark, isVerb }] of tokens.entries()) {
    if (isMark || stopWords.has(word)) {
      if (pronouns.has(word) && hasVerb) hasThing = true;
      continue;
    }
    const isOwnVerb = isVerb ?? (isOpen(tokens, at) && isVerbWord(tokens, at));
    if (isOwnVerb && told < early) hasVerb = true;
    else hasThing = true;
    told += 1;
  }
  return hasVerb && hasThing;
}

function isVerbWord(tokens: readonly Token[], at: number): boolean {
  const { word = '' } = tokens[at] ?? {};
  const next = tokens[at + 1]?.word ?? '';
  if (/(?:[^e]ed|[^su]s)$/.test(word)) return false;
  return verbMask(stem(word)) !== 0 || askedMask(word, next) !== 0 || (at === 0 && pronouns.has(next));
}

/** Whether a verb can stand here: first, or after a word that cannot belong to an object. */
function isOpen(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (before === undefined || before.isMark) return true;
  return stopWords.has(before.word) ? !articles.has(before.word) : isVerbWord(tokens, at - 1) || at < 2;
}
