/** Answers about calls that are not made: why, what an agent can do, and what other policies would have done. */
import type { ApprovalNeed } from './approval-need.js';
import type { Policy } from './grant.js';
import type { JsonObject } from './json.js';
import type { Principal } from './principal.js';
import type { Tool } from './tool.js';
import type { ToolMode } from './tool-mode.js';

/** `unknown`: it depends on what the question leaves open, or an earlier layer has already decided. */
export type Verdict = 'allow' | 'require_approval' | 'deny' | 'unknown';

/** What a call passes through, in this order. */
export const layers = [
  'name',
  'workspace',
  'connection',
  'definition',
  'grant',
  'intent',
  'input',
  'policy',
  'approval',
  'limit',
] as const;
export type Layer = (typeof layers)[number];

export interface ExplainStep {
  readonly layer: Layer;
  readonly verdict: Verdict;
  readonly rule?: string;
  /** One sentence. */
  readonly reason: string;
}

export interface Explanation {
  readonly verdict: Verdict;
  /** What decided: as in the result and the record of a call. */
  readonly rule: string;
  readonly steps: readonly ExplainStep[];
}

export interface ExplainQuestion {
  /** Slug or id. */
  readonly agent: string;
  /** Any form of the name. */
  readonly tool: string;
  /** Slug or id of the account, if the name does not say it. */
  readonly connection?: string;
  /** The person for whom the agent acts, by id or e-mail address. Absent: it acts for nobody. */
  readonly onBehalfOf?: string;
  /**
   * Id of an issue that the agent works on: its tool configs hold for the call too, and the step of its recipe in which the agent is.
   * Absent: the call belongs to no issue.
   */
  readonly issue?: string;
  /** Absent: any arguments. */
  readonly input?: JsonObject;
  readonly intent?: string;
}

/** A tool that an agent can call, as it is offered to it. */
export interface EffectiveTool {
  /** As the model sees it. */
  readonly name: string;
  readonly toolkit: string;
  readonly connection?: string;
  readonly risk: Tool['risk'];
  readonly approval: ApprovalNeed;
  /** The rule that decides, or the least strict one if that depends on the arguments. */
  readonly rule: string;
  /** Estimated tokens of its definition in the model's context: a quarter of its characters as JSON. */
  readonly tokens: number;
}

export interface EffectiveTools {
  readonly agent: string;
  readonly tools: readonly EffectiveTool[];
  /** Of all these definitions. */
  readonly tokens: number;
  readonly mode: {
    /** As it is set. */
    readonly set: ToolMode;
    /** What the model's list has: the tools themselves, or those that find and call them. */
    readonly shows: 'tools' | 'meta' | 'code';
    readonly reason: string;
    /** Of the definitions in the model's list. */
    readonly tokens: number;
  };
  /** Granted, and still refused whatever the arguments are. */
  readonly notOffered: readonly {
    readonly tool: string;
    readonly connection?: string;
    readonly rule: string;
    readonly reason: string;
  }[];
}

export interface PreviewedTool {
  /** As the model sees it. */
  readonly name: string;
  readonly toolkit: string;
  /** Slug of the account. */
  readonly connection?: string;
  /** Undefined for a tool that is no longer there. */
  readonly risk?: Tool['risk'];
}

/** What the agent can call, and what that costs in the context of a model. */
interface GrantedNow extends Pick<EffectiveTools, 'tokens' | 'mode'> {
  /** How many tools it can call. */
  readonly tools: number;
}

/** What a change of an agent's grants would do, as far as the asker can see the accounts. */
export interface GrantPreview {
  readonly agent: string;
  /** Of the present grants: the change can be made conditional on it. */
  readonly version: string;
  readonly added: readonly PreviewedTool[];
  readonly removed: readonly PreviewedTool[];
  /** Granted before and after, with other limits or another configuration. */
  readonly changed: readonly PreviewedTool[];
  /** Of the added ones, those that destroy: with the rule that decides on their calls. */
  readonly destructive: readonly (PreviewedTool & Pick<EffectiveTool, 'approval' | 'rule'>)[];
  readonly before: GrantedNow;
  readonly after: GrantedNow;
  /** Private accounts that the agent would be given: it uses them only when it acts for their owners. */
  readonly privateAccounts: readonly {
    readonly connection: string;
    readonly name: string;
    /** Name of the person; undefined if they are no longer there. */
    readonly owner?: string;
    /** It is the asker's. */
    readonly own: boolean;
  }[];
}

export interface PolicyPreviewQuestion {
  readonly policies: readonly Policy[];
  /** ISO 8601. Default: all recorded calls. */
  readonly since?: string;
  /** At most this many calls, newest first. Default 10,000, at most 100,000. */
  readonly limit?: number;
}

export interface ReplayedCall {
  readonly executionId: string;
  readonly at: string;
  readonly actor: string;
  readonly tool: string;
  readonly before: Verdict;
  readonly after: Verdict;
  readonly rule: string;
  readonly reason: string;
}

/** `count` is exact; `calls` has the newest of these calls. */
export interface ReplayedCalls {
  readonly count: number;
  readonly calls: readonly ReplayedCall[];
}

/** Recorded calls by what the policies would change, under the present grants. */
export interface PolicyPreview {
  readonly same: ReplayedCalls;
  readonly newlyWaiting: ReplayedCalls;
  readonly newlyRefused: ReplayedCalls;
  readonly newlyFree: ReplayedCalls;
  /** The record lacks some of the arguments that the policies look at. */
  readonly unknown: ReplayedCalls;
}

export interface ExplainActs {
  /**
   * The verdict of every layer on a call of the agent. Nothing runs, nothing is counted or asked. Throws `not_found` for an
   * agent, a person, an issue or a connection that does not exist; a tool that does not exist is a verdict. Throws `forbidden` for a
   * caller that names another person and does not hold `users:read`.
   */
  explain(principal: Principal, question: ExplainQuestion): Promise<Explanation>;
  /** Throws `not_found`. */
  effectiveTools(principal: Principal, agent: string): Promise<EffectiveTools>;
  /** Throws `invalid_input` as `replacePolicies` does. */
  previewPolicies(principal: Principal, question: PolicyPreviewQuestion): Promise<PolicyPreview>;
}
