/** A person's decision on one exact call. */
import type { ActingAccount } from './connection.js';
import type { JsonObject } from './json.js';
import type { Principal, PrincipalRef } from './principal.js';
import type { Tool } from './tool.js';

export type ApprovalDecision = 'approved' | 'rejected';
export type ApprovalStatus = 'pending' | ApprovalDecision | 'used';

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
  /** What the person who decided says to the caller. */
  readonly note?: string;
  /** The execution that consumed it. */
  readonly executionId?: string;
  /** Whether the program that asked may submit the person's answer (elicitation). */
  readonly elicitation: boolean;
}

/** As stored. */
export interface StoredApproval extends Approval {
  /** The exact arguments, sealed by the vault. */
  readonly sealed?: string;
}

export type DecisionRoute = 'api' | 'page' | 'elicitation';

/** One exact call that needs a person's approval. */
export interface ApprovalRequest {
  readonly principal: Principal;
  readonly tool: Tool;
  readonly connectionId?: string;
  readonly input: JsonObject;
  readonly inputHash: string;
  readonly policyVersion: number;
  readonly rule: string;
  readonly reason: string;
  readonly elicitation: boolean;
  /** The approval that the caller presents, if any. */
  readonly approvalId?: string;
}
