// Text to lower-case words and to keys, as `src/discovery/text` does it; a test holds the two together. A copy, because
// training must run without a build and must not change its result when the index changes its mind about words.
const pieces = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{N}+/gu;
const marks = /\p{M}+/gu;
const plain = /^[a-z]+$/;

const fold = (text) =>
  text
    .normalize('NFKD')
    .replace(marks, '')
    .replace(/['’]s\b/g, '')
    .replace(/['’]/g, '');

/** The words of a name, in order. */
export function splitName(name) {
  const folded = fold(name).replace(/([A-Z]{2,})s(?![a-z])/g, '$1S');
  return (folded.match(pieces) ?? []).map((word) => word.toLowerCase());
}

/** The words of prose, in order, with the joined form of compounds after their parts. */
export function splitProse(text) {
  const words = [];
  for (const [token] of fold(text).matchAll(/[\p{L}\p{N}]+(?:[-_.][\p{L}\p{N}]+)*/gu)) {
    if (plain.test(token)) {
      words.push(token);
      continue;
    }
    const parts = splitName(token);
    words.push(...parts);
    if (parts.length > 1 && parts.length <= 3 && !token.includes('_') && !token.includes('.'))
      words.push(parts.join(''));
  }
  return words;
}

/** Letters and digits only, in lower case: what all spellings of one name have in common. */
export function squash(text) {
  return fold(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

const vowel = /[aeiouy]/;

/** The key that joins the forms of a lower-case word. */
export function stem(word) {
  if (!/^[a-z]{3,40}$/.test(word)) return word;
  const singular = dropPlural(word);
  const base = dropEnding(singular.replace(/isation$/, 'ization').replace(/(?<=.{3})ise$/, 'ize'));
  return base.length > 3 && base.endsWith('e') ? base.slice(0, -1) : base;
}

function dropPlural(word) {
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:ss|x|ch|sh|zz)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function dropEnding(word) {
  if (word.length > 5 && word.endsWith('ied')) return `${word.slice(0, -3)}y`;
  for (const ending of ['ing', 'ed']) {
    const base = word.slice(0, -ending.length);
    if (word.endsWith(ending) && base.length >= 3 && vowel.test(base)) return undouble(base);
  }
  if (word.length >= 7 && /[st]ion$/.test(word)) return word.slice(0, -3);
  if (word.length >= 9 && word.endsWith('ment')) return word.slice(0, -4);
  return word;
}

const undouble = (base) => (/([bdfgmnprt])\1$/.test(base) ? base.slice(0, -1) : base);
