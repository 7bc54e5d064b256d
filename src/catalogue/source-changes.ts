/** What differs between a source's listing of its apps and what is stored of it. */
import type { CatalogueApp, CatalogueSourceName, CatalogueStorage } from '../spec/catalogue.js';

export interface SourceChanges {
  /** New, said otherwise than before, or with actions that are not known; with their places in the source's order. */
  readonly changed: readonly { readonly app: CatalogueApp; readonly position: number }[];
  readonly removedApps: readonly string[];
  readonly removedActions: readonly string[];
}

export async function changesOf(
  storage: CatalogueStorage,
  source: CatalogueSourceName,
  listed: readonly CatalogueApp[],
  actionSlugs: readonly string[],
): Promise<SourceChanges> {
  const stored = new Map(
    (await storage.apps()).flatMap((app) => (app.source === source ? [[app.slug, app.hash] as const] : [])),
  );
  const known = new Set(await storage.actionSlugs(source));
  const there = new Set(actionSlugs);
  // A source that does not list its actions by name says nothing of those that went.
  const removedActions = there.size === 0 ? [] : [...known].filter((slug) => !there.has(slug));
  const slugs = new Set(listed.map(({ slug }) => slug));
  const withNew = appsOf(
    actionSlugs.filter((slug) => !known.has(slug)),
    slugs,
  );
  return {
    changed: listed.flatMap((app, position) =>
      stored.get(app.slug) !== app.hash || withNew.has(app.slug) ? [{ app, position }] : [],
    ),
    removedApps: [...stored.keys()].filter((slug) => !slugs.has(slug)),
    removedActions,
  };
}

/** The apps that these actions belong to by their names: the longest app whose name begins the action's. */
function appsOf(actions: readonly string[], apps: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const action of actions) {
    const words = action.toLowerCase().split('_');
    for (let count = words.length - 1; count > 0; count--) {
      const app = words.slice(0, count).join('_');
      if (!apps.has(app)) continue;
      found.add(app);
      break;
    }
  }
  return found;
}
