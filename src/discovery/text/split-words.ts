/**
 * Text to lower-case words: `GITHUB_CREATE_ISSUE`, `createIssue`, `getV2Users` and prose alike.
 *
 * A word of prose that is written together from several (`LinkedIn`, `follow-up`) gives its parts and the whole, since the
 * other side may write it either way.
 */
const pieces = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{N}+/gu;
const marks = /\p{M}+/gu;
const plain = /^[a-z]+$/;
/** Nothing to fold: ASCII without apostrophes. */
const simple = /^[\x20-\x26\x28-\x7e\s]*$/;

/** Letters without accents and ligatures, so that `Créer` and `creer` are one word. */
function foldText(text: string): string {
  if (simple.test(text)) return text;
  return text
    .normalize('NFKD')
    .replace(marks, '')
    .replace(/['’]s\b/g, '')
    .replace(/['’]/g, '');
}

/** The words of a name, in order; a plural of capitals (`IDs`) stays one word. */
export function splitName(name: string): string[] {
  const words =
    foldText(name)
      .replace(/([A-Z]{2,})s(?![a-z])/g, '$1S')
      .match(pieces) ?? [];
  return words.map((word) => word.toLowerCase());
}

/** The words of prose, in order, with the joined form of compounds after their parts. */
export function splitProse(text: string): string[] {
  const words: string[] = [];
  for (const [token] of foldText(text).matchAll(/[\p{L}\p{N}]+(?:[-_.][\p{L}\p{N}]+)*/gu)) {
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
export function squash(text: string): string {
  return foldText(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
