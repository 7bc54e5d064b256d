/** If none of a principal's tools fits: the toolkit that would, if it were connected or granted. */
import type { NearestToolkit } from '../../domain/discovery.js';
import type { Toolkit } from '../../domain/tool.js';
import type { Library } from './library.js';
import type { SearchQuestion } from './search.js';

const most = 3;
const looked = 20;

export interface Outside {
  /** Only toolkits that the text names, by their own name or a tool's name. */
  readonly onlyNamed: boolean;
  /** Those that the text names and of which the caller has no tools: they come first. */
  readonly missing: readonly string[];
  /** Toolkits out of reach that everyone may know of. */
  readonly outside: readonly string[];
}

/** Toolkits that only the holder of an account may know are never included. */
export async function nearestToolkits(
  { query, reach }: Pick<SearchQuestion, 'query' | 'reach'>,
  { onlyNamed, missing, outside }: Outside,
  library: Library,
): Promise<readonly NearestToolkit[]> {
  const connected = new Set([...reach.connections.values()].map(({ toolkit }) => toolkit));
  const found = new Map<string, NearestToolkit>();
  const add = (slug: string, { title, needsConnection }: Toolkit) => {
    found.set(slug, { toolkit: slug, name: title, connected: connected.has(slug) || !needsConnection });
  };
  for (const slug of missing.slice(0, most)) {
    const toolkit = library.open.get(slug);
    if (toolkit) add(slug, toolkit);
  }
  if (missing.length > 0 || outside.length === 0) return [...found.values()];
  const index = await library.index;
  // An app that is in reach and named as well must not end this search.
  const { hits, abstained, tier } = index.search(query, { limit: looked, toolkits: outside, known: [] });
  if (tier === 'fallback' || (abstained && !onlyNamed)) return [];
  const tried = new Set<string>();
  for (const { id, why = [] } of hits) {
    const slug = id.slice(0, id.indexOf('/'));
    const toolkit = library.open.get(slug);
    if (!toolkit || tried.has(slug) || (onlyNamed && !why.some(isOfNamed))) continue;
    tried.add(slug);
    // It may be here only because nothing better exists: it has to fit on its own as well.
    if (!onlyNamed && index.search(query, { limit: 1, toolkits: [slug], known: [] }).abstained) continue;
    add(slug, toolkit);
    if (found.size === most) break;
  }
  return [...found.values()];
}

/** Whether a hit is included because the text names it or its toolkit. */
function isOfNamed(reason: string): boolean {
  return reason === 'exact name' || reason.startsWith('app ');
}
