/** The toolkits that a search may use, and what they have. */
import type { CatalogueState } from '../catalogue-state.js';
import { findSlot } from '../postings/shard.js';
import type { SearchOptions } from '../tool.js';

/** What a search may use at all. */
export interface Reachable {
  /** Numbers of the toolkits that may be used; undefined for all. */
  readonly allowed: readonly number[] | undefined;
  isAllowed(shard: number): boolean;
  /** Whether any available tool has the term. */
  has(term: number): boolean;
}

export function createReachable(state: CatalogueState, options: SearchOptions): Reachable {
  const allowed = options.toolkits === undefined ? undefined : toNumbers(state, options.toolkits);
  const allowedSet = allowed === undefined ? undefined : new Set(allowed);
  return {
    allowed,
    isAllowed: (shard) => allowedSet?.has(shard) ?? state.shards[shard] !== undefined,
    has: (term) =>
      allowed === undefined
        ? state.vocabulary.count(term) > 0
        : allowed.some((number) => {
            const shard = state.shards[number];
            return shard !== undefined && findSlot(shard.postings(), term) >= 0;
          }),
  };
}

/** The numbers of these toolkits, each once. */
export function toNumbers(state: CatalogueState, toolkits: Iterable<string>): number[] {
  const numbers = new Set<number>();
  for (const toolkit of toolkits) {
    const number = state.numberOf(toolkit);
    if (number !== undefined) numbers.add(number);
  }
  return [...numbers];
}
