/**
 * Which apps a request names. Each app is known by its slug, its display name, and short forms of it.
 *
 * Many apps have ordinary words as names (Linear, Make, Close, Front, Project Management). Such a name counts fully
 * only if it is written as a name: with a capital inside the sentence, after `in`, `on`, `via` and the like; otherwise
 * it counts as ordinary words. Several words in a row are less likely to be a coincidence than one.
 */
import { createNearWords } from '../text/near-words.js';
import { relatedStems } from '../text/related-words.js';
import { squash } from '../text/split-words.js';
import { stem } from '../text/stem.js';
import { isAskedVerb } from '../text/verbs.js';

export interface Mention {
  /** Numbers of the apps that the name may mean. */
  readonly apps: readonly number[];
  /** The probability that an app is meant, 0 to 1. */
  readonly confidence: number;
  /** Whether it says where to do it: `in Basecamp`, `Basecamp: …`. */
  readonly isPlace: boolean;
  /** The first word of the mention and the one after its last. */
  readonly from: number;
  readonly to: number;
}

export interface AppNames {
  add(app: number, slug: string, title: string): void;
  /** `slug` and `title` as given to `add`. */
  remove(app: number, slug: string, title: string): void;
  /** Whether a squashed text is an app's name. */
  has(squashed: string): boolean;
  /** Names of one word within this many typing errors, of apps that pass the test. */
  near(
    word: string,
    most: 1 | 2,
    passes: (app: number) => boolean,
  ): { readonly name: string; readonly distance: number }[];
  /**
   * Mentions in the words of a request, longest first, without overlaps. `heading`: how many of its first words a colon
   * follows.
   */
  mentions(
    words: readonly string[],
    isOrdinary: (word: string, apps: readonly number[]) => boolean,
    heading?: number,
  ): Mention[];
}

/** An app that a name may mean, and how certain that is. */
interface Meaning {
  readonly app: number;
  readonly strength: number;
}

const maxWords = 5;
/** A shorter name, or a part of one, is not recognised with a typing error. */
const minMistyped = 4;
const minStrength = 0.9;
/** The certainty of a mention that is written as a name: `GitHub` has a capital inside. */
const surest = 0.95;
/** Words after which it is said where to do something. */
const doingPlaces = new Set(['in', 'on', 'via', 'using', 'through', 'inside', 'within']);
/** Words after which a place is named, and those after which one may be. */
const places = new Set([...doingPlaces, 'from', 'to', 'into']);
const nearPlaces = new Set(['with', 'of', 'my', 'our', 'for', 'at', 'by']);
/** What follows these is what a text is about, not where something is done: `a message about the Jira outage`. */
const topics = new Set(['about', 'regarding', 'concerning', 'called', 'named', 'titled', 'saying', 'says']);
const topicWords = 4;
const topicShare = 0.6;
const tails = /^(.{3,}?)(api|app|io|com|co|ai|mcp)$/;

export function createAppNames(): AppNames {
  const aliases = new Map<string, Meaning[]>();
  /** All names that ever were aliases, so that each keeps its number. */
  const keys: string[] = [];
  const seen = new Set<string>();
  const near = createNearWords({
    get size() {
      return keys.length;
    },
    word: (at) => keys[at] ?? '',
  });
  return {
    add(app, slug, title) {
      for (const [key, strength] of aliasesFor(slug, title)) {
        if (key.length < 2) continue;
        const meanings = aliases.get(key);
        if (!seen.has(key)) keys.push(key);
        seen.add(key);
        if (meanings === undefined) aliases.set(key, [{ app, strength }]);
        else if (meanings.at(-1)?.app !== app) meanings.push({ app, strength });
      }
    },
    remove(app, slug, title) {
      for (const [key] of aliasesFor(slug, title)) {
        const others = (aliases.get(key) ?? []).filter((meaning) => meaning.app !== app);
        if (others.length === 0) aliases.delete(key);
        else aliases.set(key, others);
      }
    },
    has: (squashed) => aliases.has(squashed),
    near: (word, most, passes) =>
      near.find(word, most).flatMap(({ at, distance }) => {
        const name = keys[at] ?? '';
        const isMeant = (aliases.get(name) ?? []).some(({ app, strength }) => strength >= minStrength && passes(app));
        return name.length >= minMistyped && isMeant ? [{ name, distance }] : [];
      }),
    mentions(words, isOrdinary, heading = 0) {
      const found: Mention[] = [];
      for (let from = 0; from < words.length; from++) {
        for (let to = Math.min(words.length, from + maxWords); to > from; to--) {
          const meanings = aliases.get(squash(words.slice(from, to).join('')));
          if (meanings === undefined) continue;
          const most = Math.max(...meanings.map(({ strength }) => strength));
          const apps = meanings.filter(({ strength }) => strength === most).map(({ app }) => app);
          const isCommon = words.slice(from, to).every((word) => isOrdinary(word, apps));
          const isHeading = from === 0 && to === heading && !isThing(words.slice(from, to));
          const certainty = most * (isCommon && !isHeading ? evidence(words, from, to) : surest);
          const confidence = isTopic(words, from) ? topicShare * certainty : certainty;
          const isPlace = isHeading || doingPlaces.has((words[from - 1] ?? '').toLowerCase());
          found.push({ apps, confidence, isPlace, from, to });
          from = to - 1;
          break;
        }
      }
      return found;
    },
  };
}

/** Usual short forms of some names, and things that only one app has. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  facebook: ['fb'],
  github: ['gh'],
  googlecalendar: ['gcal'],
  googledocs: ['gdoc', 'gdocs'],
  googledrive: ['gdrive'],
  googlesheets: ['gsheet', 'gsheets'],
  instagram: ['insta'],
  reddit: ['subreddit', 'subreddits'],
  youtube: ['yt'],
};

/** The most certain first. */
function* aliasesFor(slug: string, title: string): Generator<[key: string, strength: number]> {
  const names = new Set([squash(slug), squash(title)]);
  for (const full of names) yield [full, 1];
  for (const full of names) for (const other of otherNames[full] ?? []) yield [other, 0.9];
  for (const full of names) {
    const short = tails.exec(full)?.[1];
    if (short !== undefined && /[^a-z]/i.test(title + slug)) yield [short, 0.9];
  }
  const parts = title.split(/[\s_]+/).filter((part) => part !== '');
  if (parts.length === 2) yield [squash(parts[1] ?? ''), 0.25];
}

function isTopic(words: readonly string[], from: number): boolean {
  const before = words.slice(Math.max(0, from - topicWords), from).map((word) => word.toLowerCase());
  const topic = before.findLastIndex((word) => topics.has(word));
  return topic >= 0 && !before.slice(topic).some((word) => places.has(word));
}

/** Words that follow a preposition without an article, but are no names. */
const times = new Set(
  `monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
  october november december today tomorrow yesterday time date order stock total full review progress`.split(/\s+/),
);

/** How much ordinary words look like a name in their position. */
function evidence(words: readonly string[], from: number, to: number): number {
  if (words.slice(from, to).some((word) => /\p{Ll}\p{Lu}/u.test(word))) return surest;
  const capital = words.slice(from, to).some((word, at) => from + at > 0 && /^\p{Lu}/u.test(word));
  const before = (words[from - 1] ?? '').toLowerCase();
  const place = places.has(before) ? 0.25 : nearPlaces.has(before) ? 0.1 : 0;
  const isLast = place === 0.25 && to === words.length;
  const ends = isLast ? (isThing(words.slice(from, to)) ? 0.25 : 0.4) : 0;
  const written = capital ? (isTitle(words, from, to) ? 0.45 : 0.62) : 0;
  return Math.min(surest, (to - from > 1 ? 0.4 : 0.1) + written + place + ends);
}

/** Whether the words are a time, a verb, or something that tools act on: `to close`, `on Monday`, `in the project`. */
function isThing(words: readonly string[]): boolean {
  return words.some((word) => {
    const own = word.toLowerCase();
    return times.has(own) || isAskedVerb(own) || [...relatedStems(stem(own))].length > 0;
  });
}

/** If most words have a capital, a capital says nothing. */
function isTitle(words: readonly string[], from: number, to: number): boolean {
  const others = words.filter((_, at) => at > 0 && (at < from || at >= to));
  return others.length > 0 && others.filter((word) => /^\p{Lu}/u.test(word)).length > others.length / 2;
}
