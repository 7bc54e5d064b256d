/** What the wording of one request changes about the bundled tools that it may use (`bundled-wording.ts`). */
import type { CatalogueState } from '../catalogue-state.js';
import { findPlace } from '../names/find-names.js';
import { nameIn, type Shard } from '../postings/shard.js';
import type { Ranker } from './ranker.js';
import type { Request } from './request.js';
import { swapPlaces } from './swap-places.js';

export interface Bundled {
  /** The places of those that are candidates whatever their words are. */
  readonly likely: readonly number[];
  has(place: number): boolean;
  /** Whether the wording asks for the tool at this place, even if its verb is another one than that of the request. */
  isAsked(place: number): boolean;
  /**
   * Bundled tools take each other's places, those with the greatest sums of score and wording first. Other tools stay
   * where they are: what people say when they want these is unknown.
   */
  order<One extends Scored>(all: readonly One[]): One[];
  /** How probable it is that the best tool fits. `certainty`: the same, without regard to the wording. */
  judge(best: Scored | undefined, certainty: number): number;
}

/** The reason for a bundled tool that people ask for in such words, whatever its verb is. */
export const usualWording = 'usual wording';

interface Scored {
  readonly place: number;
  readonly score: number;
}

/** From this probability on, a tool is a candidate, and from the other, it is asked for. */
const likely = 0.05;
const sure = 0.3;
/** The weight of the logarithm of a probability relative to the ranker's score, and the least probability. */
const orderShare = 4;
const leastProbability = 1e-4;
/**
 * How the log-odds of the second network and those of the wording become those that a bundled tool fits. Those of the
 * wording are at most `maxWording`, and at least its negative, or `leastForeign` for a request in another language.
 */
const fitness = { network: 0.3, wording: 1.2, bias: -0.3, maxWording: 6, leastForeign: -2 };

const nothingBundled: Bundled = {
  likely: [],
  has: () => false,
  isAsked: () => false,
  order: (all) => [...all],
  judge: (_, certainty) => certainty,
};

export function findBundled(
  state: CatalogueState,
  { text, request, ranker }: { readonly text: string; readonly request: Request; readonly ranker: Ranker },
): Bundled {
  const places = placesOf(state, ranker.bundledTools, request.scope.isAllowed);
  if (places.size === 0) return nothingBundled;
  const asked = ranker.bundled({ text, said: request.query.said, available: [...places.values()] });
  const isBundled = ({ place }: Scored) => places.has(place);
  const oddsOf = (place: number) => asked.get(places.get(place) ?? '') ?? 0;
  const value = ({ place, score }: Scored) => score + orderShare * Math.log(Math.max(leastProbability, oddsOf(place)));
  const sum = [...asked.values()].reduce((sum, one) => sum + one, 0);
  // Words of another language that could not be read say little against a tool.
  const least = request.query.language === undefined ? -fitness.maxWording : fitness.leastForeign;
  const told = Math.max(least, Math.min(fitness.maxWording, logit(sum)));
  return {
    likely: [...places.keys()].filter((place) => oddsOf(place) >= likely),
    has: (place) => places.has(place),
    isAsked: (place) => oddsOf(place) >= sure,
    order: (all) => swapPlaces(all, (one) => (isBundled(one) ? 0 : undefined), value),
    judge(best, certainty) {
      if (best === undefined || !isBundled(best)) return certainty;
      const odds = fitness.network * logit(certainty) + fitness.wording * told + fitness.bias;
      return 1 / (1 + Math.exp(-odds));
    },
  };
}

function logit(probability: number): number {
  return Math.log(Math.max(1e-6, probability) / Math.max(1e-6, 1 - probability));
}

/** The places of these tools in the toolkits that may be used, with their ids. */
function placesOf(
  state: CatalogueState,
  tools: Ranker['bundledTools'],
  isAllowed: (shard: number) => boolean,
): ReadonlyMap<number, string> {
  const places = new Map<number, string>();
  for (const [toolkit, names] of tools) {
    const number = state.numberOf(toolkit);
    const shard = number === undefined || !isAllowed(number) ? undefined : state.shards[number];
    if (number === undefined || shard === undefined) continue;
    for (const [tool, name] of toolsOf(shard, names)) places.set(findPlace(number, tool), `${toolkit}/${name}`);
  }
  return places;
}

/** What `toolsOf` has found, by shard: it is the same for every search. */
const found = new WeakMap<
  Shard,
  { readonly names: ReadonlySet<string>; readonly tools: ReadonlyMap<number, string> }
>();

/** The tools of a shard that have one of these names, with it. */
function toolsOf(shard: Shard, names: ReadonlySet<string>): ReadonlyMap<number, string> {
  const before = found.get(shard);
  if (before?.names === names) return before.tools;
  const all = Array.from({ length: shard.size }, (_, tool) => [tool, nameIn(shard, tool)] as const);
  const tools = new Map(all.filter(([, name]) => names.has(name)));
  found.set(shard, { names, tools });
  return tools;
}
