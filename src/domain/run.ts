/** One program of code mode that runs, or ran: who started it, what it has done, and what it waits for. */
import type { CodeIssue } from './code.js';
import type { ErrorBody } from './errors.js';
import type { JsonObject, JsonValue } from './json.js';
import type { Principal } from './principal.js';

/**
 * Two modes are not programs: `agent` is the loop of an agent that works on an issue, or calls that Helve makes for an
 * issue; `call` is one call that was sent with an idempotency key. `code` is then the work or the calls as JSON.
 */
export type RunMode = 'check' | 'plan' | 'run' | 'agent' | 'call';

/**
 * `queued`: a process holds it, and it waits for a place: all places for programs are taken, or its own starts slowly. `running`: a process
 * executes it, or takes it over from one that died. `waiting`: no process holds it; `waits` says what for. `in_doubt`: it waits for a
 * person who says whether an effect happened. `refused`: the check found issues, and nothing ran. `diverged`: its replay asked for something else than its ledger says. The others explain themselves.
 */
export type RunStatus = 'queued' | 'running' | 'waiting' | 'in_doubt' | RunEnd;
/** A process has it, or had it when it died. */
export const heldStatuses = ['queued', 'running'] as const;
/** It has not ended. */
export const openStatuses = [...heldStatuses, 'waiting', 'in_doubt'] as const;
export const isHeld = (status: RunStatus): boolean => (heldStatuses as readonly RunStatus[]).includes(status);
export type RunEnd = 'succeeded' | 'failed' | 'refused' | 'diverged' | 'cancelled';

export interface RunLog {
  readonly level: 'log' | 'info' | 'warn' | 'error' | 'debug';
  readonly text: string;
}

/** The program that an agent's loop waits with: its run, and the number of the call there. A decision is passed on to it. */
export type WaitWithin = { readonly runId: string; readonly number: number };

/**
 * What a run waits for. `number`: the call that cannot go on, from 1. `executionId`: the attempt that has to be made again, as the record
 * has it; absent for waits from before it was kept.
 */
export type RunWait =
  | {
      readonly for: 'approval';
      readonly number: number;
      readonly tool: string;
      readonly approvalId: string;
      readonly executionId?: string;
      readonly within?: WaitWithin;
    }
  | {
      readonly for: 'time';
      readonly until: string;
      readonly number?: number;
      readonly tool?: string;
      readonly executionId?: string;
    }
  /** The call may have had its effect, and only a person can tell. */
  | {
      readonly for: 'doubt';
      readonly number: number;
      readonly tool: string;
      readonly executionId: string;
      readonly since: string;
      readonly reason: string;
      readonly within?: WaitWithin;
      /** Only if it is shown to somebody who cannot decide, because it concerns an account of somebody else. */
      readonly forOthers?: true;
    }
  /** The program asks a person. `choices`: the answers that it understands; absent: any text. */
  | {
      readonly for: 'answer';
      readonly number: number;
      readonly tool: string;
      readonly question: string;
      readonly choices?: readonly string[];
      readonly within?: WaitWithin;
    };

/** An effect that a plan found, in the order in which the program would make it. */
export interface PlannedEffect {
  /** The number of the call in the plan, from 1. */
  readonly number: number;
  /** The tool's model-facing name. */
  readonly tool: string;
  /** Slug of the account that acts. */
  readonly connection?: string;
  readonly connectionId?: string;
  /** A placeholder stands for what an earlier effect will answer: `⟦call 3: number⟧`. */
  readonly arguments: JsonObject;
  /** The rule by which it needs an approval, if it does. */
  readonly approval?: string;
}

export interface RunPlanFacts {
  readonly effects: readonly PlannedEffect[];
  readonly status: 'pending' | 'approved' | 'rejected' | 'used';
  /** After this time it can no longer be approved or used. */
  readonly expiresAt: string;
  /** Only if it is shown to somebody who cannot decide, because it uses an account of somebody else. */
  readonly forOthers?: true;
}

/** As stored: with what the program got instead of the effect's answer. */
export interface StoredEffect extends PlannedEffect {
  readonly placeholder: JsonValue;
  /** What its maker and the operator may change about the tool, by hash: see `hashMeaning`. */
  readonly definition?: string;
}

export interface StoredPlan extends RunPlanFacts {
  readonly effects: readonly StoredEffect[];
}

export type RunCallStatus = 'running' | 'ok' | 'failed' | 'waiting' | 'in_doubt' | 'planned';

/** One call of the program. `number`: from 1, in the order in which the program makes its calls. */
export interface RunCall {
  readonly number: number;
  /** The tool's model-facing name. */
  readonly tool: string;
  readonly status: RunCallStatus;
  readonly executionId?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  /** How often it was made: more than once if an answer was lost. */
  readonly attempts?: number;
  readonly error?: ErrorBody;
}

/** Each is a maximum for one run. */
export interface RunLimits {
  /** Milliseconds in which the program itself runs, waits not counted. */
  readonly cpuMs: number;
  /** Milliseconds from a start or a resumption to the end or the next wait. */
  readonly wallMs: number;
  readonly memoryMb: number;
  readonly calls: number;
  readonly callsInFlight: number;
  readonly logBytes: number;
  readonly valueBytes: number;
}

export const defaultRunLimits: RunLimits = {
  cpuMs: 10_000,
  wallMs: 600_000,
  memoryMb: 64,
  calls: 1_000,
  callsInFlight: 100,
  logBytes: 65_536,
  valueBytes: 262_144,
};

export interface StartRun {
  readonly code: string;
  /** Default `run`. */
  readonly mode?: Exclude<RunMode, 'agent' | 'call'>;
  readonly limits?: Partial<RunLimits>;
  /** What the person asked for, in their words. */
  readonly intent?: string;
  /** A second start of this principal with the same key returns the run of the first. */
  readonly idempotencyKey?: string;
  /** The id of an approved plan: the run makes exactly its effects. */
  readonly plan?: string;
}

export interface Run {
  /** A program that was only checked has one too, but is not stored. */
  readonly id: string;
  readonly mode: RunMode;
  readonly status: RunStatus;
  readonly principal: { readonly kind: string; readonly id: string; readonly name: string };
  readonly code: string;
  readonly intent?: string;
  readonly startedAt: string;
  readonly finishedAt?: string;
  /** What the program returned. */
  readonly value?: JsonValue;
  readonly logs: readonly RunLog[];
  readonly calls: readonly RunCall[];
  readonly waits: readonly RunWait[];
  /** When a process took it over from one that had ended, for example because it was killed. */
  readonly takeovers?: readonly string[];
  readonly error?: RunError;
  readonly issues?: readonly CodeIssue[];
  /** The plan that this run made, if its mode is `plan`. */
  readonly planned?: RunPlanFacts;
  /** The id of the plan that it follows. */
  readonly plan?: string;
  /** The id of the issue that its agent works on. */
  readonly issueId?: string;
  /** Where a person sees it and decides. */
  readonly url?: string;
}

/** Why a program ended without a value; line and column count from 1, in its own text. */
export interface RunError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly hint?: string;
  readonly line?: number;
  readonly column?: number;
}

export interface RunsQuery {
  readonly status?: RunStatus;
  /** Only runs of this principal. */
  readonly principal?: string;
  /** The id of an approval: only runs that wait for it. */
  readonly approval?: string;
  /** Only plans that a person can still decide about. */
  readonly plan?: 'pending';
  /** Runs that started before this one, for paging backwards. */
  readonly before?: string;
  /** Newest first. Default 50, at most 200. */
  readonly limit?: number;
}

/** The decision of a person about a run that waits for them. */
export type RunDecision =
  /** An effect in doubt happened; `output` is what the program gets as the tool's answer. */
  | { readonly decision: 'happened'; readonly number: number; readonly output?: JsonValue }
  /** It did not: the call is made again. */
  | { readonly decision: 'not_happened'; readonly number: number }
  /** What a person answers to a question of the program. */
  | { readonly decision: 'answer'; readonly number: number; readonly text: string }
  /** The plan as a whole. */
  | { readonly decision: 'approve_plan' }
  | { readonly decision: 'reject_plan' }
  /** The run ends here. */
  | { readonly decision: 'stop' };

/** What followers of a run receive, in order. The first event shows the run as it is. */
export type RunEvent =
  | { readonly type: 'run'; readonly run: Run }
  | { readonly type: 'call'; readonly runId: string; readonly call: RunCall }
  /** The run ended or began to wait: the last event of this stay. */
  | { readonly type: 'settled'; readonly run: Run };

export interface RunActs {
  /**
   * Starts a program, and returns when it has ended or waits for something that no process needs to hold it for. The check
   * comes first: a program with issues is `refused`, and nothing of it ran. Throws `forbidden`; `not_found` or `conflict` for
   * a plan that cannot be used; `invalid_input` for limits above the installation's.
   */
  runCode(principal: Principal, request: StartRun, options?: RunOptions): Promise<Run>;
  /** Throws `not_found` for a run that the principal may not see. */
  getRun(principal: Principal, id: string): Promise<Run>;
  listRuns(principal: Principal, query?: RunsQuery): Promise<readonly Run[]>;
  /** Yields events until the run ends; while it waits, it keeps following. */
  followRun(principal: Principal, id: string, signal?: AbortSignal): AsyncIterable<RunEvent>;
  /** Ends a run that has not ended; its calls in flight are cancelled. Returns the run as it is then. */
  cancelRun(principal: Principal, id: string): Promise<Run>;
  /**
   * Decides what a run waits for, once, and continues it in this process. Throws `conflict` if there is no such thing to
   * decide any more, and `invalid_input` for an answer that is not among the choices.
   */
  decideRun(principal: Principal, id: string, decision: RunDecision): Promise<Run>;
}

export interface RunOptions {
  /** Aborted: the caller no longer waits. The run itself goes on. */
  readonly signal?: AbortSignal;
  /** Called as soon as the run has its id. */
  readonly onStart?: (runId: string) => void;
  readonly onCall?: (call: RunCall) => void;
}
