/** Composio as a source of the catalogue: pages of its listings, as rows. */
import type {
  CatalogueAction,
  CatalogueApp,
  CatalogueSource,
  CatalogueTrigger,
  SourcePage,
} from '../../domain/catalogue.js';
import type { JsonSchema } from '../../domain/json.js';
import { canonicalJson } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { sha256 } from '../../util/hash.js';
import type { ComposioClient } from './client.js';
import type { Page } from './pages.js';
import type { ListedTool, ListedToolkit, ListedTriggerType } from './shapes.js';
import { appOfSlug } from './tool-names.js';

export interface ComposioSourceOptions {
  /** Slugs of the known apps, for actions that do not name their app. */
  readonly knownApps?: () => ReadonlySet<string> | Promise<ReadonlySet<string>>;
}

const noApps: ReadonlySet<string> = new Set();

type Owned = ListedTool | ListedTriggerType;

/** Returns the source. Its pages throw the client's errors. */
export function createComposioSource(
  client: Pick<ComposioClient, 'listToolkits' | 'listTools' | 'listTriggerTypes' | 'toolSlugs' | 'hasToolkit'>,
  { knownApps = () => noApps }: ComposioSourceOptions = {},
): CatalogueSource {
  /** `asked`: the app that the listing was limited to. */
  async function owners(rows: readonly Owned[], asked: string | undefined): Promise<(row: Owned) => string> {
    const known = asked === undefined && rows.some(({ toolkit }) => !toolkit) ? await knownApps() : noApps;
    return ({ slug, toolkit }) => toolkit?.slug.toLowerCase() ?? asked ?? appOfSlug(slug, known);
  }

  return {
    source: 'composio',
    apps: async (cursor) => mapped(await client.listToolkits(cursor), getApp),
    async actions({ cursor, app }) {
      const page = await client.listTools(defined({ cursor, toolkit: app }));
      const owner = await owners(page.rows, app);
      return mapped(page, (row) => getAction(row, owner(row)));
    },
    async triggers({ cursor, app }) {
      const page = await client.listTriggerTypes(defined({ cursor, toolkit: app }));
      const owner = await owners(page.rows, app);
      return mapped(page, (row) => findTrigger(row, owner(row)));
    },
    actionSlugs: () => client.toolSlugs(),
    hasApp: (app) => client.hasToolkit(app),
  };
}

function mapped<From, To>({ rows, next, total, leftOut }: Page<From>, map: (row: From) => To): SourcePage<To> {
  return {
    rows: rows.map(map),
    ...defined({ next, total, leftOut: leftOut.length === 0 ? undefined : leftOut }),
  };
}

function getApp(row: ListedToolkit): CatalogueApp {
  const meta = row.meta ?? {};
  const slug = row.slug.toLowerCase();
  const authSchemes = row.auth_schemes ?? [];
  const categories = (meta.categories ?? []).flatMap(({ name }) => (name ? [name] : []));
  return {
    slug,
    name: (row.name ?? '').trim() || slug,
    description: meta.description ?? '',
    categories,
    authSchemes,
    ...defined({
      logo: filled(meta.logo),
      url: filled(meta.app_url),
      version: filled(meta.version),
      updatedAt: filled(meta.updated_at),
    }),
    managedAuthSchemes: row.composio_managed_auth_schemes ?? [],
    // Some apps declare it only through their one scheme.
    noAuth: row.no_auth ?? (authSchemes.length > 0 && authSchemes.every((scheme) => scheme === 'NO_AUTH')),
    deprecated: row.status?.toLowerCase() === 'deprecated',
    actionCount: meta.tools_count ?? 0,
    triggerCount: meta.triggers_count ?? 0,
    hash: sha256(canonicalJson(row)),
  };
}

/** Written out instead of merged, because it runs for many thousand actions. */
function getAction(row: ListedTool, app: string): CatalogueAction {
  const action: { -readonly [Key in keyof CatalogueAction]: CatalogueAction[Key] } = {
    app,
    slug: row.slug,
    title: row.name ?? row.slug,
    description: row.description ?? '',
    tags: row.tags ?? [],
    scopes: row.scopes ?? [],
    deprecated: row.is_deprecated ?? false,
    noAuth: row.no_auth ?? false,
  };
  if (row.version) action.version = row.version;
  if (row.input_parameters) action.inputParameters = row.input_parameters;
  if (row.output_parameters) action.outputParameters = row.output_parameters;
  return action;
}

const empty: JsonSchema = {};

function findTrigger(row: ListedTriggerType, app: string): CatalogueTrigger {
  return {
    app,
    slug: row.slug,
    name: row.name ?? row.slug,
    description: row.description ?? '',
    ...defined({ instructions: filled(row.instructions) }),
    type: row.type ?? 'webhook',
    config: row.config ?? empty,
    payload: row.payload ?? empty,
  };
}

function filled(text: string | null | undefined): string | undefined {
  return text || undefined;
}
