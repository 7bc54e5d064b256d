/**
 * Searches for a request that may have several acts: once for the whole, and once for each act. The best hit of each
 * act comes first; all others follow by how high they rank in these searches.
 */
import type { CatalogueState } from './catalogue-state.js';
import type { Ranker } from './rank/ranker.js';
import { sureMention } from './rank/read-query.js';
import { type Request, readRequest } from './rank/request.js';
import { searchAct } from './search.js';
import { clauseWords, readAskedActs } from './text/acts.js';
import type { Answer, Hit, SearchedAct, SearchOptions, SearchResult } from './tool.js';

/** How slowly the value of lower places decreases. */
const rankShift = 2;
/** The weight of the search for the whole, relative to one for an act. */
const wholeWeight = 2;
const actWeights: Readonly<Record<Answer, number>> = { these: 1, perhaps: 0.7, nothing: 0.3 };
const maxCharacters = 8_000;
const defaultLimit = 10;
/** Words that refer to something that an earlier act names. */
const pronoun = /\b(?:it|them|this|that|these|those|one|him|her)\b/i;

export function searchCatalogue(
  state: CatalogueState,
  asked: string,
  { options, ranker }: { readonly options: SearchOptions; readonly ranker: Ranker },
): SearchResult {
  const { result, request } = searchAct(state, asked, { options, ranker });
  if (result.tier !== 'semantic' || result.missing.length > 0) return result;
  const { parts } = request.query;
  if (parts.length === 0) return result;
  const found = listTexts(state, request).map((text) => searchAct(state, text, { options, ranker }).result);
  const acts = parts.map((text, at): SearchedAct => ({ text, answer: found[at]?.answer ?? 'nothing' }));
  const hits = merge(found, result).slice(0, options.limit ?? defaultLimit);
  return { ...result, ...answer(result.answer, acts), hits, acts };
}

/** The texts to search for: the whole, and each act with what the others contribute to it. */
export function listSearched(
  state: CatalogueState,
  asked: string,
  { options, ranker }: { readonly options: SearchOptions; readonly ranker: Ranker },
): readonly string[] {
  const whole = asked.slice(0, maxCharacters);
  return [whole, ...listTexts(state, readRequest(state, whole, options, ranker.vectors))];
}

/** The acts of a request in the form in which they are searched for; none if it has only one. */
function listTexts(state: CatalogueState, request: Request): string[] {
  const { parts } = request.query;
  const title = findTitle(request, state);
  return parts.map((part, at) => withContext(part, parts[at - 1], title));
}

/** The name of the only app that the request surely names. */
function findTitle({ query }: Request, { shards }: CatalogueState): string | undefined {
  const sure = query.mentions.filter(({ confidence }) => confidence >= sureMention);
  const [only] = sure;
  return sure.length === 1 ? shards[only?.apps[0] ?? -1]?.title : undefined;
}

/** What an act takes from the other acts: the app, which need not be where to do this one, and the meaning of `it`. */
function withContext(part: string, before: string | undefined, title: string | undefined): string {
  const isSaid = title === undefined || part.toLowerCase().includes(title.toLowerCase());
  const thing = before !== undefined && pronoun.test(part) ? objectOf(before) : '';
  return [part, thing, isSaid ? '' : `for ${title}`].filter((one) => one !== '').join(' ');
}

function objectOf(part: string): string {
  const objects = readAskedActs(clauseWords(part))[0]?.objects ?? [];
  return objects.slice(0, 2).join(' ');
}

/** The results of several searches for a tool. */
interface Merged {
  readonly hit: Hit;
  score: number;
  /** The act that it serves best, and its place there. */
  act: number | undefined;
  rank: number;
}

function merge(found: readonly SearchResult[], whole: SearchResult): Hit[] {
  const all = new Map<string, Merged>();
  for (const [at, { hits, answer: own }] of [...found, whole].entries()) {
    const isWhole = at === found.length;
    for (const [rank, hit] of hits.entries()) {
      const merged = all.get(hit.id) ?? { hit, score: 0, act: undefined, rank: Number.POSITIVE_INFINITY };
      all.set(hit.id, merged);
      merged.score += (isWhole ? wholeWeight : actWeights[own]) / (rankShift + rank);
      if (isWhole || rank >= merged.rank) continue;
      merged.act = at + 1;
      merged.rank = rank;
    }
  }
  const sorted = [...all.values()].sort(
    (one, other) => other.score - one.score || (one.hit.id < other.hit.id ? -1 : 1),
  );
  const first = listBest(found);
  return [...sorted.filter(({ hit }) => first.has(hit.id)), ...sorted.filter(({ hit }) => !first.has(hit.id))].map(
    ({ hit, score, act }) => ({ ...hit, score, ...(act === undefined ? {} : { act }) }),
  );
}

/** The best hit of each act, a different one for each. */
function listBest(found: readonly SearchResult[]): ReadonlySet<string> {
  const best = new Set<string>();
  for (const { hits, answer: own } of found) {
    const hit = hits.find(({ id }) => !best.has(id));
    if (own !== 'nothing' && hit !== undefined) best.add(hit.id);
  }
  return best;
}

/** An act that can be done makes the answer to the whole at least `perhaps`. */
function answer(whole: Answer, acts: readonly SearchedAct[]): Pick<SearchResult, 'answer' | 'abstained'> {
  const isDone = acts.some((act) => act.answer === 'these');
  const own = whole === 'nothing' && isDone ? 'perhaps' : whole;
  return { answer: own, abstained: own === 'nothing' };
}
