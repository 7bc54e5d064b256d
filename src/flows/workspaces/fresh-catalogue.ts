/** A workspace's newest configuration with the tools that belong to it. */
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { Catalogue, FindCatalogue } from '../calling/index.js';
import type { ConfigurationCache } from './configurations.js';

interface FreshParts {
  readonly configurations: ConfigurationCache;
  readonly catalogue: FindCatalogue;
}

/**
 * Reads the configuration, bypassing every cache, and then the tools; `name`: the requested tool, if there is only one.
 * They are read in this order because the tools depend on the connections, and a tool that is seen for the first time
 * is pinned in the returned configuration.
 */
export async function freshCatalogue(
  { configurations, catalogue }: FreshParts,
  workspaceId: string,
  name?: string,
): Promise<{ readonly catalogue: Catalogue; readonly configuration: WorkspaceConfiguration }> {
  await configurations.getFresh(workspaceId);
  const tools = await catalogue(workspaceId, name);
  return { catalogue: tools, configuration: await configurations.get(workspaceId) };
}
