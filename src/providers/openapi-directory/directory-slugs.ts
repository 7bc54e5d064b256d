/**
 * Slugs of the directory's documents, by the rule of toolkits: lower-case letters, digits and `-`, at most 32. A slug
 * depends on the document's own id, and never on which documents came first: where two ids ask for one slug, or an id is
 * too long or cannot be read in it, a fingerprint of the id stands at its end. So no slug passes silently, with the
 * accounts that were connected under it, from one API to another.
 */
import { slugLength } from '../../domain/naming/index.js';
import { sha256 } from '../../util/hash.js';

const fingerprintLength = 8;
const readable = /^[\x20-\x7e]+$/;

/** By id. Left out are those whose slug would be another's all the same: of fingerprints that are equal. */
export function directorySlugs(ids: readonly string[]): ReadonlyMap<string, string> {
  const named = ids.map((id) => ({ id, words: wordsOf(id) }));
  const asking = tally(named.map(({ words }) => words));
  const given = named.map(({ id, words }) => {
    const isPlain = asking.get(words) === 1 && fits(words) && readable.test(id);
    return [id, isPlain ? words : withFingerprint(id, words)] as const;
  });
  const holders = tally(given.map(([, slug]) => slug));
  return new Map(given.filter(([, slug]) => holders.get(slug) === 1));
}

/** As `slugify` does, but whole. */
function wordsOf(id: string): string {
  const words = id
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (words === '') return 'api';
  return /^[a-z]/.test(words) ? words : `c-${words}`;
}

const fits = (words: string): boolean => words.length <= slugLength;

function withFingerprint(id: string, words: string): string {
  const start = words.slice(0, slugLength - fingerprintLength - 1).replace(/-$/, '');
  return `${start}-${sha256(id).slice(0, fingerprintLength)}`;
}

function tally(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
