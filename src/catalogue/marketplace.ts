/** Every app from every provider, as pages of a marketplace: filtered, sorted, counted. Pure, and all from memory. */
import { HelveError } from '../domain/errors.js';
import type {
  MarketplaceApp,
  MarketplacePage,
  MarketplaceQuery,
  MarketplaceSort,
  MarketplaceStatus,
} from '../domain/marketplace.js';

/** An app without its status, which differs by workspace. */
export type MarketplaceEntry = Omit<MarketplaceApp, 'status' | 'connections'>;

export interface Marketplace {
  readonly entries: readonly MarketplaceEntry[];
  /** `purpose`: apps that are listed after those that have the words, in this order. */
  page(
    query: MarketplaceQuery,
    standingOf: (entry: MarketplaceEntry) => Standing,
    purpose?: readonly string[],
  ): MarketplacePage;
  /** Whether so few apps have the words of the query, none of them in front of its name, that a purpose may be meant. */
  maySeekPurpose(query: MarketplaceQuery): boolean;
}

/** A workspace's status and connections of an app. */
export type Standing = Pick<MarketplaceApp, 'status' | 'connections'>;

interface Indexed {
  readonly entry: MarketplaceEntry;
  /** The lower-case text that a search looks through. */
  readonly text: string;
  readonly name: string;
}

const defaultLimit = 50;
const maxApps = 200;
/** With fewer apps than this that have the words of a search, a purpose may be meant. */
const fewApps = 3;
const purposeName = 'purpose';

/** Ascending; equal ones by slug. */
const orders: Readonly<Record<MarketplaceSort, (one: Indexed) => string | number>> = {
  name: ({ name }) => name,
  actions: ({ entry }) => -(entry.actionCount ?? 0),
  triggers: ({ entry }) => -(entry.triggerCount ?? 0),
  recent: ({ entry }) => -(entry.updatedAt === undefined ? 0 : Date.parse(entry.updatedAt) || 0),
};

/** Creates a marketplace over these entries. */
export function createMarketplace(entries: readonly MarketplaceEntry[]): Marketplace {
  const indexed = entries.map((entry): Indexed => {
    const name = entry.name.trim().toLowerCase();
    return { entry, name, text: [name, entry.slug, entry.description, ...entry.categories].join('\n').toLowerCase() };
  });
  const sorted = new Map<string, readonly Indexed[]>();
  const inOrder = (order: Order, wanted: (one: Indexed) => boolean): readonly Indexed[] => {
    // How well an app matches depends on the search; all other orders are computed once.
    if (order.ofSearch) return indexed.filter(wanted).sort(comparison(order));
    const known = sorted.get(order.name) ?? indexed.toSorted(comparison(order));
    sorted.set(order.name, known);
    return known.filter(wanted);
  };
  return {
    entries,
    maySeekPurpose(query) {
      const { search = '', cursor } = query;
      const words = search.trim().toLowerCase();
      if (words === '') return false;
      // A later page is of the same kind as the one before.
      if (cursor !== undefined) return isOfPurpose(cursor);
      const hasWords = havingWords(search);
      const found = indexed.filter(hasWords);
      return found.length < fewApps && found.every((one) => misfit(one, words) > 1);
    },
    page(query, standingOf, purpose) {
      const { limit = defaultLimit, search = '' } = query;
      const hasWords = havingWords(search);
      const order = purpose === undefined ? getOrder(query) : orderByPurpose(purpose, hasWords);
      const serves = new Set(purpose);
      const isWanted = matching(query);
      const wanted = (one: Indexed): boolean => isWanted(one) && (hasWords(one) || serves.has(one.entry.slug));
      const apps: MarketplaceApp[] = [];
      const counts = { categories: {}, providers: {}, statuses: {} };
      const from = query.cursor === undefined ? undefined : readCursor(query.cursor, order);
      let total = 0;
      let next: Indexed | undefined;
      let last: Indexed | undefined;
      for (const one of inOrder(order, wanted)) {
        const standing = standingOf(one.entry);
        if (query.status !== undefined && !hasStatus(standing.status, query.status)) continue;
        total += 1;
        count(counts, one.entry, standing);
        if (from !== undefined && !isAfter(one, from, order)) continue;
        if (apps.length < Math.min(limit, maxApps)) {
          apps.push({ ...one.entry, ...standing });
          last = one;
        } else next ??= one;
      }
      return {
        apps,
        total,
        counts,
        ...(next && last ? { nextCursor: writeCursor(last, order) } : {}),
        ...(search.trim() === '' ? {} : { matched: purpose === undefined ? 'words' : 'purpose' }),
      };
    },
  };
}

interface Order {
  readonly name: string;
  readonly key: (one: Indexed) => string | number;
  readonly ofSearch: boolean;
}

/** A search without a sort order lists the best matches first. */
function getOrder({ sort, search = '' }: MarketplaceQuery): Order {
  const wanted = search.trim().toLowerCase();
  if (sort !== undefined || wanted === '') {
    const name = sort ?? 'name';
    return { name, key: orders[name], ofSearch: false };
  }
  return { name: 'fit', key: (one) => `${misfit(one, wanted)} ${one.name}`, ofSearch: true };
}

/** Those that have the words first, then as the list says. */
function orderByPurpose(purpose: readonly string[], hasWords: (one: Indexed) => boolean): Order {
  const places = new Map(purpose.map((slug, at) => [slug, at]));
  const key = (one: Indexed): number => (hasWords(one) ? -1 : (places.get(one.entry.slug) ?? places.size));
  return { name: purposeName, key, ofSearch: true };
}

function misfit({ name, entry: { slug } }: Indexed, wanted: string): number {
  if (slug === wanted || name === wanted) return 0;
  if (slug.startsWith(wanted) || name.startsWith(wanted)) return 1;
  return name.includes(wanted) || slug.includes(wanted) ? 2 : 3;
}

function comparison({ key }: Order): (a: Indexed, b: Indexed) => number {
  return (a, b) => {
    const [first, second] = [key(a), key(b)];
    if (first !== second) return first < second ? -1 : 1;
    return a.entry.slug < b.entry.slug ? -1 : 1;
  };
}

function havingWords(search: string): (one: Indexed) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return ({ text }) => words.every((word) => text.includes(word));
}

/** Whether an app matches the filters, ignoring the search text. */
function matching({ category, provider, auth }: MarketplaceQuery): (one: Indexed) => boolean {
  const wantedCategory = category?.toLowerCase();
  const wantedAuth = auth?.toUpperCase();
  return ({ entry }) =>
    (wantedCategory === undefined || entry.categories.some((one) => one.toLowerCase() === wantedCategory)) &&
    (provider === undefined || entry.provider === provider) &&
    (wantedAuth === undefined ||
      (wantedAuth === 'NONE' ? entry.noAuth : entry.authSchemes.some((scheme) => scheme.toUpperCase() === wantedAuth)));
}

function hasStatus(status: MarketplaceStatus, wanted: MarketplaceQuery['status']): boolean {
  if (wanted === 'connected') return status === 'active';
  return status === wanted;
}

function count(
  counts: MarketplacePage['counts'],
  { categories, provider }: MarketplaceEntry,
  { status }: Standing,
): void {
  const add = (group: Record<string, number>, name: string): void => {
    group[name] = (Object.hasOwn(group, name) ? (group[name] ?? 0) : 0) + 1;
  };
  for (const category of categories) add(counts.categories, category);
  add(counts.providers, provider);
  add(counts.statuses, status);
}

type Place = readonly [key: string | number, slug: string];

function writeCursor(one: Indexed, { name, key }: Order): string {
  return Buffer.from(JSON.stringify([name, key(one), one.entry.slug])).toString('base64url');
}

function isOfPurpose(cursor: string): boolean {
  try {
    const value: unknown = parseCursor(cursor);
    return Array.isArray(value) && value[0] === purposeName;
  } catch {
    return false;
  }
}

const parseCursor = (cursor: string): unknown => JSON.parse(Buffer.from(cursor, 'base64url').toString());

function readCursor(cursor: string, { name }: Order): Place {
  try {
    const value = parseCursor(cursor);
    if (Array.isArray(value) && value.length === 3 && value[0] === name && typeof value[2] === 'string')
      return [value[1] as string | number, value[2]];
  } catch {
    // Reported below.
  }
  throw new HelveError('invalid_input', 'cursor: it does not belong to this listing', {
    hint: 'Pass nextCursor of the previous page, with the same query.',
  });
}

function isAfter(one: Indexed, [key, slug]: Place, order: Order): boolean {
  const own = order.key(one);
  return own === key ? one.entry.slug > slug : own > key;
}
