/**
 * The tools that the operator's own embeddings add to a search, besides those that the words and the word vectors find.
 */
import type { CatalogueState } from './catalogue-state.js';
import { findPlace } from './names/find-names.js';
import { idIn } from './postings/shard.js';
import type { Likeness } from './tool.js';

/** The places of the nearest tools in toolkits that may be used. */
export function nearestPlaces(
  state: CatalogueState,
  likeness: Likeness | undefined,
  isAllowed: (shard: number) => boolean,
): readonly number[] {
  const wanted = new Map<number, Set<string>>();
  for (const { id, toolkit } of likeness?.nearest ?? []) {
    const number = state.numberOf(toolkit);
    if (number === undefined || !isAllowed(number)) continue;
    const ids = wanted.get(number) ?? new Set();
    wanted.set(number, ids.add(id));
  }
  return [...wanted].flatMap(([number, ids]) => {
    const shard = state.shards[number];
    const found: number[] = [];
    for (let tool = 0; tool < (shard?.size ?? 0) && found.length < ids.size; tool++)
      if (shard !== undefined && ids.has(idIn(shard, tool))) found.push(findPlace(number, tool));
    return found;
  });
}
