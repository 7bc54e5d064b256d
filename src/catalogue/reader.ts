/** The stored catalogue for readers: apps from memory, actions and triggers of one app from the store. */
import type { CatalogueApp, CatalogueReader, CatalogueSourceName, CatalogueStorage } from '../domain/catalogue.js';

type AppsBySource = ReadonlyMap<CatalogueSourceName, ReadonlyMap<string, CatalogueApp>>;

export interface KeptCatalogue extends CatalogueReader {
  /** Checks whether anything was published, here or by another process; one query. Notifies listeners of changes. */
  refresh(): Promise<number>;
}

const none: ReadonlyMap<string, CatalogueApp> = new Map();

/** Creates a reader with a cache of the stored apps. */
export function createReader(storage: CatalogueStorage): KeptCatalogue {
  const listeners = new Set<() => void>();
  let known: { readonly revision: number; readonly apps: Promise<AppsBySource> } | undefined;

  async function refresh(): Promise<number> {
    const revision = await storage.revision();
    if (known?.revision === revision) return revision;
    const isFirst = known === undefined;
    const apps = revision === 0 ? Promise.resolve(new Map()) : readApps(storage);
    known = { revision, apps };
    // A failed read is retried by the next caller.
    apps.catch(() => {
      known = undefined;
    });
    if (!isFirst) for (const listener of listeners) listener();
    return revision;
  }

  return {
    refresh,
    async apps(source) {
      if (known === undefined) await refresh();
      return (await known?.apps)?.get(source) ?? none;
    },
    actions: (source, app) => storage.actions(source, app),
    triggers: (source, app) => storage.triggers(source, app),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

async function readApps(storage: CatalogueStorage): Promise<AppsBySource> {
  const bySource = new Map<CatalogueSourceName, Map<string, CatalogueApp>>();
  for (const { source, ...app } of await storage.apps()) {
    const apps = bySource.get(source) ?? new Map<string, CatalogueApp>();
    bySource.set(source, apps.set(app.slug, app));
  }
  return bySource;
}
