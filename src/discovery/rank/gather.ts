/**
 * Collects the likely tools: the best by their words, everywhere available and among the tools in use, and the nearest
 * by meaning. If there are many tools, only those of the nearest toolkits are compared by meaning.
 */
import type { CatalogueState } from '../catalogue-state.js';
import { findPlace } from '../names/find-names.js';
import type { Scored } from '../postings/tally.js';
import { cosineAt } from '../semantic/text-vectors.js';
import type { Request } from './request.js';
import { cosineWithAll } from './toolkit-vectors.js';

/** A tool with shares of the request's mass: by BM25F, and of its words that occur anywhere in the text. */
export interface Gathered {
  readonly place: number;
  readonly text: number;
  readonly covered: number;
}

const maxCandidates = 60;
const maxNearest = 40;
/** Up to this number, all possible tools are candidates. */
const allTools = 100;
/** Below this cosine two texts have nothing to do with each other; without a word in common, more is needed. */
const minCosine = 0.02;
const minWordless = 0.05;
/** At most this many tools are compared one by one by meaning: those of the toolkits that are nearest as a whole. */
const fewTools = 1_500;
const fewCandidates = 10;
/** The weight of an app's name in the selection of candidates, relative to a fully covered request. */
const appShare = 1.5;
/** All tools of an app are considered if it is named with at least this certainty. */
const likelyApp = 0.3;
/** Tools of the named apps are enough if they cover this share of the request. */
const enough = 0.5;

/** Returns the likely tools by place: the best `maxCandidates` of each kind, or `wanted` ones. */
export function gather(state: CatalogueState, request: Request, wanted: number): Map<number, Gathered> {
  const most = Math.max(maxCandidates, wanted);
  const { scope } = request;
  const found = new Map<number, Gathered>();
  const certain = scope.certain.length > 0 ? scoreWords(state, request, scope.certain) : undefined;
  if (certain !== undefined) take(state, request, certain, most, found);
  if (certain === undefined || !isEnough(certain, request)) {
    const likely = [...scope.routed].filter(([app, sure]) => sure >= likelyApp && !scope.certain.includes(app));
    const always = likely.map(([app]) => app);
    const all = state.board().board.run(request.words, scope.allowed, { most, always });
    take(state, request, all, most, found);
    // The tools in use may be all that is allowed: then they have just been scored.
    const isRest = scope.inUse.length > 0 && scope.inUse.length !== scope.allowed?.length;
    if (isRest) take(state, request, scoreWords(state, request, scope.inUse), most, found);
  }
  const near = scope.certain.length > 0 ? scope.certain : scope.inUse.length > 0 ? scope.inUse : scope.allowed;
  for (const place of nearest(state, request, near)) addWordless(found, place);
  if (found.size < fewCandidates) fillFromApps(state, request, found);
  return found;
}

function scoreWords(state: CatalogueState, { words }: Request, shards: readonly number[]): Scored {
  return state.board().board.run(words, shards);
}

function isEnough({ tools, covered }: Scored, { mass }: Request): boolean {
  let most = 0;
  for (const share of covered) most = Math.max(most, share);
  return tools.length >= fewCandidates && most >= enough * mass;
}

function take(
  state: CatalogueState,
  { scope, mass }: Request,
  { tools, scores, covered }: Scored,
  most: number,
  found: Map<number, Gathered>,
): void {
  const { bases, shardOfTool } = state.board();
  const unit = mass || 1;
  const values = new Float64Array(tools.length);
  const shares = new Float64Array(state.shards.length);
  for (const [app, sure] of scope.routed) shares[app] = appShare * sure;
  // All indexes are within the arrays; checking each for `undefined` costs a third of the time.
  for (let at = 0; at < tools.length; at++)
    values[at] = (scores[at] as number) / unit + (shares[shardOfTool[tools[at] as number] as number] as number);
  const least = thresholdFor(values, most);
  for (let at = 0; at < values.length; at++) {
    if ((values[at] ?? 0) < least) continue;
    const tool = tools[at] ?? 0;
    const shard = shardOfTool[tool] ?? 0;
    const place = findPlace(shard, tool - (bases[shard] ?? 0));
    found.set(place, { place, text: (scores[at] ?? 0) / unit, covered: (covered[at] ?? 0) / unit });
  }
}

function nearest(state: CatalogueState, { vector, mass }: Request, numbers: readonly number[] | undefined): number[] {
  if (vector.length === 0) return [];
  const shards = nearestShards(state, vector, numbers);
  let count = 0;
  for (const number of shards) count += state.shards[number]?.size ?? 0;
  const places = new Float64Array(count);
  const values = new Float64Array(count);
  let next = 0;
  for (const number of shards) {
    const shard = state.shards[number];
    if (shard === undefined) continue;
    const { vectors } = shard.facts();
    for (let tool = 0; tool < shard.size; tool++) {
      places[next] = findPlace(number, tool);
      values[next++] = Math.max(0, cosineAt(vector, vectors, tool * vector.length));
    }
  }
  const closest = mass === 0 ? minWordless : count <= allTools ? minCosine : thresholdFor(values, maxNearest);
  const least = Math.max(minCosine, closest);
  const found: number[] = [];
  for (let at = 0; at < count; at++) if ((values[at] as number) >= least) found.push(places[at] as number);
  return found;
}

/** The numbers of these toolkits, or of all; if they have too many tools, of those whose tools are nearest on the whole. */
function nearestShards(
  state: CatalogueState,
  vector: Float32Array,
  numbers: readonly number[] | undefined,
): readonly number[] {
  const all = numbers ?? [...state.shards.keys()].filter((number) => state.shards[number] !== undefined);
  const sizeOf = (number: number) => state.shards[number]?.size ?? 0;
  let left = fewTools;
  for (const number of all) left -= sizeOf(number);
  if (left >= 0) return all;
  const values = Float64Array.from(all, (number) => {
    const shard = state.shards[number];
    return shard === undefined ? -1 : Math.max(0, cosineWithAll(vector, shard));
  });
  // The nearest toolkits have this many tools on average; the first of them are enough.
  const least = thresholdFor(values, Math.ceil((fewTools * all.length) / (fewTools - left)));
  left = fewTools;
  return all.filter((number, at) => {
    if ((values[at] ?? 0) < least || sizeOf(number) > left) return false;
    left -= sizeOf(number);
    return true;
  });
}

/** Adds a tool regardless of its words. */
export function addWordless(found: Map<number, Gathered>, place: number): void {
  if (!found.has(place)) found.set(place, { place, text: 0, covered: 0 });
}

/** If a request says little except the app, adds the app's tools. */
function fillFromApps(state: CatalogueState, { scope }: Request, found: Map<number, Gathered>): void {
  for (const shard of scope.routed.keys()) {
    const count = Math.min(state.shards[shard]?.size ?? 0, maxCandidates);
    for (let tool = 0; tool < count; tool++) {
      const place = findPlace(shard, tool);
      addWordless(found, place);
    }
  }
}

/** A value that about `wanted` values reach, found by counting; sorting thousands would be slow. */
function thresholdFor(values: Float64Array, wanted: number): number {
  if (values.length <= wanted) return Number.NEGATIVE_INFINITY;
  const steps = 512;
  let most = 0;
  for (const value of values) if (value > most) most = value;
  const counts = new Uint32Array(steps + 1);
  const scale = most === 0 ? 0 : steps / most;
  for (const value of values) {
    const step = Math.floor(value * scale);
    counts[step] = (counts[step] ?? 0) + 1;
  }
  let reached = 0;
  let step = steps;
  while (step > 0 && reached + (counts[step] ?? 0) <= wanted) reached += counts[step--] ?? 0;
  return reached === 0 ? step / (scale || 1) : (step + 1) / scale;
}
