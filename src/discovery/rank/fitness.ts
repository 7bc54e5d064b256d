/**
 * Whether the best candidate is really what was requested, or only the least wrong. A second small network looks at
 * that candidate and at the request.
 */
import { stem } from '../text/stem.js';
import type { Candidates } from './candidates.js';
import { featureNames } from './features.js';
import type { Request } from './request.js';

/** In the order of its numbers: the best candidate's features, then these. */
export const requestFactNames = [
  'score',
  'margin',
  'known',
  'unknown',
  'bestCovered',
  'routed',
  'words',
  'acts',
  'reason',
  'question',
  'whether',
  'spokenTo',
  'spread',
  'agreed',
  'wording',
] as const;
const cosineAt = featureNames.indexOf('cosine');
const stems = (words: string): ReadonlySet<string> => new Set(words.split(' ').map(stem));
/** First words of questions: for a reason or a way, for a thing, and whether something is so. */
const questions = [
  stems('why how'),
  stems('what who whose whom when where which'),
  stems('is are was were am do does did should'),
] as const;
/** First words of a request that speaks to its reader but asks for something. */
const polite = stems('can could would will please');
const reader = stems('you your yourself');
export const fitnessWidth = featureNames.length + requestFactNames.length;

const reachAt = featureNames.indexOf('reach');
const routedAt = featureNames.length + requestFactNames.indexOf('routed');
/** Few tools, as many as some apps have, or more: the logarithms that `reach` has for 150 and 2,000. */
const sizes = [Math.log2(151) / 17, Math.log2(2_001) / 17];
/** From this certainty on, an app is named. */
const named = 0.7;
export const strata = 2 * (sizes.length + 1);

/** The kind of the request, by the number of possible tools and by whether it names an app: 0 to `strata` - 1. */
export function stratumOf(numbers: Float32Array): number {
  const size = sizes.filter((least) => (numbers[reachAt] ?? 0) >= least).length;
  return (numbers[routedAt] ?? 0) >= named ? sizes.length + 1 + size : size;
}

/** The known facts about a request when its candidates have been ordered. */
export interface Ordering {
  /** The position of the best candidate. */
  readonly at: number;
  /** The ranker's scores of the two best candidates. */
  readonly best: number;
  readonly next: number;
  /** The log-odds of `wording.ts`. */
  readonly wording: number;
}

/** The numbers of the second network. */
export function getFitness(
  { query, words, scope, mass, rarest }: Request,
  { features, covered }: Candidates,
  { at, best, next, wording }: Ordering,
): Float32Array {
  const target = new Float32Array(fitnessWidth);
  const width = featureNames.length;
  target.set(features.subarray(at * width, (at + 1) * width));
  const unknown = words.reduce((sum, word) => sum + (word.own === 0 ? word.weight : 0), 0);
  const missing = unknown * rarest;
  const facts = [
    squeeze(best / 10),
    squeeze((best - next) / 5),
    mass + missing === 0 ? 0 : mass / (mass + missing),
    Math.min(1, unknown / 3),
    covered,
    Math.max(0, ...scope.routed.values()),
    Math.min(1, words.length / 12),
    Number(query.anyAction !== 0),
    ...questions.map((words) => Number(words.has(query.titleStems[0] ?? ''))),
    Number(!polite.has(query.titleStems[0] ?? '') && query.titleStems.some((word) => reader.has(word))),
    ...standingOut(features, at),
    squeeze(wording / 4),
  ];
  target.set(facts, width);
  return target;
}

/** How far the best candidate's meaning stands out from that of the others, and the share of them that come near it. */
function standingOut(features: Float32Array, at: number): [number, number] {
  const width = featureNames.length;
  const count = features.length / width;
  let sum = 0;
  let near = 0;
  const best = features[at * width + cosineAt] ?? 0;
  for (let other = 0; other < count; other++) {
    const cosine = features[other * width + cosineAt] ?? 0;
    sum += cosine;
    if (cosine >= 0.9 * best) near += 1;
  }
  return count === 0 ? [0, 0] : [best - sum / count, near / count];
}

/** Maps to a value between -1 and 1, with arithmetic that is the same on every machine. */
function squeeze(value: number): number {
  return value / (1 + Math.abs(value));
}
