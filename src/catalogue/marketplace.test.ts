import { describe, expect, it } from 'vitest';
import { createMarketplace, type MarketplaceEntry } from './marketplace.js';

function app(slug: string, more: Partial<MarketplaceEntry> = {}): MarketplaceEntry {
  return {
    slug,
    name: slug.toUpperCase(),
    description: '',
    provider: 'composio',
    categories: [],
    authSchemes: ['OAUTH2'],
    noAuth: false,
    deprecated: false,
    actionCount: 1,
    ...more,
  };
}
const available = () => ({ status: 'available' as const, connections: [] });

describe('R-cache-tables: the marketplace', () => {
  const many = Array.from({ length: 120 }, (_, index) =>
    app(`app${String(index).padStart(3, '0')}`, {
      categories: index % 2 === 0 ? ['crm'] : ['mail', 'crm'],
      actionCount: index % 7,
      updatedAt: new Date(Date.UTC(2026, 0, 1 + (index % 5))).toISOString(),
    }),
  );
  const market = createMarketplace(many);

  for (const sort of ['name', 'actions', 'triggers', 'recent'] as const) {
    it(`R-cache-tables: pages of ${sort} are complete: nothing twice, nothing missing`, () => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = market.page({ sort, limit: 7, ...(cursor === undefined ? {} : { cursor }) }, available);
        expect(page.total).toBe(120);
        seen.push(...page.apps.map(({ slug }) => slug));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(seen.toSorted()).toEqual(many.map(({ slug }) => slug));
    });
  }

  it('R-cache-tables: counts cover all results, on every page', () => {
    const page = market.page({ category: 'Mail', limit: 1 }, available);
    expect(page.total).toBe(60);
    expect(page.counts).toEqual({
      categories: { mail: 60, crm: 60 },
      providers: { composio: 60 },
      statuses: { available: 60 },
    });
    expect(market.page({ category: 'nothing' }, available)).toMatchObject({ total: 0, apps: [] });
  });

  it('R-cache-tables: the highest numbers first, and the best matches of a search', () => {
    const { apps } = market.page({ sort: 'actions', limit: 2 }, available);
    expect(apps.map(({ slug, actionCount }) => [slug, actionCount])).toEqual([
      ['app006', 6],
      ['app013', 6],
    ]);
    const named = createMarketplace([
      app('other', { description: 'like gmail' }),
      app('agent_gmail'),
      app('gmail_plus'),
      app('gmail'),
    ]);
    const found = named.page({ search: 'GMail' }, available).apps.map(({ slug }) => slug);
    expect(found).toEqual(['gmail', 'gmail_plus', 'agent_gmail', 'other']);
    const first = named.page({ search: 'gmail', limit: 3 }, available);
    const rest = named.page({ search: 'gmail', limit: 3, cursor: first.nextCursor ?? '' }, available);
    expect(rest.apps.map(({ slug }) => slug)).toEqual(['other']);
  });

  it('R-cache-tables: status and ways to sign in filter; hostile names only count', () => {
    const some = createMarketplace([
      app('a', { authSchemes: ['API_KEY'], categories: ['__proto__', 'constructor'] }),
      app('b', { noAuth: true, authSchemes: [] }),
    ]);
    const of = (slug: string) => ({ status: slug === 'a' ? ('active' as const) : ('added' as const), connections: [] });
    const slugs = (query: object) => some.page(query, ({ slug }) => of(slug)).apps.map(({ slug }) => slug);
    expect([slugs({ status: 'connected' }), slugs({ status: 'added' })]).toEqual([['a'], ['b']]);
    expect([slugs({ auth: 'api_key' }), slugs({ auth: 'none' })]).toEqual([['a'], ['b']]);
    expect(JSON.parse(JSON.stringify(some.page({}, ({ slug }) => of(slug)).counts.categories))).toMatchObject({
      constructor: 1,
    });
  });

  it('R-cache-tables: a cursor from another listing is refused', () => {
    const { nextCursor = '' } = market.page({ sort: 'name', limit: 1 }, available);
    expect(() => market.page({ sort: 'actions', cursor: nextCursor }, available)).toThrow(/cursor/);
    expect(() => market.page({ cursor: 'no' }, available)).toThrow(/cursor/);
  });
});
