/** If none of a principal's tools fits: the toolkit that would, if it were connected or granted. */
import type { NearestToolkit } from '../../domain/discovery.js';
import type { Library } from './library.js';
import type { Reach } from './reach.js';

const most = 3;
const looked = 20;

export interface NearestQuestion {
  readonly query: string;
  readonly reach: Reach;
  /** Only toolkits that the text names, by their own name or a tool's name. */
  readonly onlyNamed: boolean;
  /** Those that the text names and of which the caller has no tools: no others are of use then. */
  readonly missing: readonly string[];
  /** Toolkits out of reach that everyone may know of. */
  readonly outside: readonly string[];
}

/** Toolkits that only the holder of an account may know are never included. */
export async function nearestToolkits(asked: NearestQuestion, library: Library): Promise<readonly NearestToolkit[]> {
  const { reach, missing, outside } = asked;
  if (outside.length === 0 && missing.length === 0) return [];
  const slugs = missing.length > 0 ? missing : await findFitting(asked, library);
  const connected = new Set([...reach.connections.values()].map(({ toolkit }) => toolkit));
  return slugs.slice(0, most).flatMap((slug) => {
    const toolkit = library.open.get(slug);
    if (toolkit === undefined) return [];
    return [{ toolkit: slug, name: toolkit.title, connected: connected.has(slug) || !toolkit.needsConnection }];
  });
}

async function findFitting(
  { query, onlyNamed, outside }: NearestQuestion,
  library: Library,
): Promise<readonly string[]> {
  const index = await library.index;
  // An app that is in reach and named as well must not end these searches.
  const { hits, answer, tier } = index.search(query, { limit: looked, toolkits: outside, known: [] });
  if (tier === 'fallback' || (answer !== 'these' && !onlyNamed)) return [];
  const found = new Set<string>();
  const tried = new Set<string>();
  for (const { id, why = [] } of hits) {
    const slug = id.slice(0, id.indexOf('/'));
    if (tried.has(slug) || (onlyNamed && !why.some(isOfNamed))) continue;
    tried.add(slug);
    // It may be here only because nothing better exists: it has to fit on its own as well.
    const alone = onlyNamed ? 'these' : index.search(query, { limit: 1, toolkits: [slug], known: [] }).answer;
    if (alone !== 'these') continue;
    found.add(slug);
    if (found.size === most) break;
  }
  return [...found];
}

/** Whether a hit is included because the text names it or its toolkit. */
function isOfNamed(reason: string): boolean {
  return reason === 'exact name' || reason.startsWith('app ');
}
