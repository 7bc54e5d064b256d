/**
 * What a name or a request does, as a set of verb classes (a bit mask): `fetch_all_bookings` lists, `add a contact`
 * creates. Classes whose verbs are used for each other match in part.
 */
import { stem } from './stem.js';
import { articles, askedNouns, askedPhrases, askedVerbs, nearClasses, verbClasses } from './vocabulary-data.js';

const classOf = new Map<string, number>();
const nearness: number[][] = verbClasses.map((_, own) => verbClasses.map((__, other) => (own === other ? 1 : 0)));
for (const [at, words] of verbClasses.entries())
  for (const word of words) classOf.set(stem(word), (classOf.get(stem(word)) ?? 0) | (1 << at));
for (const [one, other, share] of nearClasses) {
  const from = verbClasses.findIndex(([name]) => name === one);
  const to = verbClasses.findIndex(([name]) => name === other);
  for (const [a, b] of [
    [from, to],
    [to, from],
  ] as const) {
    const row = nearness[a];
    if (row !== undefined) row[b] = share;
  }
}

const asked = getMasks(askedVerbs);
const askedBeforeArticles = getMasks(askedNouns);
const phrases = getMasks(askedPhrases);

function getMasks(meanings: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, number> {
  const masks = Object.entries(meanings).flatMap(([classes, words]) => {
    const mask = classes.split(' ').reduce((sum, name) => sum | verbMask(stem(name)), 0);
    return words.map((word): [string, number] => [word, mask]);
  });
  return new Map(masks);
}

/** The classes of one stem; 0 if it is not a verb. */
export function verbMask(stemmed: string): number {
  return classOf.get(stemmed) ?? 0;
}

/** The verbs of tools and those that only people use, as they are written. */
export const requestVerbs: readonly string[] = [...new Set([...verbClasses.flat(), ...asked.keys()])];

/** Whether a lower-case word is a verb, if only of people. */
export function isAskedVerb(word: string): boolean {
  return asked.has(word) || askedBeforeArticles.has(word) || verbMask(stem(word)) !== 0;
}

/** The classes of the lower-case word that starts a request, depending on the next word. */
export function askedMask(word: string, next = ''): number {
  const asNoun = articles.has(next) ? (askedBeforeArticles.get(word) ?? 0) : 0;
  return phrases.get(`${word} ${next}`) ?? verbMask(stem(word)) | (asked.get(word) ?? 0) | asNoun;
}

/** The action of a name or clause: its first verb, narrowed by `all` (`get all` lists). 0 if there is none. */
export function actionMask(stems: readonly string[]): number {
  let mask = 0;
  for (const [at, one] of stems.entries()) {
    if (at > 3 && mask !== 0) break;
    const own = verbMask(one);
    if (own === 0) continue;
    if (mask === 0) mask = own;
    else if ((one === 'all' || one === 'list') && (mask & readMask) !== 0) mask = verbMask('list');
  }
  return mask;
}

/** The names of the classes of a mask. */
export function verbNames(mask: number): string[] {
  return verbClasses.flatMap(([name], at) => (name !== undefined && (mask & (1 << at)) !== 0 ? [name] : []));
}

/** Whether an action may be one that changes nothing. */
export function isReading(mask: number): boolean {
  return (mask & harmlessMask) !== 0;
}

const readMask = verbMask('get') | verbMask('list') | verbMask('search');
const harmlessMask = readMask | verbMask('count') | verbMask(stem('validate')) | verbMask('download');

/** From this agreement on, two actions are taken for one: `find or get`. */
export const sameAct = 0.6;

/** How well two actions agree: 1 for equal, 0 for opposed or unrelated. */
export function agreement(one: number, other: number): number {
  if ((one & other) !== 0) return 1;
  let best = 0;
  for (let a = one; a !== 0; a &= a - 1) {
    const row = nearness[31 - Math.clz32(a & -a)] ?? [];
    for (let b = other; b !== 0; b &= b - 1) best = Math.max(best, row[31 - Math.clz32(b & -b)] ?? 0);
  }
  return best;
}
