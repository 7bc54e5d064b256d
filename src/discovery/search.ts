/**
 * One search, from text to hits: names in the text, then words by BM25F, then the order of the best few by what they do,
 * how they are called, the app that was named and the tools in use.
 */
import type { CatalogueState } from './catalogue-state.js';
import { findNames, type Naming, placeOf, shardOf, toolOf } from './names/find-names.js';
import { rarityOf, type ScoredWord } from './postings/score.js';
import { matchName, type Weights } from './rank/order.js';
import { type Query, readQuery } from './rank/read-query.js';
import { createScope, type Scope } from './rank/scope.js';
import type { Hit, SearchOptions, SearchResult } from './tool.js';

interface Candidate {
  readonly place: number;
  readonly score: number;
  readonly why: string[];
}

const defaultLimit = 10;
const mostLimit = 200;
const mostCandidates = 150;
/** Below this share of the request in the best hit's text, nothing fits. */
const leastCovered = 0.2;
const nameScores: Readonly<Record<Naming, number>> = { written: 500, full: 400, bare: 300, part: 200, mistyped: 100 };
const nameReasons: Readonly<Record<Naming, string>> = {
  written: 'exact name',
  full: 'exact name',
  bare: 'exact name',
  part: 'end of the name',
  mistyped: 'name but for one letter',
};

export function searchCatalogue(
  state: CatalogueState,
  text: string,
  options: SearchOptions,
  weights: Weights,
): SearchResult {
  const limit = Math.max(0, Math.min(mostLimit, Math.floor(options.limit ?? defaultLimit)));
  const isOrdinary = (stemmed: string, own: readonly number[]) => ordinary(state, stemmed, own);
  const query = readQuery(text, state.vocabulary, state.apps, isOrdinary);
  const scope = createScope(state, query, options);
  const words = query.words.map((word) => rate(state, word, scope));
  const mass = words.reduce((sum, { own, weight }) => sum + own * weight, 0);
  const named = findNames(text, {
    table: state.names,
    shard: (number) => state.shards[number],
    isAllowed: scope.isAllowed,
    shards: () => scope.allowed ?? state.shards.keys(),
    isOrdinary: (key) => state.apps.has(key) || state.vocabulary.find(key) !== undefined,
  });
  const pool = gather(state, words, scope, mass, weights);
  for (const place of named.keys()) if (!pool.has(place)) pool.set(place, 0);
  const candidates = rank(state, query, words, pool, scope, mass, weights);
  const best = candidates.reduce((most, one) => Math.max(most, pool.get(one.place) ?? 0), 0);
  const all = candidates.map(({ place, score, why }): Candidate => {
    const naming = named.get(place);
    return naming === undefined
      ? { place, score, why }
      : { place, score: score + nameScores[naming], why: [nameReasons[naming], ...why] };
  });
  all.sort((a, b) => b.score - a.score || a.place - b.place);
  const unknown = query.words.filter((_, at) => words[at]?.own === 0);
  const missing = unknown.length * rarityOf(0, Math.max(1, state.size));
  const covered = mass === 0 ? 0 : (best * mass) / (mass + missing);
  const byApp = query.words.length === 0 && scope.routed.size > 0;
  return {
    hits: all.slice(0, limit).map((one) => toHit(state, one)),
    abstained: named.size === 0 && !byApp && (all.length === 0 || covered < leastCovered),
    unmatched: [...new Set(unknown.map(({ written }) => written))],
  };
}

function toHit(state: CatalogueState, { place, score, why }: Candidate): Hit {
  const id = state.shards[shardOf(place)]?.ids[toolOf(place)] ?? '';
  return { id, score, ...(why.length > 0 && { why }) };
}

/** Whether a word of an app's name is used by tools of several other apps. */
function ordinary(state: CatalogueState, stemmed: string, own: readonly number[]): boolean {
  const term = state.vocabulary.find(stemmed);
  if (term === undefined) return false;
  const others = state.vocabulary.places(term).filter((number) => !own.includes(number)).length;
  return others >= Math.max(3, 0.02 * state.shards.length);
}

interface RatedWord extends ScoredWord {
  /** How rare the word itself is, or its nearest variant; 0 if nothing in reach has any. */
  readonly own: number;
}

function rate(state: CatalogueState, word: Query['words'][number], scope: Scope): RatedWord {
  const variants = word.variants
    .filter(({ term }) => scope.has(term))
    .map(({ term, share }) => ({ term, share, rarity: scope.rarity(term) }))
    .sort((a, b) => b.share - a.share);
  const first = variants[0];
  const own = first === undefined ? 0 : first.rarity;
  const capped = variants.map((variant) => ({ ...variant, rarity: Math.min(variant.rarity, own) }));
  return { weight: word.weight, variants: capped, own: state.size === 0 ? 0 : own };
}

/** The best tools by their words, with their share of the request; tools of a named app even without any. */
function gather(
  state: CatalogueState,
  words: readonly RatedWord[],
  scope: Scope,
  mass: number,
  weights: Weights,
): Map<number, number> {
  const { board, bases, shardOfTool } = state.board();
  const some = scope.certain.length > 0 ? board.run(words, scope.certain) : undefined;
  const isEnough = some !== undefined && some.tools.length >= defaultLimit;
  const { tools, scores } = isEnough ? some : board.run(words, scope.allowed);
  const values = new Float64Array(tools.length);
  const unit = mass || 1;
  for (let at = 0; at < tools.length; at++) {
    const shard = shardOfTool[tools[at] ?? 0] ?? 0;
    values[at] = (scores[at] ?? 0) / unit + weights.app * (scope.routed.get(shard) ?? 0);
  }
  const least = thresholdFor(values, mostCandidates);
  const pool = new Map<number, number>();
  for (let at = 0; at < values.length; at++) {
    if ((values[at] ?? 0) < least) continue;
    const tool = tools[at] ?? 0;
    const shard = shardOfTool[tool] ?? 0;
    pool.set(placeOf(shard, tool - (bases[shard] ?? 0)), (scores[at] ?? 0) / unit);
  }
  if (pool.size < defaultLimit) fillFromApps(state, scope, pool);
  return pool;
}

/** A request that says little but the app gets the app's tools. */
function fillFromApps(state: CatalogueState, scope: Scope, pool: Map<number, number>): void {
  for (const shard of scope.routed.keys()) {
    const count = Math.min(state.shards[shard]?.ids.length ?? 0, mostCandidates);
    for (let tool = 0; tool < count; tool++) {
      const place = placeOf(shard, tool);
      if (!pool.has(place)) pool.set(place, 0);
    }
  }
}

/** A value that about `wanted` values reach, found by counting, which sorting thousands would make slow. */
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

function rank(
  state: CatalogueState,
  query: Query,
  words: readonly RatedWord[],
  pool: ReadonlyMap<number, number>,
  scope: Scope,
  mass: number,
  weights: Weights,
): Candidate[] {
  const shares = new Map<number, { share: number; word: number; mass: number }>();
  for (const [word, { variants, own, weight }] of words.entries())
    for (const { term, share } of variants)
      if ((shares.get(term)?.share ?? 0) < share) shares.set(term, { share, word, mass: own * weight });
  const candidates: Candidate[] = [];
  for (const [place, text] of pool) {
    const shard = state.shards[shardOf(place)];
    if (shard === undefined) continue;
    const match = matchName(shard, toolOf(place), { action: query.action, mass }, shares, scope.rarity);
    const routed = scope.routed.get(shardOf(place)) ?? 0;
    const why: string[] = [];
    if (routed > 0) why.push(`app ${shard.toolkit}`);
    if (query.action !== 0 && match.action === 1) why.push('same action');
    const score =
      weights.text * text +
      weights.name * match.name +
      weights.asked * match.asked +
      weights.action * match.action +
      weights.app * routed +
      scope.prior(shardOf(place), shard.ids[toolOf(place)] ?? '', weights);
    candidates.push({ place, score, why });
  }
  return candidates;
}
