/**
 * Where an adapter gets its tools: a `Helve` in this process, or one that is served elsewhere (`remote`). `Who` is how
 * that source names a caller.
 */
import type { ListedTool, ToolResult } from '../spec/execution.js';

export interface SourceCall<Who> {
  readonly principal: Who;
  /** The model-facing name. */
  readonly tool: string;
  readonly input: unknown;
  readonly signal?: AbortSignal;
  /** An approval given for this exact call. */
  readonly approvalId?: string;
}

export interface ToolSource<Who> {
  tools(who: { readonly principal: Who }): Promise<readonly ListedTool[]>;
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
  /** Model-facing names, or which of the listed tools. Default: all that the principal may use. */
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
}

/** `principal` may be left out only where the source can do without. */
export type AdapterOptions<Who> = CommonOptions &
  (undefined extends Who ? { readonly principal?: Who } : { readonly principal: Who });
