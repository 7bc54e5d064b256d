/**
 * One search, from text to hits. If the text names tools, only those are returned. Otherwise the likely tools, in the
 * learned order: those in use first, those whose effect was not requested last. If no word matches, the available
 * tools.
 */
import { checkAgainst, type Intent, readIntent } from './capability.js';
import { type CatalogueState, getId } from './catalogue-state.js';
import { nearestPlaces } from './likeness.js';
import { findNames, findPlace, getShard, type Naming, toTool } from './names/find-names.js';
import { nameIn } from './postings/shard.js';
import { type ActCandidate, wordedAct } from './rank/act-wording.js';
import { type Bundled, findBundled, usualWording } from './rank/bundled.js';
import { type Candidates, findCandidates } from './rank/candidates.js';
import { featureNames } from './rank/features.js';
import { getFitness } from './rank/fitness.js';
import { asksToDestroy, isDestroying } from './rank/harmless.js';
import { judge, type Wording } from './rank/judge.js';
import { findMissing, isSpokenOf, maxSpeaking } from './rank/missing.js';
import type { Ranker } from './rank/ranker.js';
import { type Request, readRequest } from './rank/request.js';
import type { Scope } from './rank/scope.js';
import { swapPlaces } from './rank/swap-places.js';
import type { WordVectors } from './semantic/word-vectors.js';
import { agreement, sameAct } from './text/verbs.js';
import type { Answer, Hit, Likeness, SearchOptions, SearchResult } from './tool.js';

interface Candidate {
  readonly place: number;
  readonly score: number;
}

const defaultLimit = 10;
/** Maximum characters of a request: a longer text adds nothing about the task. */
const maxCharacters = 8_000;
const maxLimit = 200;
const maxFallback = 30;
/** What doing the first of several acts adds to a tool's score. */
const leadingBonus = 1.5;
/** What the act of a tool must add to its score, so that the wording is taken to ask for it. */
const likelyAct = 0.15;
/** A name with one wrong letter, or the end of a name, ranks above everything found by meaning. */
const nameScores: Readonly<Record<Naming, number>> = { written: 5e3, full: 4e3, bare: 3e3, part: 2e3, mistyped: 1e3 };
const nameReasons: Readonly<Record<Naming, string>> = {
  written: 'exact name',
  full: 'exact name',
  bare: 'exact name',
  part: 'end of the name',
  mistyped: 'name but for one letter',
};
const exact: ReadonlySet<Naming> = new Set(['written', 'full', 'bare']);
const actionAt = featureNames.indexOf('action');

/** Searches for a text as one act. `request`: the text as it was read. */
export function searchAct(
  state: CatalogueState,
  asked: string,
  { options, ranker }: { readonly options: SearchOptions; readonly ranker: Ranker },
): { readonly result: SearchResult; readonly request: Request } {
  const limit = Math.max(0, Math.min(maxLimit, Math.floor(options.limit ?? defaultLimit)));
  const text = asked.slice(0, maxCharacters);
  const request = readRequest(state, text, options, ranker.vectors);
  const named = namesIn(state, text, request.scope);
  const told = { unmatched: unmatchedIn(request), readAs: request.query.corrections, missing: [], acts: [] };
  const give = (result: Omit<SearchResult, keyof typeof told | 'abstained'> & Partial<SearchResult>) => ({
    result: { ...told, abstained: result.answer === 'nothing', ...result },
    request,
  });
  const surely = [...named].filter(([, naming]) => exact.has(naming));
  if (surely.length > 0) {
    const hits = surely.map(([place, naming]) => ({ place, score: nameScores[naming] }));
    const why = ({ place }: Candidate) => listReasons(named.get(place));
    return give({ answer: 'these', tier: 'exact', hits: top(state, hits, limit, why) });
  }
  const likeness = options.likeness?.(text);
  const bundled = findBundled(state, { text, request, ranker });
  const always = [...named.keys(), ...nearestPlaces(state, likeness, request.scope.isAllowed), ...bundled.likely];
  const candidates = findCandidates(state, request, ranker.vectors, always, limit);
  const own = order(state, request, candidates, named, ranker);
  const acts = ranker.actBonus(request.query.said, listActs(state, candidates));
  const names = ranker.nameOdds(request.query.said, listNames(state, candidates));
  const inToolkits = swapInToolkits(state, reorder(state, own, { acts, likeness }), {
    names,
    leading: request.query.leading,
  });
  const ranked = placesFirst(bundled.order(inToolkits), request.scope.places);
  const intent = readIntent(text, request.query.language);
  const missing = named.size > 0 ? [] : missingFor(state, { request, all: ranked, intent, options });
  if (missing.length > 0) return give({ answer: 'nothing', tier: 'semantic', hits: [], missing });
  if (ranked.length === 0) {
    const hits = inReach(state, request, limit);
    // Words of another language that could not be read say nothing about what fits.
    const answer = request.query.language !== undefined && hits.length > 0 ? 'perhaps' : 'nothing';
    return give({ answer, tier: 'fallback', hits });
  }
  const mayDestroy = named.size > 0 || asksFor(request);
  const odds = ranker.wording(text);
  const isAlone = request.scope.allowed?.length === 1;
  const wordingFor = (place: number): Wording | undefined => {
    if (bundled.has(place)) return undefined;
    return { odds, tools: state.shards[getShard(place)]?.size ?? 0, isAlone };
  };
  const shown = likeness === undefined ? own : ranked;
  const considered = { odds, request, candidates, all: own, shown, wordingFor };
  const { answer, all }: Judged =
    named.size > 0 ? { answer: 'these', all: ranked } : judgeOrder(considered, { all: ranked, bundled }, ranker);
  const why = explain(state, { request, candidates, named, bundled });
  const fits = createFitting(state, intent, named);
  const isSpokenFor = createSpokenFor(state, candidates, { acts, mayDestroy });
  const doesIt = (place: number) => bundled.isAsked(place) || fits(place);
  const isFitting = (place: number) => doesIt(place) || isSpokenFor(place);
  const whyAct = (place: number) => (doesIt(place) ? [] : [isSpokenFor(place) ? wordedAct : 'another act']);
  const inOrder = fittingFirst(all, limit, isFitting);
  const hits = (mayDestroy ? inOrder : harmlessFirst(state, inOrder))
    .slice(0, limit)
    .map((one) => toHit(state, one, [...why(one), ...whyAct(one.place)]));
  return give({ answer, tier: 'semantic', hits });
}

/** Toolkits that the request names but may not use, except those that the texts of the best tools mention. */
function missingFor(
  state: CatalogueState,
  {
    request: { query, scope },
    all,
    intent,
    options: { toolkits, known },
  }: {
    readonly request: Request;
    readonly all: readonly Candidate[];
    readonly intent: Intent;
    readonly options: SearchOptions;
  },
): readonly string[] {
  if (toolkits === undefined) return [];
  const knownOnes = known === undefined ? undefined : new Set(known);
  const isKnown = (toolkit: string) => knownOnes?.has(toolkit) ?? true;
  const missing = findMissing(state, query, { isAllowed: scope.isAllowed, isKnown });
  if (missing.length === 0) return [];
  const asked = query.action | query.anyAction;
  const doesIt = ({ place }: Candidate) => {
    const own = getActions(state, place);
    return asked === 0 || own === 0 || agreement(asked, own) > 0;
  };
  const best = all.slice(0, maxSpeaking).filter(doesIt);
  return missing.filter((toolkit) => !best.some(({ place }) => isSpokenOf([toolkit], getFacts(state, place), intent)));
}

/** The toolkits in the index that a text surely names, those that pass `isMeant`. */
export function findNamedToolkits(
  state: CatalogueState,
  text: string,
  { vectors, isMeant }: { readonly vectors: WordVectors | undefined; isMeant(toolkit: string): boolean },
): readonly string[] {
  const { query } = readRequest(state, text.slice(0, maxCharacters), {}, vectors);
  return findMissing(state, query, { isAllowed: () => false, isKnown: isMeant });
}

/** Tools that do something else than requested come last, with a reason; callers that offer tools omit them. */
function createFitting(state: CatalogueState, intent: Intent, named: ReadonlyMap<number, Naming>) {
  return (place: number) => named.has(place) || checkAgainst(intent, getFacts(state, place)).fits;
}

/**
 * Whether the wording of a request speaks for what a tool does, more than for what the others do, whichever verb the request has:
 * `Meyer moved to Ulm, fix the address` moves nothing. A tool that destroys something also needs a verb that asks for that.
 */
function createSpokenFor(
  state: CatalogueState,
  { places }: Pick<Candidates, 'places'>,
  { acts, mayDestroy }: { readonly acts: readonly number[]; readonly mayDestroy: boolean },
) {
  const likely = Math.max(likelyAct, ...acts);
  const spoken = new Set(places.filter((_, at) => (acts[at] ?? 0) >= likely));
  return (place: number) => spoken.has(place) && (mayDestroy || !isDestroying(getActions(state, place)));
}

function explain(
  state: CatalogueState,
  {
    request: { query, scope },
    candidates: { features },
    named,
    bundled,
  }: Pick<Considered, 'request' | 'candidates'> & {
    readonly named: ReadonlyMap<number, Naming>;
    readonly bundled: Bundled;
  },
): (one: Ordered) => string[] {
  return ({ place, at }) => {
    const why = listReasons(named.get(place));
    if (bundled.isAsked(place)) why.push(usualWording);
    if (scope.routed.has(getShard(place))) why.push(`app ${state.shards[getShard(place)]?.toolkit ?? ''}`);
    if (query.action !== 0 && features[at * featureNames.length + actionAt] === 1) why.push('same action');
    return why;
  };
}

const listReasons = (naming: Naming | undefined): string[] => (naming === undefined ? [] : [nameReasons[naming]]);

/** Words of the request that no available tool has, as written. */
function unmatchedIn({ query, words }: Request): string[] {
  return [
    ...new Set(
      query.words.filter(({ written }, at) => written !== '' && words[at]?.own === 0).map(({ written }) => written),
    ),
  ];
}

function namesIn(state: CatalogueState, text: string, scope: Scope): Map<number, Naming> {
  return findNames(text, {
    table: state.names,
    shard: (number) => state.shards[number],
    isAllowed: scope.isAllowed,
    shards: () => scope.allowed ?? state.shards.keys(),
    isOrdinary: (key) => state.apps.has(key) || state.vocabulary.find(key) !== undefined,
  });
}

interface Ordered extends Candidate {
  /** Its position among the candidates, and the ranker's score without the bonus for tools in use. */
  readonly at: number;
  readonly own: number;
}

function order(
  state: CatalogueState,
  request: Request,
  { places, features }: Candidates,
  named: ReadonlyMap<number, Naming>,
  ranker: Ranker,
): Ordered[] {
  const { scope } = request;
  const width = featureNames.length;
  const all = places.map((place, at): Ordered => {
    const naming = named.get(place);
    const own = ranker.score(features, at * width);
    const prior = scope.prior(getShard(place), () => getId(state, place));
    return { place, at, own, score: own + prior + (naming === undefined ? 0 : nameScores[naming]) };
  });
  return all.sort((a, b) => b.score - a.score || byId(state, a, b));
}

/** What the candidates do. */
export function listActs(state: CatalogueState, { places }: Pick<Candidates, 'places'>): ActCandidate[] {
  return places.map((place) => ({ action: getActions(state, place), toolkit: getShard(place) }));
}

/** The stems of the candidates' names. */
export function listNames(
  { shards, vocabulary }: CatalogueState,
  { places }: Pick<Candidates, 'places'>,
): (readonly string[])[] {
  return places.map((place) => {
    const facts = shards[getShard(place)]?.facts();
    const tool = toTool(place);
    const terms = facts?.nameTerms.subarray(facts.nameStarts[tool], facts.nameStarts[tool + 1]) ?? [];
    return Array.from(terms, (term) => vocabulary.word(term >> 1));
  });
}

/**
 * The tools of a toolkit take each other's places, so that no toolkit gains from another: by how much the wording speaks for
 * their names, and by whether they do what a request with several acts asks for first. `leading`: its verb classes, or 0.
 */
function swapInToolkits(
  state: CatalogueState,
  all: readonly Ordered[],
  { names, leading }: { readonly names: readonly number[]; readonly leading: number },
): Ordered[] {
  const leads = ({ place }: Ordered) => {
    const action = getActions(state, place);
    return leading !== 0 && (action === 0 || agreement(leading, action) >= sameAct);
  };
  return swapPlaces(
    all,
    ({ place }) => getShard(place),
    (one) => one.score + (names[one.at] ?? 0) + (leads(one) ? leadingBonus : 0),
  );
}

/** The tools of the toolkits in which a request says to do it come before all others. */
function placesFirst(all: readonly Ordered[], toolkits: readonly number[]): readonly Ordered[] {
  const isThere = ({ place }: Ordered) => toolkits.includes(getShard(place));
  return [...all.filter(isThere), ...all.filter((one) => !isThere(one))];
}

/** The order by each score, with the additions for the act that the wording asks for and for the embeddings. */
function reorder(
  state: CatalogueState,
  all: readonly Ordered[],
  { acts, likeness }: { readonly acts: readonly number[]; readonly likeness: Likeness | undefined },
): Ordered[] {
  const bonusOf = ({ at, place }: Ordered) => (acts[at] ?? 0) + (likeness?.bonus(getId(state, place)) ?? 0);
  const changed = all.map((one) => ({ ...one, score: one.score + bonusOf(one) }));
  return changed.sort((a, b) => b.score - a.score || byId(state, a, b));
}

const asksFor = ({ query }: Request) => asksToDestroy([query.action, query.anyAction], query.titleStems);

/** Of the best `limit`, those that do something else than requested come last. */
function fittingFirst<One extends Candidate>(
  all: readonly One[],
  limit: number,
  isFitting: (place: number) => boolean,
) {
  const best = all.slice(0, limit);
  const fitting = best.filter(({ place }) => isFitting(place));
  return [...fitting, ...best.filter((one) => !fitting.includes(one)), ...all.slice(limit)];
}

/** A tool that destroys something is not the first for a request that does not ask for that, if there is any other. */
function harmlessFirst<One extends Candidate>(state: CatalogueState, all: readonly One[]): readonly One[] {
  const first = all.find(({ place }) => !isDestroying(getActions(state, place)));
  return first === undefined ? all : [first, ...all.filter((one) => one !== first)];
}

/** The verb classes of a tool's name. */
const getActions = (state: CatalogueState, place: number) =>
  state.shards[getShard(place)]?.facts().actions[toTool(place)] ?? 0;

interface Considered {
  /** The log-odds of the request's wording. */
  readonly odds: number;
  readonly request: Request;
  readonly candidates: Candidates;
  /** In the order of the networks alone, because the fitness was trained on that. */
  readonly all: readonly Ordered[];
  /** The same, or the order of embeddings if there are any. */
  readonly shown: readonly Ordered[];
  /** What the wording says about the tool at this place; undefined for one that comes with Helve. */
  wordingFor(place: number): Wording | undefined;
}

interface Judged {
  readonly answer: Answer;
  readonly all: readonly Ordered[];
}

/**
 * Whether anything fits. Where the wording speaks against the bundled tool that is first, the tools of apps are judged
 * without the bundled ones, and come first if they fit.
 */
function judgeOrder(
  considered: Considered,
  { all, bundled }: { readonly all: readonly Ordered[]; readonly bundled: Bundled },
  ranker: Ranker,
): Judged {
  const [first] = all;
  const answer = judgeBest(considered, ranker, (certainty) => bundled.judge(first, certainty));
  const isOther = ({ place }: Candidate) => !bundled.has(place);
  if (answer !== 'nothing' || first === undefined || isOther(first)) return { answer, all };
  const others = { ...considered, all: considered.all.filter(isOther), shown: considered.shown.filter(isOther) };
  const withoutBundled = judgeBest(others, ranker, (certainty) => certainty);
  if (withoutBundled === 'nothing') return { answer, all };
  return { answer: withoutBundled, all: [...all.filter(isOther), ...all.filter((one) => !isOther(one))] };
}

/**
 * Whether the best one fits: either the ranker's own first or the one that is shown, so that embeddings never lose an
 * answer. `adjust`: what the wording of the request makes of that probability.
 */
function judgeBest(
  { odds, request, candidates, all, shown, wordingFor }: Considered,
  ranker: Ranker,
  adjust: (certainty: number) => number,
): Answer {
  const judged = (all[0] === shown[0] ? [all] : [all, shown]).map(([best, next]): Answer => {
    if (best === undefined) return 'nothing';
    const ordering = { at: best.at, best: best.own, next: next?.own ?? best.own - 10, wording: odds };
    const probability = adjust(ranker.probability(getFitness(request, candidates, ordering)));
    return judge(ranker, probability, wordingFor(best.place));
  });
  return judged.find((one) => one === 'these') ?? judged.find((one) => one === 'perhaps') ?? 'nothing';
}

/** Nothing matches: the tools of the toolkits in use, or else of the allowed ones, in their own order. */
function inReach(state: CatalogueState, request: Request, limit: number): Hit[] {
  const { scope } = request;
  const numbers = scope.inUse.length > 0 ? scope.inUse : (scope.allowed ?? []);
  const places = numbers.flatMap((number) =>
    Array.from({ length: Math.min(maxFallback, state.shards[number]?.size ?? 0) }, (_, tool) =>
      findPlace(number, tool),
    ),
  );
  const all = places.map((place) => ({ place, score: scope.prior(getShard(place), () => getId(state, place)) }));
  const sorted = all.sort((a, b) => b.score - a.score || byId(state, a, b));
  const shown = asksFor(request) ? sorted : harmlessFirst(state, sorted);
  return shown.slice(0, Math.min(limit, maxFallback)).map((one) => toHit(state, one, []));
}

function top(
  state: CatalogueState,
  all: readonly Candidate[],
  limit: number,
  why: (one: Candidate) => string[],
): Hit[] {
  const sorted = [...all].sort((a, b) => b.score - a.score || byId(state, a, b));
  return sorted.slice(0, limit).map((one) => toHit(state, one, why(one)));
}

/** Ties are sorted by id, not by when their toolkit was added. */
function byId(state: CatalogueState, a: Candidate, b: Candidate): number {
  const [one, other] = [getId(state, a.place), getId(state, b.place)];
  return one < other ? -1 : one > other ? 1 : 0;
}

function toHit(state: CatalogueState, { place, score }: Candidate, why: string[]): Hit {
  return { id: getId(state, place), score, ...(why.length > 0 && { why }) };
}

function getFacts(state: CatalogueState, place: number): { toolkit: string; name: string } {
  const shard = state.shards[getShard(place)];
  return { toolkit: shard?.toolkit ?? '', name: shard === undefined ? '' : nameIn(shard, toTool(place)) };
}
