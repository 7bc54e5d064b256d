/** Tells issues that the run of their agent no longer waits, if nobody has told them. */
import type { IssueContext } from '../../tasks/index.js';
import { resumeIssue } from './execute.js';
import type { TaskParts } from './parts.js';
import { pages } from './wake.js';

/**
 * Issues that wait although the run of their agent no longer does: the process that continued or ended it died before it told them, or they
 * heard it before they waited. Each is told once for as long as it stays as it is, whichever processes do this.
 */
export async function resumeForgotten({ actors, storage }: Pick<TaskParts, 'actors' | 'storage'>): Promise<void> {
  for (const { id: workspaceId } of await storage.system.listWorkspaces())
    for await (const { snapshot, version } of pages((after) =>
      actors.list({ workspaceId, kind: 'issue', state: 'executing', ...after }),
    )) {
      const { execution } = snapshot.context as unknown as IssueContext;
      const runId = execution?.waitsFor?.runId;
      if (typeof runId !== 'string') continue;
      const run = await storage.workspace(workspaceId).runs.find(runId);
      if (run && !waits.includes(run.status))
        await resumeIssue({ actors, storage }, run, `forgotten:${runId}:${version}`);
    }
}

const waits: readonly string[] = ['waiting', 'in_doubt'];
