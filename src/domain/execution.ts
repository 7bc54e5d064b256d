/** One call of one tool: what is asked, and what comes back. */

import type { ShownApproval } from './approval-need.js';
import type { ClientChannel, ProgressUpdate } from './context.js';
import type { ErrorBody } from './errors.js';
import type { JsonObject, JsonValue } from './json.js';
import type { Principal } from './principal.js';
import type { ContentBlock, Tool } from './tool.js';
import type { TraceContext } from './trace-context.js';

/** How a call comes to the plane, besides code in this process. */
export type Door = 'api' | 'mcp';

export interface CallRequest {
  readonly principal: Principal;
  /** Any written form of the tool's name; the model form is the usual one. */
  readonly tool: string;
  readonly input: unknown;
  /** An approval for this exact call that the caller was given. If omitted, a matching one is looked up. */
  readonly approvalId?: string;
  /** What the person asked for, in their words. A tool that does something else is refused. */
  readonly intent?: string;
  /**
   * At most 200 characters. If the principal requests the same call with the same key several times, the call is made
   * once, even if a process is killed meanwhile, and every request gets the first answer. A call that failed without an
   * effect is made again. A key is kept for 30 days.
   */
  readonly idempotencyKey?: string;
  /** The door that the call came through; absent for code in this process. */
  readonly door?: Door;
  /** The trace that the caller's request belongs to. */
  readonly trace?: TraceContext;
  /** Present if a program makes the call: its place in the run. */
  readonly run?: CallInRun;
  /** Present if Helve itself may make the call again after a lost answer: see `OwnEffect`. */
  readonly effect?: OwnEffect;
  readonly signal?: AbortSignal;
  /** Calls `listener` when somebody else asks to stop the call. Returns a function that unsubscribes. */
  readonly onStopRequest?: (listener: () => void) => () => void;
  readonly client?: ClientChannel;
  readonly onProgress?: (update: ProgressUpdate) => void;
  /**
   * Called with the output of a call that succeeded as text, strings bare and everything else as compact JSON: a door that sends it
   * need not make it again.
   */
  readonly onOutput?: (text: string) => void;
  /** Called as soon as the call has its id, before anything runs. */
  readonly onStart?: (executionId: string) => void;
}

/**
 * The effect that a call of Helve itself intends. It stays the same when the call is repeated. No door takes it from a
 * caller.
 */
export interface OwnEffect {
  /** 32 hexadecimal digits. */
  readonly key: string;
  /** As in a run: when the first attempt began, if it may have had its effect. */
  readonly doubtfulSince?: string;
}

/** A call that a program makes: its place in the run, whose ledger is written in the commits of the call. */
export interface CallInRun {
  readonly runId: string;
  /** From 1, in the order in which the program makes its calls. */
  readonly number: number;
  /** Number of the run's present owner: another owner has a higher one, and then nothing is written. */
  readonly lease: number;
  /** An answer with more characters of JSON is kept behind a handle, and the program gets an error that names it. */
  readonly maxAnswerChars: number;
  /** Hash of the arguments as the program gave them: a replay must ask for the same. */
  readonly argumentsHash: string;
  /** The execution of an earlier attempt that has no answer. Its approval holds for this one too. */
  readonly replaces?: string;
  /**
   * When the first attempt began, if it may have had its effect: that is looked for, or the call is made again under the
   * same key, as the tool's `idempotency` allows. If neither is possible, nothing runs and the result is `outcome_unknown`.
   */
  readonly doubtfulSince?: string;
  /** The run is the loop of an agent and not a program: it may run programs. */
  readonly isLoop?: boolean;
  /** The planned effect that this call makes. It needs no further approval, and it can be made only once. */
  readonly planned?: PlannedCall;
  /** The run follows a plan that does not contain this call: a person must approve it, whatever the policies say. */
  readonly unplanned?: boolean;
  /** Called for each answer that is written; returns its place in the order in which the program gets answers. */
  nextPosition(): number;
  /** Called when an answer is on disk, with its time and its text there. */
  onRecorded(answer: { readonly position: number; readonly at: string; readonly answer: string }): void;
}

export interface PlannedCall {
  /** The run that made the plan. */
  readonly runId: string;
  readonly number: number;
  /** The tool's model-facing name, the validated arguments and the policies that were approved: the call must have the same. */
  readonly tool: string;
  readonly inputHash: string;
  readonly policyVersion: number;
  /** What its maker and the operator may change about the tool, by hash: see `hashMeaning`. */
  readonly definition?: string | undefined;
  /** When the plan was begun. */
  readonly plannedAt: string;
}

/** A call as it would be made: every stage before the approval has passed it. */
export interface CallPreview {
  readonly ok: true;
  readonly tool: NamedToolFacts;
  readonly input: JsonObject;
  readonly inputHash: string;
  readonly policyVersion: number;
  /** What the grant's `tool_config` says about the tool. */
  readonly config: JsonObject;
  /** What its maker and the operator may change about the tool, by hash: see `hashMeaning`. */
  readonly meaning?: string;
  /** The rule that asks for an approval, if one does. */
  readonly approval?: string;
}

export interface NamedToolFacts {
  readonly name: string;
  readonly tool: Tool;
  readonly connectionId?: string;
  readonly slug?: string;
}

/** Where to read the whole of a long result if the model saw only its beginning. */
export interface ResultHandle {
  readonly handle: string;
  readonly characters: number;
  readonly expiresAt: string;
  /** The result's outline: keys, types and lengths. */
  readonly shape: string;
}

interface ResultBase {
  readonly executionId: string;
  /** The tool's model-facing name, or the requested name if there is no such tool. */
  readonly tool: string;
  /** The rule that allowed or refused the call. */
  readonly rule: string;
  readonly durationMs: number;
}

export interface ToolSuccess extends ResultBase {
  readonly ok: true;
  readonly output: JsonValue;
  readonly content?: readonly ContentBlock[];
  readonly handle?: ResultHandle;
}

export interface ToolFailure extends ResultBase {
  readonly ok: false;
  readonly error: ErrorBody;
}

export type ToolResult = ToolSuccess | ToolFailure;

/** Which of a principal's tools are listed. */
export interface ToolsQuery {
  /** Also those that its tool mode hides. */
  readonly all?: boolean;
  /** All tools of the toolkits of these categories, also those that its tool mode hides. */
  readonly categories?: readonly string[];
  /** Only the tool of this name, as a model sees it. */
  readonly name?: string;
  /** A page in the order of names, by code unit: only those whose names come after this one. */
  readonly after?: string;
  /** At most this many, in the order of names. */
  readonly limit?: number;
}

/** A tool as one principal sees it. */
export interface ListedTool {
  /** The model-facing name, unique in the list. */
  readonly name: string;
  readonly tool: Tool;
  readonly connectionId?: string;
  /** Whether a person must approve a call; absent if not. */
  readonly approval?: ShownApproval;
}

/** What followers of an execution receive, in order. */
export type ExecutionEvent =
  /** `tool`: as it was requested. */
  | { readonly type: 'started'; readonly executionId: string; readonly tool: string; readonly at: string }
  | { readonly type: 'progress'; readonly executionId: string; readonly update: ProgressUpdate; readonly at: string }
  | { readonly type: 'finished'; readonly executionId: string; readonly result: ToolResult; readonly at: string }
  /**
   * Replaces the other events if the call does not run in this process (any more): what the audit record says about
   * it.
   */
  | { readonly type: 'recorded'; readonly executionId: string; readonly record: ExecutionRecord; readonly at: string };

export type ExecutionStatus = 'running' | 'ok' | 'failed' | 'refused' | 'interrupted';

/** An execution as the audit record describes it. */
/** Selects the calls to list. All given conditions must hold. */
export interface ExecutionsQuery {
  /** Any form of the name. */
  readonly tool?: string;
  readonly status?: Exclude<ExecutionStatus, 'running'>;
  /** The id of the agent, person or key that called. */
  readonly actor?: string;
  /** The id of the account that acted. */
  readonly connection?: string;
  /** The rule that decided, as in the record. */
  readonly rule?: string;
  /** Words in the record of the call's end. */
  readonly text?: string;
  /** ISO 8601. */
  readonly since?: string;
  readonly until?: string;
  /** `seq` of a call: only calls that ended before it. */
  readonly before?: number;
  /** Newest first. Default 50, at most 500. */
  readonly limit?: number;
}

export interface ExecutionRecord {
  readonly executionId: string;
  readonly status: ExecutionStatus;
  readonly tool: string;
  readonly actor: { readonly kind: string; readonly id: string; readonly name: string };
  readonly onBehalfOf?: { readonly kind: string; readonly id: string; readonly name: string };
  readonly startedAt: string;
  readonly finishedAt?: string;
  /** The position of its last row in the record of the workspace. */
  readonly seq: number;
  readonly started?: JsonObject;
  readonly outcome?: JsonObject;
}
