/** Giving issues to agents, and ending or repeating their work. */
import { principalRef } from '../../audit/index.js';
import type { ActorEvent, ActorView } from '../../domain/actor-host.js';
import type { AuditEventType } from '../../domain/audit.js';
import { HelveError } from '../../domain/errors.js';
import type { IssueActs, IssueView } from '../../domain/issue-acts.js';
import type { JsonObject } from '../../domain/json.js';
import type { Principal, PrincipalRef } from '../../domain/principal.js';
import { type IssueContext, machines } from '../../tasks/index.js';
import { defined } from '../../util/defined.js';
import { draft } from '../workspaces/index.js';
import { agreement, hashWords, hasOtherWords } from './agreed-words.js';
import { readIssue } from './issues.js';
import { requireKnownApps } from './known-apps.js';
import type { TaskParts } from './parts.js';
import { describeMisfit } from './recipes.js';
import { type Applied, sendToIssue } from './send.js';
import { stateOf, viewOf } from './view.js';

type AssigningActs = Pick<IssueActs, 'assignIssue' | 'unassignIssue' | 'retryIssue' | 'cancelIssue'>;

export interface Order {
  readonly id: string;
  readonly event: ActorEvent;
  /** The row of the record. */
  readonly type: AuditEventType;
  readonly body?: JsonObject;
  /** What the caller wanted, for the text of the refusal. */
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
      if (tools) await requireKnownApps(parts, tools);
      const assignment = {
        agentId: agent.id,
        onBehalfOf: { ...principalRef(principal) },
        ...defined({ tools: tools && { ...tools }, words: issue && hashWords(issue) }),
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
    async retryIssue(principal, id) {
      const [{ snapshot }, issue] = await readIssue(parts, principal, id);
      const event = { type: 'RETRY', ...defined({ agreed: issue && agreement(issue, principal) }) };
      const next = machines.issue.transition(snapshot, event)[0].context as unknown as IssueContext;
      if (issue && hasOtherWords(issue, next)) throw new HelveError('conflict', describeOtherWords(next), { hint });
      return order(parts, principal, { id, event, type: 'issue.retried', wanted: 'retried' });
    },
    cancelIssue: (principal, id) =>
      order(parts, principal, { id, event: { type: 'CANCEL' }, type: 'issue.cancelled', wanted: 'cancelled' }),
  };
}

const hint = 'Read it, and assign it: its agent then works for you.';

function describeOtherWords({ assignment }: IssueContext): string {
  const { name = 'somebody' } = (assignment?.onBehalfOf ?? {}) as Partial<PrincipalRef>;
  return `The text, the recipe or the checks of the issue have changed since ${name} assigned it`;
}

/** Throws `conflict` if the event changes nothing, also because somebody else was faster. */
export async function order(
  parts: TaskParts,
  principal: Principal,
  { id, event, type, body, wanted }: Order,
): Promise<IssueView> {
  const [before] = await readIssue(parts, principal, id);
  const { snapshot } = before;
  const [next] = machines.issue.transition(snapshot, event);
  const { state } = stateOf(snapshot.value);
  if (JSON.stringify(next) === JSON.stringify(snapshot))
    throw new HelveError('conflict', `An issue that is ${state} cannot be ${wanted}`);
  const row = draft(type, principal, parts.now(), { issue: id, ...body });
  await parts.journal.append({ workspaceId: principal.workspaceId, events: [row] });
  const applied = await sendToIssue(parts, principal, { id, event });
  if (applied && !hasChanged(before, applied))
    throw new HelveError('conflict', `Somebody else has just changed the issue, and so it was not ${wanted}`, {
      hint: 'Read the issue again.',
    });
  return viewOf(...(await readIssue(parts, principal, id)));
}

/** Whether the event changed the issue: events of others may have been applied between it and what was read before. */
function hasChanged({ snapshot, version }: ActorView, { id, view }: Applied): boolean {
  const applied = view.events.filter(({ setAside }) => setAside === undefined);
  const later = view.version - version;
  // Only the last events are known.
  if (later > applied.length) return true;
  let present = snapshot;
  for (const one of applied.slice(applied.length - later)) {
    const [next] = machines.issue.transition(present, one.event);
    if (one.id === id) return JSON.stringify(next) !== JSON.stringify(present);
    present = next;
  }
  return true;
}
