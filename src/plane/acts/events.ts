/** What happens in the workspace, live: each row of the record, for those who may see it. */
import type { Follower } from '../../audit/index.js';
import type { AuditEvent, AuditEventType } from '../../domain/audit.js';
import type { EventActs, EventsQuery, RecordedEvent } from '../../domain/events.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { JsonObject } from '../../domain/json.js';
import { isOwn, type Permission, type Principal } from '../../domain/principal.js';
import type { PlaneParts } from '../../flows/parts.js';
import { seesAccount } from '../../grants/index.js';
import { defined } from '../../util/defined.js';
import { whileAllowed } from './rights-check.js';

/** How often a reader who sees none of the rows is told the position, in milliseconds. */
const positionMs = 5_000;

export function createEventActs(parts: PlaneParts): EventActs {
  // Many follow the same rows.
  const described = new WeakMap<AuditEvent, Promise<RecordedEvent>>();
  const describeOnce = (row: AuditEvent): Promise<RecordedEvent> => {
    const known = described.get(row);
    if (known) return known;
    const event = describe(parts, row);
    described.set(row, event);
    event.catch(() => described.delete(row));
    return event;
  };
  const describing = { ...parts, describeOnce };
  return { events: (principal, query, signal) => follow(describing, principal, { ...query, signal }) };
}

type Describing = PlaneParts & { readonly describeOnce: (row: AuditEvent) => Promise<RecordedEvent> };

async function* follow(
  parts: Describing,
  principal: Principal,
  { after, live = true, signal }: EventsQuery & { readonly signal: AbortSignal },
): ReturnType<EventActs['events']> {
  const follower: Follower = { after, concerns: (row) => mayConcern(principal, row) };
  const batches = parts.feed.follow(principal.workspaceId, follower, signal);
  let told: number | undefined;
  let toldAt = 0;
  let hasSeen = false;
  for await (const [{ rows, seq, isCaughtUp }, configuration] of whileAllowed(parts, principal, batches)) {
    for (const row of rows) {
      const event = await parts.describeOnce(row);
      if (!maySeeEvent(principal, configuration, [event, row])) continue;
      hasSeen = true;
      yield event;
    }
    if (!isCaughtUp) continue;
    const at = parts.now();
    if (told !== seq && (hasSeen || at.getTime() - toldAt >= positionMs)) {
      yield { type: 'position', seq, at: at.toISOString() };
      told = seq;
      toldAt = at.getTime();
      hasSeen = false;
    }
    if (!live) return;
  }
}

/** What is needed to see events of a type without `audit:read`. `own`: whoever acted sees them too. */
interface Reading {
  readonly needs: Permission;
  readonly own?: true;
  /** Only for an account that the receiver may see. */
  readonly ofAccount?: true;
}

const call: Reading = { needs: 'audit:read', own: true };
const approval: Reading = { needs: 'approvals:read', own: true, ofAccount: true };
const account: Reading = { needs: 'connections:read', ofAccount: true };
const agent: Reading = { needs: 'agents:read' };
const person: Reading = { needs: 'users:read' };
const credential: Reading = { needs: 'agents:read', own: true };
const catalogue: Reading = { needs: 'tools:read' };
const record: Reading = { needs: 'audit:read' };
const definition: Reading = { needs: 'grants:read' };

const readings: Readonly<Record<AuditEventType, Reading>> = {
  'execution.started': call,
  'execution.finished': call,
  'execution.refused': call,
  'execution.interrupted': call,
  'execution.stop_requested': call,
  'run.started': call,
  'run.refused': call,
  'run.waiting': call,
  'run.resumed': call,
  'run.decided': call,
  'run.finished': call,
  'approval.requested': approval,
  'approval.decided': approval,
  'approval.withdrawn': approval,
  'grants.replaced': definition,
  'policies.replaced': { needs: 'policies:read' },
  'toolkit.changed': catalogue,
  'connection.added': account,
  'connection.changed': account,
  'connection.started': account,
  'connection.connected': account,
  'connection.checked': account,
  'connection.failed': account,
  'connection.disconnected': account,
  'connection.removed': { ...account, own: true },
  'auth_config.changed': account,
  'vault.rotated': account,
  'definition.pinned': definition,
  'definition.decided': definition,
  'sync.started': catalogue,
  'sync.cancelled': catalogue,
  'sync.finished': catalogue,
  'trigger.subscribed': account,
  'trigger.unsubscribed': account,
  'issue.created': catalogue,
  'issue.changed': catalogue,
  'issue.commented': catalogue,
  'issue.assigned': catalogue,
  'issue.unassigned': catalogue,
  'issue.retried': catalogue,
  'issue.cancelled': catalogue,
  'issue.check_decided': catalogue,
  'tool_config.changed': definition,
  'task_place.changed': catalogue,
  'card.moved': catalogue,
  'merge.ordered': catalogue,
  'merge.called_off': catalogue,
  'billing_period.started': catalogue,
  'task_source.created': account,
  'task_source.removed': account,
  'recipe.changed': catalogue,
  'recipe.removed': catalogue,
  'record.archived': record,
  'store.backed_up': record,
  'store.restored': record,
  'store.moved': record,
  'notification_channel.created': person,
  'notification_channel.changed': person,
  'notification_channel.removed': person,
  'notification_choice.changed': { ...person, own: true },
  'notification.sent': person,
  'notification.given_up': person,
  'workspace.created': catalogue,
  'agent.created': agent,
  'agent.changed': agent,
  'agent.removed': agent,
  'user.created': person,
  'user.changed': person,
  'user.removed': person,
  'credential.created': credential,
  'credential.used': credential,
  'credential.revoked': credential,
  'authorization.granted': credential,
  'authorization.refused': credential,
  'authorization.ended': credential,
  'request.refused': { needs: 'audit:read' },
};

/** Whether the principal can see rows of this kind at all, whatever account they are about, or rights may have ended with it. */
function mayConcern(
  { id, onBehalfOf, permissions, ownAccountsOnly }: Principal,
  { type, ...done }: Pick<AuditEvent, 'type' | 'actor' | 'onBehalfOf'>,
) {
  if (permissions.includes('audit:read')) return true;
  const reading = readings[type];
  if (reading.own && isOwn({ id, ...defined({ onBehalfOf }) }, done)) return true;
  if (reading === agent || reading === person || reading === credential) return true;
  return reading === call ? ownAccountsOnly === true : permissions.includes(reading.needs);
}

function maySeeEvent(
  principal: Principal,
  configuration: WorkspaceConfiguration,
  [{ type, connectionId }, row]: readonly [RecordedEvent, AuditEvent],
): boolean {
  if (principal.permissions.includes('audit:read')) return true;
  const reading = readings[type];
  if (reading.own && isOwn(principal, row)) return true;
  // As in the list of calls: a member sees those with their accounts, whoever made them.
  if (reading === call)
    return (
      principal.ownAccountsOnly === true &&
      connectionId !== undefined &&
      seesAccount(configuration, principal, connectionId)
    );
  if (!principal.permissions.includes(reading.needs)) return false;
  return !reading.ofAccount || seesAccount(configuration, principal, connectionId);
}

async function describe(parts: PlaneParts, row: AuditEvent): Promise<RecordedEvent> {
  const { type, seq, at, executionId, tool, actor, body } = row;
  const connectionId = readText(body, 'connectionId') ?? (await findAccount(parts, row));
  return {
    type,
    seq,
    at,
    ...defined({
      executionId,
      tool,
      connectionId,
      approvalId: readText(body, 'approvalId'),
      runId: readText(body, 'runId'),
      jobId: readText(body, 'jobId'),
      agent: actor.kind === 'agent' ? actor.id : readText(body, 'agentId'),
      status: readText(body, 'status'),
    }),
  };
}

/** The row of an interrupted call does not name its account; the row of its start does. */
async function findAccount({ storage }: PlaneParts, row: AuditEvent): Promise<string | undefined> {
  const { type, executionId, workspaceId } = row;
  if (type !== 'execution.interrupted' || executionId === undefined) return undefined;
  const rows = await storage.workspace(workspaceId).audit.search({ executionId, limit: 10 });
  return rows.map(({ body }) => readText(body, 'connectionId')).find((id) => id !== undefined);
}

function readText(body: JsonObject, key: string): string | undefined {
  const value = body[key];
  return typeof value === 'string' ? value : undefined;
}
