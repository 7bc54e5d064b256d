/** Runs that wait for issues which no longer want them. */
import type { StoredRun } from '../../domain/storage.js';
import { defined } from '../../util/defined.js';
import { type ExecuteParts, endUnwanted } from './execute.js';

const perPage = 100;

/**
 * Ends the runs that still wait, usually for a person, although their issue was cancelled, given to another agent or begun again meanwhile, and
 * counts what they used. A run with an effect in doubt stays until a person has looked.
 */
export async function endUnwantedRuns(parts: ExecuteParts): Promise<void> {
  for (const { id } of await parts.storage.system.listWorkspaces())
    for await (const run of waitingRuns(parts, id)) if (run.principal.task !== undefined) await endUnwanted(parts, run);
}

/** The runs of a workspace that wait, newest first. */
export async function* waitingRuns(
  { storage }: Pick<ExecuteParts, 'storage'>,
  workspaceId: string,
): AsyncIterable<StoredRun> {
  const { runs } = storage.workspace(workspaceId);
  for (let before: string | undefined; ; ) {
    const page = await runs.list({ status: 'waiting', limit: perPage, ...defined({ before }) });
    yield* page;
    if (page.length < perPage) return;
    before = page.at(-1)?.id;
  }
}
