/** For tests: grants as the store has them, since an act that lists them waits for toolkits that are late. */
import { join } from 'node:path';
import { seal } from '../../../audit/index.js';
import type { Grant, GrantInput } from '../../../domain/grant.js';
import type { WorkspaceStorage } from '../../../domain/storage.js';
import { openStorage } from '../../../storage/index.js';

export interface Holder {
  readonly dataDir: string;
  readonly workspaceId: string;
  /** The agent's slug. */
  readonly slug: string;
}

async function inStore<T>(
  { dataDir, workspaceId }: Holder,
  use: (workspace: WorkspaceStorage) => Promise<T>,
): Promise<T> {
  const storage = await openStorage({ location: join(dataDir, 'helve.db'), seal });
  try {
    return await use(storage.workspace(workspaceId));
  } finally {
    await storage.close();
  }
}

export function storedGrants(holder: Holder): Promise<readonly Grant[]> {
  return inStore(holder, async (workspace) => {
    const { agents, grants } = await workspace.configuration();
    const id = agents.find(({ slug }) => slug === holder.slug)?.id;
    return grants.filter(({ agentId }) => agentId === id);
  });
}

/** Writes the agent's only grant, as another process would: an installation that is open finds it in the store. */
export function storeGrant(
  holder: Holder,
  { toolkit, tools, limits = {} }: Pick<GrantInput, 'toolkit' | 'tools'> & Partial<GrantInput>,
): Promise<void> {
  return inStore(holder, async (workspace) => {
    const agent = await workspace.findAgent(holder.slug);
    const grants = [{ toolkit, tools, limits, config: {} }];
    await workspace.change([], (tables) => tables.replaceGrants(agent?.id ?? '', grants));
  });
}
