/** Reading the audit record, deciding approvals, and recording refused requests. */
import { noSuchApproval } from '../../approvals/index.js';
import { endTypes, readStatus } from '../../audit/index.js';
import type { Approval, DecisionOutcome, DecisionRoute, JointDecision, StoredApproval } from '../../domain/approval.js';
import type { AuditEvent } from '../../domain/audit.js';
import type { ChainActs } from '../../domain/chain.js';
import { HelveError, toHelveError } from '../../domain/errors.js';
import type { ExecutionRecord } from '../../domain/execution.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { Plane } from '../../domain/plane.js';
import { maySee, type Principal, type PrincipalRef, requirePermission } from '../../domain/principal.js';
import type { ApprovalScope } from '../../domain/storage.js';
import type { PlaneParts } from '../../flows/parts.js';
import { seesAccount, visibleConnections } from '../../grants/index.js';
import { defined } from '../../util/defined.js';
import { approvalView } from './approval-views.js';
import { endChanged } from './changed-approvals.js';
import { withActorId, withRecordName } from './record-name.js';
import { exportWhileAllowed, whileAllowed } from './rights-check.js';
import { createWholeRecord } from './whole-record.js';

type RecordActs = Pick<
  Plane,
  | 'execution'
  | 'approvals'
  | 'approval'
  | 'decideApproval'
  | 'decideApprovals'
  | 'approvalCounts'
  | 'answerElicitation'
  | 'audit'
  | 'exportAudit'
  | keyof ChainActs
  | 'recordRefusal'
>;

export function createRecord(parts: PlaneParts): RecordActs {
  const { storage, now, journal } = parts;
  return {
    ...createExecutionRecords(parts),
    ...approvalActs(parts),
    ...wholeRecordActs(parts),
    async audit(principal, query) {
      const asked = await withActorId(parts, principal, await withRecordName(parts, principal, query));
      return storage.workspace(principal.workspaceId).audit.search(asked);
    },
    async recordRefusal(workspaceId, reason, facts) {
      const at = now().toISOString();
      const actor = { kind: 'user', id: 'unknown', name: 'unknown' } as const;
      await journal.append({
        workspaceId,
        events: [{ type: 'request.refused', at, actor, body: { reason, ...facts } }],
      });
    },
  };
}

/** Who follows the check of the record, or exports it, loses it with their rights. */
function wholeRecordActs(parts: PlaneParts): ReturnType<typeof createWholeRecord> {
  const acts = createWholeRecord(parts);
  return {
    ...acts,
    exportAudit: (principal, filter) => exportWhileAllowed(parts, principal, acts.exportAudit(principal, filter)),
    async *followAuditCheck(principal, checkpoint, signal) {
      const events = acts.followAuditCheck(principal, checkpoint, signal);
      for await (const [event] of whileAllowed(parts, principal, events)) yield event;
    },
  };
}

interface Decision extends Omit<JointDecision, 'through'> {
  readonly id: string;
  readonly through: DecisionRoute;
}

function approvalActs(parts: PlaneParts) {
  const { storage, approvals } = parts;

  async function decide(principal: Principal, { id, decision, through, note }: Decision) {
    const asked = await visibleApproval(parts, principal, id);
    if (decision === 'approved') await requireApprover(parts, principal, asked);
    const made = { status: decision, through, ...defined({ note }) };
    const decided = await approvals(principal.workspaceId).decide(id, made, principal);
    parts.runs.wake(principal.workspaceId);
    return approvalView(parts, principal, decided);
  }

  return {
    async approvals(principal, query) {
      const configuration = await parts.configurations.getFresh(principal.workspaceId);
      const seen = limitApprovals(configuration, principal);
      const pendingAt = query.status === 'pending' ? parts.now().toISOString() : undefined;
      const { approvals: table } = storage.workspace(principal.workspaceId);
      const list = () => table.list({ ...query, ...seen, ...defined({ pendingAt }) });
      const found = await list();
      const present = await endChanged(parts, configuration, found);
      const isCurrent = query.status !== 'pending' || present.every(({ status }) => status === 'pending');
      const visible = (isCurrent ? present : await list()).filter(({ connectionId }) =>
        seesAccount(configuration, principal, connectionId),
      );
      return Promise.all(visible.map((one) => approvalView(parts, principal, one)));
    },
    async approval(principal, id) {
      const approval = await visibleApproval(parts, principal, id);
      const [shown, last] = await Promise.all([
        approvalView(parts, principal, approval),
        storage.workspace(principal.workspaceId).approvals.findLastApproved(approval),
      ]);
      if (last === undefined) return shown;
      const {
        id: lastId,
        arguments: input,
        exact,
        requestedAt,
        decidedAt,
        decidedBy,
      } = await approvalView(parts, principal, last);
      const lastApproved = { id: lastId, arguments: input, requestedAt, ...defined({ exact, decidedAt, decidedBy }) };
      return { ...shown, lastApproved };
    },
    async approvalCounts(principal, filter) {
      const configuration = await parts.configurations.getFresh(principal.workspaceId);
      const seen = limitApprovals(configuration, principal);
      const pendingAt = parts.now().toISOString();
      return storage.workspace(principal.workspaceId).approvals.count({ ...filter, ...seen, pendingAt });
    },
    async decideApprovals(principal, ids, { note, ...decision }) {
      const wanted = await Promise.all([...new Set(ids)].map((id) => visibleApproval(parts, principal, id)));
      requireAlike(wanted);
      const checked = note === undefined ? undefined : checkNote(note);
      const outcomes: DecisionOutcome[] = [];
      for (const { id } of wanted) {
        try {
          const approval = await decide(principal, { ...decision, id, ...defined({ note: checked }) });
          outcomes.push({ id, approval });
        } catch (error) {
          outcomes.push({ id, error: toHelveError(error).toJSON() });
        }
      }
      return outcomes;
    },
    decideApproval: (principal, id, decision, through) => decide(principal, { id, decision, through }),
    async answerElicitation(principal, id, decision) {
      await requireOwnElicitation(parts, principal, id);
      return decide(principal, { id, decision, through: 'elicitation' });
    },
  } satisfies Partial<Plane>;
}

/** The approvals that a reader may see: a member only those with an account of theirs. */
function limitApprovals(configuration: WorkspaceConfiguration, principal: Principal): ApprovalScope {
  const connections = visibleConnections(configuration, principal).map(({ id }) => id);
  return { connections, accountsOnly: principal.ownAccountsOnly === true };
}

const maxDecided = 100;
const maxNote = 500;

/** A person who decides on several calls at once has seen one kind of call. */
function requireAlike(approvals: readonly StoredApproval[]): void {
  const kinds = new Set(
    approvals.map(({ toolkit, tool, principal }) => JSON.stringify([toolkit, tool, principal.kind, principal.id])),
  );
  if (kinds.size === 1 && approvals.length <= maxDecided) return;
  throw new HelveError('invalid_input', 'Only calls of one tool by one caller can be decided together', {
    hint: `Send the ids of 1 to ${maxDecided} approvals of the same tool and the same caller.`,
  });
}

function checkNote(note: string): string | undefined {
  if (note.length <= maxNote) return note.trim() === '' ? undefined : note.trim();
  throw new HelveError('invalid_input', `A note has at most ${maxNote} characters`);
}

/** An approval bound to another person's private account looks like one that does not exist. Throws `not_found`. */
async function visibleApproval(parts: PlaneParts, principal: Principal, id: string): Promise<StoredApproval> {
  const { approval, configuration } = await readVisible(parts, principal, id);
  const [present = approval] = await endChanged(parts, configuration, [approval]);
  return present;
}

/** As stored: it stays pending although its call has changed. */
async function readVisible(parts: PlaneParts, principal: Principal, id: string) {
  const approval = await parts.approvals(principal.workspaceId).get(id);
  const configuration = await parts.configurations.getFresh(principal.workspaceId);
  if (seesAccount(configuration, principal, approval.connectionId)) return { approval, configuration };
  throw noSuchApproval();
}

/** Whoever lets an agent do something to Helve itself may do that themselves. Throws `forbidden`. */
async function requireApprover(
  { registry }: PlaneParts,
  principal: Principal,
  { toolkit, tool }: StoredApproval,
): Promise<void> {
  const found = await registry.find(toolkit, tool);
  for (const permission of found?.tool.approver?.permissions ?? []) requirePermission(principal, permission);
}

/** The program that asked may submit a person's answer to its own calls, for the same person, if that is allowed. */
async function requireOwnElicitation(parts: PlaneParts, principal: Principal, id: string): Promise<void> {
  const approval = await parts.approvals(principal.workspaceId).get(id);
  const own = sameRef(approval.principal, principal) && sameRef(approval.onBehalfOf, principal.onBehalfOf);
  if (parts.elicitation.enabled && approval.elicitation && own) return;
  throw new HelveError('forbidden', 'The client that asked for this approval cannot decide it', {
    hint: 'Open the link of the approval.',
  });
}

function sameRef(one: PrincipalRef | undefined, other: PrincipalRef | undefined): boolean {
  return one?.kind === other?.kind && one?.id === other?.id;
}

/** An approval that the principal may decide now; undefined if it may not, or if there is nothing left to decide. */
export async function findDecidable(
  parts: PlaneParts,
  principal: Principal,
  id: string,
): Promise<Approval | undefined> {
  if (!principal.permissions.includes('approvals:decide')) return undefined;
  try {
    const { approval: asked } = await readVisible(parts, principal, id);
    await requireApprover(parts, principal, asked);
    if (asked.status !== 'pending' || asked.expiresAt <= parts.now().toISOString()) return undefined;
    return await approvalView(parts, principal, asked);
  } catch (error) {
    if (['not_found', 'forbidden'].includes(toHelveError(error).code)) return undefined;
    throw error;
  }
}

type RecordParts = Pick<PlaneParts, 'storage' | 'configurations'>;

export function createExecutionRecords(parts: RecordParts): Pick<Plane, 'execution'> {
  const { storage } = parts;
  return {
    async execution(principal, executionId) {
      const events = await storage.workspace(principal.workspaceId).audit.search({ executionId, limit: 10 });
      const owned = await listOwned(parts, principal);
      // The row of an interrupted call does not say for whom it was made; that of its start does.
      const isVisible = events.some((event) => maySee(principal, event) || owned.has(String(event.body.connectionId)));
      if (!isVisible) throw new HelveError('not_found', 'There is no such execution');
      return toRecord(events);
    },
  };
}

/** The ids of the accounts whose calls a member sees, although others made them. */
export async function listOwned(
  { configurations }: Pick<PlaneParts, 'configurations'>,
  principal: Principal,
): Promise<ReadonlySet<string>> {
  if (!principal.ownAccountsOnly) return new Set();
  const configuration = await configurations.getFresh(principal.workspaceId);
  return new Set(visibleConnections(configuration, principal).map(({ id }) => id));
}

export function toRecord(events: readonly AuditEvent[]): ExecutionRecord {
  const started = events.find((event) => event.type === 'execution.started');
  const outcome = events.find((event) => endTypes.some((type) => type === event.type));
  const known = outcome ?? started;
  if (!known) throw new HelveError('internal', 'An execution without rows');
  return {
    executionId: known.executionId ?? '',
    status: readStatus(outcome),
    tool: known.tool ?? '',
    actor: known.actor,
    ...defined({ onBehalfOf: known.onBehalfOf }),
    seq: known.seq,
    startedAt: started?.at ?? known.at,
    ...(outcome === undefined ? {} : { finishedAt: outcome.at, outcome: outcome.body }),
    ...(started === undefined ? {} : { started: started.body }),
  };
}
