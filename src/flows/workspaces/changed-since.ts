/** Changes of the configuration that depend on what was read: later changes are not overwritten. */
import { isStaleRevision } from '../../domain/errors.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { ConfigurationCache } from './configurations.js';

const maxRounds = 10;

/**
 * Runs `change` on the newest configuration; it commits under that revision, and runs again if another change came in
 * between. Throws `conflict` if changes keep coming.
 */
export async function changedSince<T>(
  { configurations }: { readonly configurations: Pick<ConfigurationCache, 'getFresh' | 'forget'> },
  workspaceId: string,
  change: (configuration: WorkspaceConfiguration) => Promise<T>,
): Promise<T> {
  for (let round = 1; ; round++) {
    const configuration = await configurations.getFresh(workspaceId);
    try {
      return await change(configuration);
    } catch (error) {
      if (!isStaleRevision(error) || round === maxRounds) throw error;
      configurations.forget(workspaceId);
    }
  }
}

/** The same after all changes of the workspace that this process has begun so. `change` must not begin one itself. */
export function changedInLine<T>(
  parts: { readonly configurations: Pick<ConfigurationCache, 'getFresh' | 'forget' | 'inLine'> },
  workspaceId: string,
  change: (configuration: WorkspaceConfiguration) => Promise<T>,
): Promise<T> {
  return parts.configurations.inLine(workspaceId, () => changedSince(parts, workspaceId, change));
}
