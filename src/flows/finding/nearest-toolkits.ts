/** If none of a principal's tools fits: the toolkit that would, if it were connected or granted. */
import type { NearestToolkit } from '../../domain/discovery.js';
import type { Library } from './library.js';
import { upTo } from './patience.js';
import type { Reach } from './reach.js';

const most = 3;
const looked = 20;
/** The first read of the catalogue takes a while; a caller does not wait longer than this. */
const patienceMs = 15_000;

/**
 * `onlyNamed`: only toolkits that the text names, by their own name or a tool's name. Toolkits that only the holder of
 * an account may know are never included.
 */
export async function nearestToolkits(
  query: string,
  { onlyNamed, toolkits }: { readonly onlyNamed: boolean; readonly toolkits: readonly string[] | undefined },
  reach: Reach,
  library: Library,
): Promise<readonly NearestToolkit[]> {
  await upTo(patienceMs, library.ensureAll());
  const off = new Set(reach.configuration.toolkits.flatMap((one) => (one.enabled ? [] : [one.toolkit])));
  const outside = [...(toolkits ?? library.open.keys())].filter(
    (slug) => library.open.has(slug) && !reach.toolkits.has(slug) && !off.has(slug),
  );
  if (outside.length === 0) return [];
  const index = await library.index;
  const { hits, abstained, tier } = index.search(query, { limit: looked, toolkits: outside });
  if (tier === 'fallback' || (abstained && !onlyNamed)) return [];
  const connected = new Set([...reach.connections.values()].map(({ toolkit }) => toolkit));
  const found = new Map<string, NearestToolkit>();
  const tried = new Set<string>();
  for (const { id, why = [] } of hits) {
    const slug = id.slice(0, id.indexOf('/'));
    const toolkit = library.open.get(slug);
    if (!toolkit || tried.has(slug) || (onlyNamed && !why.some(isOfNamed))) continue;
    tried.add(slug);
    // It may be here only because nothing better exists: it has to fit on its own as well.
    if (!onlyNamed && index.search(query, { limit: 1, toolkits: [slug] }).abstained) continue;
    found.set(slug, {
      toolkit: slug,
      name: toolkit.title,
      connected: connected.has(slug) || !toolkit.needsConnection,
    });
    if (found.size === most) break;
  }
  return [...found.values()];
}

/** Whether a hit is included because the text names it or its toolkit. */
function isOfNamed(reason: string): boolean {
  return reason === 'exact name' || reason.startsWith('app ');
}
