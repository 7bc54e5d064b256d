/** How the tools of a workspace become a catalogue, and how the definitions that it sees first are pinned. */
import type { DefinitionPin, WorkspaceConfiguration } from '../../domain/grant.js';
import type { Storage } from '../../domain/storage.js';
import type { Toolkit } from '../../domain/tool.js';
import type { Registry } from '../../registry/index.js';
import { type Catalogue, type CatalogueTool, createCatalogue } from '../calling/index.js';
import { draft } from './audit-draft.js';
import { systemPrincipal } from './system-principal.js';
import { toolkitsInUse } from './toolkit-facts.js';

/** Is told which toolkits could be read. */
export interface Reports {
  failed(slug: string, error: unknown): void;
  worked(slug: string): void;
}

/** Builds the catalogue of those toolkits of the workspace that are wanted and can be called. */
export async function buildCatalogue(
  registry: Registry,
  {
    configuration,
    isWanted,
  }: { readonly configuration: WorkspaceConfiguration; readonly isWanted: (candidate: Toolkit) => boolean },
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
export async function pinUnknown(
  { storage, now }: { readonly storage: Storage; readonly now: () => Date },
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
