/** The record: what happened, in order, chained so that a change to any row shows. */
import type { Door } from './execution.js';
import type { JsonObject, JsonSchema, JsonValue } from './json.js';
import type { Principal, PrincipalRef } from './principal.js';
import type { RiskTier } from './tool.js';

export type AuditEventType =
  | 'execution.started'
  | 'execution.finished'
  | 'execution.refused'
  | 'execution.interrupted'
  | 'execution.stop_requested'
  | 'run.started'
  | 'run.refused'
  | 'run.waiting'
  | 'run.resumed'
  | 'run.decided'
  | 'run.finished'
  | 'approval.requested'
  | 'approval.decided'
  | 'approval.withdrawn'
  | 'grants.replaced'
  | 'policies.replaced'
  | 'toolkit.changed'
  | 'connection.added'
  | 'connection.changed'
  | 'connection.started'
  | 'connection.connected'
  | 'connection.checked'
  | 'connection.failed'
  | 'connection.disconnected'
  | 'connection.removed'
  | 'auth_config.changed'
  | 'vault.rotated'
  | 'definition.pinned'
  | 'definition.decided'
  | 'sync.started'
  | 'sync.cancelled'
  | 'sync.finished'
  | 'trigger.subscribed'
  | 'trigger.unsubscribed'
  | 'issue.created'
  | 'issue.changed'
  | 'issue.commented'
  | 'issue.assigned'
  | 'issue.unassigned'
  | 'issue.retried'
  | 'issue.cancelled'
  | 'issue.check_decided'
  | 'tool_config.changed'
  | 'task_place.changed'
  | 'card.moved'
  | 'merge.ordered'
  | 'merge.called_off'
  | 'billing_period.started'
  | 'task_source.created'
  | 'task_source.removed'
  | 'recipe.changed'
  | 'recipe.removed'
  | 'record.archived'
  | 'store.backed_up'
  | 'store.restored'
  | 'store.moved'
  | 'notification_channel.created'
  | 'notification_channel.changed'
  | 'notification_channel.removed'
  | 'notification_choice.changed'
  | 'notification.sent'
  | 'notification.given_up'
  | 'workspace.created'
  | 'agent.created'
  | 'agent.changed'
  | 'agent.removed'
  | 'user.created'
  | 'user.changed'
  | 'user.removed'
  | 'credential.created'
  | 'credential.used'
  | 'credential.revoked'
  | 'authorization.granted'
  | 'authorization.refused'
  | 'authorization.ended'
  | 'request.refused';

/** An event before the store has assigned its position in the chain. */
export interface AuditDraft {
  readonly type: AuditEventType;
  /** ISO 8601, UTC, milliseconds. */
  readonly at: string;
  readonly actor: PrincipalRef;
  readonly onBehalfOf?: PrincipalRef;
  readonly executionId?: string;
  /** The tool's audit name (`GitHub.createIssue`), if the event concerns one. */
  readonly tool?: string;
  readonly body: JsonObject;
}

export interface AuditEvent extends AuditDraft {
  readonly workspaceId: string;
  /** 1, 2, 3 … without gaps, per workspace. */
  readonly seq: number;
  /** SHA-256 over the previous row's hash and this row. */
  readonly hash: string;
}

/**
 * Computes a row's hash from the one before it. `bodyText`: the body as JSON, if the caller has already serialised
 * it.
 */
export type Seal = (previousHash: string, event: Omit<AuditEvent, 'hash'>, bodyText?: string) => string;

/** An effect that has been announced and not yet recorded as done. */
export interface Intent {
  readonly executionId: string;
  readonly tool: string;
  readonly actor: PrincipalRef;
  readonly startedAt: string;
}

export interface PendingIntent extends Intent {
  readonly workspaceId: string;
  readonly instanceId: string;
}

/** One indivisible addition to the record. */
export interface JournalEntry {
  readonly workspaceId: string;
  readonly events: readonly AuditDraft[];
  /** Nothing is written unless the workspace's configuration is still at this revision. */
  readonly revision?: number | undefined;
  /** Marked used by this execution in the same commit; nothing is written unless it was approved and unused. */
  readonly useApproval?: { readonly approvalId: string; readonly executionId: string } | undefined;
  readonly openIntent?: (Intent & { readonly instanceId: string }) | undefined;
  readonly closeIntent?: string;
  /** A step of a program, written in the same commit. */
  readonly step?: StepWrite | undefined;
}

/** A write to the ledger of a run. */
export type StepWrite = {
  readonly runId: string;
  /** Nothing is written unless the run is running and this is its present owner's. */
  readonly lease: number;
  readonly kind: StepKind;
  /** From 1, per kind. */
  readonly number: number;
  readonly executionId: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly at: string;
} & (
  | {
      /** The call is about to run. Refuses the entry if another attempt is in the ledger than the one in `replaces`. */
      readonly write: 'start';
      readonly tool: string;
      readonly inputHash: string;
      readonly replaces?: string;
      /** The effect of an approved plan that this call is, used by it in the same commit. */
      readonly planned?: { readonly runId: string; readonly number: number };
    }
  /** The answer of this attempt. If it cannot be written, the rest of the entry still is. */
  | { readonly write: 'answer'; readonly position: number; readonly answer: string }
  /** Something that never runs as a call: a timer that rang, a refusal. */
  | {
      readonly write: 'whole';
      readonly tool: string;
      readonly inputHash: string;
      readonly startedAt: string;
      readonly position: number;
      readonly answer: string;
    }
);

export type StepKind = 'call' | 'timer';

export type JournalOutcome = 'committed' | 'stale_revision' | 'approval_unusable' | 'intent_missing' | 'run_lost';

/** Which rows are wanted. */
export interface RecordFilter {
  readonly types?: readonly AuditEventType[];
  /** The tool's audit name, as in the rows; the plane accepts any written form of a tool's name. */
  readonly tool?: string;
  readonly actorId?: string;
  readonly executionId?: string;
  /** Only rows whose body contains this text. */
  readonly text?: string;
  readonly since?: string;
  readonly until?: string;
}

export interface AuditQuery extends RecordFilter {
  /** Rows before this sequence number, for paging backwards. */
  readonly before?: number;
  /** At most this many rows, newest first. Default 50, at most 500. */
  readonly limit?: number;
}

/** A call, as its audit rows describe it. */
export interface AuditedCall {
  readonly executionId: string;
  readonly principal: Principal;
  /** The tool's audit name (`GitHub.createIssue`), or the name that was asked for if no tool has it. */
  readonly tool: string;
  readonly connectionId?: string | undefined;
  /** The connection and the account it belongs to. */
  readonly account?: { readonly connection?: string; readonly account?: string };
  readonly input: JsonValue;
  readonly inputHash: string;
  /** Marks which arguments are secret. */
  readonly inputSchema?: JsonSchema;
  /** The program that made the call, and the call's place in it. */
  readonly run?: { readonly runId: string; readonly number: number } | undefined;
  /** For an effect of a program: what its tool meant when it was begun, by hash; null if that cannot change. */
  readonly meaning?: string | null | undefined;
  /** The meta-tool that the call came through: `call_tool`. */
  readonly through?: string | undefined;
  readonly door?: Door | undefined;
  readonly risk?: RiskTier;
  /** What the person asked for, according to the caller. */
  readonly intent?: string | undefined;
}
