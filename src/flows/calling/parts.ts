/** The parts of the pipeline. `helve.ts` passes the real ones; the stages know only these types. */
import type { OutcomeFacts, RefusedFacts } from '../../audit/index.js';
import type { Approval, ApprovalRequest } from '../../domain/approval.js';
import type { ApprovalNeed } from '../../domain/approval-need.js';
import type { AuditDraft, AuditedCall, JournalEntry, JournalOutcome } from '../../domain/audit.js';
import type { CodeMode } from '../../domain/code-mode.js';
import type { BoundConnection, Connection } from '../../domain/connection.js';
import type { ToolFinder } from '../../domain/discovery.js';
import type { CallRequest } from '../../domain/execution.js';
import type { Decision, DecisionRule, Grant, WorkspaceConfiguration } from '../../domain/grant.js';
import type { JsonObject, JsonValue } from '../../domain/json.js';
import type { Platform } from '../../domain/platform.js';
import type { Principal } from '../../domain/principal.js';
import type { Provider } from '../../domain/provider.js';
import type { StoredResult } from '../../domain/storage.js';
import type { CallEnd, TraceCall } from '../../domain/telemetry.js';
import type { Tool } from '../../domain/tool.js';
import type { TraceContext } from '../../domain/trace-context.js';
import type { AccessStep } from '../../grants/index.js';
import type { KeptEntries } from './kept-entries.js';

/** A tool under one model-facing name. */
export interface NamedTool {
  readonly name: string;
  readonly tool: Tool;
  readonly provider: Provider;
  readonly connectionId?: string;
  /** The connection's slug, which starts the name. */
  readonly slug?: string;
  /** The display name of the toolkit, which provides the capitals of the audit name. */
  readonly toolkitTitle?: string;
}

/** What a grant is for: a toolkit, with an account if it needs one. */
export interface CatalogueTarget {
  readonly toolkit: string;
  readonly connectionId?: string;
}

/** The tools of a workspace by every form of their names. */
export interface Catalogue {
  readonly entries: readonly NamedTool[];
  /** The entries in the order of their names, by code unit. */
  sorted(): readonly NamedTool[];
  /** The entries of a toolkit with this account, or without one. */
  of(toolkit: string, connectionId: string | undefined): readonly NamedTool[];
  /** The entry that the toolkit itself calls `name`. */
  findIn(toolkit: string, connectionId: string | undefined, name: string): NamedTool | undefined;
  /** The entries of these toolkits and accounts, and the intrinsic ones, in the order of `entries`. */
  select(targets: readonly CatalogueTarget[]): readonly NamedTool[];
  /** Whether this is the name that a model is given for one of the entries, or an alias of such a name. */
  hasName(name: string): boolean;
  /**
   * Builds the index that `match` and `find` need for this form. It pauses now and then, because with very many tools
   * it would block the event loop.
   */
  prepareMatch(form: string): Promise<void>;
  /** Returns all entries that a written form can mean: a form without an account means the tool with each account. */
  match(name: string): readonly NamedTool[];
  /** Returns the only entry that a form can mean. */
  find(name: string): NamedTool | undefined;
}

/**
 * Returns the tools of a workspace. Toolkits that are still being read after a short while are omitted and follow
 * later. With the name of a requested tool, waits only for toolkits that may contain it, without a time limit. With
 * targets, returns at least their tools and the intrinsic ones, each under its name in the whole workspace.
 */
export type FindCatalogue = (workspaceId: string, wanted?: string | readonly CatalogueTarget[]) => Promise<Catalogue>;

export interface Configurations {
  /** The last known configuration; loaded on first use. */
  get(workspaceId: string): Promise<WorkspaceConfiguration>;
  /** Never older than the store at the time of the call. */
  getFresh(workspaceId: string): Promise<WorkspaceConfiguration>;
  /** Drops the cached configuration, because the store reported that it is stale. */
  forget(workspaceId: string): void;
}

/** An account, bound to one call. */
export interface CallConnection {
  readonly connection: BoundConnection;
  /** Removes every form of the credentials that the call used from its answer. */
  clean<T>(answer: T): T;
  /** The number of requests sent to the service so far. */
  requests(): number;
  /** Whether the service has carried out a request of the call that another call must not repeat. */
  hasActed(): boolean;
}

/** A call, or all possible calls of a tool. */
export interface CallQuestion {
  readonly configuration: WorkspaceConfiguration;
  readonly principal: Principal;
  readonly tool: Tool;
  readonly connectionId?: string | undefined;
  /** Undefined for any arguments. */
  readonly input?: JsonObject | undefined;
  /** Whether `rules` must list every policy even without arguments. By default, similar policies may be listed once. */
  readonly needsAllRules?: boolean;
}

export interface CallVerdict {
  readonly decision: Decision;
  /** Whether the client may submit the answer, according to the policies that require approval. */
  readonly elicitation?: boolean | undefined;
  /** Which side refused. */
  readonly refusedBy?: 'grant' | 'policy' | undefined;
  /** The grant that covers the call; undefined for principals that need none. */
  readonly grant?: Grant | undefined;
  readonly approval: ApprovalNeed;
  readonly rules: readonly DecisionRule[];
  readonly rateLimits: readonly { readonly policyId: string; readonly calls: number; readonly seconds: number }[];
}

/** Each layer is judged on its own, even if an earlier one refuses. */
export interface JudgedCall {
  readonly access: readonly AccessStep[];
  /** The grant's limits on arguments, if the question has no arguments to judge. */
  readonly limits: readonly DecisionRule[];
  /** Every policy that holds, or may hold for some arguments, and the tier if it contributes. */
  readonly policies: readonly DecisionRule[];
}

/** What the record says of a call of a run that was begun. */
export interface StartedCall {
  readonly connectionId?: string;
  /** As `hashMeaning`; null if there was none. Absent: from before it was recorded. */
  readonly meaning?: string | null;
}

export interface PipelineParts {
  readonly instanceId: string;
  /** Keeps the end of a call that the store did not accept, and writes it later. */
  readonly keepEntry: KeptEntries['keep'];
  readonly now: () => Date;
  readonly catalogue: FindCatalogue;
  readonly configurations: Configurations;
  readonly decide: (question: CallQuestion) => CallVerdict;
  readonly judge: (question: CallQuestion) => JudgedCall;
  /** Whether the principal may see the account that a tool acts with, if any. */
  readonly knowsAccount: (
    configuration: WorkspaceConfiguration,
    principal: Principal,
    connectionId: string | undefined,
  ) => boolean;
  /** Why a tool does not do what was asked, as text; undefined if it does, or if the request is vague. */
  readonly intentMismatch: (
    intent: string,
    tool: Tool,
  ) => Promise<{ readonly asked: string; readonly does: string } | undefined>;
  /** Names of the principal's own tools that do what was asked, best first. */
  readonly fittingTools: (principal: Principal, text: string) => Promise<readonly string[]>;
  /** Finds tools among the principal's own. */
  readonly finderFor: (principal: Principal) => ToolFinder;
  /** Runs programs for the caller of this call. */
  readonly codeModeFor: (request: Pick<CallRequest, 'principal' | 'run' | 'intent'>) => CodeMode;
  /** Helve itself, for the person that the caller acts for. */
  readonly platformFor: (principal: Principal) => Platform;
  /** Returns the approval for exactly this call: an earlier one, or a new pending one. */
  readonly approvalFor: (request: ApprovalRequest) => Promise<Approval>;
  /** The same answer and the same errors, but nobody is asked: undefined if a person would be asked now. */
  readonly foreseeApproval: (request: ApprovalRequest) => Promise<Approval | undefined>;
  /** What the record says of the start of an execution; undefined if it has none. */
  readonly findStart: (workspaceId: string, executionId: string) => Promise<StartedCall | undefined>;
  /**
   * What the operator set for the tool, and the servers that the account's requests go to: a text without secrets, only to be compared.
   * Undefined if there is neither.
   */
  readonly findSetup: (tool: Tool, connection: Connection | undefined) => Promise<string | undefined>;
  /** Whether the calling program may submit the person's answer; if not, it need not ask. */
  readonly mayElicit: (question: { principal: Principal; tool: Tool; policy: boolean | undefined }) => boolean;
  readonly approvalUrl: (approvalId: string) => string | undefined;
  readonly admitPrincipal: (principal: { workspaceId: string; principalId: string }) => Promise<void>;
  readonly admitCall: (call: {
    workspaceId: string;
    principalId: string;
    tool: string;
    policies: CallVerdict['rateLimits'];
  }) => Promise<void>;
  /** The same answers, and nothing is counted. */
  readonly foreseeLimits: Pick<PipelineParts, 'admitPrincipal' | 'admitCall'>;
  readonly journal: { append(entry: JournalEntry): Promise<JournalOutcome> };
  readonly events: {
    started(call: AuditedCall, rule: string, at: string, approvalId?: string): AuditDraft;
    finished(call: AuditedCall, outcome: OutcomeFacts, at: string): AuditDraft;
    refused(call: AuditedCall, no: RefusedFacts, at: string): AuditDraft;
  };
  /** Sends no request yet. Throws `connection_inaccessible` if there is no such account. */
  readonly bindConnection: (call: {
    readonly connectionId: string;
    readonly configuration: WorkspaceConfiguration;
    readonly effectKey: string;
    readonly signal: () => AbortSignal;
    readonly trace?: TraceContext | undefined;
  }) => CallConnection;
  readonly storeResult: (workspaceId: string, result: StoredResult) => Promise<void>;
  /** Is told each answer of a tool without an output schema, as the caller gets it. Must neither throw nor take time. */
  readonly noteAnswer?: ((workspaceId: string, tool: Tool, answer: JsonValue) => void) | undefined;
  /** Is told how each call ended. Must neither throw nor take time. */
  readonly onEnded?: ((call: CallEnd) => void) | undefined;
  /** Begins the trace of a call; absent if there are no traces. */
  readonly trace?: TraceCall | undefined;
  readonly resultMaxChars: number;
  /** Milliseconds for which a stored result can be read. */
  readonly resultLifetimeMs: number;
  /** Calls `listener` when Helve stops, immediately if it already has. Returns a function that unsubscribes. */
  readonly onStop: (listener: () => void) => () => void;
  /** Receives bugs, which callers do not see. */
  readonly reportError: (error: unknown) => void;
}
