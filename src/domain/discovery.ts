/**
 * Finding tools: what is asked, what is answered, and the meta-tools that stand in for a list that is too long.
 *
 * A model with few tools sees them all. One with many sees `search_tools`, `describe_tools` and `call_tool`, and reaches
 * every tool of its own through them; a fourth, `run_code`, has its place among them with code mode.
 */
import type { ApprovalNeed, ShownApproval } from './approval-need.js';
import type { JsonSchema } from './json.js';
import type { Principal } from './principal.js';
import type { RiskTier, ToolAnnotations, ToolExample, ToolId } from './tool-facts.js';

/** The toolkit of the meta-tools. Switched off in a workspace, its agents see all their tools directly. */
export const metaToolkit = 'discovery';

/** Its tools, in the order in which a model is shown them. */
export const metaTools = ['search_tools', 'describe_tools', 'call_tool'] as const;

export function isMetaTool({ toolkit }: ToolId): boolean {
  return toolkit === metaToolkit;
}

/** The one that stands for a call of another tool. */
export function isCallTool({ toolkit, name }: ToolId): boolean {
  return toolkit === metaToolkit && name === 'call_tool';
}

/**
 * Who answered. `exact`: tools named in the text, and only they; `semantic`: by what is asked; `fallback`: nothing
 * matched, so tools in reach in their usual order, at most 30.
 */
export type FindTier = 'exact' | 'semantic' | 'fallback';

export interface ToolSearch {
  /** What is to be done, in anybody's words, or names of tools. */
  readonly query: string;
  /** Default 10, at most 50. */
  readonly limit?: number;
  /** Slugs: only tools of these toolkits. */
  readonly toolkits?: readonly string[];
  /** Say why each was found. */
  readonly explain?: boolean;
}

export interface FoundTool {
  /** As the model calls it. */
  readonly name: string;
  readonly toolkit: string;
  /** Slug of the account that it acts with. */
  readonly connection?: string;
  readonly title: string;
  /** `(owner: string, repo: string, title: string, body?: string)`; cut with `…` where it is long. */
  readonly signature: string;
  /** What it does, in a few words. */
  readonly summary: string;
  readonly risk: RiskTier;
  /** Comparable within one answer only. */
  readonly score: number;
  /** Whether a person must approve a call; left out where none must. */
  readonly approval?: ShownApproval;
  readonly why?: readonly string[];
}

/** A toolkit that the caller has no tools of, and that does what was asked. */
export interface NearestToolkit {
  readonly toolkit: string;
  readonly name: string;
  /** Whether there is an account that the caller could be given; if not, one has to be connected first. */
  readonly connected: boolean;
}

export interface ToolFindings {
  /** Best first. Where the answer is an abstention: the nearest, not to be trusted. */
  readonly hits: readonly FoundTool[];
  readonly tier: FindTier;
  /** True: nothing that the caller has fits. */
  readonly abstained: boolean;
  /** Words of the query that no tool of the caller's has. */
  readonly unmatched: readonly string[];
  readonly nearest?: readonly NearestToolkit[];
  /** What to do where nothing, or not everything, was found. */
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
  /** Names that the caller has no tool of, with those that may be meant. */
  readonly unknown: readonly {
    readonly name: string;
    readonly nearest: readonly string[];
    /** Its toolkit has it, and it is not offered for this reason. */
    readonly refused?: string;
  }[];
}

/** `chat`: by what is asked, then by words, then whatever is in reach. `recipe`: names and words only, for curated prompts. */
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
  /** For a system message. Empty where there is nothing to say. */
  readonly text: string;
  readonly tools: readonly FoundTool[];
  readonly tier: HintTier;
}

/** How searches of this workspace were answered since this process began. */
export interface DiscoveryStats {
  readonly searches: number;
  readonly abstained: number;
  readonly tiers: Readonly<Record<FindTier, { readonly count: number; readonly milliseconds: number }>>;
  readonly hints: Readonly<Record<HintTier, number>>;
  /** Tools and toolkits that this process has read so far, of all workspaces. */
  readonly indexed: { readonly tools: number; readonly toolkits: number };
}

/** What a tool is handed to look for tools: bound to its caller. */
export interface ToolFinder {
  search(search: ToolSearch): Promise<ToolFindings>;
  describe(names: readonly string[]): Promise<ToolDescriptions>;
}

export interface DiscoveryActs {
  /** Among the tools that the caller may use. Throws `forbidden`. */
  searchTools(principal: Principal, search: ToolSearch): Promise<ToolFindings>;
  /** Names in any written form. Throws `forbidden`, or `invalid_input` for more than 50. */
  describeTools(principal: Principal, names: readonly string[]): Promise<ToolDescriptions>;
  /** R-hints. Throws `forbidden`. */
  toolHints(principal: Principal, request: HintRequest): Promise<ToolHints>;
  discoveryStats(principal: Principal): Promise<DiscoveryStats>;
}
