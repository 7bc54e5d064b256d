/**
 * Slugs of connections: lower-case, everything else becomes `-`, trimmed; the first connection has the bare slug, the
 * next ones get `-2`, `-3` by creation, then id.
 *
 * Slugs are assigned in the order of creation, each the first one that is free. So a later connection never changes
 * the slug of an earlier one, even when it is itself called `X 2`. A slug contains no `_`: the first `__` of a name
 * ends it.
 */

/**
 * Maximum length of a slug, its number included: leaves at least 30 characters of a model-facing name for the tool.
 */
export const slugLength = 32;

/** What a slug is computed from. */
export interface SlugSource {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date | string | number;
}

/** The slug derived from a name, regardless of other connections: `[a-z][a-z0-9-]*`, at most 32 characters. */
export function slugify(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g);
  if (words === null) return 'connection';
  const slug = words.join('-');
  return trimSlug(/^[a-z]/.test(slug) ? slug : `c-${slug}`, slugLength);
}

/** The slug of every connection, by id. All are different; the order in which they are passed does not matter. */
export function computeSlugs(connections: Iterable<SlugSource>): Map<string, string> {
  const ordered = [...connections].map((source) => ({ source, time: readTime(source.createdAt) }));
  ordered.sort((a, b) => compare(a.time, b.time) || compare(a.source.id, b.source.id));
  const slugs = new Map<string, string>();
  const taken = new Set<string>();
  const nextNumber = new Map<string, number>();
  for (const { source } of ordered) {
    if (slugs.has(source.id)) continue;
    const base = slugify(source.name);
    let slug = base;
    let number = nextNumber.get(base) ?? 2;
    while (taken.has(slug)) {
      const suffix = `-${number++}`;
      slug = trimSlug(base, slugLength - suffix.length) + suffix;
    }
    nextNumber.set(base, number);
    taken.add(slug);
    slugs.set(source.id, slug);
  }
  return slugs;
}

function trimSlug(slug: string, length: number): string {
  return slug.slice(0, length).replace(/-+$/, '');
}

/** An unreadable date sorts last, rather than at random. */
function readTime(createdAt: Date | string | number): number {
  const time = createdAt instanceof Date ? createdAt.getTime() : new Date(createdAt).getTime();
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
