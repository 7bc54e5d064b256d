/**
 * Where a search looks and what is rare there: the toolkits it may use, the apps it names, and what its caller has in
 * use.
 *
 * Inside one app a word like `issue` is not distinctive, however rare it is in the whole catalogue; so if the apps are
 * known, rarity is half that of the whole and half that of these apps.
 */
import type { CatalogueState } from '../catalogue-state.js';
import { computeRarity } from '../postings/score.js';
import { countIn } from '../postings/shard.js';
import type { SearchOptions } from '../tool.js';
import { type Reachable, toNumbers } from './reachable.js';
import { type Query, sureMention } from './read-query.js';

export interface Scope extends Reachable {
  /** Numbers of the toolkits that are named with certainty: their tools come first, so only they are scored. */
  readonly certain: readonly number[];
  /** Numbers of the toolkits that are named as the place to do what is asked for, if that is one act. */
  readonly places: readonly number[];
  /** Numbers of the allowed toolkits that the caller has granted, connected or used. */
  readonly inUse: readonly number[];
  /** The number of possible tools if this toolkit is meant: those in use or allowed if it belongs to them, else all. */
  reach(shard: number): number;
  /** Toolkits that the request names, with their certainty. */
  readonly routed: ReadonlyMap<number, number>;
  rarity(term: number): number;
  /** How much of a toolkit's display name occurs in the request, 0 to 1. */
  titleShare(shard: number): number;
  /** The bonus of a tool from the caller's context. */
  prior(shard: number, id: () => string): number;
}

/** With more toolkits than this, the rarity of the whole catalogue is used. */
const fewToolkits = 40;
const ownShare = 0.5;
const certainty = 0.9;
/** What each kind of use adds to the ranker's score. */
const priors = { granted: 6, connected: 6, recent: 1 };

export function createScope(
  state: CatalogueState,
  query: Query,
  { options, reachable }: { readonly options: SearchOptions; readonly reachable: Reachable },
): Scope {
  const { allowed, isAllowed, has } = reachable;
  const routed = new Map<number, number>();
  for (const { apps, confidence } of query.mentions)
    for (const app of apps) if (isAllowed(app)) routed.set(app, Math.max(confidence, routed.get(app) ?? 0));

  const certain = [...routed].filter(([, confidence]) => confidence >= certainty).map(([app]) => app);
  const sure = [...routed].filter(([, confidence]) => confidence >= sureMention).map(([app]) => app);
  const inUse = findInUse(state, options).filter(isAllowed);
  const usual = allowed ?? inUse;
  const near = sure.length > 0 ? sure : usual;
  const own = near.length > 0 && near.length <= fewToolkits ? near : [];
  const ownTools = countTools(state, own);
  const known = new Map<number, number>();
  const countAmong = (numbers: readonly number[], term: number) =>
    numbers.reduce((sum, number) => {
      const shard = state.shards[number];
      return sum + (shard === undefined ? 0 : countIn(shard, term));
    }, 0);
  return {
    allowed,
    isAllowed,
    certain,
    places: query.parts.length > 0 ? [] : findPlaces(query),
    inUse,
    reach: (shard) => (usual.includes(shard) ? countTools(state, usual) : state.size),
    routed,
    has,
    rarity(term) {
      const before = known.get(term);
      if (before !== undefined) return before;
      const whole = computeRarity(state.vocabulary.count(term), state.size);
      const made =
        ownTools === 0 ? whole : (1 - ownShare) * whole + ownShare * computeRarity(countAmong(own, term), ownTools);
      known.set(term, made);
      return made;
    },
    titleShare: createTitleShare(state, query),
    prior: certain.length > 0 ? () => 0 : createPrior(state, options),
  };
}

const findPlaces = ({ mentions }: Query): number[] =>
  mentions.filter(({ confidence, isPlace }) => isPlace && confidence >= certainty).flatMap(({ apps }) => apps);

function countTools(state: CatalogueState, numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + (state.shards[number]?.size ?? 0), 0);
}

function createTitleShare(state: CatalogueState, query: Query): Scope['titleShare'] {
  const terms = new Set<number | undefined>(query.titleStems.map((word) => state.vocabulary.find(word)));
  const known = new Map<number, number>();
  return (number) => {
    const before = known.get(number);
    if (before !== undefined) return before;
    const title = state.shards[number]?.facts().titleTerms ?? [];
    let met = 0;
    for (const term of title) if (terms.has(term)) met += 1;
    const share = title.length === 0 ? 0 : met / title.length;
    known.set(number, share);
    return share;
  };
}

function findInUse(state: CatalogueState, { context }: SearchOptions): number[] {
  const given = [context?.granted, context?.connected, context?.recent].flatMap((kind) => [...(kind ?? [])]);
  return toNumbers(state, given);
}

function createPrior(state: CatalogueState, { context }: SearchOptions): Scope['prior'] {
  if (context === undefined) return () => 0;
  const kinds = (['granted', 'connected', 'recent'] as const).map((kind) => {
    const given = new Set(context[kind] ?? []);
    return { kind, given, shards: new Set(toNumbers(state, given)) };
  });
  return (shard, id) =>
    kinds.reduce((sum, { kind, given, shards }) => sum + (shards.has(shard) || given.has(id()) ? priors[kind] : 0), 0);
}
