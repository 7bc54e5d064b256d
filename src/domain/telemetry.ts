/**
 * The counts of a process for its operator. They have no names of tools, accounts or people, so that their number stays
 * small.
 */
import type { FindTier, HintTier } from './discovery.js';
import type { ErrorCode } from './errors.js';
import type { Door } from './execution.js';
import type { Principal } from './principal.js';
import type { ProviderKind } from './provider-kind.js';
import type { StageEnds } from './stages.js';
import type { TraceContext } from './trace-context.js';

/** `unknown`: the call was refused before it was clear which tool it meant. */
export type CallKind = ProviderKind | 'unknown';
export type CallOutcome = 'ok' | 'failed' | 'refused';

export interface EndedCall {
  readonly kind: CallKind;
  readonly outcome: CallOutcome;
  /** Why it failed or was refused. */
  readonly code: ErrorCode | 'none';
  /** From its admission to its answer. */
  readonly milliseconds: number;
}

export interface BegunCall {
  readonly executionId: string;
  readonly door: Door | undefined;
  readonly principal: Principal;
  /** What the caller sent. */
  readonly from: TraceContext | undefined;
}

export interface CallEnd extends EndedCall {
  readonly executionId: string;
  readonly workspaceId: string;
  readonly caller: Pick<Principal, 'kind' | 'id'>;
  readonly door: Door | undefined;
  /** Its own; undefined without traces. */
  readonly trace: TraceContext | undefined;
  /** Undefined if it is not clear which tool was meant. */
  readonly tool: { readonly name: string; readonly toolkit: string } | undefined;
}

export interface CallTrace {
  /** For the requests that the call sends. */
  readonly context: TraceContext;
  end(call: CallEnd, stages: StageEnds): void;
}

/** Begins the trace of a call. Neither it nor `end` may throw or take time. */
export type TraceCall = (call: BegunCall) => CallTrace;

/** `failed`: it is tried again later; `ended`: the account must be connected again. */
export type RenewalOutcome = 'renewed' | 'failed' | 'ended';

/** Called by the parts of a process when something happens. Must neither throw nor take time. */
export interface ProcessCounts {
  callEnded(call: EndedCall): void;
  credentialsRenewed(outcome: RenewalOutcome): void;
  /** A synchronisation of the catalogue that this process ran. */
  catalogueSynced(source: string, status: string): void;
}

/** The connections of this process to a store that has several. */
export interface StorePool {
  readonly max: number;
  readonly open: number;
  readonly idle: number;
  /** Requests that wait for a free one. */
  readonly waiting: number;
}

/** How searches and hints were answered in all workspaces since the process started. */
export interface DiscoveryTotals {
  readonly tiers: Readonly<Record<FindTier, { readonly count: number; readonly milliseconds: number }>>;
  readonly hints: Readonly<Record<HintTier, number>>;
  /** Searches that found no fitting tool. */
  readonly abstained: number;
}
