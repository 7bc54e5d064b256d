/** Every app from every provider, as pages of a marketplace: filtered, sorted, counted. Pure, and all from memory. */
import { HelveError } from '../domain/errors.js';
import type {
  MarketplaceApp,
  MarketplacePage,
  MarketplaceQuery,
  MarketplaceSort,
  MarketplaceStatus,
} from '../domain/marketplace.js';
import { remembered } from '../util/remembered.js';

/** An app without its status, which differs by workspace. */
export type MarketplaceEntry = Omit<MarketplaceApp, 'status' | 'connections'>;

export interface Marketplace {
  readonly entries: readonly MarketplaceEntry[];
  /**
   * `purpose`: apps that are listed after those that have the words, in this order. `standingOf` must always give the same answers: what
   * is listed without a search is kept for as long as the function lives.
   */
  page(query: MarketplaceQuery, standingOf: StandingOf, purpose?: readonly string[]): MarketplacePage;
  /** Whether so few apps have the words of the query, none of them in front of its name, that a purpose may be meant. */
  maySeekPurpose(query: MarketplaceQuery): boolean;
}

/** A workspace's status and connections of an app. */
export type Standing = Pick<MarketplaceApp, 'status' | 'connections'>;
export type StandingOf = (entry: MarketplaceEntry) => Standing;

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
/** Listings that are kept for one workspace as one principal sees it. */
const maxListings = 20;

/** Everything that a query lists, on all its pages. */
interface Listing {
  readonly apps: readonly { readonly one: Indexed; readonly standing: Standing }[];
  readonly counts: MarketplacePage['counts'];
}

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
    if (order.ofSearch) return sortBy(order, indexed.filter(wanted));
    const known = sorted.get(order.name) ?? sortBy(order, indexed);
    sorted.set(order.name, known);
    return known.filter(wanted);
  };
  const listings = new WeakMap<StandingOf, (asked: Asked) => Listing>();
  function list({ query, order, wanted }: Asked, standingOf: StandingOf): Listing {
    const counts = { categories: {}, providers: {}, statuses: {} };
    const apps = inOrder(order, wanted).flatMap((one) => {
      const standing = standingOf(one.entry);
      if (query.status !== undefined && !hasStatus(standing.status, query.status)) return [];
      count(counts, one.entry, standing);
      return [{ one, standing }];
    });
    return { apps, counts };
  }
  /** The counts are over all apps, however few of them a page shows. */
  function listOnce(asked: Asked, standingOf: StandingOf): Listing {
    const find = listings.get(standingOf) ?? remembered(maxListings, (one) => list(one, standingOf), nameListing);
    listings.set(standingOf, find);
    return find(asked);
  }
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
      const isSearch = search.trim() !== '';
      const hasWords = havingWords(search);
      const order = purpose === undefined ? getOrder(query) : orderByPurpose(purpose, hasWords);
      const serves = new Set(purpose);
      const isWanted = matching(query);
      const wanted = (one: Indexed): boolean => isWanted(one) && (hasWords(one) || serves.has(one.entry.slug));
      const from = query.cursor === undefined ? undefined : readCursor(query.cursor, order);
      const { apps, counts } = (isSearch ? list : listOnce)({ query, order, wanted }, standingOf);
      const start = from === undefined ? 0 : apps.findIndex(({ one }) => isAfter(one, from, order));
      const page = start < 0 ? [] : apps.slice(start, start + Math.min(limit, maxApps));
      const last = start + page.length < apps.length ? page.at(-1)?.one : undefined;
      return {
        apps: page.map(({ one, standing }) => ({ ...one.entry, ...standing })),
        total: apps.length,
        counts: copyCounts(counts),
        ...(last ? { nextCursor: writeCursor(last, order) } : {}),
        ...(isSearch ? { matched: purpose === undefined ? 'words' : 'purpose' } : {}),
      };
    },
  };
}

/** Which apps are listed, and in which order. */
interface Asked {
  readonly query: MarketplaceQuery;
  readonly order: Order;
  readonly wanted: (one: Indexed) => boolean;
}

/** The same for all pages of a listing without a search. */
function nameListing({ query: { category, provider, auth, status }, order }: Asked): string {
  return JSON.stringify([order.name, category, provider, auth, status]);
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

/** Apps that have the words come first, then the others in the order of the list. */
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

function sortBy({ key }: Order, all: readonly Indexed[]): readonly Indexed[] {
  const keyed = all.map((one) => ({ one, key: key(one), slug: one.entry.slug }));
  keyed.sort((a, b) => compare(a.key, b.key) || compare(a.slug, b.slug));
  return keyed.map(({ one }) => one);
}

function compare(one: string | number, other: string | number): number {
  return one < other ? -1 : one > other ? 1 : 0;
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

function copyCounts({ categories, providers, statuses }: MarketplacePage['counts']): MarketplacePage['counts'] {
  return { categories: { ...categories }, providers: { ...providers }, statuses: { ...statuses } };
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
