/** A request in one catalogue: its words, where to look, and how distinctive each word is there. */
import type { CatalogueState } from '../catalogue-state.js';
import { computeRarity, type ScoredWord } from '../postings/score.js';
import { findSlot } from '../postings/shard.js';
import type { WordVectors } from '../semantic/word-vectors.js';
import { squash } from '../text/split-words.js';
import { stem } from '../text/stem.js';
import type { SearchOptions } from '../tool.js';
import { createReachable } from './reachable.js';
import { type Query, type QueryWord, readQuery } from './read-query.js';
import { createScope, type Scope } from './scope.js';
import { requestVector } from './soft-match.js';
import { createCorrect } from './spelling.js';

export interface RatedWord extends ScoredWord {
  /** How rare the word itself is, or its nearest variant; 0 if nothing available has any. */
  readonly own: number;
}

export interface Request {
  readonly query: Query;
  readonly scope: Scope;
  /** In the order of the query's words. */
  readonly words: readonly RatedWord[];
  /** The sum of the values of its words. */
  readonly mass: number;
  /** The value of a word that no tool has. */
  readonly rarest: number;
  /** Its meaning as a vector of length 1; empty without word vectors. */
  readonly vector: Float32Array;
}

export function readRequest(
  state: CatalogueState,
  text: string,
  options: SearchOptions,
  vectors: WordVectors | undefined,
): Request {
  const reachable = createReachable(state, options);
  const query = readQuery(text, {
    vocabulary: state.vocabulary,
    apps: state.apps,
    isOrdinary: (word, own) => isOrdinary(state, vectors, word, own),
    isEnglish: (word) => isSpelt(vectors, word),
    correct: createCorrect(state, vectors, reachable),
  });
  const scope = createScope(state, query, { options, reachable });
  const words = query.words.map((word) => rate(state, word, scope));
  const mass = words.reduce((sum, word) => sum + word.mass, 0);
  const vector = vectors === undefined ? new Float32Array() : requestVector(query.words, state.vocabulary, vectors);
  return { query, scope, words, mass, rarest: computeRarity(0, Math.max(1, state.size)), vector };
}

/** The words of the vectors are those of English texts. */
function isSpelt(vectors: WordVectors | undefined, word: string): boolean {
  const row = vectors?.find(word) ?? -1;
  return row >= 0 && vectors?.word(row) === word;
}

/** Whether a word of an app's name is an ordinary word, or used by tools of several other apps. */
function isOrdinary(
  state: CatalogueState,
  vectors: WordVectors | undefined,
  word: string,
  own: readonly number[],
): boolean {
  if ((vectors?.find(word.toLowerCase()) ?? -1) >= 0) return true;
  const term = state.vocabulary.find(stem(squash(word)));
  if (term === undefined) return false;
  const owners = own.filter((number) => {
    const shard = state.shards[number];
    return shard !== undefined && findSlot(shard.postings(), term) >= 0;
  });
  const others = state.vocabulary.spread(term) - owners.length;
  return others >= Math.max(3, 0.02 * state.shards.length);
}

function rate(state: CatalogueState, word: QueryWord, scope: Scope): RatedWord {
  const variants = word.variants
    .filter(({ term }) => scope.has(term))
    .map(({ term, share }) => ({ term, share, rarity: scope.rarity(term) }))
    .sort((a, b) => b.share - a.share);
  const own = state.size === 0 ? 0 : (variants[0]?.rarity ?? 0);
  const capped = variants.map((variant) => ({ ...variant, rarity: Math.min(variant.rarity, own) }));
  const count = variants.reduce((sum, { term }) => sum + state.vocabulary.count(term), 0);
  const telling = word.weight * computeRarity(Math.min(count, state.size), state.size);
  return { weight: word.weight, variants: capped, own, mass: own * word.weight, telling };
}
