/** A workspace's newest configuration with the tools that belong to it. */
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { Principal } from '../../domain/principal.js';
import { type Catalogue, type CatalogueTarget, type FindCatalogue, targetsWithinReach } from '../calling/index.js';
import type { ConfigurationCache } from './configurations.js';

interface FreshParts {
  readonly configurations: Pick<ConfigurationCache, 'get' | 'getFresh'>;
  readonly catalogue: FindCatalogue;
}

interface Fresh {
  readonly catalogue: Catalogue;
  readonly configuration: WorkspaceConfiguration;
}

/**
 * Reads the configuration, bypassing every cache, and then the tools; `wanted`: the name of the requested tool, or where the
 * requested tools are, if not all of them are. They are read in this order because the tools depend on the connections, and a tool
 * that is seen for the first time is pinned in the returned configuration.
 */
export async function freshCatalogue(
  { configurations, catalogue }: FreshParts,
  workspaceId: string,
  wanted?: string | readonly CatalogueTarget[],
): Promise<Fresh> {
  await configurations.getFresh(workspaceId);
  const tools = await catalogue(workspaceId, wanted);
  return { catalogue: tools, configuration: await configurations.get(workspaceId) };
}

const maxAttempts = 5;

/**
 * The same with only those tools that these principals of a workspace could be granted use of, and perhaps others: for an agent those
 * of its grants and the intrinsic ones.
 */
export async function freshWithin(
  { configurations, catalogue }: FreshParts,
  workspaceId: string,
  principals: readonly Pick<Principal, 'kind' | 'id'>[],
): Promise<Fresh> {
  const parts = { configurations, catalogue };
  let configuration = await configurations.getFresh(workspaceId);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const tools = await catalogue(workspaceId, targetsOf(principals, configuration));
    const after = await configurations.get(workspaceId);
    // The tools are read for what was granted before: another grant or account may have come meanwhile.
    if (after.grants === configuration.grants && after.connections === configuration.connections)
      return { catalogue: tools, configuration: after };
    configuration = after;
  }
  return freshCatalogue(parts, workspaceId);
}

function targetsOf(
  principals: readonly Pick<Principal, 'kind' | 'id'>[],
  configuration: WorkspaceConfiguration,
): readonly CatalogueTarget[] | undefined {
  const targets: CatalogueTarget[] = [];
  for (const principal of principals) {
    const mine = targetsWithinReach(configuration, principal);
    if (mine === undefined) return undefined;
    targets.push(...mine);
  }
  return targets;
}
