/** Toolkits whose tools come from elsewhere, perhaps late. */
import type { Connection } from '../../domain/connection.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { Toolkit } from '../../domain/tool.js';
import type { Registry } from '../../registry/index.js';
import { createLookup } from '../../util/lookup.js';

const connectionsByToolkit = createLookup(({ toolkit }: Connection) => toolkit);

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
    if (!isOutside(candidate)) return false;
    const labels = [candidate.slug, ...connectionsByToolkit(connections, candidate.slug).map(({ slug }) => slug)];
    return labels.some((label) => wanted.startsWith(plain(label)));
  });
}

/** Waits for a late toolkit that may contain the tool, judged by its name; returns whether there was one. */
export async function waitForToolkit(
  name: string,
  registry: Registry,
  { workspaceId, connections }: WorkspaceConfiguration,
): Promise<boolean> {
  let hasWaited = false;
  for (const candidate of await getOutsideToolkits(name, registry, connections)) {
    if (!(await registry.isLate(candidate.slug, workspaceId))) continue;
    hasWaited = true;
    // The reason for a failure is reported with the next list.
    await registry.tools(candidate.slug, workspaceId).catch(() => undefined);
  }
  return hasWaited;
}
