/**
 * Where an adapter gets its tools: a `Helve` in this process, or one that is served elsewhere (`remote`). `Who` is how
 * that source names a caller.
 */
import type { ListedTool, ToolResult } from '../domain/execution.js';

export interface SourceCall<Who> {
  readonly principal: Who;
  /** The model-facing name. */
  readonly tool: string;
  readonly input: unknown;
  readonly signal?: AbortSignal;
  /** An approval given for this exact call. */
  readonly approvalId?: string;
  /** What the person asked for, in their words. */
  readonly intent?: string;
}

export interface ToolSource<Who> {
  /** As the principal is to be shown them. `all`: whatever it may call, the meta-tools too. */
  tools(who: { readonly principal: Who; readonly all?: boolean }): Promise<readonly ListedTool[]>;
  /** A refused or failed call is a result too. Throws where the source itself cannot be reached. */
  execute(call: SourceCall<Who>): Promise<ToolResult>;
}

/** A call that waits for a person. */
export interface ApprovalRequest {
  readonly tool: string;
  readonly input: unknown;
  readonly approvalId: string;
  /** Where a person decides, if the plane knows its own address. */
  readonly url?: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
  /** Aborted when the agent is stopped. */
  readonly signal?: AbortSignal;
}

interface CommonOptions {
  /**
   * Model-facing names, or which of all tools that the principal may use. Default: as the principal is to be shown them,
   * which for very many is the meta-tools (`search_tools`, `describe_tools`, `call_tool`).
   */
  readonly tools?: readonly string[] | ((tool: ListedTool) => boolean);
  /** What the model gets back: text inside the budget, or the whole standard result. Default `model`. */
  readonly format?: 'model' | 'standard';
  /**
   * Characters of a result that a model is shown. Default: all of what Helve did not keep behind a handle, and 10,000
   * of what it did.
   */
  readonly maxChars?: number;
  /**
   * Called when a call waits for a person's yes. Resolve to `true` once it is given: the same call is then made again,
   * once. Without it, or with `false`, the model is told that the call waits, and where.
   */
  readonly onApproval?: (request: ApprovalRequest) => Promise<boolean>;
  /** What the person asked for, in their words: tools that do something else are refused. A function is asked at each call. */
  readonly intent?: string | (() => string | undefined);
}

/** `principal` may be left out only where the source can do without. */
export type AdapterOptions<Who> = CommonOptions &
  (undefined extends Who ? { readonly principal?: Who } : { readonly principal: Who });
