/** Apps that a request names although it may not use them. */

import type { Intent } from '../capability.js';
import type { CatalogueState } from '../catalogue-state.js';
import { nameWords, withoutName } from '../postings/tool-text.js';
import { splitName, squash } from '../text/split-words.js';
import { stem } from '../text/stem.js';
import { verbMask } from '../text/verbs.js';
import { stopWords, weakWords } from '../text/vocabulary-data.js';
import type { DiscoveredTool } from '../tool.js';
import { type Query, sureMention } from './read-query.js';

/** The number of best tools that are searched for the name of a missing app. */
export const maxSpeaking = 2;
const maxNameWords = 5;

interface SpeakingTool extends Pick<DiscoveredTool, 'toolkit' | 'name'> {
  readonly title?: string;
}

/**
 * The toolkits that the request surely means, of which none passes `isAllowed`; none if it also names one that does.
 * Toolkits that do not pass `isKnown` are never mentioned.
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

/**
 * Whether a tool may serve a request for an app that is missing: words of its texts are one of the app's names
 * (`share_point` is SharePoint, `canvas` is not Canva) or that of its bot (`slackbot`), and its own name has a word of
 * the request, if it has any besides verbs and the app's name.
 */
export function isSpokenOf(names: readonly string[], tool: SpeakingTool, { wanted }: Pick<Intent, 'wanted'>): boolean {
  const squashed = new Set(names.map(squash).flatMap((name) => [name, `${name}bot`]));
  if (!hasName(splitName(`${tool.toolkit} ${tool.name} ${tool.title ?? ''}`), squashed)) return false;
  const things = [...squashed].reduce(withoutName, nameWords(tool)).filter((word) => isThing(word, squashed));
  return things.length === 0 || things.some((word) => wanted.includes(stem(word)));
}

/** Whether words that follow each other are one of the names. */
function hasName(words: readonly string[], names: ReadonlySet<string>): boolean {
  return words.some((_, from) => {
    let joined = '';
    return words.slice(from, from + maxNameWords).some((word) => {
      joined += word;
      return names.has(joined);
    });
  });
}

const isThing = (word: string, names: ReadonlySet<string>) =>
  !names.has(word) && !stopWords.has(word) && !weakWords.has(word) && verbMask(stem(word)) === 0;
