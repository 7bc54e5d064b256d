/**
 * A small, deterministic English stemmer. It only joins the forms that occur in names of tools (plural, -ing, -ed,
 * -ion, British spelling): a stronger one would take `organization` for `organ`. Stems are keys, not words.
 */
import { remembered } from '../../util/remembered.js';

const vowel = /[aeiouy]/;

/** The stem of a lower-case word; short words, numbers and other scripts are unchanged. */
export const stem = remembered(20_000, (word: string) => (/^[a-z]{3,40}$/.test(word) ? shorten(word) : word));

function shorten(word: string): string {
  const singular = dropPlural(word);
  const base = dropEnding(singular.replace(/isation$/, 'ization').replace(/(?<=.{3})ise$/, 'ize'));
  return base.length > 3 && base.endsWith('e') ? base.slice(0, -1) : base;
}

function dropPlural(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:ss|x|ch|sh|zz)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function dropEnding(word: string): string {
  if (word.length > 5 && word.endsWith('ied')) return `${word.slice(0, -3)}y`;
  for (const ending of ['ing', 'ed']) {
    const base = word.slice(0, -ending.length);
    if (word.endsWith(ending) && base.length >= 3 && vowel.test(base)) return undouble(base);
  }
  if (word.length >= 7 && /[st]ion$/.test(word)) return word.slice(0, -3);
  if (word.length >= 9 && word.endsWith('ment')) return word.slice(0, -4);
  return word;
}

function undouble(base: string): string {
  return /([bdfgmnprt])\1$/.test(base) ? base.slice(0, -1) : base;
}
