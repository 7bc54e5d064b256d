/**
 * A request in another language, word by word in English, with the verb at the beginning of its clause: `die Rechnung
 * aus dem Mai löschen` becomes `delete the invoice from the mai`. Words that are not in the lexicon stay as they are.
 */
import type { Entry, Lexicon } from './lexicon.js';
import { type Language, lexicons } from './lexicons.js';
import { foldWord, type LatinLanguage } from './stems.js';

export interface Translated {
  readonly written: string;
  /** In English; as written if it is unknown. */
  readonly english: string;
  /** Other English words for it. */
  readonly also: readonly string[];
  /** Whether it is mistyped and was read as the word that it probably is. */
  readonly isCorrected?: true;
  readonly kind: Entry['kind'] | 'unknown' | 'value' | 'mark';
}

interface Token {
  readonly written: string;
  readonly folded: string;
  readonly kind: 'word' | 'value' | 'mark';
}

const shape =
  /"[^"]*"|“[^”]*”|«[^»]*»|「[^」]*」|『[^』]*』|`[^`]*`|[\p{Script=Latin}\p{M}\p{N}]+(?:[@._/+&-][\p{Script=Latin}\p{M}\p{N}]+)*|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+|[.,;:!?。、，！？；：]/gu;
const mark = /^[.,;:!?。、，！？；：]$/;
const quote = /^["“«「『`]/;
/** An address, a number, or a name with joining characters: not a word. */
const value = /[@_/\d]|\.\p{L}/u;
const maxTokens = 200;
/**
 * In these languages a verb that is asked for may follow its object: at the end of the clause, or anywhere in Chinese. Other
 * forms, such as participles, tell what happened.
 */
const askedForms: Partial<Record<Language, RegExp>> = { de: /^(?!ge).*n$/i, nl: /^(?!ge).*n$/i, ja: /./, zh: /./ };
/** English words by which one asks to be told something. `When` and `where` also begin conditions. */
export const askingWords: ReadonlySet<string> = new Set(list('what which who whom whose why how'));
const particles: Partial<Record<Language, ReadonlySet<string>>> = {
  de: new Set(
    list(
      'ab an auf aus bei ein her herunter hin hinzu hoch los mit nach raus runter um vor weg weiter zu zuruck zusammen wieder',
    ),
  ),
  nl: new Set(list('aan af bij door in mee na om op open over samen terug toe uit vast weg voor')),
};
/** Represents all words that only make a request more polite. */
const filler = 'please';
const joinings = new Set(['and', 'then', 'or']);
const maxLinking = ['', 's', 'es', 'n', 'en'] as const;
const minPart = 3;

/** Whether a lower-case word is an English one. */
export type IsEnglish = (word: string) => boolean;

/**
 * The clauses of a text in this language; marks and joining words are clauses of their own. With `isEnglish`, mistyped words are
 * corrected, but for English ones and names.
 */
export function translate(text: string, language: Language, isEnglish?: IsEnglish): Translated[] {
  const from = { language, lexicon: lexicons[language](), isEnglish };
  const words: Translated[] = [];
  let clause: Translated[] = [];
  const finish = () => {
    words.push(...verbFirst(clause, language));
    clause = [];
  };
  for (const one of readTokens(text, from)) {
    const ends = one.kind === 'mark' || (one.kind === 'function' && joinings.has(one.english));
    if (!ends) {
      clause.push(one);
      continue;
    }
    finish();
    words.push(one);
  }
  finish();
  return words;
}

/** The same in the order of the text. */
export function translateInOrder(text: string, language: Language, isEnglish?: IsEnglish): Translated[] {
  return [...readTokens(text, { language, lexicon: lexicons[language](), isEnglish })];
}

interface Source<L extends Language = Language> {
  readonly language: L;
  readonly lexicon: Lexicon;
  readonly isEnglish: IsEnglish | undefined;
}

function* readTokens(text: string, { language, lexicon, isEnglish }: Source): Generator<Translated> {
  const tokens = (text.match(shape) ?? []).slice(0, maxTokens);
  if (language === 'zh' || language === 'ja') {
    for (const token of tokens) yield* readRun(token, lexicon);
    return;
  }
  const from = { language, lexicon, isEnglish };
  let clause: Token[] = [];
  for (const token of tokens) {
    const joining = mark.test(token) ? toMark(token) : toJoining(token, lexicon);
    if (joining === undefined) {
      clause.push(...toTokens(token));
      continue;
    }
    yield* readClause(clause, from);
    clause = [];
    yield joining;
  }
  yield* readClause(clause, from);
}

const toMark = (written: string): Translated => ({ written, english: written, also: [], kind: 'mark' });
const toValue = (written: string): Translated => ({ written, english: written, also: [], kind: 'value' });

function toJoining(written: string, lexicon: Lexicon): Translated | undefined {
  const entry = lexicon.exact(foldWord(written));
  const [english = ''] = entry?.words ?? [];
  return entry?.kind === 'function' && joinings.has(english)
    ? { written, english, also: [], kind: 'function' }
    : undefined;
}

function toTokens(token: string): Token[] {
  if (quote.test(token)) return [{ written: token.slice(1, -1), folded: '', kind: 'value' }];
  if (value.test(token)) return [{ written: token, folded: '', kind: 'value' }];
  return token.split(/[-.+&]/).map((written) => ({ written, folded: foldWord(written), kind: 'word' }));
}

function* readClause(all: readonly Token[], from: Source<LatinLanguage>): Generator<Translated> {
  const { language, lexicon } = from;
  const { tokens, separated } = joinSeparated(all, language, lexicon);
  const folded = tokens.map((token) => token.folded);
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    if (token.kind === 'value') {
      yield toValue(token.written);
      continue;
    }
    const matched = separated.get(at) ?? lexicon.match(folded, at) ?? readInside(token.folded, language, lexicon);
    if (matched === undefined) {
      yield* readUnknown(token, at, from);
      continue;
    }
    const written = tokens.slice(at, at + matched.length).map((one) => one.written);
    // A German word with a capital is a noun, even if it looks like a verb.
    const isNoun = language === 'de' && at > 0 && /^\p{Lu}/u.test(token.written) && matched.entry.kind === 'verb';
    yield* toWords(written.join(' '), isNoun ? { ...matched.entry, kind: 'noun' } : matched.entry);
    at += matched.length - 1;
  }
}

/** A word that the lexicon does not contain as written. A capital inside a text is that of a name, except in German. */
function* readUnknown(
  { written, folded }: Token,
  at: number,
  { language, lexicon, isEnglish }: Source,
): Generator<Translated> {
  const isName = at > 0 && language !== 'de' && /^\p{Lu}/u.test(written);
  const isBorrowed = !isName && folded.length >= minPart && isEnglish?.(folded) === true;
  const near = isEnglish === undefined || isName || isEnglish(folded) ? undefined : lexicon.near(folded);
  if (near === undefined) yield { written, english: written, also: [], kind: isBorrowed ? 'noun' : 'unknown' };
  else for (const word of toWords(written, near)) yield { ...word, isCorrected: true };
}

function* toWords(written: string, { kind, words, also }: Entry): Generator<Translated> {
  if (kind === 'function' && words[0] === filler) return;
  for (const [at, english] of words.entries()) {
    const isLast = at === words.length - 1;
    // In a phrase for an act and a thing, only the first word is the verb.
    yield { written, english, also: isLast ? also : [], kind: kind === 'verb' && at > 0 ? 'noun' : kind };
  }
}

/** `lege … an`: the part at the end of the clause belongs to a verb before it. */
function joinSeparated(tokens: readonly Token[], language: LatinLanguage, lexicon: Lexicon) {
  const separated = new Map<number, { readonly entry: Entry; readonly length: number }>();
  const last = tokens.at(-1)?.folded ?? '';
  if (!particles[language]?.has(last)) return { tokens, separated };
  for (const [at, { folded }] of tokens.slice(0, -1).entries()) {
    const entry = folded.length >= minPart ? findVerb(last + folded, lexicon) : undefined;
    if (entry === undefined) continue;
    separated.set(at, { entry, length: 1 });
    return { tokens: tokens.slice(0, -1), separated };
  }
  return { tokens, separated };
}

/** The verb of this form or of its infinitive: `eintrag` is also a noun, `eintragen` is not. */
function findVerb(form: string, lexicon: Lexicon): Entry | undefined {
  return [form, `${form}en`].map(lexicon.find).find((entry) => entry?.kind === 'verb');
}

/** `anzulegen`, `hinzugefügt`; and compounds of which both parts are known: `Kalendereintrag`. */
function readInside(word: string, language: LatinLanguage, lexicon: Lexicon) {
  const parts = particles[language];
  if (parts === undefined || word.length < 2 * minPart + 1) return undefined;
  for (const particle of parts) {
    if (!word.startsWith(particle)) continue;
    const rest = word.slice(particle.length).replace(/^(?:zu|te|ge)/, '');
    const entry = lexicon.find(particle + rest);
    if (entry?.kind === 'verb') return { entry, length: 1 };
  }
  const participle = word.startsWith('ge') ? lexicon.find(word.slice(2)) : undefined;
  return participle?.kind === 'verb' ? { entry: participle, length: 1 } : readCompound(word, lexicon);
}

function readCompound(word: string, lexicon: Lexicon) {
  for (let at = minPart; at <= word.length - minPart; at++) {
    const right = lexicon.find(word.slice(at));
    if (right?.kind !== 'noun') continue;
    for (const linking of maxLinking) {
      const start = word.slice(0, at);
      const left = start.endsWith(linking) ? lexicon.find(start.slice(0, start.length - linking.length)) : undefined;
      if (left?.kind !== 'noun' || start.length - linking.length < minPart) continue;
      const entry: Entry = { kind: 'noun', words: [...left.words, ...right.words], also: right.also };
      return { entry, length: 1 };
    }
  }
  return undefined;
}

/** A run of characters without spaces; a Japanese word for a place follows its noun. */
function* readRun(token: string, lexicon: Lexicon): Generator<Translated> {
  if (mark.test(token)) return yield toMark(token);
  if (quote.test(token)) return yield toValue(token.slice(1, -1));
  if (/^[\p{Script=Latin}\p{M}\p{N}]/u.test(token)) {
    const isValue = value.test(token);
    return yield isValue ? toValue(token) : { written: token, english: token, also: [], kind: 'unknown' };
  }
  const characters = [...token];
  let unknown = '';
  for (let at = 0; at < characters.length; ) {
    const matched = lexicon.match(characters, at);
    if (matched === undefined) {
      unknown += characters[at++] ?? '';
      continue;
    }
    yield* toUnknown(unknown);
    unknown = '';
    yield* toWords(characters.slice(at, at + matched.length).join(''), matched.entry);
    at += matched.length;
  }
  yield* toUnknown(unknown);
}

/** Single characters and endings are no words. */
function* toUnknown(written: string): Generator<Translated> {
  if (written.length > 1 && !/^\p{Script=Hiragana}+$/u.test(written))
    yield { written, english: written, also: [], kind: 'unknown' };
}

function verbFirst(clause: readonly Translated[], language: Language): readonly Translated[] {
  const telling = clause.filter(({ kind }) => kind !== 'function');
  const asked = language === 'zh' ? telling.find(({ kind }) => kind === 'verb') : telling.at(-1);
  const isAsked = asked?.kind === 'verb' && askedForms[language]?.test(asked.written) === true;
  const isQuestion = clause.some(({ kind, english }) => kind === 'function' && askingWords.has(english));
  const ordered = language === 'ja' ? placesFirst(clause) : clause;
  return asked === undefined || !isAsked || isQuestion ? ordered : [asked, ...ordered.filter((one) => one !== asked)];
}

/** `GitHub で` is `in GitHub`. */
function placesFirst(clause: readonly Translated[]): readonly Translated[] {
  const ordered: Translated[] = [];
  for (const one of clause) {
    const isPlace = one.kind === 'function' && (one.english === 'in' || one.english === 'to' || one.english === 'from');
    if (isPlace && ordered.length > 0) ordered.splice(-1, 0, one);
    else ordered.push(one);
  }
  return ordered;
}

/** The same as one text, for code that reads texts. */
export function toEnglish(text: string, language: Language): string {
  return translate(text, language)
    .map(({ english, kind, written }) => (kind === 'value' ? `"${written}"` : english))
    .join(' ');
}

function list(text: string): string[] {
  return text.split(' ');
}
