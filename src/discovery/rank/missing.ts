/** Apps that a request names although it may not use them. */
import type { CatalogueState } from '../catalogue-state.js';
import { type Query, sureMention } from './read-query.js';

/**
 * The toolkits that the request surely means, of which none passes `isAllowed`; none if it also names one that does.
 * Toolkits that do not pass `isKnown` are not spoken of.
 */
export function findMissing(
  { shards }: CatalogueState,
  { mentions }: Query,
  { isAllowed, isKnown }: { isAllowed(shard: number): boolean; isKnown(toolkit: string): boolean },
): readonly string[] {
  const sure = mentions.filter(({ confidence }) => confidence >= sureMention);
  if (sure.some(({ apps }) => apps.some(isAllowed))) return [];
  const named = sure.flatMap(({ apps }) => apps.map((app) => shards[app]?.toolkit ?? ''));
  return [...new Set(named)].filter((toolkit) => toolkit !== '' && isKnown(toolkit));
}
