/** A person's decision on one exact call. */
import type { ActingAccount } from './connection.js';
import type { ErrorBody } from './errors.js';
import type { JsonObject } from './json.js';
import type { Principal, PrincipalRef } from './principal.js';
import type { Tool } from './tool.js';

export type ApprovalDecision = 'approved' | 'rejected';
/**
 * `withdrawn`: the run that asked for it ended before anybody decided, or what was asked has changed meanwhile. In the second
 * case its `note` says what has changed.
 */
export type ApprovalStatus = 'pending' | ApprovalDecision | 'used' | 'withdrawn';

export interface Approval {
  readonly id: string;
  /** SHA-256 over principal, tool, connection, canonical arguments and policy version. */
  readonly binding: string;
  readonly status: ApprovalStatus;
  readonly principal: PrincipalRef;
  /** The person or key that the agent acts for. */
  readonly onBehalfOf?: PrincipalRef;
  readonly toolkit: string;
  readonly tool: string;
  readonly connectionId?: string;
  /**
   * For those who may decide: exactly what runs, except what the tool's schema marks as secret. For others, and in
   * the store: redacted.
   */
  readonly arguments: JsonObject;
  /** Whether `arguments` is the exact, unredacted input. */
  readonly exact?: boolean;
  /** The account that acts. */
  readonly account?: ActingAccount;
  readonly policyVersion: number;
  readonly rule: string;
  readonly reason: string;
  readonly requestedAt: string;
  readonly expiresAt: string;
  readonly decidedAt?: string;
  readonly decidedBy?: PrincipalRef;
  readonly decidedThrough?: DecisionRoute;
  /** What the person who decided says to the caller, or why it was withdrawn. */
  readonly note?: string;
  /** The last call of the same tool by the same caller with the same account that was approved, if it is still stored. */
  readonly lastApproved?: Pick<Approval, 'id' | 'arguments' | 'exact' | 'requestedAt' | 'decidedAt' | 'decidedBy'>;
  /** The execution that consumed it. */
  readonly executionId?: string;
  /** Whether the program that asked may submit the person's answer (elicitation). */
  readonly elicitation: boolean;
}

/** As stored. */
export interface StoredApproval extends Approval {
  /** The exact arguments, sealed by the vault. */
  readonly sealed?: string;
  /** The run whose call asked. Written, and not read again. */
  readonly runId?: string;
  /** As in the request; empty if there was nothing that could change. Absent: from before it was stored. */
  readonly meaning?: string;
}

export type DecisionRoute = 'api' | 'page' | 'panel' | 'slack' | 'elicitation';

/** Selects approvals. All given conditions must hold. */
export interface ApprovalsFilter {
  /** `pending`: those that can still be decided. `decided`: approved, rejected, used or withdrawn. */
  readonly status?: ApprovalStatus | 'decided';
  readonly toolkit?: string;
  readonly tool?: string;
  /** The id of the agent, person or key that asked. */
  readonly actor?: string;
  /** The id of the account that would act. */
  readonly connection?: string;
}

export interface ApprovalsQuery extends ApprovalsFilter {
  /** The id of an approval: only those that were asked for before it. */
  readonly before?: string;
  /** Newest first. Default 100, at most 500. */
  readonly limit?: number;
}

/** How many approvals under a filter have which status; expired ones are not pending. The filter on the status itself does not apply. */
export type ApprovalCounts = Readonly<Record<ApprovalStatus, number>>;

/** A decision on one or several approvals of the same tool, asked for by the same caller. */
export interface JointDecision {
  readonly decision: ApprovalDecision;
  /** Passed to the caller when the call is rejected. At most 500 characters. */
  readonly note?: string;
  readonly through: Exclude<DecisionRoute, 'elicitation' | 'slack'>;
}

/** What became of one of several approvals. */
export type DecisionOutcome =
  | { readonly id: string; readonly approval: Approval }
  | { readonly id: string; readonly error: ErrorBody };

/** One exact call that needs a person's approval. */
export interface ApprovalRequest {
  readonly principal: Principal;
  readonly tool: Tool;
  readonly connectionId?: string;
  readonly input: JsonObject;
  readonly inputHash: string;
  readonly policyVersion: number;
  /** When the account signed in, if its service does not say whose it is: after the next sign-in it may be another one. */
  readonly signedInAt?: string;
  /** What its maker and the operator may change about the tool, by hash: see `hashMeaning`. */
  readonly meaning?: string;
  readonly rule: string;
  readonly reason: string;
  readonly elicitation: boolean;
  /** The approval that the caller presents, if any. */
  readonly approvalId?: string;
  /** The run that makes the call, if one does. */
  readonly runId?: string;
}
