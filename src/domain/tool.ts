/**
 * Tools and toolkits: what a provider offers, and how code in this repository defines one.
 *
 * `Tool` is data that every surface and area can read. `ToolDefinition` is what an author writes with `defineTool`;
 * only the native provider ever calls its `execute`.
 */
import type { z } from 'zod';
import type { OAuthProvider, ToolkitAuth } from './connection.js';
import type { ToolContext } from './context.js';
import type { JsonObject, JsonSchema, JsonValue } from './json.js';
import type { Platform } from './platform.js';
import type { Permission } from './principal.js';
import type { ProviderKind } from './provider-kind.js';
import type { CommandLimits, Endpoint, FileLimits } from './reach.js';
import type { ServiceDefinition } from './service.js';
import type { RiskTier, ToolAnnotations, ToolExample, ToolId } from './tool-facts.js';
import type { Workers } from './workers.js';

export type { RiskTier, ToolAnnotations, ToolExample, ToolId } from './tool-facts.js';

export interface Tool {
  readonly id: ToolId;
  readonly title: string;
  readonly description: string;
  /** Further words that people ask for it with: searches read them, and nobody is shown them. */
  readonly searchWords?: string;
  readonly inputSchema: JsonSchema;
  /** Argument names that are accepted but never shown: from the old name to the present one. */
  readonly inputAliases?: Readonly<Record<string, string>>;
  readonly outputSchema?: JsonSchema;
  /** What a provider's document says about answers, where there is no `outputSchema`. No answer is checked against it. */
  readonly documentedOutput?: JsonSchema | undefined;
  readonly annotations: ToolAnnotations;
  /** OAuth scopes that the connection must hold. */
  readonly scopes: readonly string[];
  readonly risk: RiskTier;
  /** Whether a person must approve each call, in any risk tier, unless a policy allows it. */
  readonly highRisk: boolean;
  /** What a person needs, besides `approvals:decide`, to approve a call. */
  readonly approver?: Approver;
  /** Verb and object, e.g. `send message`. */
  readonly capabilities: readonly string[];
  readonly examples: readonly ToolExample[];
  /** The group that it is shown in, if the toolkit has several parts: `Gmail`, `Sheets`. */
  readonly group?: string;
  /** Schema of this tool's `tool_config` entry, if it takes one. */
  readonly configSchema?: JsonSchema;
  /** For tools whose makers may change them at any time: what a workspace agrees to before it is called. */
  readonly definition?: PinnedDefinition;
  readonly provider: ProviderKind;
  /** Whether a call may change anything anywhere. False only if the provider's statement can be trusted. */
  readonly hasEffects: boolean;
  /** How an effect is kept from happening twice when its answer was lost. Absent: only a person can tell. */
  readonly idempotency?: Idempotency;
  /** Whether a call uses no other machine and no other program: true only if that is certain. */
  readonly local?: boolean;
  /** Included in any other grant, so that it needs none of its own: it reaches only the results of earlier calls. */
  readonly intrinsic: boolean;
  readonly timeoutMs: number;
}

/** A text that a workspace agrees to by its hash. */
export interface PinnedDefinition {
  readonly hash: string;
  /** An object in JSON. */
  readonly text: string;
  /** The name under which it is agreed to, if it is the same for all tools of the toolkit. Default: the tool's own. */
  readonly name?: string;
}

export interface Toolkit {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly category: string;
  readonly provider: ProviderKind;
  /** Whether its tools act with an account. */
  readonly needsConnection: boolean;
  /** How it signs in, if it does. */
  readonly auth?: ToolkitAuth;
  /** The service behind it, and what the operator set for it. */
  readonly service?: ServiceDefinition;
  readonly settings?: JsonObject;
  /** OAuth servers that only this toolkit uses: those in an API's own description. */
  readonly oauthProviders?: readonly OAuthProvider[];
  /** Hidden from the marketplace because it is part of the plane itself. */
  readonly internal: boolean;
  /** One of very many toolkits: its tools count in a workspace only after the workspace has added it. */
  readonly onDemand?: boolean;
}

/**
 * For tools that change what agents may do. Each call is approved by itself: no plan of a program covers it, and the program
 * that asks never submits the answer.
 */
export interface Approver {
  /** What the person who approves must be allowed to do themselves. */
  readonly permissions: readonly Permission[];
  /** Whether a person is asked even where a policy allows the call. */
  readonly isAlwaysAsked?: boolean;
}

/** What keeps an effect from happening twice when the answer to its call was lost. */
export interface Idempotency {
  /**
   * `repeatable`: the same call again changes nothing more. `key`: the call carries `context.effectKey`, which its service
   * recognises. `probe`: the tool can look whether the effect happened. `ask`: only a person can tell.
   */
  readonly by: 'repeatable' | 'key' | 'probe' | 'ask';
  /** How, or why not, in one sentence: "Stripe keeps the Idempotency-Key of each request for 24 hours". */
  readonly how: string;
  /** For `key`: for how many seconds the service remembers a key. Default: without end. */
  readonly seconds?: number;
}

/** What `inputSchema`, `outputSchema` and `configSchema` accept: a Zod 4 schema or a raw JSON Schema. */
export type AuthoredSchema = z.ZodType | JsonSchema;

export type Infer<Schema> = Schema extends z.ZodType<infer Value> ? Value : JsonObject;
type InferOutput<Schema> = Schema extends z.ZodType ? z.input<Schema> : unknown;

export interface ToolDefinition<
  Input extends AuthoredSchema = AuthoredSchema,
  Output extends AuthoredSchema = AuthoredSchema,
  Config extends AuthoredSchema = AuthoredSchema,
  Settings extends AuthoredSchema = AuthoredSchema,
> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Further words that people ask for it with, beyond those of the description: only searches read them. */
  readonly searchWords?: string;
  readonly inputSchema: Input;
  /** Former argument names: from the old name to the present one, which is the only one in the schema. */
  readonly inputAliases?: Readonly<Record<string, string>>;
  readonly outputSchema?: Output;
  readonly configSchema?: Config;
  /**
   * Schema of `toolkits.<slug>` in `helve.yaml`: what the operator sets for everyone. One schema for all tools of a
   * toolkit; `{}` must satisfy it.
   */
  readonly settingsSchema?: Settings;
  readonly annotations: ToolAnnotations;
  /** For tools with effects. Default: `repeatable` where `idempotentHint`, else `ask`. */
  readonly idempotency?: Idempotency;
  readonly scopes?: readonly string[];
  /** Default: `read` where `readOnlyHint`, else `write`. */
  readonly risk?: RiskTier;
  readonly highRisk?: boolean;
  readonly approver?: Approver;
  readonly capabilities: readonly string[];
  readonly examples?: readonly ToolExample[];
  readonly group?: string;
  readonly intrinsic?: boolean;
  /** Milliseconds before the call is aborted. Default 60,000. */
  readonly timeoutMs?: number;
  /** What `context.http` may reach, from this tool's configuration. Without it `http` reaches nothing. */
  readonly egress?: (config: Infer<Config>, settings: Infer<Settings>) => EgressLimits;
  /** What `context.files` may reach. Without it `files` reaches nothing. */
  readonly files?: (config: Infer<Config>) => FileLimits;
  /** What `context.commands` may run. Without it `commands` runs nothing. */
  readonly commands?: (config: Infer<Config>) => CommandLimits;
  /** The endpoints of the operator's settings that `context.connector` may reach, in any network. */
  readonly endpoints?: (settings: Infer<Settings>, config: Infer<Config>) => readonly Endpoint[];
  /** Whether it uses models, which run elsewhere. Without it there is no `context.models`. */
  readonly models?: boolean;
  /** Endpoints of the connection's own settings that `context.connector` may reach: public addresses only. */
  readonly accountEndpoints?: (connection: JsonObject) => readonly Endpoint[];
  /**
   * Throws for a call that could not run even if approved, for example on a machine that is not set up. Called before
   * a person is asked to approve; changes nothing, and reaches nothing but workers and `platform`.
   */
  check?(
    input: Infer<Input>,
    facts: {
      readonly config: Infer<Config>;
      readonly settings: Infer<Settings>;
      readonly workers: Workers;
      readonly platform: Platform;
    },
  ): void | Promise<void>;
  /**
   * For `idempotency.by: 'probe'`: looks whether the effect named `context.effectKey` happened at or after `startedAt`
   * (ISO 8601, by this machine's clock); changes nothing. Returns what `execute` would have returned for it; undefined if it
   * certainly did not happen, or if this input can be executed again without a second effect. Throws if it cannot tell.
   */
  probe?(
    input: Infer<Input>,
    context: ToolContext<Infer<Config>, Infer<Settings>>,
    startedAt: string,
  ): Promise<InferOutput<Output> | ToolContent | undefined>;
  /**
   * Any error that it throws means that nothing happened, except a `HelveError` with the code `outcome_unknown`: throw that when
   * the service may have acted and its answer was lost.
   */
  execute(
    input: Infer<Input>,
    context: ToolContext<Infer<Config>, Infer<Settings>>,
  ): Promise<InferOutput<Output> | ToolContent>;
}

/** The limits of one tool's `http`, in addition to the operator's own egress policy. */
export interface EgressLimits {
  readonly allowedDomains?: readonly string[];
  readonly blockedDomains?: readonly string[];
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  readonly maxRedirects?: number;
  /**
   * Hosts that the operator's settings name for this tool, reachable in any network: `127.0.0.1:8080`,
   * `search.internal:80`.
   */
  readonly operatorHosts?: readonly Endpoint[];
}

export interface SettingsFiles {
  /** Files that commands cannot see either. */
  readonly secret?: readonly string[];
  readonly plain?: readonly string[];
}

export interface ToolkitDefinition {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly category: string;
  readonly internal?: boolean;
  /** Present if its tools act with an account; `service` says where. */
  readonly auth?: ToolkitAuth;
  readonly service?: ServiceDefinition;
  /** The files that the operator's settings name, as written there: no file tool reaches them. */
  readonly settingsFiles?: (settings: JsonObject) => SettingsFiles;
  /** Called once, when the toolkit is first listed or called. */
  readonly load: () => Promise<readonly ToolDefinition[]>;
}

/** Returns the definition unchanged; gives `execute` its types from the schemas. */
export function defineTool<
  const Input extends AuthoredSchema,
  const Output extends AuthoredSchema = JsonSchema,
  const Config extends AuthoredSchema = JsonSchema,
  const Settings extends AuthoredSchema = JsonSchema,
>(definition: ToolDefinition<Input, Output, Config, Settings>): ToolDefinition {
  // The parameters of `execute` are validated against these same schemas before it is called.
  return definition as unknown as ToolDefinition;
}

/** Returns the definition unchanged; checks its type. */
export function defineToolkit(definition: ToolkitDefinition): ToolkitDefinition {
  return definition;
}

/** One piece of a result that is not plain JSON. The shapes are MCP's content blocks. */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly resource: ResourceContents }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string; readonly mimeType?: string };

export type ResourceContents =
  | { readonly uri: string; readonly mimeType?: string; readonly text: string }
  | { readonly uri: string; readonly mimeType?: string; readonly blob: string };

/** A result with content blocks, in addition to or instead of a JSON output. */
export class ToolContent {
  readonly blocks: readonly ContentBlock[];
  readonly output: JsonValue | undefined;

  constructor(blocks: readonly ContentBlock[], output?: JsonValue) {
    this.blocks = blocks;
    this.output = output;
  }
}
