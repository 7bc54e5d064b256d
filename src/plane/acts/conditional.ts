/** Changes that depend on what was read: later changes are not overwritten. */
import { HelveError } from '../../domain/errors.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { PlaneParts } from '../../flows/parts.js';

const maxRounds = 10;

/**
 * Runs `change` on the newest configuration; it commits under that revision, and runs again if another change came in
 * between. Throws `conflict` if changes keep coming.
 */
export async function changedSince<T>(
  { configurations }: Pick<PlaneParts, 'configurations'>,
  workspaceId: string,
  change: (configuration: WorkspaceConfiguration) => Promise<T>,
): Promise<T> {
  for (let round = 1; ; round++) {
    const configuration = await configurations.getFresh(workspaceId);
    try {
      return await change(configuration);
    } catch (error) {
      const isStale = error instanceof HelveError && error.details?.staleRevision === true;
      if (!isStale || round === maxRounds) throw error;
      configurations.forget(workspaceId);
    }
  }
}

/** Throws `precondition_failed`, with the present state, if the version is not among `ifMatch`; undefined: no check. */
export function requireVersion(
  ifMatch: readonly string[] | undefined,
  version: string,
  differences: () => readonly string[],
): void {
  if (ifMatch === undefined || ifMatch.includes('*') || ifMatch.includes(version)) return;
  const found = differences();
  const said = found.slice(0, 5).join('; ') || 'it already is what you sent';
  throw new HelveError('precondition_failed', `It was changed since you read it: ${said}`, {
    hint: 'Read it again, apply your change to the present state, and send it with the new version.',
    details: { version, differences: found.slice(0, 100) },
  });
}
