/** Who works on an issue: its agent, for the person who assigned it, with no more tools than the issue leaves. */
import { agentPrincipal, type Principal, type PrincipalRef } from '../../domain/principal.js';
import type { Issue, ToolConfig } from '../../domain/task.js';
import { mayNotActFor } from '../../principals/index.js';
import type { IssueContext } from '../../tasks/index.js';
import type { TaskParts } from './parts.js';
import { resolveFor } from './tool-configs.js';

/** A principal on an issue. */
export type Worker = Principal & Required<Pick<Principal, 'task'>>;

/** Returns the reason if nobody can work on it. */
export async function findWorker(
  { storage, now }: Pick<TaskParts, 'storage' | 'now'>,
  issue: Pick<Issue, 'id' | 'workspaceId' | 'org' | 'repo' | 'project' | 'tools'>,
  { agent: name, assignment }: Pick<IssueContext, 'agent' | 'assignment'>,
): Promise<Worker | string> {
  if (name === null) return 'No agent is assigned';
  const workspace = storage.workspace(issue.workspaceId);
  // The agent that was meant, even if another has its name by now.
  const agent = await workspace.findAgent(typeof assignment?.agentId === 'string' ? assignment.agentId : name);
  if (!agent) return `There is no agent ${name}`;
  const onBehalfOf = assignment?.onBehalfOf as PrincipalRef | undefined;
  if (onBehalfOf && (await mayNotActFor(workspace, onBehalfOf, now())))
    return `${onBehalfOf.name}, for whom the agent would work, cannot sign in or may not act as agents any more`;
  const config = await resolveFor({ storage }, issue, { ...(assignment?.tools as ToolConfig | undefined) });
  const task = { issueId: issue.id, ...config };
  return { ...agentPrincipal(agent, issue.workspaceId), ...(onBehalfOf && { onBehalfOf }), task };
}
