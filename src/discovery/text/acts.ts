/** Acts in a text or a name: each verb with its object. `then send a message to #general` has (send, message). */
import { letterPattern } from './letters.js';
import { splitName } from './split-words.js';
import { stem } from './stem.js';
import { askedMask, verbMask } from './verbs.js';
import { articles, qualifiers, stopWords, weakWords } from './vocabulary-data.js';

export interface Act {
  /** Verb classes, as a mask. */
  readonly mask: number;
  /** The words of the object, the most distinctive last; those of another act of the text if it has none. */
  readonly objects: readonly string[];
}

const maxObjectWords = 4;
/** Words after which a verb starts a clause: `then send`, `to create`. */
const clauseStarts = new Set([
  'and',
  'then',
  'or',
  'to',
  'please',
  'also',
  'me',
  'you',
  'i',
  'we',
  'now',
  'first',
  'next',
]);
/** Verbs that are just as often nouns: after another verb in a name they count as nouns. */
const nouns = new Set([
  'email',
  'message',
  'post',
  'put',
  'report',
  'share',
  'list',
  'copy',
  'import',
  'export',
  'check',
  'watch',
]);
/** A full stop inside a word does not end a clause: `clip.mov` does not ask to move. */
const pieces = letterPattern(
  String.raw`[\p{L}\p{N}]+(?:['’_-][\p{L}\p{N}]+|\.[\p{Ll}\p{N}][\p{L}\p{N}]*)*|[.,;:!?]`,
  'g',
);

/** The words and punctuation of a text, for `readActs`. */
export function clauseWords(text: string): string[] {
  return (text.match(pieces(text)) ?? []).flatMap((piece) => {
    if (/^[.,;:!?]$/.test(piece)) return [piece];
    const parts = splitName(piece);
    return /^\w+-\w+$/.test(piece) ? [parts.join('')] : parts;
  });
}

/** The acts of a text, given as its words and punctuation: each verb that starts a clause. */
export function readActs(all: readonly string[]): Act[] {
  return actsIn(all, { isName: false });
}

/** The same for a request, which may also start with a verb that only people use. */
export function readAskedActs(all: readonly string[]): Act[] {
  return actsIn(all, { isName: false, asked: all.findIndex((word) => !stopWords.has(word)) });
}

/** The acts of a name, given as its words: a verb may be anywhere before a qualifier. */
export function readNameActs(all: readonly string[]): Act[] {
  return actsIn(all, { isName: true });
}

/** `asked`: the position of the word that counts as a verb only there. */
function actsIn(all: readonly string[], { isName, asked }: { isName: boolean; asked?: number }): Act[] {
  const acts: Act[] = [];
  const isOpenAfter = isName ? isOpenInName : isOpenInText;
  let open = true;
  for (const [at, word] of all.entries()) {
    const isNoun = isName && acts.length > 0 && nouns.has(word);
    const own = at === asked ? askedMask(word, all[at + 1]) : verbMask(stem(word));
    const mask: number = open && !isNoun ? own : 0;
    if (mask !== 0) acts.push({ mask, objects: objectsAfter(all, at + 1) });
    open = isOpenAfter(word, open, mask !== 0);
  }
  const shared = acts.findLast(({ objects }) => objects.length > 0)?.objects ?? [];
  return acts.map((act) => (act.objects.length > 0 ? act : { ...act, objects: shared }));
}

/** In a name, a verb may be anywhere before a qualifier. */
function isOpenInName(word: string, wasOpen: boolean): boolean {
  return word === 'or' || word === 'and' || (wasOpen && !qualifiers.has(word));
}

/** In a text, a verb starts a clause. */
function isOpenInText(word: string, wasOpen: boolean, isVerb: boolean): boolean {
  if (clauseStarts.has(word) || /^[.,;:!?]$/.test(word)) return true;
  return wasOpen && !isVerb && stopWords.has(word) && !articles.has(word);
}

function objectsAfter(all: readonly string[], from: number): string[] {
  const objects: string[] = [];
  for (const word of all.slice(from)) {
    if (objects.length >= maxObjectWords || /^[.,;:!?]$/.test(word)) break;
    if (objects.length > 0 && (qualifiers.has(word) || clauseStarts.has(word) || articles.has(word))) break;
    if (!stopWords.has(word) && !weakWords.has(word) && !qualifiers.has(word)) objects.push(word);
    else if (qualifiers.has(word) && objects.length === 0 && word !== 'of') break;
  }
  return objects;
}
