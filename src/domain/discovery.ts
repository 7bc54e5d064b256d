/**
 * Finding tools: the queries, the answers, and the meta-tools that replace a list that is too long.
 *
 * A model with few tools sees them all. A model with many sees `search_tools`, `describe_tools`, `call_tool` and `run_code`,
 * and reaches all of its tools through them. In code mode it has `run_status` instead of `call_tool`.
 */
import type { ApprovalNeed, ShownApproval } from './approval-need.js';
import type { JsonSchema } from './json.js';
import type { Principal } from './principal.js';
import type { RiskTier, ToolAnnotations, ToolExample, ToolId } from './tool-facts.js';

/** The toolkit of the meta-tools and of those of code mode. If it is switched off in a workspace, its agents see all their tools directly. */
export const metaToolkit = 'discovery';

/** What a model with very many tools sees, in this order. */
export const metaTools: readonly string[] = ['search_tools', 'describe_tools', 'call_tool', 'run_code'];

/** What a model in code mode sees, in this order. */
export const codeTools: readonly string[] = ['search_tools', 'describe_tools', 'run_code', 'run_status'];

/** Whether a tool belongs to the toolkit of the meta-tools. */
export function isMetaTool({ toolkit }: ToolId): boolean {
  return toolkit === metaToolkit;
}

/** Whether this is the meta-tool that calls another tool. */
export function isCallTool({ toolkit, name }: ToolId): boolean {
  return toolkit === metaToolkit && name === 'call_tool';
}

/**
 * How the answer was found. `exact`: only tools named in the text; `semantic`: by meaning; `fallback`: nothing
 * matched, so available tools in their usual order, at most 30.
 */
export type FindTier = 'exact' | 'semantic' | 'fallback';

export interface ToolSearch {
  /** What is to be done, in any words, or names of tools. */
  readonly query: string;
  /** Default 10, at most 50. */
  readonly limit?: number;
  /** Slugs: only tools of these toolkits. */
  readonly toolkits?: readonly string[];
  /** Whether to say why each tool was found. */
  readonly explain?: boolean;
}

export interface FoundTool {
  /** As the model calls it. */
  readonly name: string;
  readonly toolkit: string;
  /** Slug of the account that it acts with. */
  readonly connection?: string;
  readonly title: string;
  /** `(owner: string, repo: string, title: string, body?: string)`; truncated with `…` if long. */
  readonly signature: string;
  /** What the tool does, in a few words. */
  readonly summary: string;
  readonly risk: RiskTier;
  /** Which of the acts of the findings it serves, from 1. */
  readonly act?: number;
  /** Comparable within one answer only. */
  readonly score: number;
  /** Whether a person must approve a call; absent if not. */
  readonly approval?: ShownApproval;
  readonly why?: readonly string[];
}

/** A toolkit that does what was asked but of which the caller has no tools. */
export interface NearestToolkit {
  readonly toolkit: string;
  readonly name: string;
  /** Whether there is an account that the caller could be granted; if not, one has to be connected first. */
  readonly connected: boolean;
}

/**
 * `these`: the hits do what was asked; `perhaps`: they may, and `unmatched` says what was not understood; `nothing`: none
 * of the caller's tools does.
 */
export type FindAnswer = 'these' | 'perhaps' | 'nothing';

export interface ToolFindings {
  /** Best first. If `abstained` is true: the nearest matches, not to be trusted. */
  readonly hits: readonly FoundTool[];
  readonly tier: FindTier;
  readonly answer: FindAnswer;
  /** True if the answer is `nothing`. */
  readonly abstained: boolean;
  /** Words of the query that match none of the caller's tools. */
  readonly unmatched: readonly string[];
  /** The acts of a query that has several, each with the answer to it alone. */
  readonly acts?: readonly { readonly text: string; readonly answer: FindAnswer }[];
  /** Mistyped words, and what they were read as. */
  readonly readAs?: readonly { readonly written: string; readonly read: string }[];
  readonly nearest?: readonly NearestToolkit[];
  /** What to do if nothing, or only a part, was found. */
  readonly hint?: string;
}

export interface ToolDescription {
  readonly name: string;
  readonly toolkit: string;
  readonly connection?: string;
  readonly title: string;
  readonly description: string;
  readonly signature: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** TypeScript: the types of input and output, and the function. */
  readonly declaration: string;
  readonly annotations: ToolAnnotations;
  readonly risk: RiskTier;
  /** Verb and object, `send message`. */
  readonly capabilities: readonly string[];
  readonly approval: ApprovalNeed;
  readonly examples: readonly ToolExample[];
}

export interface ToolDescriptions {
  readonly tools: readonly ToolDescription[];
  /** Names that match none of the caller's tools, with similar names. */
  readonly unknown: readonly {
    readonly name: string;
    readonly nearest: readonly string[];
    /** The toolkit has this tool but does not offer it, for this reason. */
    readonly refused?: string;
  }[];
}

/**
 * `chat`: by meaning, then by words, then any available tool. `recipe`: names and words only, for curated prompts.
 */
export type HintMode = 'chat' | 'recipe';

export type HintTier = 'exact' | 'capability' | 'token' | 'fallback' | 'none';

export interface HintRequest {
  /** The person's message, or the step of the recipe. */
  readonly text: string;
  readonly mode: HintMode;
  /** Default 10, at most 30. */
  readonly limit?: number;
}

export interface ToolHints {
  /** For a system message. Empty if there is nothing to say. */
  readonly text: string;
  readonly tools: readonly FoundTool[];
  readonly tier: HintTier;
}

/** Vectors of tools from the operator's model, for all workspaces together. */
export interface EmbeddingProgress {
  readonly model: string;
  /** Number of texts of tools that have a vector. */
  readonly vectors: number;
  /** Number of texts that wait for a vector. */
  readonly waiting: number;
  /** Number of texts for which the model returns no vector. */
  readonly refused: number;
  /** There is no room for more. */
  readonly isFull: boolean;
  /** Why the last request failed; absent if it did not. */
  readonly failure?: string;
}

/** How many searches used them, and why the others did without. */
export interface EmbeddingCounts {
  readonly used: number;
  /** The answer did not come in time. */
  readonly late: number;
  readonly failed: number;
  /** Too few of the caller's tools had vectors, or the model had failed several times just before. */
  readonly skipped: number;
}

/** How searches in this workspace were answered since this process started. */
export interface DiscoveryStats {
  readonly searches: number;
  readonly abstained: number;
  readonly tiers: Readonly<Record<FindTier, { readonly count: number; readonly milliseconds: number }>>;
  readonly hints: Readonly<Record<HintTier, number>>;
  /** Tools and toolkits in the index of this process, for all workspaces. */
  readonly indexed: { readonly tools: number; readonly toolkits: number };
  /** Absent if no model for embeddings is set. */
  readonly embeddings?: EmbeddingCounts & Pick<EmbeddingProgress, 'model' | 'vectors' | 'waiting'>;
}

/** Lets a tool search for tools; bound to its caller. */
export interface ToolFinder {
  search(search: ToolSearch): Promise<ToolFindings>;
  describe(names: readonly string[]): Promise<ToolDescriptions>;
}

export interface DiscoveryActs {
  /** Searches the tools that the caller may use. Throws `forbidden`. */
  searchTools(principal: Principal, search: ToolSearch): Promise<ToolFindings>;
  /** Accepts names in any written form. Throws `forbidden`, or `invalid_input` for more than 50. */
  describeTools(principal: Principal, names: readonly string[]): Promise<ToolDescriptions>;
  /** Hints about tools for a message. Throws `forbidden`. */
  toolHints(principal: Principal, request: HintRequest): Promise<ToolHints>;
  discoveryStats(principal: Principal): Promise<DiscoveryStats>;
}
