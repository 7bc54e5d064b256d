/** Composio's listings as rows of the catalogue. */
import { afterEach, describe, expect, test } from 'vitest';
import { connectClient } from '../../../tests/counterparts/composio/connect.js';
import {
  type Composio,
  missingData,
  startComposio,
  stretchedData,
  type ToolItem,
  wholeTool,
  wholeToolkit,
  wholeTrigger,
} from '../../../tests/counterparts/composio/index.js';
import type { CatalogueAction, SourcePage } from '../../domain/catalogue.js';
import { createComposioSource } from './composio-source.js';

const maps = wholeToolkit({ slug: 'Google_Maps', name: ' Google Maps ', auth_schemes: ['NO_AUTH'] });
maps.meta.categories = [{ id: 'geo', name: 'Geography' }];
const input = { type: 'object', properties: { q: { type: 'string' } }, 'x-own': [1] };
const full = wholeTool(
  {
    slug: 'GOOGLE_MAPS_GET_ROUTE',
    name: 'Get route',
    tags: ['readOnlyHint'],
    scopes: ['s'],
    input_parameters: input,
    is_deprecated: true,
  },
  maps,
);
let composio: Composio;
afterEach(() => composio?.close());

async function sourceOf(tools: readonly Partial<ToolItem>[], known: readonly string[] = [], options = {}) {
  const triggers = [wholeTrigger({ slug: 'GOOGLE_MAPS_MOVED', config: { type: 'object' } }, maps)];
  composio = await startComposio({ toolkits: [maps], tools: tools as ToolItem[], triggers }, options);
  return createComposioSource(connectClient({ url: composio.url }), { knownApps: async () => new Set(known) });
}

describe('R-sync: rows of Composio', () => {
  test('R-sync: an app, an action and a trigger come with all that is said of them', async () => {
    const source = await sourceOf([full]);
    const { rows, total } = await source.apps();
    expect(total).toBe(1);
    expect(rows).toEqual([
      {
        slug: 'google_maps',
        name: 'Google Maps',
        description: '',
        categories: ['Geography'],
        noAuth: false,
        authSchemes: ['NO_AUTH'],
        managedAuthSchemes: [],
        deprecated: false,
        actionCount: 0,
        triggerCount: 0,
        logo: maps.meta.logo,
        url: maps.meta.app_url,
        version: maps.meta.version,
        updatedAt: maps.meta.updated_at,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    expect((await source.actions({})).rows).toEqual([
      {
        app: 'google_maps',
        slug: 'GOOGLE_MAPS_GET_ROUTE',
        title: 'Get route',
        description: '',
        noAuth: false,
        tags: ['readOnlyHint'],
        scopes: ['s'],
        version: full.version,
        deprecated: true,
        inputParameters: input,
        outputParameters: full.output_parameters,
      },
    ]);
    expect((await source.triggers({ app: 'google_maps' })).rows).toEqual([]);
    expect((await source.triggers({})).rows).toEqual([
      {
        app: 'google_maps',
        slug: 'GOOGLE_MAPS_MOVED',
        name: 'Event',
        description: '',
        type: 'webhook',
        config: { type: 'object' },
        payload: { type: 'object', properties: {} },
      },
    ]);
    expect(await source.actionSlugs()).toEqual(['GOOGLE_MAPS_GET_ROUTE']);
  });

  test('R-sync: the hash stays the same without changes, in any order', async () => {
    const source = await sourceOf([]);
    const [before] = (await source.apps()).rows;
    const { meta, ...rest } = maps;
    composio.setData({ ...composio.data, toolkits: [{ meta: { ...meta }, ...rest }] });
    expect((await source.apps()).rows[0]?.hash).toBe(before?.hash);
    composio.setData({ ...composio.data, toolkits: [{ ...rest, meta: { ...meta, tools_count: 7 } }] });
    expect((await source.apps()).rows[0]?.hash).not.toBe(before?.hash);
  });

  test('R-sync: omitted parameters are unknown; empty ones are stored as they came', async () => {
    const { input_parameters: _, output_parameters: __, ...short } = full;
    const source = await sourceOf([short, { ...full, slug: 'GOOGLE_MAPS_X', input_parameters: {} }]);
    const [first, second] = (await source.actions({})).rows;
    expect(first).not.toHaveProperty('inputParameters');
    expect(first).not.toHaveProperty('outputParameters');
    expect(second?.inputParameters).toEqual({});
    composio.setOptions({ parameters: 'per-app' });
    expect((await source.actions({})).rows[1]).not.toHaveProperty('inputParameters');
  });

  test('R-sync: an action without an app belongs to the longest known app of its slug, otherwise to its first word', async () => {
    const bare = ['GOOGLE_MAPS_ROUTE', 'GOOGLE_LIST', '_21RISK_GET_ITEMS', 'NEW_APP_DO', 'ALONE'].map((slug) => ({
      slug,
    }));
    const known = ['google', 'google_maps', '_21risk', 'google_map'];
    const source = await sourceOf(bare, known);
    const apps = async (query: object) => (await source.actions(query)).rows.map(({ app }) => app);
    expect(await apps({})).toEqual(['google_maps', 'google', '_21risk', 'new', 'alone']);
    composio.faults.push({ when: () => true, status: 200, body: { items: bare } });
    expect(await apps({ app: 'zoho' })).toEqual(Array(5).fill('zoho'));
    expect(composio.requests.at(-1)?.query.get('toolkit_slug')).toBe('zoho');
  });

  test.skipIf(missingData)('R-sync: the big catalogue comes whole, a page a request', async () => {
    const data = stretchedData();
    composio = await startComposio(data);
    const source = createComposioSource(connectClient({ url: composio.url }));
    const apps: string[] = [];
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const page = await source.apps(cursor);
      apps.push(...page.rows.map(({ slug }) => slug));
      cursor = page.next;
    }
    const slugs = new Map<string, string>();
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const page: SourcePage<CatalogueAction> = await source.actions(cursor === undefined ? {} : { cursor });
      for (const { slug, app } of page.rows) slugs.set(slug, app);
      cursor = page.next;
    }
    expect(new Set(apps).size).toBe(1_083);
    expect(slugs.size).toBe(12_947);
    expect([...slugs].every(([slug, app]) => slug.toLowerCase().startsWith(`${app}_`) && apps.includes(app))).toBe(
      true,
    );
    expect(composio.calls).toEqual({ 'GET /toolkits': 2, 'GET /tools': 13 });
  });
});
