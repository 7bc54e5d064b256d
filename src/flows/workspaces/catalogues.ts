/** The tools of each workspace, rebuilt when its connections or the tools themselves change. */

import type { Connection } from '../../domain/connection.js';
import type { DefinitionPin, WorkspaceConfiguration } from '../../domain/grant.js';
import type { Storage } from '../../domain/storage.js';
import type { Toolkit } from '../../domain/tool.js';
import type { Registry } from '../../registry/index.js';
import { type Catalogue, type CatalogueTool, createCatalogue, type FindCatalogue } from '../calling/index.js';
import { draft } from './audit-draft.js';
import type { ConfigurationCache } from './configurations.js';
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
  /** Undefined while it is being built. */
  ready: Catalogue | undefined;
}

export interface Catalogues {
  readonly find: FindCatalogue;
  /** Only tools that need no document and no server: our own, and those of the stored catalogue. */
  own(workspaceId: string): Promise<Catalogue>;
}

/** How long to wait before a failed toolkit is checked again; the registry decides whether it is read again. */
const retryMs = 5_000;

interface State extends CatalogueParts {
  readonly configuration: WorkspaceConfiguration;
  /** The same for workspaces with the same tools. */
  readonly place: string;
  readonly key: string;
}

/** Creates the cache of the workspaces' tools. */
export function createCatalogues(parts: CatalogueParts): Catalogues {
  const reports = createReports(parts.reportError);
  const whole = createShelf(parts.registry, reports, () => true);
  /** Without the tools of documents and servers: immediately available. */
  const own = createShelf(parts.registry, reports, (candidate) => !isOutside(candidate));
  const lookedAt = new WeakMap<Catalogue, Set<string>>();
  // Most workspaces of an installation have the same connections: none.
  const keys = new WeakMap<readonly Connection[], string>();

  async function getState(workspaceId: string): Promise<State> {
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
    return { ...parts, configuration, place, key };
  }

  /** Once per workspace and set of tools. */
  async function pinned({ configuration }: State, building: Promise<Catalogue>): Promise<Catalogue> {
    const catalogue = await building;
    const looked = lookedAt.get(catalogue) ?? new Set<string>();
    lookedAt.set(catalogue, looked);
    if (looked.has(configuration.workspaceId)) return catalogue;
    await pinUnknown(parts, configuration, catalogue);
    looked.add(configuration.workspaceId);
    return catalogue;
  }

  return {
    own: async (workspaceId) => own.get(await getState(workspaceId)).catalogue,
    async find(workspaceId, name) {
      const state = await getState(workspaceId);
      if (name !== undefined && !whole.isReady(state)) {
        // A call of one of our own tools waits for no external source.
        const mine = await own.get(state).catalogue;
        if (mine.find(name)) return mine;
      }
      const catalogue = await pinned(state, whole.get(state).catalogue);
      if (name === undefined || catalogue.find(name)) return catalogue;
      if (!(await waitForToolkit(name, state))) return catalogue;
      const after = await getState(workspaceId);
      return pinned(after, whole.get(after).catalogue);
    },
  };
}

interface Shelf {
  /** Rebuilt if its key has changed, or if one of its toolkits failed a while ago. */
  get(state: State): Built;
  isReady(state: State): boolean;
}

/** The catalogues that were built last, of the wanted toolkits. */
function createShelf(registry: Registry, reports: Reports, wanted: (candidate: Toolkit) => boolean): Shelf {
  const kept = new Map<string, Built>();
  return {
    get({ place, key, configuration }) {
      const known = kept.get(place);
      if (known?.key === key) return known;
      const forget = (): void => {
        if (kept.get(place)?.key === key) kept.delete(place);
      };
      const catalogue = build(registry, configuration, wanted, {
        failed: (slug, error) => {
          reports.failed(slug, error);
          setTimeout(forget, retryMs).unref();
        },
        worked: reports.worked,
      });
      const built: Built = { key, catalogue, ready: undefined };
      kept.set(place, built);
      catalogue.then((ready) => {
        built.ready = ready;
      }, forget);
      return built;
    },
    isReady({ place, key }) {
      const known = kept.get(place);
      return known?.key === key && known.ready !== undefined;
    },
  };
}

/** Whether its tools come from elsewhere, perhaps late. */
export const isOutside = ({ provider }: Toolkit): boolean => provider === 'mcp' || provider === 'openapi';

/** Returns the external toolkits that may contain a tool with this name, without reading them. */
export async function getOutsideToolkits(
  name: string,
  registry: Registry,
  connections: readonly Connection[],
): Promise<readonly Toolkit[]> {
  const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const wanted = plain(name.slice(0, 500));
  return (await registry.toolkits()).filter((candidate) => {
    const labels = [
      candidate.slug,
      ...connections.flatMap(({ toolkit, slug }) => (toolkit === candidate.slug ? [slug] : [])),
    ];
    return isOutside(candidate) && labels.some((label) => wanted.startsWith(plain(label)));
  });
}

/** Waits for a late toolkit that may contain the tool, judged by its name; returns whether there was one. */
async function waitForToolkit(name: string, { registry, configuration }: State): Promise<boolean> {
  const { workspaceId, connections } = configuration;
  let hasWaited = false;
  for (const candidate of await getOutsideToolkits(name, registry, connections)) {
    if (!(await registry.isLate(candidate.slug, workspaceId))) continue;
    hasWaited = true;
    // The reason for a failure is reported with the next list.
    await registry.tools(candidate.slug, workspaceId).catch(() => undefined);
  }
  return hasWaited;
}

interface Reports {
  failed(slug: string, error: unknown): void;
  worked(slug: string): void;
}

/** A repeated failure with the same reason is reported once. */
function createReports(reportError: (error: unknown) => void): Reports {
  const told = new Map<string, string>();
  return {
    failed(slug, error) {
      const message = error instanceof Error ? error.message : String(error);
      if (told.get(slug) === message) return;
      told.set(slug, message);
      reportError(error);
    },
    worked: (slug) => void told.delete(slug),
  };
}

function connectionsKey(connections: readonly Connection[]): string {
  return connections.map(({ id, toolkit, slug, scheme }) => `${id} ${toolkit} ${slug} ${scheme}`).join('\n');
}

async function build(
  registry: Registry,
  configuration: WorkspaceConfiguration,
  isWanted: (candidate: Toolkit) => boolean,
  reports: Reports,
): Promise<Catalogue> {
  const connected = new Set(configuration.connections.map(({ toolkit }) => toolkit));
  // Only the document itself says whether its toolkit needs an account.
  const isReady = (candidate: Toolkit): boolean =>
    !candidate.needsConnection || candidate.provider === 'openapi' || connected.has(candidate.slug);
  const inUse = toolkitsInUse(configuration);
  const wanted = (await registry.toolkits()).filter(
    (candidate) => isWanted(candidate) && inUse(candidate) && isReady(candidate),
  );
  const tools = await Promise.all(
    wanted.map(async (candidate): Promise<CatalogueTool[]> => {
      try {
        const found = await getTools(registry, candidate, configuration);
        if (!(await registry.isLate(candidate.slug, configuration.workspaceId))) reports.worked(candidate.slug);
        return found.map((tool) => ({ ...tool, toolkitTitle: candidate.title }));
      } catch (error) {
        // One server that is down must not remove all other tools.
        reports.failed(candidate.slug, error);
        return [];
      }
    }),
  );
  return createCatalogue(tools.flat());
}

/** The provider for calls with an account: the toolkit's best, or the provider that stores the account. */
async function getTools(
  registry: Registry,
  candidate: Toolkit,
  { connections, workspaceId }: WorkspaceConfiguration,
): Promise<CatalogueTool[]> {
  const best = await registry.toolsSoon(candidate.slug, workspaceId);
  if (!candidate.needsConnection) return [...best];
  const mine = connections.filter(({ toolkit }) => toolkit === candidate.slug);
  const hostedBy = new Map(candidate.auth?.schemes.map((scheme) => [scheme.id, scheme.hostedBy]));
  const keptHere = mine.filter(({ scheme }) => hostedBy.get(scheme) === undefined);
  const offered = best.filter(({ provider }) => provider.accounts === undefined);
  const tools = offered.map((registration): CatalogueTool => ({ ...registration, connections: keptHere }));
  for (const kind of new Set(mine.flatMap(({ scheme }) => hostedBy.get(scheme) ?? []))) {
    const hosted = mine.filter(({ scheme }) => hostedBy.get(scheme) === kind);
    for (const registration of await registry.toolsOf(candidate.slug, kind))
      tools.push({ ...registration, connections: hosted });
  }
  return tools;
}

/** The first definition that a workspace sees is the one that it is pinned to. */
async function pinUnknown(
  { storage, now }: Pick<CatalogueParts, 'storage' | 'now'>,
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
    // A tool occurs once for each account.
    known.add(key);
    fresh.push({ toolkit, tool: name, ...tool.definition, pinnedAt: at });
  }
  if (fresh.length === 0) return;
  const row = draft('definition.pinned', systemPrincipal(workspaceId), seenAt, {
    definitions: fresh.map(({ toolkit, tool, hash }) => ({ toolkit, tool, hash })),
  });
  await storage.workspace(workspaceId).change([row], (tables) => tables.putPins(fresh));
}
