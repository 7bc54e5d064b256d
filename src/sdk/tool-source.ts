/**
 * Where an adapter gets its tools: a `Helve` in this process, or a server elsewhere (`remote`). `Who` is the type
 * with which that source names a caller.
 */
import type { ListedTool, ToolResult } from '../domain/execution.js';

export interface SourceCall<Who> {
  readonly principal: Who;
  /** The model-facing name. */
  readonly tool: string;
  readonly input: unknown;
  readonly signal?: AbortSignal;
  /** An approval for this exact call. */
  readonly approvalId?: string;
  /** What the person asked for, in their words. */
  readonly intent?: string;
  /** Sent again with the same key, the call is not made again: the answer is the first one. At most 200 characters. */
  readonly idempotencyKey?: string;
}

export interface ToolSource<Who> {
  /** The tools that the principal sees. `all`: every callable tool, including the meta-tools. */
  tools(who: { readonly principal: Who; readonly all?: boolean }): Promise<readonly ListedTool[]>;
  /** A refused or failed call is also a result. Throws if the source itself cannot be reached. */
  execute(call: SourceCall<Who>): Promise<ToolResult>;
}

/** A call that waits for a person. */
export interface ApprovalRequest {
  readonly tool: string;
  readonly input: unknown;
  readonly approvalId: string;
  /** The page where a person decides, if the plane knows its own address. */
  readonly url?: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
  /** Aborted when the agent is stopped. */
  readonly signal?: AbortSignal;
}

interface CommonOptions {
  /**
   * `code`: the four tools of code mode (`search_tools`, `describe_tools`, `run_code`, `run_status`), with which the model writes
   * programs over all tools that the principal may use, however the principal sees them otherwise. `tools` then has no effect.
   */
  readonly mode?: 'code';
  /**
   * Model-facing names, or a filter over all tools that the principal may use. Default: the tools that the principal sees,
   * which are the meta-tools (`search_tools`, `describe_tools`, `call_tool`, `run_code`) if there are very many.
   */
  readonly tools?: readonly string[] | ((tool: ListedTool) => boolean);
  /** The result for the model: text within the budget, or the whole standard result. Default `model`. */
  readonly format?: 'model' | 'standard';
  /**
   * How many characters of a result a model sees. Default: 10,000 if Helve stores the result behind a handle, otherwise
   * all.
   */
  readonly maxChars?: number;
  /**
   * Called when a call waits for approval. Resolve to `true` once it is approved: the same call is then made again,
   * once. Without it, or with `false`, the model learns that the call waits, and where to approve it.
   */
  readonly onApproval?: (request: ApprovalRequest) => Promise<boolean>;
  /** What the person asked for, in their words: tools that do something else are refused. A function is called for each call. */
  readonly intent?: string | (() => string | undefined);
}

/** `principal` is optional only if the source does not need one. */
export type AdapterOptions<Who> = CommonOptions &
  (undefined extends Who ? { readonly principal?: Who } : { readonly principal: Who });
