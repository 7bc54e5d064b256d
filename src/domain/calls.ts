/** Lists and figures of calls, for those who look after a workspace. */
import type { Door, ExecutionRecord, ExecutionStatus } from './execution.js';
import type { Principal, PrincipalRef } from './principal.js';
import type { StageTime } from './stages.js';
import type { RiskTier } from './tool.js';

/** Selects calls. All given conditions must hold. */
export interface CallsFilter {
  readonly status?: ExecutionStatus;
  /** The id of the agent, person or key that called. */
  readonly actor?: string;
  /** The id of the person or key that an agent acted for. */
  readonly onBehalfOf?: string;
  /** Any form of the name. */
  readonly tool?: string;
  /** The slug of the toolkit, or its name in the record. */
  readonly toolkit?: string;
  /** The id of the account that acted. */
  readonly connection?: string;
  /** The rule that decided. */
  readonly rule?: string;
  /** The code of the error. */
  readonly error?: string;
  readonly risk?: RiskTier;
  readonly door?: CallDoor;
  /** Words in the record of the call's end. Running calls have no such record. */
  readonly text?: string;
  /** ISO 8601; when the call ended. */
  readonly since?: string;
  readonly until?: string;
  readonly minDurationMs?: number;
}

/** `program`: a program of code mode made the call. */
export type CallDoor = Door | 'program';

export interface CallsQuery extends CallsFilter {
  /** `seq` of a call: only those that ended before it, or after it. At most one of them. */
  readonly before?: number;
  readonly after?: number;
  /** Default 50, at most 500. */
  readonly limit?: number;
}

/** One call without its arguments and its result. */
export interface CallRow {
  readonly executionId: string;
  readonly status: ExecutionStatus;
  /** The tool's audit name. */
  readonly tool: string;
  readonly actor: PrincipalRef;
  readonly onBehalfOf?: PrincipalRef;
  /** The position of its last row in the record. */
  readonly seq: number;
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly durationMs?: number;
  readonly connectionId?: string;
  readonly rule?: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly risk?: RiskTier;
  readonly door?: CallDoor;
  /** The meta-tool that it came through. */
  readonly through?: string;
  readonly runId?: string;
  readonly approvalId?: string;
  readonly intent?: string;
  /** The first of its arguments, redacted, in a few words. */
  readonly summary?: string;
}

export interface CallPage {
  /** Newest first. The first page begins with the calls that are running. */
  readonly calls: readonly CallRow[];
  /** `before` of the next page, which has older calls. */
  readonly next?: number;
  /** `after` of the page before, which has newer calls. */
  readonly previous?: number;
}

export interface Facet {
  readonly value: string;
  readonly count: number;
  /** The name of an agent, a person, a key or an account. */
  readonly name?: string;
}

/** By each field: how many calls have which value, most first; the filter on the field itself does not apply. */
export interface CallFacets {
  readonly total: number;
  readonly status: readonly Facet[];
  readonly actor: readonly Facet[];
  readonly tool: readonly Facet[];
  readonly toolkit: readonly Facet[];
  readonly connection: readonly Facet[];
  readonly rule: readonly Facet[];
  readonly error: readonly Facet[];
  readonly risk: readonly Facet[];
  readonly door: readonly Facet[];
}

export interface CallDetail extends ExecutionRecord {
  /** The name by which a model calls the tool with the same account now. Absent if one of them is no longer there. */
  readonly modelName?: string;
  readonly durationMs?: number;
  /** How long each stage took, in their order. Absent while it runs, and for calls that were recorded without. */
  readonly stages?: readonly StageTime[];
  /** When the approval that the call used, or waits for, was asked for and decided. */
  readonly approval?: {
    readonly id: string;
    readonly requestedAt: string;
    readonly decidedAt?: string;
    readonly status: string;
  };
  /** The calls next to it under the same filter: `previous` ended later. */
  readonly previous?: string;
  readonly next?: string;
}

export interface CallMetricsQuery extends CallsFilter {
  readonly by: 'minute' | 'tool' | 'agent';
  /** By minute: the length of a group. Default 1; more if there were too many groups. */
  readonly minutes?: number;
}

export interface CallFigures {
  readonly calls: number;
  readonly ok: number;
  readonly failed: number;
  readonly refused: number;
  readonly interrupted: number;
  /** Of the calls that ran, in milliseconds; absent if none did. */
  readonly p50?: number;
  readonly p95?: number;
  readonly p99?: number;
  /** Characters of all results, and how many of them were kept behind handles instead of being sent. */
  readonly characters: number;
  readonly kept: number;
}

export interface CallMetrics {
  readonly since: string;
  readonly until: string;
  /** Only by minute: the length of a group in seconds, more than 60 for a long time. */
  readonly seconds?: number;
  readonly total: CallFigures;
  /** By time, oldest first, without groups that have no call; otherwise those with the most calls first. */
  readonly groups: readonly (CallFigures & { readonly key: string; readonly name?: string })[];
}

export interface ConnectionUsage {
  /** Slug of the account. */
  readonly connection: string;
  /** The agents that have tools of the account, also those that have never called with it. */
  readonly agents: readonly {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    /** Names within the toolkit. */
    readonly tools: readonly string[];
    readonly calls: number;
    /** ISO 8601. */
    readonly lastUsedAt?: string;
  }[];
  /** By anybody, also by agents that have lost the account since. */
  readonly calls: number;
  readonly lastUsedAt?: string;
}

export interface CallActs {
  /** The caller's own calls; with `audit:read` all; to a member also those with their accounts. */
  listCalls(principal: Principal, query: CallsQuery): Promise<CallPage>;
  callFacets(principal: Principal, filter: CallsFilter): Promise<CallFacets>;
  /** Throws `not_found`. */
  getCall(principal: Principal, executionId: string, filter: CallsFilter): Promise<CallDetail>;
  callMetrics(principal: Principal, query: CallMetricsQuery): Promise<CallMetrics>;
  /** The owner of the account may ask, and anyone with `grants:read`. Throws `not_found` or `forbidden`. */
  connectionUsage(principal: Principal, connection: string): Promise<ConnectionUsage>;
}
