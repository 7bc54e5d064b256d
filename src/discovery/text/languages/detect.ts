/** The language of a request, by its script and its words. */
import { isAskedVerb } from '../verbs.js';
import { stopWords } from '../vocabulary-data.js';
import { type Language, latinLanguages, lexicons } from './lexicons.js';
import { foldWord, type LatinLanguage } from './stems.js';

const maxWords = 60;
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const han = /\p{Script=Han}/gu;
const latinWord = /\p{Script=Latin}+/gu;
/** Quoted text and addresses. */
const values =
  /\S*[@/]\S*|\b\w+\.(?:com|org|net|io|de|es|fr|it|nl|pt|eu)\b|"[^"]*"|“[^”]*”|«[^»]*»|「[^」]*」|『[^』]*』|`[^`]*`|(?<!\p{L})'[^']*'(?!\p{L})/gu;
const ascii = /^[\0-\x7f]*$/;
/** How much evidence each kind of word gives. */
const weights = { function: 1, word: 1, form: 0.7, english: 0.9 };
/** A text must contain this much more of another language than of English. */
const margin = 0.3;

/**
 * Returns `undefined` for English and for unknown languages. `isEnglish` says whether a lower-case word is English;
 * without it only stop words and verbs are known, so more evidence is needed that a text is not English.
 */
export function detectLanguage(text: string, isEnglish?: (word: string) => boolean): Language | undefined {
  const own = text.replace(values, ' ');
  const words = (own.match(latinWord) ?? []).slice(0, maxWords);
  if (!ascii.test(own)) {
    const kanas = own.match(kana)?.length ?? 0;
    const hans = own.match(han)?.length ?? 0;
    if (kanas + hans > words.length) return kanas > 0 ? 'ja' : 'zh';
  }
  return words.length === 0 ? undefined : detectLatin(words, isEnglish);
}

function detectLatin(words: readonly string[], isEnglish?: (word: string) => boolean): Language | undefined {
  const folded = words.map(foldWord);
  // A capital inside a text is that of a name, which belongs to no language.
  const english = folded.map((word, at) => (words[at] === word || at === 0 ? weighEnglish(word, isEnglish) : 0));
  const sum = english.reduce((all, one) => all + one, 0);
  if (sum >= weights.english * words.length - margin) return undefined;
  let best: LatinLanguage | undefined;
  let most = margin + (isEnglish === undefined ? weights.word : 0);
  for (const language of latinLanguages) {
    const score = folded.reduce((all, word, at) => all + compare(language, word, english[at] ?? 0), 0);
    // A mistyped English word may look like a form of a foreign one.
    if (score <= most || !folded.some((word) => lexicons[language]().exact(word) !== undefined)) continue;
    best = language;
    most = score;
  }
  return best;
}

const isSurelyEnglish = (word: string) => stopWords.has(word) || isAskedVerb(word);

function weighEnglish(word: string, isEnglish: ((word: string) => boolean) | undefined): number {
  return isSurelyEnglish(word) || isEnglish?.(word) ? weights.english : 0;
}

/** How much more a word is of this language than of English. */
function compare(language: LatinLanguage, word: string, english: number): number {
  const lexicon = lexicons[language]();
  const exact = lexicon.exact(word);
  // English texts have words like `von` and `para` only in names.
  if (exact?.kind === 'function') return weights.function - (isSurelyEnglish(word) ? english : 0);
  if (exact !== undefined) return weights.word - english;
  return (lexicon.find(word) === undefined ? 0 : weights.form) - english;
}
