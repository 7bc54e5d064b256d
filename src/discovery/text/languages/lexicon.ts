/** The verbs and nouns of APIs in a language, with their English translations. */
import { computedOnce } from '../../../util/computed-once.js';
import { createNearWords } from '../near-words.js';
import { isAskedVerb } from '../verbs.js';
import { foldWord, type LatinLanguage, stemIn, stemNoun } from './stems.js';

/**
 * `english form form, english form …` with the parts of a phrase joined by `_`. If a form occurs several times, the
 * first counts.
 */
export interface LanguageData {
  /** Words without a meaning of their own: they are read as English ones. */
  readonly functions: string;
  readonly verbs: string;
  readonly nouns: string;
}

export interface Entry {
  readonly kind: 'function' | 'verb' | 'noun';
  /** The English translation, word by word. */
  readonly words: readonly string[];
  /** Other English words for the last of these. */
  readonly also: readonly string[];
}

/** How many tokens or characters an entry covers. */
export interface Matched {
  readonly entry: Entry;
  readonly length: number;
}

export interface Lexicon {
  /** The longest entry that begins at this token. Tokens are folded. */
  match(tokens: readonly string[], at: number): Matched | undefined;
  /** The entry of exactly this form, or of a form with the same stem. */
  exact(form: string): Entry | undefined;
  find(form: string): Entry | undefined;
  /** What a mistyped word probably means: the entry whose form is one error away, unless there are several with other meanings. */
  near(word: string): Entry | undefined;
}

const maxWords = 5;
/** Shorter forms must match exactly. */
const minStemmed = 4;
/** Shorter words are one error away from too many others. */
const minCorrected = 5;

function* listEntries(data: LanguageData): Generator<[form: string, entry: Entry]> {
  for (const [kind, text] of [
    ['function', data.functions],
    ['verb', data.verbs],
    ['noun', data.nouns],
  ] as const) {
    for (const line of text.split(',')) {
      const [english = '', ...forms] = line.trim().split(/\s+/);
      const entry = { kind, words: english.split('_'), also: [] };
      for (const form of forms) yield [form.replaceAll('_', ' '), entry];
    }
  }
}

/** Lines of `phrases-data.ts` in this language: the first verb and the first thing; others are other words for it. */
function* listPhrases(language: string, phrases: string): Generator<[form: string, entry: Entry]> {
  for (const line of phrases.trim().split(/ \| |\n\s*/)) {
    if (!line.startsWith(`${language}:`)) continue;
    const [form = '', words = ''] = line.slice(language.length + 1).split('=');
    const all = words.split(' ');
    const [verb] = all.filter(isAskedVerb);
    const [thing, ...others] = all.filter((word) => !isAskedVerb(word));
    const meant = [verb, thing].filter((word) => word !== undefined);
    yield [form, { kind: verb === undefined ? 'noun' : 'verb', words: meant, also: others }];
  }
}

/** For languages whose words are separated by spaces. */
export function createLatinLexicon(language: LatinLanguage, data: LanguageData, phrases: string): Lexicon {
  const forms = new Map<string, Entry>();
  const stems = new Map<string, Entry>();
  const longest = new Map<string, number>();
  const nounStems = new Map<string, Entry>();
  const stemAll = (form: string) =>
    form
      .split(' ')
      .map((word) => stemIn(language, word))
      .join(' ');
  const enter = (written: string, entry: Entry) => {
    const form = foldWord(written);
    if (!forms.has(form)) forms.set(form, entry);
    const stemmed = stemAll(form);
    const isLong = entry.kind !== 'function' && form.length >= minStemmed;
    if (isLong && !stems.has(stemmed)) stems.set(stemmed, entry);
    const noun = stemNoun(language, form);
    if (isLong && entry.kind === 'noun' && !nounStems.has(noun)) nounStems.set(noun, entry);
    // `sluit` loses its last letter as an ending, `sluiten` does not.
    const base = entry.kind === 'verb' && /en$/.test(form) ? stemAll(form.slice(0, -2)) : '';
    if (base.length >= minStemmed - 1 && !stems.has(base)) stems.set(base, entry);
    const first = stemmed.split(' ')[0] ?? '';
    longest.set(first, Math.max(longest.get(first) ?? 0, form.split(' ').length));
  };
  for (const [form, entry] of listEntries(data)) enter(form, entry);
  for (const [form, entry] of listPhrases(language, phrases)) enter(form, entry);
  const findStem = (form: string) => stems.get(stemAll(form)) ?? nounStems.get(stemNoun(language, form));
  const find = (form: string) => forms.get(form) ?? (form.length >= minStemmed ? findStem(form) : undefined);
  const nearForms = computedOnce(() => createNearEntries(forms));
  const nearStems = computedOnce(() => createNearEntries(stems));
  const nearNouns = computedOnce(() => createNearEntries(nounStems));
  return {
    exact: (form) => forms.get(form),
    find,
    near: (word) =>
      word.length < minCorrected
        ? undefined
        : (nearForms()(word) ?? nearStems()(stemIn(language, word)) ?? nearNouns()(stemNoun(language, word))),
    match(tokens, at) {
      const most = longest.get(stemIn(language, tokens[at] ?? '')) ?? 1;
      for (let length = Math.min(most, maxWords, tokens.length - at); length > 0; length--) {
        const entry = find(tokens.slice(at, at + length).join(' '));
        if (entry !== undefined) return { entry, length };
      }
      return undefined;
    },
  };
}

/** Finds the one entry of which a word is one error away, with the first letter right. */
function createNearEntries(entries: ReadonlyMap<string, Entry>): (word: string) => Entry | undefined {
  const words = [...entries.keys()].filter((word) => word.length >= minCorrected - 1 && !word.includes(' '));
  const nearWords = createNearWords({ size: words.length, word: (at) => words[at] ?? '' });
  return (word) => {
    const found = nearWords.find(word, 1).flatMap(({ at }) => {
      const near = words[at] ?? '';
      return near[0] === word[0] ? [entries.get(near)] : [];
    });
    const isClear = found.every((other) => other?.words.join() === found[0]?.words.join());
    return isClear ? found[0] : undefined;
  };
}

/** For languages without spaces: tokens are characters. */
export function createCharacterLexicon(language: string, data: LanguageData, phrases: string): Lexicon {
  const forms = new Map<string, Entry>();
  let longest = 1;
  for (const entries of [listEntries(data), listPhrases(language, phrases)])
    for (const [form, entry] of entries) {
      if (!forms.has(form)) forms.set(form, entry);
      longest = Math.max(longest, form.length);
    }
  const find = (form: string) => forms.get(form);
  return {
    exact: find,
    find,
    near: () => undefined,
    match(tokens, at) {
      for (let length = Math.min(longest, tokens.length - at); length > 0; length--) {
        const entry = forms.get(tokens.slice(at, at + length).join(''));
        if (entry !== undefined) return { entry, length };
      }
      return undefined;
    },
  };
}
