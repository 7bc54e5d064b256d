/** A workspace's newest configuration with the tools that belong to it. */
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { Catalogue, FindCatalogue } from '../calling/index.js';
import type { ConfigurationCache } from './configurations.js';

interface FreshParts {
  readonly configurations: ConfigurationCache;
  readonly catalogue: FindCatalogue;
}

/**
 * Reads the configuration past every cache, and then the tools; `name` is the tool that is wanted, if only one is. The two
 * are read in this order because the tools follow the connections, and seeing a tool for the first time pins it in the
 * configuration that is returned.
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
