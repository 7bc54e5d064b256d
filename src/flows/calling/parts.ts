/** What the pipeline is put together from. `helve.ts` passes the real ones; the stages know only these shapes. */
import type { Approval, ApprovalRequest } from '../../domain/approval.js';
import type { ApprovalNeed } from '../../domain/approval-need.js';
import type { AuditDraft, AuditedCall, JournalEntry, JournalOutcome } from '../../domain/audit.js';
import type { BoundConnection } from '../../domain/connection.js';
import type { ToolFinder } from '../../domain/discovery.js';
import type { ErrorBody, HelveError } from '../../domain/errors.js';
import type { Decision, DecisionRule, Grant, WorkspaceConfiguration } from '../../domain/grant.js';
import type { JsonObject, JsonSchema, JsonValue } from '../../domain/json.js';
import type { Principal } from '../../domain/principal.js';
import type { Provider } from '../../domain/provider.js';
import type { StoredResult } from '../../domain/storage.js';
import type { Tool } from '../../domain/tool.js';

/** A tool under one model-facing name. */
export interface NamedTool {
  readonly name: string;
  readonly tool: Tool;
  readonly provider: Provider;
  readonly connectionId?: string;
  /** Of the connection: what the name begins with. */
  readonly slug?: string;
  /** The display name of the toolkit, whose capitals the record uses. */
  readonly toolkitTitle?: string;
}

/** The tools of a workspace by every form of their names. */
export interface Catalogue {
  readonly entries: readonly NamedTool[];
  /** All entries that a written form can mean: a form that names no account means the tool with each account. */
  match(name: string): readonly NamedTool[];
  /** The only entry that a form can mean, of those that `admits` lets through (default: all). */
  find(name: string, admits?: (entry: NamedTool) => boolean): NamedTool | undefined;
}

/**
 * The tools of a workspace. Toolkits that are still being read after a short while are left out and come later. With the
 * name of a tool that is asked for, only toolkits that it could be of are waited for, and those to the end.
 */
export type FindCatalogue = (workspaceId: string, name?: string) => Promise<Catalogue>;

export interface Configurations {
  /** As last seen; loaded on first use. */
  get(workspaceId: string): Promise<WorkspaceConfiguration>;
  /** Never older than the store at the time of asking. */
  getFresh(workspaceId: string): Promise<WorkspaceConfiguration>;
  /** Drops what is remembered, because the store said that it is out of date. */
  forget(workspaceId: string): void;
}

/** An account, bound to one call. */
export interface CallConnection {
  readonly connection: BoundConnection;
  /** What the call gave, without any form of the credentials that it used. */
  clean<T>(answer: T): T;
  /** How many requests the service was sent so far. */
  requests(): number;
}

/** A call, or all calls of a tool that could be made. */
export interface CallQuestion {
  readonly configuration: WorkspaceConfiguration;
  readonly principal: Principal;
  readonly tool: Tool;
  readonly connectionId?: string | undefined;
  /** Undefined: whatever the arguments are. */
  readonly input?: JsonObject | undefined;
}

export interface CallVerdict {
  readonly decision: Decision;
  /** What the policies that ask for an approval say of who may answer. */
  readonly elicitation?: boolean;
  /** Whose no it is. */
  readonly refusedBy?: 'grant' | 'policy';
  /** The grant that covers the call; undefined for principals that need none. */
  readonly grant?: Grant;
  readonly approval: ApprovalNeed;
  readonly rules: readonly DecisionRule[];
  readonly rateLimits: readonly { readonly policyId: string; readonly calls: number; readonly seconds: number }[];
}

export interface PipelineParts {
  readonly instanceId: string;
  readonly now: () => Date;
  readonly catalogue: FindCatalogue;
  readonly configurations: Configurations;
  readonly decide: (question: CallQuestion) => CallVerdict;
  /** Whether the principal may know of the account that a tool acts with, if it acts with one. */
  readonly knowsAccount: (
    configuration: WorkspaceConfiguration,
    principal: Principal,
    connectionId: string | undefined,
  ) => boolean;
  /** Why a tool does not do what was asked, in words; undefined if it does, or if what was asked is vague. */
  readonly intentMismatch: (
    intent: string,
    tool: Tool,
  ) => Promise<{ readonly asked: string; readonly does: string } | undefined>;
  /** Names of the principal's own tools that do what was asked, best first. */
  readonly fittingTools: (principal: Principal, text: string) => Promise<readonly string[]>;
  /** Looks for tools among the principal's own. */
  readonly finderFor: (principal: Principal) => ToolFinder;
  /** The approval that stands for exactly this call: an earlier one, or a new pending one. */
  readonly approvalFor: (request: ApprovalRequest) => Promise<Approval>;
  /** Whether the program that calls may give the person's answer; one that may not need not ask. */
  readonly mayElicit: (question: { principal: Principal; tool: Tool; policy: boolean | undefined }) => boolean;
  readonly approvalUrl: (approvalId: string) => string | undefined;
  readonly admitPrincipal: (principal: { workspaceId: string; principalId: string }) => Promise<void>;
  readonly admitCall: (call: {
    workspaceId: string;
    principalId: string;
    tool: string;
    policies: CallVerdict['rateLimits'];
  }) => Promise<void>;
  readonly journal: { append(entry: JournalEntry): Promise<JournalOutcome> };
  readonly events: {
    started(call: AuditedCall, rule: string, at: string, approvalId?: string): AuditDraft;
    finished(
      call: AuditedCall,
      outcome: {
        durationMs: number;
        runs: number;
        requests?: number;
        output?: JsonValue;
        outputSchema?: JsonSchema;
        error?: ErrorBody;
      },
      at: string,
    ): AuditDraft;
    refused(call: AuditedCall, no: { rule: string; error: HelveError; runs?: number }, at: string): AuditDraft;
  };
  /** Reaches nothing yet. Throws `connection_inaccessible` when there is no such account. */
  readonly bindConnection: (call: {
    readonly connectionId: string;
    readonly configuration: WorkspaceConfiguration;
    readonly executionId: string;
    readonly signal: () => AbortSignal;
  }) => CallConnection;
  readonly storeResult: (workspaceId: string, result: StoredResult) => Promise<void>;
  readonly resultMaxChars: number;
  /** Milliseconds that a stored result can be read. */
  readonly resultLifetimeMs: number;
  /** Asks to be told when Helve stops, at once if it already has. Returns the way to be forgotten. */
  readonly onStop: (listener: () => void) => () => void;
  /** Told of bugs, which callers are not. */
  readonly reportError: (error: unknown) => void;
}
