/** Reading the record, deciding approvals, and knocking at the door. */
import { createChainCheck } from '../audit/index.js';
import { seesAccount, visibleConnections } from '../grants/index.js';
import { requirePermission } from '../principals/index.js';
import type { StoredApproval } from '../spec/approval.js';
import type { AuditEvent } from '../spec/audit.js';
import { HelveError } from '../spec/errors.js';
import type { ExecutionRecord, ExecutionStatus } from '../spec/execution.js';
import type { ChainReport, Plane } from '../spec/plane.js';
import { maySee, type Principal, type PrincipalRef } from '../spec/principal.js';
import type { Storage } from '../spec/storage.js';
import { approvalView } from './approval-views.js';
import type { PlaneParts } from './parts.js';

type RecordActs = Pick<
  Plane,
  | 'executions'
  | 'execution'
  | 'approvals'
  | 'approval'
  | 'decideApproval'
  | 'audit'
  | 'exportAudit'
  | 'verifyAudit'
  | 'recordRefusal'
>;

const outcomes = ['execution.finished', 'execution.refused', 'execution.interrupted'] as const;
const pageRows = 1_000;

export function createRecord(parts: PlaneParts): RecordActs {
  const { storage, now, journal } = parts;
  return {
    ...createExecutionRecords(storage),
    ...approvalActs(parts),
    async audit(principal, query) {
      requirePermission(principal, 'audit:read');
      return storage.workspace(principal.workspaceId).audit.search(query);
    },
    exportAudit(principal) {
      requirePermission(principal, 'audit:read');
      return allRows(storage, principal.workspaceId);
    },
    async verifyAudit(principal) {
      requirePermission(principal, 'audit:read');
      return verifyChain(storage, principal.workspaceId);
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

function approvalActs(parts: PlaneParts) {
  const { storage, approvals } = parts;
  return {
    async approvals(principal, query) {
      requirePermission(principal, 'approvals:read');
      const configuration = await parts.configurations.getFresh(principal.workspaceId);
      const connections = visibleConnections(configuration, principal).map(({ id }) => id);
      const found = await storage.workspace(principal.workspaceId).approvals.list({ ...query, connections });
      return Promise.all(found.map((one) => approvalView(parts, principal, one)));
    },
    async approval(principal, id) {
      requirePermission(principal, 'approvals:read');
      return approvalView(parts, principal, await visibleApproval(parts, principal, id));
    },
    async decideApproval(principal, id, decision, through) {
      if (through === 'elicitation') {
        await requireOwnElicitation(parts, principal, id);
      } else {
        requirePermission(principal, 'approvals:decide');
      }
      await visibleApproval(parts, principal, id);
      const decided = await approvals(principal.workspaceId).decide(id, decision, principal, through);
      return approvalView(parts, principal, decided);
    },
  } satisfies Partial<Plane>;
}

/** One that is bound to somebody else's private account looks like one that is not there. Throws `not_found`. */
async function visibleApproval(parts: PlaneParts, principal: Principal, id: string): Promise<StoredApproval> {
  const approval = await parts.approvals(principal.workspaceId).get(id);
  const configuration = await parts.configurations.getFresh(principal.workspaceId);
  if (seesAccount(configuration, principal, approval.connectionId)) return approval;
  throw new HelveError('not_found', 'There is no such approval');
}

/** The program that asked may give a person's answer to its own calls, for the same person, where it was let to. */
async function requireOwnElicitation(parts: PlaneParts, principal: Principal, id: string): Promise<void> {
  const approval = await parts.approvals(principal.workspaceId).get(id);
  const own = sameRef(approval.principal, principal) && sameRef(approval.onBehalfOf, principal.onBehalfOf);
  if (parts.elicitation.enabled && approval.elicitation && own) return;
  throw new HelveError('forbidden', 'This approval is not decided by the client that asked for it', {
    hint: 'Open the link that came with it.',
  });
}

function sameRef(one: PrincipalRef | undefined, other: PrincipalRef | undefined): boolean {
  return one?.kind === other?.kind && one?.id === other?.id;
}

export function createExecutionRecords(storage: Storage): Pick<Plane, 'executions' | 'execution'> {
  return {
    async executions(principal, query) {
      requirePermission(principal, 'tools:read');
      const limit = Math.min(query.limit ?? 50, 500);
      const found = await storage.workspace(principal.workspaceId).audit.search({
        types: outcomes,
        limit,
        ...(query.tool === undefined ? {} : { tool: query.tool }),
        ...(principal.permissions.includes('audit:read') ? {} : { actorId: principal.id }),
      });
      return found.map((event) => toRecord([event]));
    },
    async execution(principal, executionId) {
      requirePermission(principal, 'tools:read');
      const events = await storage.workspace(principal.workspaceId).audit.search({ executionId, limit: 10 });
      const visible = events.filter((event) => maySee(principal, event.workspaceId, event.actor.id));
      if (visible.length === 0) throw new HelveError('not_found', 'There is no such execution');
      return toRecord(visible);
    },
  };
}

function toRecord(events: readonly AuditEvent[]): ExecutionRecord {
  const started = events.find((event) => event.type === 'execution.started');
  const outcome = events.find((event) => outcomes.some((type) => type === event.type));
  const known = outcome ?? started;
  if (!known) throw new HelveError('internal', 'An execution without rows');
  return {
    executionId: known.executionId ?? '',
    status: statusOf(outcome),
    tool: known.tool ?? '',
    actor: known.actor,
    ...(known.onBehalfOf === undefined ? {} : { onBehalfOf: known.onBehalfOf }),
    startedAt: started?.at ?? known.at,
    ...(outcome === undefined ? {} : { finishedAt: outcome.at, outcome: outcome.body }),
    ...(started === undefined ? {} : { started: started.body }),
  };
}

function statusOf(outcome: AuditEvent | undefined): ExecutionStatus {
  if (!outcome) return 'running';
  if (outcome.type === 'execution.refused') return 'refused';
  if (outcome.type === 'execution.interrupted') return 'interrupted';
  return outcome.body.status === 'ok' ? 'ok' : 'failed';
}

async function* allRows(storage: Storage, workspaceId: string): AsyncIterable<AuditEvent> {
  let after = 0;
  for (;;) {
    const page = await storage.workspace(workspaceId).audit.page(after, pageRows);
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last.seq;
  }
}

async function verifyChain(storage: Storage, workspaceId: string): Promise<ChainReport> {
  // The head is read first: rows that are added meanwhile lie beyond it.
  const head = await storage.workspace(workspaceId).audit.head();
  const check = createChainCheck();
  for await (const event of allRows(storage, workspaceId)) {
    const broken = check.accept(event);
    if (broken) return { ok: false, rows: check.seq, firstBroken: broken, head };
    if (event.seq === head.seq && event.hash !== head.hash) {
      return {
        ok: false,
        rows: check.seq,
        firstBroken: { seq: event.seq, problem: `row ${event.seq} is not the one the chain ended with` },
        head,
      };
    }
  }
  if (check.seq < head.seq) {
    return {
      ok: false,
      rows: check.seq,
      firstBroken: { seq: check.seq + 1, problem: `rows from ${check.seq + 1} to ${head.seq} are missing` },
      head,
    };
  }
  if (check.seq > head.seq) {
    // Added meanwhile, and then the head has moved with them; otherwise somebody put them there.
    const { seq: end } = await storage.workspace(workspaceId).audit.head();
    const problem = `row ${end + 1} is not the record's: it stands after the end of the chain`;
    if (check.seq > end) return { ok: false, rows: end, firstBroken: { seq: end + 1, problem }, head };
  }
  return { ok: true, rows: check.seq, head };
}
