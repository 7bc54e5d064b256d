/**
 * Splits text into lower-case words: `GITHUB_CREATE_ISSUE`, `createIssue`, `getV2Users` and prose alike.
 *
 * A compound word of prose (`LinkedIn`, `follow-up`) gives its parts and the whole, since the other side may write it
 * either way.
 */
import { letterPattern } from './letters.js';

const pieces = letterPattern(String.raw`[\p{Lu}]+(?![\p{Ll}])|[\p{Lu}]?[\p{Ll}]+|[\p{Lo}]+|[\p{N}]+`, 'g');
const marks = /\p{M}+/gu;
const plain = /^[a-z]+$/;
/** Matches most names of a catalogue. */
const oneCase = /^(?:[a-z]+(?:_[a-z]+)*|[A-Z]+(?:_[A-Z]+)*)$/;
/** Needs no folding: ASCII without apostrophes. */
const simple = /^[\x20-\x26\x28-\x7e\s]*$/;

/** Removes accents and ligatures, so that `Créer` and `creer` are one word. */
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
  if (oneCase.test(name)) return name.toLowerCase().split('_');
  const folded = foldText(name).replace(/([A-Z]{2,})s(?![a-z])/g, '$1S');
  return (folded.match(pieces(folded)) ?? []).map((word) => word.toLowerCase());
}

/** The words of prose, in order, with the joined form of compounds after their parts. */
export function splitProse(text: string): string[] {
  const words: string[] = [];
  const folded = foldText(text);
  if (simple.test(folded)) splitSimple(folded, words);
  else for (const [token] of folded.matchAll(tokens)) pushToken(token, words);
  return words;
}

const tokens = /[\p{L}\p{N}]+(?:[-_.][\p{L}\p{N}]+)*/gu;
/** The kind of each ASCII character: 1 a digit, 2 a capital, 3 a small letter, 4 a joining mark; 0 otherwise. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  return /[0-9]/.test(sign) ? 1 : /[A-Z]/.test(sign) ? 2 : /[a-z]/.test(sign) ? 3 : /[-_.]/.test(sign) ? 4 : 0;
});
const kindAt = (text: string, at: number) => (at < text.length ? (kinds[text.charCodeAt(at)] ?? 0) : 0);

/** The same for ASCII, character by character: most descriptions are ASCII, and they are most of a catalogue's text. */
function splitSimple(text: string, words: string[]): void {
  for (let at = 0; at < text.length; at++) {
    const first = kindAt(text, at);
    if (first === 0 || first === 4) continue;
    const start = at;
    let isSmall = first !== 1;
    for (at += 1; ; at++) {
      const kind = kindAt(text, at);
      const isInside = kind !== 0 && (kind !== 4 || (kindAt(text, at + 1) !== 0 && kindAt(text, at + 1) !== 4));
      if (!isInside) break;
      if (kind !== 3) isSmall = false;
    }
    const token = text.slice(start, at);
    if (isSmall) words.push(first === 2 ? token.toLowerCase() : token);
    else pushToken(token, words);
  }
}

function pushToken(token: string, words: string[]): void {
  if (plain.test(token)) {
    words.push(token);
    return;
  }
  const parts = splitName(token);
  words.push(...parts);
  if (parts.length > 1 && parts.length <= 3 && !token.includes('_') && !token.includes('.')) words.push(parts.join(''));
}

/** Only letters and digits, in lower case: what all spellings of a name have in common. */
export function squash(text: string): string {
  if (simple.test(text)) return text.toLowerCase().replace(/[^a-z\d]+/g, '');
  return foldText(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
