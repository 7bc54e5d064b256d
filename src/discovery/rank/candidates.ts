/** The likely tools, each with its features for the ranker. */
import type { CatalogueState } from '../catalogue-state.js';
import { getShard, toTool } from '../names/find-names.js';
import { findSlot, type Shard } from '../postings/shard.js';
import { cosineAt } from '../semantic/text-vectors.js';
import type { WordVectors } from '../semantic/word-vectors.js';
import { type Asked, compareFeatures, featureNames, writeFeatures } from './features.js';
import { addWordless, type Gathered, gather } from './gather.js';
import { createNameCosine } from './name-vectors.js';
import type { Request } from './request.js';
import { createSoftMatch } from './soft-match.js';
import { cosineWithAll } from './toolkit-vectors.js';

export interface Candidates {
  /** Best by words first. */
  readonly places: readonly number[];
  /** The greatest share of the request that one tool's text covers. */
  readonly covered: number;
  /** `featureNames.length` numbers per place. */
  readonly features: Float32Array;
}

/** Maximum words of a request that are compared with names, by weight. */
const maxCompared = 10;

/**
 * Returns the candidates for a request, at least `wanted` if there are enough; `named` ones are included regardless of
 * their words.
 */
export function findCandidates(
  state: CatalogueState,
  request: Request,
  vectors: WordVectors | undefined,
  named: Iterable<number>,
  wanted = 0,
): Candidates {
  const found = gather(state, request, wanted);
  for (const place of named) addWordless(found, place);
  const ranked = [...found.values()].sort((one, other) => other.text - one.text || one.place - other.place);
  return {
    places: ranked.map(({ place }) => place),
    covered: ranked.reduce((most, { covered }) => Math.max(most, covered), 0),
    features: describe(state, request, ranked, vectors),
  };
}

function describe(
  state: CatalogueState,
  request: Request,
  ranked: readonly Gathered[],
  vectors: WordVectors | undefined,
): Float32Array {
  const { scope } = request;
  const asked = countAsked(state, request, vectors);
  const features = new Float32Array(ranked.length * featureNames.length);
  const toolkitShare = createToolkitShare(request);
  const toolkitCosine = oncePer((shard: Shard) => cosineWithAll(request.vector, shard));
  const nameCosine = createNameCosine(request.vector, state.vocabulary, vectors);
  const likened = ranked.map((one) => liken(state, one, { vector: request.vector, nameCosine }));
  const cosineRanks = rankDown(likened.map(({ cosine }) => cosine));
  const { groups, bests } = findBests(scope.inUse, likened);
  for (const [at, one] of likened.entries()) {
    const { number, shard, tool, text, covered, cosine } = one;
    const group = groups(number);
    const best = bests.get(number) ?? 0;
    writeFeatures(features, at * featureNames.length, shard, tool, asked, {
      text,
      textToBest: text / (group.text || 1),
      rank: group.taken++,
      covered,
      cosine,
      cosineToBest: cosine - group.cosine,
      cosineRank: cosineRanks[at] ?? ranked.length,
      nameCosine: one.nameCosine,
      nameCosineToBest: one.nameCosine - group.nameCosine,
      app: scope.routed.get(number) ?? 0,
      appWords: scope.titleShare(number),
      toolkitCovered: toolkitShare(shard),
      textInToolkit: text / (best || 1),
      toolkitBest: best / (group.text || 1),
      toolkitCosine: toolkitCosine(shard),
      reach: Math.log2(1 + scope.reach(number)) / 17,
    });
  }
  compareFeatures(features);
  return features;
}

/** A candidate with the cosines of its text and of its name. */
interface Likened extends Gathered {
  readonly number: number;
  readonly shard: Shard;
  readonly tool: number;
  readonly cosine: number;
  readonly nameCosine: number;
}

function liken(
  state: CatalogueState,
  { place, text, covered }: Gathered,
  { vector, nameCosine }: { vector: Float32Array; nameCosine: ReturnType<typeof createNameCosine> },
): Likened {
  const number = getShard(place);
  const shard = state.shards[number];
  if (shard === undefined) throw new RangeError(`No toolkit ${number}`);
  const tool = toTool(place);
  return {
    place,
    text,
    covered,
    number,
    shard,
    tool,
    cosine: cosineAt(vector, shard.facts().vectors, tool * vector.length),
    nameCosine: nameCosine(shard, tool),
  };
}

/** The best of the tools in use, of the rest and of each toolkit. */
function findBests(inUse: readonly number[], likened: readonly Likened[]) {
  const groups = createGroups(inUse);
  const bests = new Map<number, number>();
  for (const { number, text, cosine, nameCosine } of likened) {
    const group = groups(number);
    group.text = Math.max(group.text, text);
    group.cosine = Math.max(group.cosine, cosine);
    group.nameCosine = Math.max(group.nameCosine, nameCosine);
    bests.set(number, Math.max(bests.get(number) ?? 0, text));
  }
  return { groups, bests };
}

/** The best scores among tools in use and among the rest: tools in use are compared only with each other. */
function createGroups(inUse: readonly number[]) {
  const used = new Set(inUse);
  const [own, rest] = [
    { text: 0, cosine: 0, nameCosine: 0, taken: 0 },
    { text: 0, cosine: 0, nameCosine: 0, taken: 0 },
  ];
  return (number: number) => (used.has(number) ? own : rest);
}

function oncePer(compute: (shard: Shard) => number): (shard: Shard) => number {
  const known = new Map<Shard, number>();
  return (shard) => {
    const before = known.get(shard);
    if (before !== undefined) return before;
    const made = compute(shard);
    known.set(shard, made);
    return made;
  };
}

function createToolkitShare({ words, mass }: Request): (shard: Shard) => number {
  return oncePer((shard) => {
    const postings = shard.postings();
    let met = 0;
    for (const { variants, mass: own } of words) {
      const best = variants.find(({ term }) => findSlot(postings, term) >= 0);
      if (best !== undefined) met += own * best.share;
    }
    return mass === 0 ? 0 : met / mass;
  });
}

/** For each value, how many are greater. */
function rankDown(values: readonly number[]): number[] {
  const order = values.map((_, at) => at).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
  const ranks = new Array<number>(values.length).fill(0);
  for (const [rank, at] of order.entries()) ranks[at] = rank;
  return ranks;
}

function countAsked(
  state: CatalogueState,
  { query, words, scope, mass, rarest }: Request,
  vectors: WordVectors | undefined,
): Asked {
  const missing = rarest * words.reduce((sum, word) => sum + (word.own === 0 ? word.weight : 0), 0);
  const compared = query.words
    .map(({ stemmed, weight }, at) => {
      const { mass = 0, variants = [] } = words[at] ?? {};
      return { stemmed, place: at, mass: mass || weight, isObject: query.object.has(stemmed), variants };
    })
    .sort((a, b) => b.mass - a.mass)
    .slice(0, maxCompared);
  return {
    words: compared,
    mass: compared.reduce((sum, word) => sum + word.mass, 0),
    action: query.action,
    anyAction: query.anyAction,
    isMany: query.isMany,
    known: mass + missing === 0 ? 0 : mass / (mass + missing),
    soft: createSoftMatch(compared, state.vocabulary, vectors, scope.rarity),
  };
}
