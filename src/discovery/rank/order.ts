/**
 * The order of the candidates: BM25F first, then what a bag of words cannot see. Does the tool do what is asked (list, not
 * create)? Is its whole name asked for, or does it say more? Is it of the app that was named, or of one in use?
 *
 * All parts are shares of the request's own weight, so that long and short requests are ranked alike.
 */
import type { Shard } from '../postings/shard.js';
import { agreement } from '../text/verbs.js';

export interface Weights {
  readonly text: number;
  readonly action: number;
  /** Share of the tool's name that was asked for. */
  readonly name: number;
  /** Share of the request that the tool's name answers. */
  readonly asked: number;
  readonly app: number;
  readonly granted: number;
  readonly connected: number;
  readonly recent: number;
}

/** Found on one half of public labelled requests and checked on the other. */
export const defaultWeights: Weights = {
  text: 1,
  action: 0.4,
  name: 0.75,
  asked: 0.2,
  app: 3,
  granted: 0.3,
  connected: 0.3,
  recent: 0.1,
};

export interface NameMatch {
  /** Share of the name, and of the request, that agree; 0 to 1. */
  readonly name: number;
  readonly asked: number;
  readonly action: number;
}

const unknownAction = 0.4;
/** What a word of a name after `by` or `for` counts. */
const qualifierShare = 0.4;

/** `shares` gives each term that the request asks for its share and the word it stands for. */
export function matchName(
  shard: Shard,
  tool: number,
  asked: { readonly action: number; readonly mass: number },
  shares: ReadonlyMap<number, { readonly share: number; readonly word: number; readonly mass: number }>,
  rarity: (term: number) => number,
): NameMatch {
  let all = 0;
  let met = 0;
  let answered = 0;
  let low = 0;
  let high = 0;
  const end = shard.nameStarts[tool + 1] ?? 0;
  for (let at = shard.nameStarts[tool] ?? 0; at < end; at++) {
    const entry = shard.nameTerms[at] ?? 0;
    const term = entry >> 1;
    const weight = rarity(term) * ((entry & 1) === 1 ? 1 : qualifierShare);
    all += weight;
    const match = shares.get(term);
    if (match === undefined) continue;
    met += weight * match.share;
    const bit = 1 << (match.word & 31);
    if (((match.word < 32 ? low : high) & bit) !== 0) continue;
    if (match.word < 32) low |= bit;
    else high |= bit;
    answered += match.mass * match.share;
  }
  const own = shard.actions[tool] ?? 0;
  return {
    name: all === 0 ? 0 : met / all,
    asked: asked.mass === 0 ? 0 : Math.min(1, answered / asked.mass),
    action: own === 0 || asked.action === 0 ? unknownAction : agreement(asked.action, own),
  };
}
