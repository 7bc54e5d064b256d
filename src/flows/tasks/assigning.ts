/** Giving issues to agents, and ending or repeating their work. */
import { principalRef } from '../../audit/index.js';
import type { ActorEvent } from '../../domain/actor-host.js';
import type { AuditEventType } from '../../domain/audit.js';
import { HelveError } from '../../domain/errors.js';
import type { IssueActs, IssueView } from '../../domain/issue-acts.js';
import type { JsonObject } from '../../domain/json.js';
import type { Principal } from '../../domain/principal.js';
import { machines } from '../../tasks/index.js';
import { defined } from '../../util/defined.js';
import { draft } from '../workspaces/index.js';
import { readIssue } from './issues.js';
import type { TaskParts } from './parts.js';
import { describeMisfit } from './recipes.js';
import { sendToIssue } from './send.js';
import { stateOf, viewOf } from './view.js';

type AssigningActs = Pick<IssueActs, 'assignIssue' | 'unassignIssue' | 'retryIssue' | 'cancelIssue'>;

export interface Order {
  readonly id: string;
  readonly event: ActorEvent;
  /** The row of the record. */
  readonly type: AuditEventType;
  readonly body?: JsonObject;
  /** What was wanted, for the refusal. */
  readonly wanted: string;
}

export function createAssigning(parts: TaskParts): AssigningActs {
  return {
    async assignIssue(principal, id, { agent: name, tools }) {
      const agent = await parts.directory(principal.workspaceId).agent(name);
      const [, issue] = await readIssue(parts, principal, id);
      const misfit = issue && describeMisfit(issue, agent);
      if (misfit !== undefined)
        throw new HelveError('conflict', misfit, { hint: 'Assign it to another agent, or change one of them.' });
      const assignment = {
        agentId: agent.id,
        onBehalfOf: { ...principalRef(principal) },
        ...defined({ tools: tools && { ...tools } }),
      };
      const event = { type: 'ASSIGN_AGENT', agent: agent.slug, assignment };
      return order(parts, principal, {
        id,
        event,
        type: 'issue.assigned',
        body: { agent: agent.slug },
        wanted: 'assigned',
      });
    },
    unassignIssue: (principal, id) =>
      order(parts, principal, {
        id,
        event: { type: 'UNASSIGN' },
        type: 'issue.unassigned',
        wanted: 'taken from its agent',
      }),
    retryIssue: (principal, id) =>
      order(parts, principal, { id, event: { type: 'RETRY' }, type: 'issue.retried', wanted: 'retried' }),
    cancelIssue: (principal, id) =>
      order(parts, principal, { id, event: { type: 'CANCEL' }, type: 'issue.cancelled', wanted: 'cancelled' }),
  };
}

/** Throws `conflict` if the event would change nothing in the present state. */
export async function order(
  parts: TaskParts,
  principal: Principal,
  { id, event, type, body, wanted }: Order,
): Promise<IssueView> {
  const [{ snapshot }] = await readIssue(parts, principal, id);
  const [next] = machines.issue.transition(snapshot, event);
  const { state } = stateOf(snapshot.value);
  if (JSON.stringify(next) === JSON.stringify(snapshot))
    throw new HelveError('conflict', `An issue that is ${state} cannot be ${wanted}`);
  const row = draft(type, principal, parts.now(), { issue: id, ...body });
  await parts.journal.append({ workspaceId: principal.workspaceId, events: [row] });
  await sendToIssue(parts, principal, { id, event });
  return viewOf(...(await readIssue(parts, principal, id)));
}
