/**
 * Whether the best candidate is really what was requested, or only the least wrong. A second small network looks at
 * that candidate and at the request; below its threshold the result is that nothing fits.
 */
import { getShard } from '../names/find-names.js';
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
  'reach',
  'one',
] as const;
export const fitnessWidth = featureNames.length + requestFactNames.length;

/**
 * `best` and `next` are the ranker's scores of the two best candidates; `at` is the position of the best among them.
 */
export function writeFitness(
  target: Float32Array,
  { words, scope, mass, rarest }: Request,
  { places, features, covered }: Candidates,
  at: number,
  best: number,
  next: number,
): void {
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
    Math.log2(1 + scope.reach(getShard(places[at] ?? 0))) / 17,
    1,
  ];
  target.set(facts, width);
}

/** Maps to a value between -1 and 1, with arithmetic that is the same on every machine. */
function squeeze(value: number): number {
  return value / (1 + Math.abs(value));
}
