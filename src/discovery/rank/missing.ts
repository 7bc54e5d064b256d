/** Apps that a request names although it may not use them. */
import type { CatalogueState } from '../catalogue-state.js';
import { squash } from '../text/split-words.js';
import { type Query, sureMention } from './read-query.js';

/** So many of the best tools are looked at for the name of a missing app. */
export const maxSpeaking = 2;

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

/** Whether a tool is about an app that is missing: one of the app's names is in the tool's own. */
export function isSpokenOf(names: readonly string[], tools: readonly string[]): boolean {
  return tools.some((tool) => names.some((name) => squash(tool).includes(squash(name))));
}
