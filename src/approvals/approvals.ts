/**
 * A person's decision on one exact call. It is bound to principal, tool (with its definition, if its maker may change it,
 * its `tool_config`, and its settings in the configuration file), connection, arguments and policy version: any difference
 * needs its own approval. It is used up, once, at the start of the call.
 */
import type { ApprovalRequest, DecisionRoute, StoredApproval } from '../domain/approval.js';
import type { AuditDraft } from '../domain/audit.js';
import { HelveError } from '../domain/errors.js';
import type { JsonObject, JsonValue } from '../domain/json.js';
import type { Principal, PrincipalRef } from '../domain/principal.js';
import type { ApprovalTable } from '../domain/storage.js';
import type { Tool } from '../domain/tool.js';
import { defined } from '../util/defined.js';
import { newId, sha256 } from '../util/hash.js';
import { hideMarked } from './hide-marked.js';

export interface Approvals {
  /** Returns the approval for exactly this call: approved, rejected, or pending (requested now if there was none). */
  resolve(question: ApprovalRequest): Promise<StoredApproval>;
  /**
   * Returns what `resolve` would return, or undefined if it would request a new approval now. Requests none. Throws as
   * `resolve` would.
   */
  foresee(question: ApprovalRequest): Promise<StoredApproval | undefined>;
  get(id: string): Promise<StoredApproval>;
  /** Throws `conflict` if it is no longer pending, `not_found`, or `expired`. */
  decide(id: string, decision: Decided, by: Decider): Promise<StoredApproval>;
  /** Ends one that is pending, because what was asked has changed. Returns it as it is then. */
  withdraw(approval: StoredApproval, why: string): Promise<StoredApproval>;
}

export interface Decided {
  readonly status: 'approved' | 'rejected';
  readonly through: DecisionRoute;
  readonly note?: string;
}

/** Who decides, and for whom if it is a program. */
type Decider = PrincipalRef & Pick<Principal, 'onBehalfOf'>;

export interface ApprovalParts {
  readonly table: ApprovalTable;
  readonly now: () => Date;
  readonly lifetimeMs: number;
  /** Maximum pending approvals per principal. */
  readonly maxPending: number;
  /** A note, as the record may have it. */
  readonly redactNote: (note: string) => string;
  readonly redact: (input: JsonValue, schema: Tool['inputSchema']) => JsonValue;
  /** Seals under the vault's key, for the approval with this id. Undefined if the vault has no key. */
  readonly seal: (id: string, input: JsonObject) => Promise<string | undefined>;
  /** The connection and its account, for audit rows. */
  readonly accountFacts: (connectionId: string | undefined) => Promise<JsonObject>;
  /** The tool's audit name: `GitHub.createIssue`. */
  readonly recordName: (tool: Pick<StoredApproval, 'toolkit' | 'tool'>) => Promise<string>;
}

/** Characters of JSON. A person is not asked about a call that cannot be shown in full. */
const maxShown = 1_000_000;

/** Creates the approvals of one workspace. */
export function createApprovals(parts: ApprovalParts): Approvals {
  const { table, now } = parts;
  const findStanding = ({ approvalId }: ApprovalRequest, binding: string, at: Date) =>
    approvalId === undefined
      ? table.findByBinding(binding, at.toISOString())
      : presented(approvals, approvalId, binding, at);
  const approvals: Approvals = {
    async resolve(question) {
      const binding = getBinding(question);
      const at = now();
      const standing = await findStanding(question, binding, at);
      if (standing) return standing;
      const approval = await newApproval(question, binding, at, parts);
      const { approval: kept } = await table.request(approval, [await requestedRow(approval, parts)], parts.maxPending);
      return kept;
    },
    async foresee(question) {
      const at = now();
      const standing = await findStanding(question, getBinding(question), at);
      if (standing) return standing;
      showExactly(question);
      const { kind, id, name } = question.principal;
      await table.requireRoom({ principal: { kind, id, name }, now: at.toISOString(), maxPending: parts.maxPending });
      return undefined;
    },
    async get(id) {
      const found = await table.find(id);
      if (!found) throw noSuchApproval();
      return found;
    },
    async decide(id, { status, through, note }, by) {
      const before = await approvals.get(id);
      if (before.expiresAt <= now().toISOString())
        throw new HelveError('expired', 'The approval has expired: make the call again');
      const ref = { kind: by.kind, id: by.id, name: by.name };
      const at = now().toISOString();
      const row: AuditDraft = {
        type: 'approval.decided',
        at,
        actor: ref,
        ...defined({ onBehalfOf: by.onBehalfOf }),
        tool: await parts.recordName(before),
        body: {
          approvalId: id,
          status,
          through,
          binding: before.binding,
          ...defined({ connectionId: before.connectionId, note: note && parts.redactNote(note) }),
          ...(await parts.accountFacts(before.connectionId)),
        },
      };
      const decided = await table.decide({ id, status, at, by: ref, through, ...defined({ note }) }, [row]);
      if (!decided) throw tooLate(await approvals.get(id));
      return decided;
    },
    async withdraw(approval, why) {
      const { id, binding, connectionId } = approval;
      const row: AuditDraft = {
        type: 'approval.withdrawn',
        at: now().toISOString(),
        actor: approval.principal,
        ...defined({ onBehalfOf: approval.onBehalfOf }),
        tool: await parts.recordName(approval),
        body: { approvalId: id, binding, reason: why, ...defined({ connectionId }) },
      };
      return (await table.withdraw(id, why, [row])) ?? approvals.get(id);
    },
  };

  return approvals;
}

function tooLate({ status, note }: StoredApproval): HelveError {
  const why = status === 'withdrawn' && note !== undefined ? `: ${note}` : '';
  return new HelveError('conflict', `The approval is already ${status}${why}`);
}

/** Throws `invalid_input` if the approval was given for another call. */
async function presented(approvals: Approvals, id: string, binding: string, at: Date): Promise<StoredApproval> {
  const approval = await approvals.get(id);
  if (approval.binding !== binding) {
    throw new HelveError('invalid_input', 'The approval was given for another call', {
      hint: 'An approval holds for the exact principal, tool, tool_config, settings, arguments, account and policies it was asked for. Make the call without it to request a new approval.',
    });
  }
  if (approval.status === 'used' || approval.status === 'withdrawn')
    throw new HelveError('conflict', `The approval has already been ${approval.status}`, {
      hint: 'Make the call without it to request a new approval.',
    });
  if (approval.expiresAt <= at.toISOString())
    throw new HelveError('expired', 'The approval has expired', {
      hint: 'Make the call without it to request a new approval.',
    });
  return approval;
}

async function newApproval(
  question: ApprovalRequest,
  binding: string,
  at: Date,
  { lifetimeMs, redact, seal }: Pick<ApprovalParts, 'lifetimeMs' | 'redact' | 'seal'>,
): Promise<StoredApproval> {
  const { principal, tool } = question;
  const exact = showExactly(question);
  const id = newId();
  const sealed = await seal(id, exact);
  return {
    id,
    ...defined({ sealed }),
    binding,
    status: 'pending',
    principal: { kind: principal.kind, id: principal.id, name: principal.name },
    ...defined({ onBehalfOf: principal.onBehalfOf }),
    toolkit: tool.id.toolkit,
    tool: tool.id.name,
    ...defined({ connectionId: question.connectionId, runId: question.runId }),
    arguments: redact(question.input, tool.inputSchema) as JsonObject,
    policyVersion: question.policyVersion,
    meaning: question.meaning ?? '',
    rule: question.rule,
    reason: question.reason,
    elicitation: question.elicitation,
    requestedAt: at.toISOString(),
    expiresAt: new Date(at.getTime() + lifetimeMs).toISOString(),
  };
}

/** Throws `too_large` for arguments that cannot be shown in full. */
function showExactly({ input, tool }: ApprovalRequest): JsonObject {
  const exact = hideMarked(input, tool.inputSchema);
  if (JSON.stringify(exact).length > maxShown) throw tooLong(tool);
  return exact;
}

function tooLong({ id }: Tool): HelveError {
  return new HelveError('too_large', `The arguments of ${id.name} are too long for a person to decide on`, {
    hint: `The maximum is ${maxShown} characters. Make several smaller calls.`,
  });
}

function getBinding(question: ApprovalRequest): string {
  const { principal, tool, connectionId, inputHash, policyVersion, signedInAt, meaning, elicitation } = question;
  const onBehalfOf = principal.onBehalfOf ? `${principal.onBehalfOf.kind}:${principal.onBehalfOf.id}` : '';
  return sha256(
    JSON.stringify([
      principal.workspaceId,
      principal.kind,
      principal.id,
      onBehalfOf,
      tool.id.toolkit,
      tool.id.name,
      connectionId ?? '',
      inputHash,
      policyVersion,
      elicitation,
      ...(signedInAt === undefined ? [] : [signedInAt]),
      ...(meaning === undefined ? [] : [meaning]),
    ]),
  );
}

async function requestedRow(approval: StoredApproval, parts: ApprovalParts): Promise<AuditDraft> {
  return {
    type: 'approval.requested',
    at: approval.requestedAt,
    actor: approval.principal,
    ...defined({ onBehalfOf: approval.onBehalfOf }),
    tool: await parts.recordName(approval),
    body: {
      approvalId: approval.id,
      binding: approval.binding,
      rule: approval.rule,
      ...defined({ connectionId: approval.connectionId }),
      ...(await parts.accountFacts(approval.connectionId)),
      expiresAt: approval.expiresAt,
    },
  };
}

/** For an approval that does not exist, and equally for one that the caller may not know of. */
export function noSuchApproval(): HelveError {
  return new HelveError('not_found', 'There is no such approval', { hint: 'List the approvals for their ids.' });
}
