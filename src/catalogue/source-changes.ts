/** The differences between a source's listing of its apps and what is stored. */
import type { CatalogueApp, CatalogueSourceName, CatalogueStorage } from '../domain/catalogue.js';

export interface SourceChanges {
  /**
   * Apps that are new, described differently than before, or with unknown actions; with their positions in the source's
   * order.
   */
  readonly changed: readonly { readonly app: CatalogueApp; readonly position: number }[];
  /** Stored, and not in the listing. */
  readonly missingApps: readonly string[];
  /** Other apps with stored actions that the source no longer lists: their actions are listed again. */
  readonly shrunkApps: readonly string[];
}

export async function getChanges(
  storage: CatalogueStorage,
  source: CatalogueSourceName,
  listed: readonly CatalogueApp[],
  actionSlugs: readonly string[],
): Promise<SourceChanges> {
  const stored = new Map(
    (await storage.apps()).flatMap((app) => (app.source === source ? [[app.slug, app.hash] as const] : [])),
  );
  const owners = await storage.actionOwners(source);
  const known = new Set(owners.map(({ slug }) => slug));
  const there = new Set(actionSlugs);
  const slugs = new Set(listed.map(({ slug }) => slug));
  const withNew = listApps(
    actionSlugs.filter((slug) => !known.has(slug)),
    slugs,
  );
  const changed = listed.flatMap((app, position) =>
    stored.get(app.slug) !== app.hash || withNew.has(app.slug) ? [{ app, position }] : [],
  );
  const missingApps = [...stored.keys()].filter((slug) => !slugs.has(slug));
  const asked = new Set([...changed.map(({ app }) => app.slug), ...missingApps]);
  // A source that does not list its actions by name does not show which ones were removed.
  const shrunk = there.size === 0 ? [] : owners.filter(({ slug, app }) => !there.has(slug) && !asked.has(app));
  return { changed, missingApps, shrunkApps: [...new Set(shrunk.map(({ app }) => app))] };
}

/** The apps of these actions, judged by name: the longest app slug that the action's name starts with. */
function listApps(actions: readonly string[], apps: ReadonlySet<string>): Set<string> {
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
