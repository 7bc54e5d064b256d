/** What the flows of notifications are given. */
import type { AccountActs } from '../../domain/accounts.js';
import type { Approval, ApprovalDecision } from '../../domain/approval.js';
import type { HttpClient } from '../../domain/context.js';
import type { CallRequest, ToolResult } from '../../domain/execution.js';
import type { Principal } from '../../domain/principal.js';
import type { EgressLimits } from '../../domain/tool.js';
import type { PlaneParts } from '../parts.js';

export interface NotifyingParts
  extends Pick<PlaneParts, 'storage' | 'configurations' | 'catalogue' | 'actors' | 'accounts' | 'journal' | 'now'> {
  readonly call: (request: CallRequest) => Promise<ToolResult>;
  /** An approval that the principal may decide now. */
  readonly findDecidable: (principal: Principal, id: string) => Promise<Approval | undefined>;
  /** Decides it as the principal. Throws `forbidden`, `conflict`, `expired`. */
  readonly decide: (principal: Principal, id: string, decision: ApprovalDecision) => Promise<Approval>;
  readonly pendingDefinitions: AccountActs['pendingDefinitions'];
  /** The egress wall under these limits. */
  readonly http: (limits: EgressLimits, signal: AbortSignal) => HttpClient;
  /** Where Slack takes what is shown in the place of a message, without a slash at the end. */
  readonly slackHooks: string;
  /** The address of a page of this server; undefined while that is unknown. */
  readonly link: (path: string) => string | undefined;
}
