/** Where nothing that a principal has fits: which toolkit would, if it were connected or granted. */
import type { NearestToolkit } from '../../domain/discovery.js';
import type { Library } from './library.js';
import { upTo } from './patience.js';
import type { Reach } from './reach.js';

const most = 3;
const looked = 20;
/** Reading the catalogue for the first time takes a while; who asks then is not kept for longer. */
const patienceMs = 15_000;

/**
 * `onlyNamed`: toolkits that the text names, by their own name or by a tool's. Toolkits of which nobody but the holder of
 * an account may know are not among them, whoever asks.
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
    // It may stand here only because nothing better does: by itself it has to fit as well.
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

/** Whether a hit stands there because the text names it or its toolkit. */
function isOfNamed(reason: string): boolean {
  return reason === 'exact name' || reason.startsWith('app ');
}
