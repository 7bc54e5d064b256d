/** What an issue takes away from an agent at this moment. */
import type { Principal } from '../../domain/principal.js';
import type { ToolConfig } from '../../domain/task.js';
import type { ResolvedToolConfig, TaskScope } from '../../domain/task-scope.js';
import type { IssueContext } from '../../tasks/index.js';
import { defined } from '../../util/defined.js';
import { findPresentStep } from '../runs/index.js';
import { readIssue } from './issues.js';
import { issueAddress, type TaskParts } from './parts.js';
import { resolveFor } from './tool-configs.js';
import { viewOf } from './view.js';

/** Its tool configs, and the step of its recipe in which a run of the agent is. Throws `not_found`. */
export async function readTaskScope(
  parts: TaskParts,
  agent: Pick<Principal, 'id' | 'workspaceId'>,
  issueId: string,
): Promise<TaskScope> {
  const { workspaceId } = agent;
  const [actor, issue] = await readIssue(parts, agent, issueId);
  const { org, assignment } = actor.snapshot.context as unknown as IssueContext;
  const isAssigned = assignment?.agentId === agent.id;
  const places = issue ?? { workspaceId, ...defined({ org: org ?? undefined }) };
  const config = await resolveFor(parts, places, isAssigned ? { ...(assignment.tools as ToolConfig) } : undefined);
  const { run: runId } = viewOf(actor, issue);
  const { runs } = parts.storage.workspace(workspaceId);
  const run = runId === undefined ? undefined : await runs.find(runId);
  if (run === undefined || run.principal.id !== agent.id) return { issueId, ...config };
  return { issueId, ...config, ...defined({ step: findPresentStep(run, await runs.steps(run.id)) }) };
}

/** The tool configs of the issue that a run works on, as they are now. Undefined if it works on none, or no longer on this one. */
export async function readPresentConfig(
  { storage, actors }: Pick<TaskParts, 'storage' | 'actors'>,
  { id: agentId, workspaceId, task }: Pick<Principal, 'id' | 'workspaceId' | 'task'>,
): Promise<ResolvedToolConfig | undefined> {
  if (task === undefined) return undefined;
  const issue = await storage.workspace(workspaceId).issues.find(task.issueId);
  const actor = await actors.read(issueAddress({ workspaceId }, task.issueId));
  if (!issue || !actor) return undefined;
  const { assignment } = actor.snapshot.context as unknown as IssueContext;
  if (assignment?.agentId !== undefined && assignment.agentId !== agentId) return undefined;
  return resolveFor({ storage }, issue, { ...(assignment?.tools as ToolConfig | undefined) });
}
