/**
 * What a search says about apps of which the caller has no tools: apps that the text names, and apps that would fit.
 */
import { isSpokenOf, maxSpeaking, readIntent } from '../../discovery/index.js';
import type { FindAnswer, FindTier, NearestToolkit } from '../../domain/discovery.js';
import { upTo } from '../../util/up-to.js';
import type { Library } from './library.js';
import { findMentioned, type MentionedApps } from './mentioned-apps.js';
import { nearestToolkits } from './nearest-toolkits.js';
import type { Reach, ReachedTool } from './reach.js';

/** The first read of the catalogue takes a while; a caller does not wait longer than this. */
const patienceMs = 15_000;

export interface Asked {
  readonly query: string;
  readonly toolkits?: readonly string[];
  readonly reach: Reach;
}

export interface Inside {
  readonly hits: readonly { readonly entry: ReachedTool }[];
  readonly tier: FindTier;
  readonly answer: FindAnswer;
  /** Words of the text that none of the caller's tools has. */
  readonly unmatched: readonly string[];
  /** Whether the caller's tools leave no question open; then the catalogue is not waited for. */
  readonly isSettled: boolean;
}

export interface Outside {
  /** Apps that the text names and the caller has no tools of. */
  readonly missing: readonly string[];
  /** Names of apps that the text names and no catalogue has. */
  readonly unknown: readonly string[];
  readonly nearest: readonly NearestToolkit[];
  /** False if nothing may be offered in the place of a missing app. */
  readonly isOffered: boolean;
}

export async function lookOutside(asked: Asked, inside: Inside, library: Library): Promise<Outside> {
  if (!inside.isSettled) await upTo(patienceMs, library.ensureAll());
  const open = openToolkits(asked.reach, library);
  const surely = await findMissing(asked, inside, { open, library });
  const mentioned = surely.length > 0 ? none : await findOthers(asked, inside, { open, library });
  // Where the caller's tools surely serve the text, a name in it is taken for what the text is about.
  const isServed = inside.answer === 'these';
  const missing = isServed ? surely : [...surely, ...mentioned.missing];
  const { unknown } = mentioned;
  const isOffered = missing.length === 0 && (isServed || unknown.length === 0);
  // Nothing is suggested beside an app that no catalogue has.
  const isComplete = isOffered ? inside.isSettled : missing.length === 0;
  if (isComplete) return { missing, unknown, nearest: [], isOffered };
  const outside = open.filter((slug) => asked.toolkits?.includes(slug) ?? true);
  const onlyNamed = isOffered && isServed;
  const nearest = await nearestToolkits({ ...asked, onlyNamed, missing, outside }, library);
  return { missing, unknown, nearest, isOffered };
}

const none: MentionedApps = { missing: [], unknown: [] };

/** Apps whose names the text has without being written like names, or that no catalogue has. */
async function findOthers(
  { query, reach, toolkits }: Asked,
  { tier, unmatched, isSettled }: Inside,
  { open, library }: { readonly open: readonly string[]; readonly library: Library },
): Promise<MentionedApps> {
  if (tier === 'exact' || isSettled || toolkits !== undefined) return none;
  return findMentioned({ query, unmatched, open, within: [...reach.toolkits.keys()] }, library);
}

/** Nothing is offered in place of a missing app, unless one of the best hits speaks of the app itself. */
async function findMissing(
  { query, reach, toolkits }: Asked,
  { hits, tier }: Inside,
  { open, library }: { readonly open: readonly string[]; readonly library: Library },
): Promise<readonly string[]> {
  if (tier === 'exact' || toolkits !== undefined) return [];
  const known = new Set([...open, ...reach.toolkits.keys()]);
  const index = await library.index;
  const named = index.named(query, (slug) => known.has(slug));
  if (named.some((slug) => reach.toolkits.has(slug))) return [];
  const best = hits.slice(0, maxSpeaking).map(({ entry: { tool } }) => ({ ...tool.id, title: tool.title }));
  const intent = readIntent(query);
  return named.filter((slug) => {
    const names = [slug, library.open.get(slug)?.title ?? slug];
    return !best.some((tool) => isSpokenOf(names, tool, intent));
  });
}

/** Toolkits out of reach that everyone may know of. */
function openToolkits({ configuration, toolkits }: Reach, { open }: Library): readonly string[] {
  const off = new Set(configuration.toolkits.flatMap((one) => (one.enabled ? [] : [one.toolkit])));
  return [...open.keys()].filter((slug) => !toolkits.has(slug) && !off.has(slug));
}
