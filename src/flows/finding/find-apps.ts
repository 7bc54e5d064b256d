/**
 * Which apps serve a purpose, in order: by what their descriptions and categories say, and by what their actions do. Both
 * questions go to the index of tools; for the first, each app is one document.
 */
import { createToolIndex, type SearchResult, type ToolIndex } from '../../discovery/index.js';
import { upTo } from '../../util/up-to.js';
import type { Library } from './library.js';

/** What is known of an app without its actions. */
export interface DescribedApp {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly categories: readonly string[];
}

export interface FoundApps {
  /** The best first, at most 30; none if nothing is known of the words. */
  readonly slugs: readonly string[];
  /** False while tools are still being read that may put other apps first. */
  readonly isComplete: boolean;
}

export type FindApps = (purpose: string, apps: readonly DescribedApp[]) => Promise<FoundApps>;

/** A person waits: what has not been read by then is found next time. */
const patienceMs = 2_000;
const looked = 100;
const most = 30;
/** How slowly the weight of later places decreases. */
const rankShift = 10;
/** An app that scores this much less than the best does something else. A small catalogue is ranked as a whole. */
const spread = 5;

/** Creates the function that finds apps by what they are for. */
export function createFindApps(library: Library, reportError: (error: unknown) => void): FindApps {
  let built: { readonly apps: readonly DescribedApp[]; readonly index: Promise<ToolIndex> } | undefined;

  function indexOf(apps: readonly DescribedApp[]): Promise<ToolIndex> {
    if (built?.apps === apps) return built.index;
    const index = createToolIndex(
      apps.map(({ slug, name, description, categories }) => ({
        id: slug,
        toolkit: slug,
        toolkitName: name,
        name,
        description: [description, ...categories].join('. '),
      })),
    );
    built = { apps, index };
    index.catch(() => {
      built = undefined;
    });
    return index;
  }

  return async (purpose, apps) => {
    const isComplete = await upTo(patienceMs, library.ensureAll()).catch((error: unknown) => {
      reportError(error);
      return true;
    });
    const known = new Set(apps.map(({ slug }) => slug));
    const byWords = listOf((await indexOf(apps)).search(purpose, { limit: looked }), (id) => id);
    const toolkits = [...library.open.keys()].filter((slug) => known.has(slug));
    const byActions = listOf((await library.index).search(purpose, { limit: looked, toolkits, known: [] }), (id) =>
      id.slice(0, id.indexOf('/')),
    );
    const scores = new Map<string, number>();
    for (const list of [byWords, byActions])
      for (const [at, slug] of list.entries()) scores.set(slug, (scores.get(slug) ?? 0) + 1 / (rankShift + at));
    const slugs = [...scores]
      .sort(([one, more], [other, less]) => less - more || (one < other ? -1 : 1))
      .slice(0, most)
      .map(([slug]) => slug);
    return { slugs, isComplete };
  };
}

/** Each app once, at its best place. */
function listOf({ tier, hits }: SearchResult, slugOf: (id: string) => string): readonly string[] {
  if (tier === 'fallback') return [];
  const best = Math.max(...hits.map(({ score }) => score));
  return [...new Set(hits.filter(({ score }) => score >= best - spread).map(({ id }) => slugOf(id)))];
}
