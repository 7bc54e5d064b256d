/** How the tools of a workspace become a catalogue, and how the definitions that it sees first are pinned. */
import type { Connection } from '../../domain/connection.js';
import type { DefinitionPin, WorkspaceConfiguration } from '../../domain/grant.js';
import type { Storage } from '../../domain/storage.js';
import type { Toolkit } from '../../domain/tool.js';
import type { Registry } from '../../registry/index.js';
import { createLookup } from '../../util/lookup.js';
import { inSlices } from '../../util/slices.js';
import { definitionName } from '../../util/tool-definition.js';
import { type Catalogue, type CatalogueTool, createCatalogue, slugWithout } from '../calling/index.js';
import { draft } from './audit-draft.js';
import { changedInLine } from './changed-since.js';
import type { ConfigurationCache } from './configurations.js';
import { systemPrincipal } from './system-principal.js';
import { chosenToolkits } from './toolkit-facts.js';

/** Is told which toolkits could be read. */
export interface Reports {
  failed(slug: string, error: unknown): void;
  worked(slug: string): void;
}

export interface CatalogueBasis {
  readonly configuration: WorkspaceConfiguration;
  readonly toolkits: readonly Toolkit[];
  /** Only the tools whose names start with it; undefined: all. */
  readonly slug?: string;
}

const byToolkit = createLookup(({ toolkit }: Connection) => toolkit);

/** Builds the catalogue of those of these toolkits that can be called in the workspace. */
export async function buildCatalogue(registry: Registry, basis: CatalogueBasis, reports: Reports): Promise<Catalogue> {
  const { configuration, toolkits } = basis;
  const chosen = new Set(chosenToolkits(configuration.toolkits));
  const tools = await Promise.all(
    toolkits
      .filter((candidate) => canCall(candidate, configuration, chosen))
      .map(async (candidate): Promise<CatalogueTool[]> => {
        try {
          const found = await getTools(registry, candidate, basis);
          if (!(await registry.isLate(candidate.slug, configuration.workspaceId))) reports.worked(candidate.slug);
          return found.map((tool) => ({ ...tool, toolkitTitle: candidate.title }));
        } catch (error) {
          // One server that is down must not remove all other tools.
          reports.failed(candidate.slug, error);
          return [];
        }
      }),
  );
  return inSlices(createCatalogue(tools.flat()));
}

/** Whether the workspace uses the toolkit, and has the account that it needs. */
function canCall(
  { slug, onDemand, needsConnection, provider }: Toolkit,
  { connections }: WorkspaceConfiguration,
  chosen: ReadonlySet<string>,
): boolean {
  const isConnected = byToolkit(connections, slug).length > 0;
  // Only the document itself says whether its toolkit needs an account.
  const isReady = !needsConnection || provider === 'openapi' || isConnected;
  return isReady && (!onDemand || isConnected || chosen.has(slug));
}

/** The provider for calls with an account: the toolkit's best, or the provider that stores the account. */
async function getTools(
  registry: Registry,
  candidate: Toolkit,
  { configuration: { connections, workspaceId }, slug }: CatalogueBasis,
): Promise<CatalogueTool[]> {
  const best = await registry.toolsSoon(candidate.slug, workspaceId);
  if (!candidate.needsConnection) return best.filter((one) => slug === undefined || slugWithout(one) === slug);
  const all = byToolkit(connections, candidate.slug);
  const mine = slug === undefined ? all : all.filter((connection) => connection.slug === slug);
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

interface PinParts {
  readonly configurations: Pick<ConfigurationCache, 'getFresh' | 'forget' | 'inLine'>;
  readonly storage: Storage;
  readonly now: () => Date;
}

type Listed = Iterable<Pick<CatalogueTool, 'tool'>>;

/** The first definition that a workspace sees is the one that it is pinned to. `configuration`: as last read. */
export async function pinUnknown(parts: PinParts, configuration: WorkspaceConfiguration, tools: Listed): Promise<void> {
  if (findUnknown(configuration, tools).length === 0) return;
  const { workspaceId } = configuration;
  // What another process has pinned since, or somebody has agreed to, stays.
  const pin = async (present: WorkspaceConfiguration): Promise<void> => {
    const unknown = findUnknown(present, tools);
    if (unknown.length === 0) return;
    const seenAt = parts.now();
    const pins = unknown.map((pin): DefinitionPin => ({ ...pin, pinnedAt: seenAt.toISOString() }));
    const row = draft('definition.pinned', systemPrincipal(workspaceId), seenAt, {
      definitions: pins.map(({ toolkit, tool, hash }) => ({ toolkit, tool, hash })),
    });
    await parts.storage.workspace(workspaceId).change([row], (tables) => tables.putPins(pins), present.revision);
  };
  // The toolkits of an agent are read at the same time.
  await changedInLine(parts, workspaceId, pin);
}

/** The definitions that are not pinned, each once. */
function findUnknown(
  { pins }: Pick<WorkspaceConfiguration, 'pins'>,
  tools: Listed,
): readonly Omit<DefinitionPin, 'pinnedAt'>[] {
  const known = new Set(pins.map(({ toolkit, tool }) => `${toolkit}\n${tool}`));
  const unknown: Omit<DefinitionPin, 'pinnedAt'>[] = [];
  for (const { tool } of tools) {
    if (tool.definition === undefined) continue;
    const { toolkit } = tool.id;
    const name = definitionName(tool);
    const key = `${toolkit}\n${name}`;
    if (known.has(key)) continue;
    // A tool occurs once for each account.
    known.add(key);
    const { hash, text } = tool.definition;
    unknown.push({ toolkit, tool: name, hash, text });
  }
  return unknown;
}
