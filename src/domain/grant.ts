/** What has been allowed: grants, policies, and the resulting decision. */
import type { ApprovalNeed } from './approval-need.js';
import type { ActingAccount, Connection } from './connection.js';
import type { JsonObject, JsonSchema } from './json.js';
import type { RiskTier } from './tool.js';
import type { ToolMode } from './tool-mode.js';

/** Agent × toolkit (or one connection to it) × tools × argument limits. Without a grant, a call is refused. */
export interface Grant {
  readonly id: string;
  readonly agentId: string;
  readonly toolkit: string;
  /** The account; undefined for toolkits that need none. */
  readonly connectionId?: string;
  /** Tool names within the toolkit. */
  readonly tools: readonly string[];
  /** By tool name: a JSON Schema that the arguments must satisfy in addition to the tool's own. */
  readonly limits: Readonly<Record<string, JsonSchema>>;
  /** By tool name: its `tool_config`. */
  readonly config: Readonly<Record<string, JsonObject>>;
}

/** A grant as written: the store assigns its id. */
export type GrantInput = Omit<Grant, 'id' | 'agentId'>;

/** A grant as a caller gives it. Without `limits` and `config` its tools have none. */
export type GivenGrant = Omit<GrantInput, 'limits' | 'config'> & Partial<Pick<GrantInput, 'limits' | 'config'>>;

/** Selects tools by their properties; every condition that is set must hold. */
export interface GrantChoice {
  readonly toolkit?: string;
  /** Slug or id of a connection. */
  readonly account?: string;
  readonly group?: string;
  /** `send message`, as the tool declares it. */
  readonly capability?: string;
  readonly risk?: RiskTier;
  /** Names in any written form, toolkits, accounts, and patterns in which `*` stands for any characters. */
  readonly tools?: readonly string[];
}

/** Grants to add and grants to remove. */
export interface GrantChanges {
  readonly add?: readonly GrantChoice[];
  readonly remove?: readonly GrantChoice[];
}

/** The grants after a change, and the tools that were added or removed, as the model sees them. */
export interface ChangedGrantSet extends GrantSet {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export type PolicyEffect = 'allow' | 'require_approval' | 'deny';

/** A rule on calls. Every condition that is present must hold; a rule with none holds for every call. */
export interface Policy {
  readonly id: string;
  readonly effect: PolicyEffect;
  readonly when: {
    /** Ids; written and shown as slugs. */
    readonly agents?: readonly string[];
    readonly toolkits?: readonly string[];
    /**
     * `toolkit.name`, `toolkit.*`, `*.name` or `*`; any written form of a tool's name is taken and stored as one of
     * these.
     */
    readonly tools?: readonly string[];
    readonly risk?: readonly RiskTier[];
    /** A JSON Schema; the rule holds for arguments that satisfy it. */
    readonly arguments?: JsonSchema;
  };
  /** At most this many matching calls, counted per principal. */
  readonly rateLimit?: { readonly calls: number; readonly seconds: number };
  readonly reason?: string;
  /**
   * With `require_approval`: whether the calling program may submit the person's answer (docs/decisions/0012).
   * Undefined: the default for the caller and the tool. If several policies ask, all must allow it.
   */
  readonly elicitation?: boolean;
}

/** A limit on an argument that the tool takes but does not list, so that its name may have a typing error. */
export interface DoubtfulLimit {
  readonly toolkit: string;
  readonly connectionId?: string;
  /** Its name within the toolkit. */
  readonly tool: string;
  readonly argument: string;
  /** The name that was probably meant. */
  readonly nearest?: string;
}

/** The agent's grants that the caller may see. */
export interface GrantSet {
  /** Each with the account that acts. */
  readonly grants: readonly (Grant & { readonly account?: ActingAccount })[];
  readonly doubtfulLimits: readonly DoubtfulLimit[];
  /** Version of exactly these grants; a replacement can be made conditional on it. */
  readonly version: string;
}

/** A part of a policy that no call can currently match, or that is probably wrong (`doubtful`). */
export interface PolicyWithoutEffect {
  /** The policy's id. */
  readonly policy: string;
  /** `when/tools/0`; `when`: its conditions exclude each other. */
  readonly path: string;
  /** What is wrong, in plain text. */
  readonly message: string;
  /** The name that was probably meant. */
  readonly nearest?: string;
  /** A call can match it, but no tool lists the argument, so that its name may have a typing error. */
  readonly doubtful?: true;
}

/** The policies of a workspace, with agents named by slug. */
export interface PolicySet {
  /** Increases with every replacement. */
  readonly version: number;
  readonly policies: readonly Policy[];
  readonly withoutEffect: readonly PolicyWithoutEffect[];
}

/** What a workspace has switched on. For a toolkit without a row, all tools are on. */
export interface ToolkitSetting {
  readonly toolkit: string;
  readonly enabled: boolean;
  /** Tool names; undefined: all. */
  readonly enabledTools?: readonly string[];
}

/** The outcome of authorisation. `rule` names what decided: `grant.missing`, `policy:p-7`, `default.destructive`. */
export interface Decision {
  readonly effect: PolicyEffect;
  readonly rule: string;
  readonly reason: string;
}

/** One rule that contributed to a decision. */
export interface DecisionRule extends Decision {
  /** It holds for some arguments and not for others. */
  readonly dependsOnArguments?: true;
}

/**
 * A decision on calls of a tool with any arguments. With `depends`, `effect` is the least strict of the possible
 * effects.
 */
export interface ExplainedDecision extends Decision {
  readonly approval: ApprovalNeed;
  /**
   * All rules that contributed, in the order in which they were checked; the strictest of those that hold decides.
   */
  readonly rules: readonly DecisionRule[];
}

/** What a workspace agreed to for a tool whose maker may change it. */
export interface DefinitionPin {
  readonly toolkit: string;
  /** The tool's name, or the `name` of a definition that all tools of the toolkit share. */
  readonly tool: string;
  readonly hash: string;
  /** The definition itself, to show what changed if it does. */
  readonly text: string;
  readonly pinnedAt: string;
}

/** Everything that authorisation reads about one workspace, as of one revision. */
export interface WorkspaceConfiguration {
  readonly workspaceId: string;
  /** Increases with every change to anything below. */
  readonly revision: number;
  /** Increases with every change to the policies. */
  readonly policyVersion: number;
  readonly agents: readonly {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
    /** Undefined: `auto`. */
    readonly toolMode?: ToolMode;
  }[];
  readonly grants: readonly Grant[];
  readonly policies: readonly Policy[];
  readonly toolkits: readonly ToolkitSetting[];
  /** In the order of their creation. */
  readonly connections: readonly Connection[];
  readonly pins: readonly DefinitionPin[];
}
