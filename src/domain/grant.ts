/** What has been allowed: grants, policies, and the decision that they lead to. */
import type { ApprovalNeed } from './approval-need.js';
import type { ActingAccount, Connection } from './connection.js';
import type { JsonObject, JsonSchema } from './json.js';
import type { RiskTier } from './tool.js';
import type { ToolMode } from './tool-mode.js';

/** Agent × toolkit (or one connection to it) × tools × argument limits. Absence is refusal. */
export interface Grant {
  readonly id: string;
  readonly agentId: string;
  readonly toolkit: string;
  /** Which account; undefined for toolkits that need none. */
  readonly connectionId?: string;
  /** Tool names within the toolkit. */
  readonly tools: readonly string[];
  /** By tool name: a JSON Schema that the arguments must satisfy beside the tool's own. */
  readonly limits: Readonly<Record<string, JsonSchema>>;
  /** By tool name: its `tool_config`. */
  readonly config: Readonly<Record<string, JsonObject>>;
}

/** A grant as it is written: the store gives it its id. */
export type GrantInput = Omit<Grant, 'id' | 'agentId'>;

/** Tools chosen by what they are; every condition that is given must hold. */
export interface GrantChoice {
  readonly toolkit?: string;
  /** Slug or id of a connection. */
  readonly account?: string;
  readonly group?: string;
  /** `send message`, as the tool has it. */
  readonly capability?: string;
  readonly risk?: RiskTier;
  /** Names in any written form, toolkits, accounts, and patterns in which `*` stands for any characters. */
  readonly tools?: readonly string[];
}

/** Some grants added and some taken away. */
export interface GrantChanges {
  readonly add?: readonly GrantChoice[];
  readonly remove?: readonly GrantChoice[];
}

/** The grants after a change, and the tools that it added or took away, as the model sees them. */
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
    /** `toolkit.name`, `toolkit.*`, `*.name` or `*`; any written form of a tool's name is taken and stored as one of these. */
    readonly tools?: readonly string[];
    readonly risk?: readonly RiskTier[];
    /** A JSON Schema; the rule holds for arguments that satisfy it. */
    readonly arguments?: JsonSchema;
  };
  /** Calls that match may happen at most so often, counted per principal. */
  readonly rateLimit?: { readonly calls: number; readonly seconds: number };
  readonly reason?: string;
  /**
   * With `require_approval`: whether the program that calls may give the person's answer (docs/decisions/0012).
   * Undefined: as is usual for the caller and the tool. Of several policies that ask, all must allow it.
   */
  readonly elicitation?: boolean;
}

/** The grants of an agent that the asker may know of. */
export interface GrantSet {
  /** Each with whose account acts. */
  readonly grants: readonly (Grant & { readonly account?: ActingAccount })[];
  /** Of exactly these grants; what a replacement is made conditional on. */
  readonly version: string;
}

/** A part of a policy that no call can match as things are. */
export interface PolicyWithoutEffect {
  /** The policy's id. */
  readonly policy: string;
  /** `when/tools/0`; `when`: its conditions exclude each other. */
  readonly path: string;
  /** What is wrong, in words. */
  readonly message: string;
  /** The name that may be meant. */
  readonly nearest?: string;
}

/** The policies of a workspace, agents by their slugs. */
export interface PolicySet {
  /** Rises with every replacement. */
  readonly version: number;
  readonly policies: readonly Policy[];
  readonly withoutEffect: readonly PolicyWithoutEffect[];
}

/** What a workspace has switched on. A toolkit without a row has all of its tools on. */
export interface ToolkitSetting {
  readonly toolkit: string;
  readonly enabled: boolean;
  /** Tool names; undefined: all. */
  readonly enabledTools?: readonly string[];
}

/** The outcome of authorisation. `rule` names what decided, e.g. `grant.missing`, `policy:p-7`, `default.destructive`. */
export interface Decision {
  readonly effect: PolicyEffect;
  readonly rule: string;
  readonly reason: string;
}

/** One rule that has a say in a decision. */
export interface DecisionRule extends Decision {
  /** It holds for some arguments and not for others. */
  readonly dependsOnArguments?: true;
}

/** A decision on calls of a tool, whatever their arguments are: with `depends`, of the possible effects the least strict. */
export interface ExplainedDecision extends Decision {
  readonly approval: ApprovalNeed;
  /** All that had a say, in the order in which they were asked; of those that hold, the strictest decides. */
  readonly rules: readonly DecisionRule[];
}

/** What a workspace agreed to of a tool whose maker may change it. */
export interface DefinitionPin {
  readonly toolkit: string;
  readonly tool: string;
  readonly hash: string;
  /** The definition itself, to say what has changed when it has. */
  readonly text: string;
  readonly pinnedAt: string;
}

/** Everything that authorisation reads about one workspace, as of one revision. */
export interface WorkspaceConfiguration {
  readonly workspaceId: string;
  /** Rises with every change to anything below. */
  readonly revision: number;
  /** Rises with every change to the policies. */
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
