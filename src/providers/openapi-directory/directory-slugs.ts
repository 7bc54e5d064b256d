/**
 * Slugs of the directory's documents, by the rule for toolkits: lower-case letters, digits and `-`, at most 32. A slug
 * depends only on the document's own id, not on the order of documents. If two ids have the same slug, or an id is
 * too long or cannot be represented, the slug ends with a fingerprint of the id. So no slug can silently move, with the
 * accounts that were connected under it, from one API to another.
 */
import { slugLength } from '../../domain/naming/index.js';
import { sha256 } from '../../util/hash.js';

const fingerprintLength = 8;
const readable = /^[\x20-\x7e]+$/;

/** By id. Omits ids that would still collide because their fingerprints are equal. */
export function directorySlugs(ids: readonly string[]): ReadonlyMap<string, string> {
  const named = ids.map((id) => ({ id, words: splitWords(id) }));
  const asking = tally(named.map(({ words }) => words));
  const given = named.map(({ id, words }) => {
    const isPlain = asking.get(words) === 1 && fits(words) && readable.test(id);
    return [id, isPlain ? words : withFingerprint(id, words)] as const;
  });
  const holders = tally(given.map(([, slug]) => slug));
  return new Map(given.filter(([, slug]) => holders.get(slug) === 1));
}

/** Like `slugify`, but without shortening. */
function splitWords(id: string): string {
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
