/** The tools that may be meant, each with what the ranker is told of it. */
import type { CatalogueState } from '../catalogue-state.js';
import { shardOf, toolOf } from '../names/find-names.js';
import { findSlot, type Shard } from '../postings/shard.js';
import { cosineAt } from '../semantic/text-vectors.js';
import type { WordVectors } from '../semantic/word-vectors.js';
import { type Asked, featureNames, writeFeatures } from './features.js';
import { gather, type WordShares } from './gather.js';
import type { Request } from './request.js';
import { createSoftMatch } from './soft-match.js';

export interface Candidates {
  /** Best by words first. */
  readonly places: readonly number[];
  /** The greatest share of the request that one tool's text answers. */
  readonly covered: number;
  /** `featureNames.length` numbers for each place. */
  readonly features: Float32Array;
}

/** Words of a request that are compared with names, the weightiest. */
const mostCompared = 14;

/** Candidates for a request; `named` are taken in whatever their words. */
export function findCandidates(
  state: CatalogueState,
  request: Request,
  vectors: WordVectors | undefined,
  named: Iterable<number>,
): Candidates {
  const found = gather(state, request);
  for (const place of named) if (!found.has(place)) found.set(place, { text: 0, covered: 0 });
  const ranked = [...found].sort(([a, one], [b, other]) => other.text - one.text || a - b);
  return {
    places: ranked.map(([place]) => place),
    covered: ranked.reduce((most, [, { covered }]) => Math.max(most, covered), 0),
    features: describe(state, request, ranked, vectors),
  };
}

function describe(
  state: CatalogueState,
  request: Request,
  ranked: readonly (readonly [number, WordShares])[],
  vectors: WordVectors | undefined,
): Float32Array {
  const { scope } = request;
  const asked = askedOf(state, request, vectors);
  const features = new Float32Array(ranked.length * featureNames.length);
  const cosines = ranked.map(([place]) => cosineOf(state, request, place));
  const toolkitShare = createToolkitShare(request);
  const bestCosine = Math.max(0, ...cosines);
  const best = ranked[0]?.[1].text || 1;
  for (const [at, [place, { text, covered }]] of ranked.entries()) {
    const number = shardOf(place);
    const shard = state.shards[number];
    if (shard === undefined) continue;
    const cosine = cosines[at] ?? 0;
    writeFeatures(features, at * featureNames.length, shard, toolOf(place), asked, {
      text,
      textToBest: text / best,
      rank: at,
      covered,
      cosine,
      cosineToBest: cosine - bestCosine,
      app: scope.routed.get(number) ?? 0,
      appWords: scope.titleShare(number),
      toolkitCovered: toolkitShare(shard),
    });
  }
  return features;
}

function createToolkitShare({ words, mass }: Request): (shard: Shard) => number {
  const known = new Map<Shard, number>();
  return (shard) => {
    const before = known.get(shard);
    if (before !== undefined) return before;
    let met = 0;
    for (const { variants, mass: own } of words) {
      const best = variants.find(({ term }) => findSlot(shard, term) >= 0);
      if (best !== undefined) met += own * best.share;
    }
    const share = mass === 0 ? 0 : met / mass;
    known.set(shard, share);
    return share;
  };
}

function cosineOf(state: CatalogueState, { vector }: Request, place: number): number {
  const shard = state.shards[shardOf(place)];
  return shard === undefined ? 0 : cosineAt(vector, shard.vectors, toolOf(place) * vector.length);
}

function askedOf(state: CatalogueState, { query, words, scope }: Request, vectors: WordVectors | undefined): Asked {
  const compared = query.words
    .map(({ stemmed, weight }, at) => {
      const { mass = 0, variants = [] } = words[at] ?? {};
      return { stemmed, mass: mass || weight, isObject: query.object.has(stemmed), variants };
    })
    .sort((a, b) => b.mass - a.mass)
    .slice(0, mostCompared);
  return {
    words: compared,
    mass: compared.reduce((sum, word) => sum + word.mass, 0),
    action: query.action,
    anyAction: query.anyAction,
    isMany: query.isMany,
    soft: createSoftMatch(compared, state.vocabulary, vectors, scope.rarity),
  };
}
