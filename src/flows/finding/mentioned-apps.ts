/**
 * Apps whose names a text has, although they are not written like names (`list my linear issues`) or no catalogue has them (`open a
 * ticket in jira`). Only names that none of the caller's tools knows count.
 */
import { listToolkitNames, squash } from '../../discovery/index.js';
import type { Library } from './library.js';

export interface MentionQuestion {
  readonly query: string;
  /** Words of the text that none of the caller's tools has. */
  readonly unmatched: readonly string[];
  /** Toolkits out of reach that everyone may know of. */
  readonly open: readonly string[];
  /** The toolkits of the caller's tools. */
  readonly within: readonly string[];
}

export interface MentionedApps {
  /** Toolkits out of reach. */
  readonly missing: readonly string[];
  /** Names of apps that no catalogue has. */
  readonly unknown: readonly string[];
}

export async function findMentioned(asked: MentionQuestion, library: Library): Promise<MentionedApps> {
  const { query, unmatched, open, within } = asked;
  const strange = new Set(unmatched.map(squash));
  const slugsOf = listByName(open, library);
  const own = listByName(within, library);
  const apps = library.wellKnown
    .find(query)
    .filter(({ words }) => words.length > 1 || strange.has(squash(words.join(''))))
    .map((app) => ({ name: app.name, keys: listToolkitNames(app).map(squash) }));
  if (apps.some(({ keys }) => keys.some((key) => own.has(key)))) return { missing: [], unknown: [] };
  const found = apps.map(({ name, keys }) => ({ name, slugs: keys.flatMap((key) => slugsOf.get(key) ?? []) }));
  if (found.length > 0)
    return {
      missing: [...new Set(found.flatMap(({ slugs }) => slugs.slice(0, 1)))],
      unknown: [...new Set(found.flatMap(({ name, slugs }) => (slugs.length === 0 ? [name] : [])))],
    };
  // Other names of the catalogue may be words of the language: the text must also ask for what the app does.
  const index = await library.index;
  const fits = (slug: string) => index.search(query, { limit: 1, toolkits: [slug], known: [] }).answer === 'these';
  return { missing: [...strange].flatMap((word) => slugsOf.get(word) ?? []).filter(fits), unknown: [] };
}

/** Toolkits by their slugs and titles, as `squash` writes them. */
function listByName(slugs: readonly string[], { open }: Library): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  for (const slug of slugs)
    for (const name of new Set([squash(slug), squash(open.get(slug)?.title ?? slug)])) {
      const others = byName.get(name);
      if (others === undefined) byName.set(name, [slug]);
      else others.push(slug);
    }
  return byName;
}
