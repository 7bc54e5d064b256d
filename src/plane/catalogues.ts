/** The tools of each workspace, built anew when its connections or the tools themselves change. */
import { type Catalogue, type CatalogueTool, createCatalogue } from '../execution/index.js';
import type { Registry } from '../registry/index.js';
import type { Connection } from '../spec/connection.js';
import type { DefinitionPin, WorkspaceConfiguration } from '../spec/grant.js';
import type { Storage } from '../spec/storage.js';
import type { Toolkit } from '../spec/tool.js';
import type { ConfigurationCache } from './configurations.js';
import { draft } from './draft.js';
import { systemPrincipal } from './system-principal.js';
import { chosenToolkits, toolkitsInUse } from './toolkit-facts.js';

interface CatalogueParts {
  readonly registry: Registry;
  readonly configurations: ConfigurationCache;
  readonly storage: Storage;
  readonly now: () => Date;
  readonly reportError: (error: unknown) => void;
}

interface Built {
  readonly key: string;
  readonly catalogue: Promise<Catalogue>;
}

/** A toolkit that could not be read is tried again after so long. */
const retryMs = 5_000;

export function createCatalogues(parts: CatalogueParts): (workspaceId: string) => Promise<Catalogue> {
  const built = new Map<string, Built>();
  const lookedAt = new Map<string, string>();
  // Most workspaces of an installation have the same connections: none.
  const keys = new WeakMap<readonly Connection[], string>();

  return async (workspaceId) => {
    const configuration = await parts.configurations.get(workspaceId);
    const { connections } = configuration;
    let ofConnections = keys.get(connections);
    if (ofConnections === undefined) {
      ofConnections = connectionsKey(connections);
      keys.set(connections, ofConnections);
    }
    const used = chosenToolkits(configuration.toolkits);
    const place = connections.length + used.length === 0 ? '' : workspaceId;
    const key = `${parts.registry.generation}\n${ofConnections}\n${used.join(' ')}`;
    const known = built.get(place);
    if (known?.key === key) return pinned(workspaceId, key, configuration, known.catalogue);
    const forget = (): void => {
      if (built.get(place)?.key === key) built.delete(place);
    };
    const catalogue = build(parts, configuration, () => setTimeout(forget, retryMs).unref());
    built.set(place, { key, catalogue });
    catalogue.catch(forget);
    return pinned(workspaceId, key, configuration, catalogue);
  };

  /** Once for each workspace and each set of tools. */
  async function pinned(
    workspaceId: string,
    key: string,
    configuration: WorkspaceConfiguration,
    building: Promise<Catalogue>,
  ): Promise<Catalogue> {
    const catalogue = await building;
    if (lookedAt.get(workspaceId) === key) return catalogue;
    await pinUnknown(parts, configuration, catalogue);
    lookedAt.set(workspaceId, key);
    return catalogue;
  }
}

function connectionsKey(connections: readonly Connection[]): string {
  return connections.map(({ id, toolkit, slug, scheme }) => `${id} ${toolkit} ${slug} ${scheme}`).join('\n');
}

async function build(
  parts: CatalogueParts,
  configuration: WorkspaceConfiguration,
  incomplete: () => void,
): Promise<Catalogue> {
  const { registry, reportError } = parts;
  const connected = new Set(configuration.connections.map(({ toolkit }) => toolkit));
  // Whether a document's toolkit needs an account stands in the document.
  const isReady = (kit: Toolkit): boolean =>
    !kit.needsConnection || kit.provider === 'openapi' || connected.has(kit.slug);
  const inUse = toolkitsInUse(configuration);
  const wanted = (await registry.toolkits()).filter((kit) => inUse(kit) && isReady(kit));
  const tools = await Promise.all(
    wanted.map(async (kit): Promise<CatalogueTool[]> => {
      try {
        const tools = await toolsOf(registry, kit, configuration);
        return tools.map((tool) => ({ ...tool, toolkitTitle: kit.title }));
      } catch (error) {
        // One server that is down must not take all other tools with it.
        reportError(error);
        incomplete();
        return [];
      }
    }),
  );
  return createCatalogue(tools.flat());
}

/** Whose tools an account is used with: the toolkit's best, or, of an account that a provider keeps, that provider's. */
async function toolsOf(
  registry: Registry,
  kit: Toolkit,
  { connections, workspaceId }: WorkspaceConfiguration,
): Promise<CatalogueTool[]> {
  const best = await registry.tools(kit.slug, workspaceId);
  if (!kit.needsConnection) return [...best];
  const mine = connections.filter(({ toolkit }) => toolkit === kit.slug);
  const hostedBy = new Map(kit.auth?.schemes.map((scheme) => [scheme.id, scheme.hostedBy]));
  const keptHere = mine.filter(({ scheme }) => hostedBy.get(scheme) === undefined);
  const offered = best.filter(({ provider }) => provider.accounts === undefined);
  const tools = offered.map((registration): CatalogueTool => ({ ...registration, connections: keptHere }));
  for (const kind of new Set(mine.flatMap(({ scheme }) => hostedBy.get(scheme) ?? []))) {
    const hosted = mine.filter(({ scheme }) => hostedBy.get(scheme) === kind);
    for (const registration of await registry.toolsOf(kit.slug, kind))
      tools.push({ ...registration, connections: hosted });
  }
  return tools;
}

/** A definition that a workspace sees for the first time is the one that it is held to from then on. */
async function pinUnknown(
  { storage, now, configurations }: CatalogueParts,
  { workspaceId, pins }: WorkspaceConfiguration,
  { entries }: Catalogue,
): Promise<void> {
  const seenAt = now();
  const at = seenAt.toISOString();
  const known = new Set(pins.map(({ toolkit, tool }) => `${toolkit}\n${tool}`));
  const fresh: DefinitionPin[] = [];
  for (const { tool } of entries) {
    const { toolkit, name } = tool.id;
    const key = `${toolkit}\n${name}`;
    if (tool.definition === undefined || known.has(key)) continue;
    // A tool stands there once for each account.
    known.add(key);
    fresh.push({ toolkit, tool: name, ...tool.definition, pinnedAt: at });
  }
  if (fresh.length === 0) return;
  const row = draft('definition.pinned', systemPrincipal(workspaceId), seenAt, {
    definitions: fresh.map(({ toolkit, tool, hash }) => ({ toolkit, tool, hash })),
  });
  await storage.workspace(workspaceId).change([row], (tables) => tables.putPins(fresh));
  configurations.changed(workspaceId);
}
