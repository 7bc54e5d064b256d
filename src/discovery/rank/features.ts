/**
 * The features of a candidate, as numbers of about 0 to 1: how much of the request its text covers, how well its name
 * matches, whether it does what is requested to the right object, and whether its app was named.
 */
import type { Shard, ToolFacts } from '../postings/shard.js';
import { stem } from '../text/stem.js';
import { agreement, verbMask } from '../text/verbs.js';
import type { SoftMatch, SoftWord, TermMatch } from './soft-match.js';

/** In the order of a candidate's numbers; the weights depend on it. */
export const featureNames = [
  'text',
  'textToBest',
  'textRank',
  'covered',
  'name',
  'asked',
  'nearName',
  'nearAsked',
  'action',
  'actionOpposed',
  'actionUnknown',
  'anyAction',
  'object',
  'head',
  'headObject',
  'unmet',
  'nameLength',
  'app',
  'appWords',
  'hasDescription',
  'plural',
  'requestLength',
  'cosine',
  'cosineToBest',
  'toolkitCovered',
  'order',
  'textInToolkit',
  'toolkitBest',
  'cosineRank',
  'nameCosine',
  'nameCosineToBest',
  'harmful',
  'known',
  'reach',
  'toolkitCosine',
  'coveredToBest',
  'nameToBest',
  'nearAskedToBest',
  'objectToBest',
  'headToBest',
  'bestCovered',
  'bestNearAsked',
  'bestCosine',
] as const;

/** Columns whose greatest value among the candidates is compared with each, and those whose greatest value all see. */
const comparedFrom = featureNames.indexOf('coveredToBest');
const compared = (['covered', 'name', 'nearAsked', 'object', 'head'] as const).map((name) =>
  featureNames.indexOf(name),
);
const shownFrom = featureNames.indexOf('bestCovered');
const shown = (['covered', 'nearAsked', 'cosine'] as const).map((name) => featureNames.indexOf(name));

/** Completes the features of all candidates of a request: what they have relative to the best of them. */
export function compareFeatures(features: Float32Array): void {
  const width = featureNames.length;
  const bestOf = (column: number) => {
    let most = 0;
    for (let at = column; at < features.length; at += width) most = Math.max(most, features[at] as number);
    return most;
  };
  for (const [to, column] of compared.entries()) {
    const most = bestOf(column);
    for (let start = 0; start < features.length; start += width)
      features[start + comparedFrom + to] = (features[start + column] as number) - most;
  }
  for (const [to, column] of shown.entries()) {
    const most = bestOf(column);
    for (let start = 0; start < features.length; start += width) features[start + shownFrom + to] = most;
  }
}

/** The parts of a request that are the same for all its candidates. */
export interface Asked {
  readonly words: readonly SoftWord[];
  /** The sum of their masses. */
  readonly mass: number;
  readonly action: number;
  readonly anyAction: number;
  readonly isMany: boolean;
  /** Share of its words, by rarity, that any available tool has. */
  readonly known: number;
  readonly soft: SoftMatch;
}

/** How a candidate was found. */
export interface Found {
  /** Share of the request's mass by BM25F. */
  readonly text: number;
  /** The same, relative to the best candidate's. */
  readonly textToBest: number;
  /** Its rank by that, from 0. */
  readonly rank: number;
  /** Share of the request's mass whose words occur anywhere in its text. */
  readonly covered: number;
  /** The cosine of its text with the request, and its difference from the best candidate's. */
  readonly cosine: number;
  readonly cosineToBest: number;
  /** Its rank by that, from 0. */
  readonly cosineRank: number;
  /** The same cosine for the words of its name alone. */
  readonly nameCosine: number;
  readonly nameCosineToBest: number;
  readonly app: number;
  readonly appWords: number;
  /** Share of the request's mass whose words occur anywhere in the toolkit. */
  readonly toolkitCovered: number;
  /** Its text score relative to the best of its toolkit, and that relative to the overall best. */
  readonly textInToolkit: number;
  readonly toolkitBest: number;
  /** The cosine of the request with the tools of its toolkit taken together. */
  readonly toolkitCosine: number;
  /** How many tools are possible, 0 to 1 by the logarithm. */
  readonly reach: number;
}

/** The weight of a word of a name after `by` or `for`. */
const qualifierShare = 0.4;
const unknownAction = 0.4;
/** Verbs that take something away. */
const harm = ['delete', 'archive', 'disable', 'unassign'].reduce((mask, verb) => mask | verbMask(stem(verb)), 0);
const isHarmful = (action: number) => (action & harm) !== 0;

export function writeFeatures(
  target: Float32Array,
  start: number,
  shard: Shard,
  tool: number,
  asked: Asked,
  found: Found,
): void {
  const facts = shard.facts();
  const name = matchName(facts, tool, asked);
  const own = facts.actions[tool] ?? 0;
  const knows = own !== 0 && asked.action !== 0;
  const action = knows ? agreement(asked.action, own) : unknownAction;
  let at = start;
  target[at++] = found.text;
  target[at++] = found.textToBest;
  target[at++] = 1 / (1 + found.rank);
  target[at++] = found.covered;
  target[at++] = name.met;
  target[at++] = name.asked;
  target[at++] = name.near;
  target[at++] = name.nearAsked;
  target[at++] = action;
  target[at++] = Number(knows && action === 0);
  target[at++] = Number(!knows);
  target[at++] = own !== 0 && asked.anyAction !== 0 ? agreement(asked.anyAction, own) : unknownAction;
  target[at++] = name.object;
  target[at++] = name.head;
  target[at++] = name.headObject;
  target[at++] = Math.min(1, name.unmet / 4);
  target[at++] = Math.min(1, name.length / 8);
  target[at++] = found.app;
  target[at++] = found.appWords;
  target[at++] = facts.described[tool] ?? 0;
  target[at++] = asked.isMany === ((facts.plural[tool] ?? 0) === 1) ? 1 : 0;
  target[at++] = Math.min(1, Math.log2(1 + asked.words.length) / 5);
  target[at++] = found.cosine;
  target[at++] = found.cosineToBest;
  target[at++] = found.toolkitCovered;
  target[at++] = name.inOrder;
  target[at++] = found.textInToolkit;
  target[at++] = found.toolkitBest;
  target[at++] = 1 / (1 + found.cosineRank);
  target[at++] = found.nameCosine;
  target[at++] = found.nameCosineToBest;
  target[at++] = Number(isHarmful(own) && !isHarmful(asked.action) && !isHarmful(asked.anyAction));
  target[at++] = asked.known;
  target[at++] = found.reach;
  target[at++] = found.toolkitCosine;
}

interface NameMatch {
  /** Share of the name that was requested, exactly or nearly. */
  readonly met: number;
  readonly near: number;
  /** Share of the request that the name covers. */
  readonly asked: number;
  readonly nearAsked: number;
  /** Share of the act's object that is in the name. */
  readonly object: number;
  /** How close the last word before a qualifier is to any requested word, and to one of the act's object. */
  readonly head: number;
  readonly headObject: number;
  readonly unmet: number;
  /** Share of the name's adjacent words that are adjacent in the request too. */
  readonly inOrder: number;
  readonly length: number;
}

/**
 * The similarity from which a word of a name counts as requested, and the one from which it is as good as the word
 * itself.
 */
const minMet = 0.69;
const minExact = 0.6;
const best = new Float32Array(64);
const exact = new Float32Array(64);

function matchName({ nameStarts, nameTerms }: ToolFacts, tool: number, { words, mass, soft }: Asked): NameMatch {
  const count = words.length;
  for (let word = 0; word < count; word++) {
    best[word] = 0;
    exact[word] = 0;
  }
  let all = 0;
  let met = 0;
  let near = 0;
  let unmet = 0;
  let head = 0;
  let headObject = 0;
  let before = Number.NaN;
  let inOrder = 0;
  const start = nameStarts[tool] ?? 0;
  const end = nameStarts[tool + 1] ?? 0;
  for (let at = start; at < end; at++) {
    const entry = nameTerms[at] ?? 0;
    const isHead = (entry & 1) === 1;
    const match = soft(entry >> 1);
    const { most } = match;
    const weight = match.rarity * (isHead ? 1 : qualifierShare);
    noteMet(match);
    all += weight;
    near += weight * most;
    if (most >= minMet) met += weight * most;
    else unmet += isHead ? 1 : 0.5;
    // Nothing follows NaN: a word that was not requested ends the sequence.
    const place = most >= minMet ? match.place : Number.NaN;
    if (place === before + 1) inOrder += 1;
    before = place;
    if (isHead) {
      head = most;
      headObject = match.maxObject;
    }
  }
  const unit = all || 1;
  const length = end - start;
  // Field by field: spreading the result of `answered` costs a tenth of a search.
  const { asked, nearAsked, object } = answered(words, mass);
  return {
    met: met / unit,
    near: near / unit,
    asked,
    nearAsked,
    object,
    head,
    headObject,
    unmet,
    inOrder: inOrder / Math.max(1, length - 1),
    length,
  };
}

/** Notes how well each word of the request is met by this word of the name. */
function noteMet({ met, near, most }: TermMatch): void {
  // All indexes are within the arrays; checking each for `undefined` costs a third of the time.
  for (const word of met) {
    const value = near[word] as number;
    if (value > (best[word] as number)) best[word] = value;
    if ((value === 1 || (most > minExact && value === most)) && value > (exact[word] as number)) exact[word] = value;
  }
}

function answered(words: readonly SoftWord[], mass: number): Pick<NameMatch, 'asked' | 'nearAsked' | 'object'> {
  let asked = 0;
  let nearAsked = 0;
  let object = 0;
  let objects = 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) continue;
    asked += word.mass * (exact[at] ?? 0);
    nearAsked += word.mass * (best[at] ?? 0);
    if (!word.isObject) continue;
    objects += word.mass;
    object += word.mass * (best[at] ?? 0);
  }
  return {
    asked: mass === 0 ? 0 : asked / mass,
    nearAsked: mass === 0 ? 0 : nearAsked / mass,
    object: objects === 0 ? 0.5 : object / objects,
  };
}
