/** Changes that rest on what was read: what has changed meanwhile is not written over. */
import { HelveError } from '../../domain/errors.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { PlaneParts } from '../../flows/parts.js';

const maxRounds = 10;

/**
 * Runs `change` on the newest configuration; it commits under that revision, and when another change came between it is
 * run again. Throws `conflict` when changes keep coming.
 */
export async function changedSince<T>(
  { configurations }: Pick<PlaneParts, 'configurations'>,
  workspaceId: string,
  change: (configuration: WorkspaceConfiguration) => Promise<T>,
): Promise<T> {
  for (let round = 1; ; round++) {
    const configuration = await configurations.getFresh(workspaceId);
    try {
      const changed = await change(configuration);
      configurations.changed(workspaceId);
      return changed;
    } catch (error) {
      const isStale = error instanceof HelveError && error.details?.staleRevision === true;
      if (!isStale || round === maxRounds) throw error;
      configurations.forget(workspaceId);
    }
  }
}

/** Throws `precondition_failed` with what stands there now; `ifMatch` undefined: nothing was read, nothing is asked. */
export function requireVersion(
  ifMatch: readonly string[] | undefined,
  version: string,
  differences: () => readonly string[],
): void {
  if (ifMatch === undefined || ifMatch.includes('*') || ifMatch.includes(version)) return;
  const found = differences();
  const said = found.slice(0, 5).join('; ') || 'it is as you would have written it';
  throw new HelveError('precondition_failed', `It was changed since you read it: ${said}`, {
    hint: 'Read it again, make your change to what is there now, and send it with the new version.',
    details: { version, differences: found.slice(0, 100) },
  });
}
