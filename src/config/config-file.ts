/**
 * `helve.yaml`: agents with their tools and `tool_config`, limits, egress, the operator's settings for toolkits,
 * models. The file takes precedence for what it declares. Every error names file, line and key; a file with an error is
 * not used at all.
 */

import { isNode, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { HelveError } from '../domain/errors.js';
import type { IdentityProvider } from '../domain/identity.js';
import type { JsonObject } from '../domain/json.js';
import type { SessionLimits } from '../domain/principal.js';
import { defaultRunLimits, type RunLimits } from '../domain/run.js';
import type { ToolMode } from '../domain/tool-mode.js';
import { defined } from '../util/defined.js';
import { defaultDirectTools, defaultMostPending, defaultSessions } from './defaults.js';
import { readIdentityProviders, signInShape } from './sign-in-shape.js';
import {
  type ComposioSettings,
  composioShape,
  type McpServerSettings,
  mcpServerShape,
  type OpenApiDirectorySettings,
  type OpenApiSettings,
  openApiDirectoryShape,
  openApiShape,
} from './source-shapes.js';
import { expandVariables, type Variables } from './variables.js';

const agentShape = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,47}$/, 'use lower-case letters, digits and -, starting with a letter'),
  title: z.string().optional(),
  tools: z.array(z.string()).default([]),
  tool_mode: z.enum(['auto', 'direct', 'meta', 'code']).optional(),
  tool_config: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
});

const perMinute = z.int().positive().nullable().optional();

/** An endpoint that speaks OpenAI's protocol, as most model servers do. */
const modelShape = z.strictObject({
  base_url: z.url({ protocol: /^https?$/ }),
  model: z.string().min(1),
  api_key: z.string().optional(),
});

export type ModelSettings = z.infer<typeof modelShape>;

/** The operator's client at an OAuth provider, and overrides of the provider's data. */
const oauthShape = z.strictObject({
  client_id: z.string().min(1).optional(),
  client_secret: z.string().min(1).optional(),
  authorization_endpoint: z.url({ protocol: /^https?$/ }).optional(),
  token_endpoint: z.url({ protocol: /^https?$/ }).optional(),
  revocation_endpoint: z.url({ protocol: /^https?$/ }).optional(),
  issuer: z.string().optional(),
  issuer_required: z.boolean().optional(),
  scope_delimiter: z.string().optional(),
  scope_parameter: z.string().optional(),
  pkce: z.enum(['S256', 'none']).optional(),
  token_auth: z.enum(['client_secret_basic', 'client_secret_post', 'none']).optional(),
  authorization_parameters: z.record(z.string(), z.string()).optional(),
  token_parameters: z.record(z.string(), z.string()).optional(),
});

export type OAuthSettings = z.infer<typeof oauthShape>;

const slug = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'use lower-case letters, digits and -, starting with a letter');

const configShape = z.strictObject({
  agents: z.array(agentShape).optional(),
  /** Another name for agents. */
  listeners: z.array(agentShape).optional(),
  limits: z
    .strictObject({ per_ip: perMinute, per_credential: perMinute, per_principal: perMinute, per_tool: perMinute })
    .default({}),
  approvals: z
    .strictObject({
      elicitation: z.boolean().default(true),
      elicitation_agents: z.array(z.string()).default([]),
      lifetime_minutes: z.number().positive().default(60),
      pending_per_agent: z.int().positive().default(defaultMostPending),
    })
    .prefault({}),
  sessions: z
    .strictObject({ idle_minutes: z.number().min(1).optional(), absolute_hours: z.number().min(0.25).optional() })
    .default({}),
  sign_in: signInShape,
  egress: z
    .strictObject({
      allowed_addresses: z.array(z.string()).default([]),
      blocked_domains: z.array(z.string()).default([]),
    })
    .default({ allowed_addresses: [], blocked_domains: [] }),
  toolkits: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  oauth: z.record(z.string(), oauthShape).default({}),
  openapi: z.record(slug, openApiShape).default({}),
  mcp_servers: z.record(slug, mcpServerShape).default({}),
  composio: composioShape.default({}),
  openapi_directory: openApiDirectoryShape.default({}),
  discovery: z.strictObject({ direct_tools: z.int().min(0).default(defaultDirectTools) }).prefault({}),
  code: z
    .strictObject({
      learn_types: z.boolean().default(true),
      isolation: z.enum(['worker', 'process']).default('worker'),
      limits: z
        .strictObject({
          cpu_ms: z.int().min(1).max(600_000).default(defaultRunLimits.cpuMs),
          wall_seconds: z
            .int()
            .min(1)
            .max(86_400)
            .default(defaultRunLimits.wallMs / 1_000),
          memory_mb: z.int().min(8).max(512).default(defaultRunLimits.memoryMb),
          calls: z.int().min(1).max(100_000).default(defaultRunLimits.calls),
          parallel_calls: z.int().min(1).max(1_000).default(defaultRunLimits.callsInFlight),
          log_bytes: z.int().min(0).max(16_777_216).default(defaultRunLimits.logBytes),
          value_bytes: z.int().min(0).max(16_777_216).default(defaultRunLimits.valueBytes),
        })
        .prefault({}),
    })
    .prefault({}),
  models: z.strictObject({ language: modelShape.optional(), embedding: modelShape.optional() }).default({}),
});

export interface DeclaredAgent {
  readonly name: string;
  readonly title?: string;
  readonly tools: readonly string[];
  /** How the agent sees its tools. */
  readonly toolMode?: ToolMode;
  readonly toolConfig: Readonly<Record<string, JsonObject>>;
  /** The location of a path below this agent in the file: `file:line: key`. */
  readonly at: (path: readonly (string | number)[]) => string;
}

export interface ConfigFile {
  readonly agents: readonly DeclaredAgent[];
  readonly limits: {
    readonly perIp?: number | null;
    readonly perCredential?: number | null;
    readonly perPrincipal?: number | null;
    readonly perTool?: number | null;
  };
  readonly approvals: {
    /** Whether programs may submit a person's answer, and the agents whose programs may for every call. */
    readonly elicitation: { readonly enabled: boolean; readonly agents: readonly string[] };
    readonly lifetimeMs: number;
    /** Maximum pending approvals per caller. */
    readonly maxPending: number;
  };
  /** Sessions of people in a browser. */
  readonly sessions: SessionLimits;
  /** OpenID providers where people may sign in. */
  readonly identityProviders: readonly IdentityProvider[];
  readonly egress: { readonly allowedAddresses: readonly string[]; readonly blockedDomains: readonly string[] };
  /** By toolkit slug; each is checked against the toolkit's own schema. */
  readonly toolkits: Readonly<Record<string, JsonObject>>;
  /** By provider slug. */
  readonly oauth: Readonly<Record<string, OAuthSettings>>;
  /** Toolkits made from OpenAPI documents, by slug. */
  readonly openapi: Readonly<Record<string, OpenApiSettings>>;
  /** Toolkits made from MCP servers, by slug. */
  readonly mcpServers: Readonly<Record<string, McpServerSettings>>;
  readonly composio: ComposioSettings;
  readonly openapiDirectory: OpenApiDirectorySettings;
  /** An agent with more tools than this sees the meta-tools, unless its tool mode is set. */
  readonly discovery: { readonly directTools: number };
  /** Whether the types of answers are learned where a tool does not declare them. */
  readonly code: {
    readonly learnTypes: boolean;
    /** Where programs run: in threads of this process, or in confined processes of their own. */
    readonly isolation: 'worker' | 'process';
    readonly limits: RunLimits;
  };
  readonly models: { readonly language?: ModelSettings | undefined; readonly embedding?: ModelSettings | undefined };
  /** The location of a path in the file: `file:line: key`. */
  readonly at: (path: readonly (string | number)[]) => string;
}

/** Of two agents with one name, the second would silently replace the first. */
function refuseDoubledAgents(agents: readonly { readonly name: string }[], at: (index: number) => string): void {
  const first = new Map<string, number>();
  for (const [index, { name }] of agents.entries()) {
    const before = first.get(name);
    if (before !== undefined)
      throw new HelveError('invalid_config', `${at(index)}: there is already an agent ${name}, at ${at(before)}`, {
        hint: 'Give one of them another name, or write all tools under one.',
      });
    first.set(name, index);
  }
}

export function parseConfig(text: string, file: string, variables: Variables = {}): ConfigFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const at = (path: readonly (string | number)[]): string => place(document, lines, file, path);
  const [broken] = document.errors;
  if (broken)
    throw new HelveError(
      'invalid_config',
      `${file}:${lines.linePos(broken.pos[0]).line}: ${broken.message.split('\n')[0]}`,
    );

  const value = expandVariables(toValue(document, file) ?? {}, variables, at);
  const parsed = configShape.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
    const path = [...(issue?.path ?? []), ...unknown] as (string | number)[];
    throw new HelveError('invalid_config', `${at(path)}: ${unknown.length > 0 ? 'no such key' : issue?.message}`);
  }
  const { data } = parsed;
  if (data.agents && data.listeners)
    throw new HelveError('invalid_config', `${at(['listeners'])}: use agents or listeners, not both`);
  const list = data.agents ? 'agents' : 'listeners';
  refuseDoubledAgents(data[list] ?? [], (index) => at([list, index, 'name']));
  return {
    agents: (data[list] ?? []).map((agent, index) => ({
      name: agent.name,
      ...defined({ title: agent.title }),
      tools: agent.tools,
      ...defined({ toolMode: agent.tool_mode }),
      toolConfig: agent.tool_config as Record<string, JsonObject>,
      at: (path) => at([list, index, ...path]),
    })),
    limits: {
      ...defined({
        perIp: data.limits.per_ip,
        perCredential: data.limits.per_credential,
        perPrincipal: data.limits.per_principal,
        perTool: data.limits.per_tool,
      }),
    },
    approvals: {
      elicitation: { enabled: data.approvals.elicitation, agents: data.approvals.elicitation_agents },
      lifetimeMs: data.approvals.lifetime_minutes * 60_000,
      maxPending: data.approvals.pending_per_agent,
    },
    sessions: getSessions(data.sessions),
    identityProviders: readIdentityProviders(data.sign_in),
    egress: { allowedAddresses: data.egress.allowed_addresses, blockedDomains: data.egress.blocked_domains },
    toolkits: data.toolkits as Record<string, JsonObject>,
    oauth: data.oauth,
    openapi: data.openapi,
    mcpServers: data.mcp_servers,
    composio: data.composio,
    openapiDirectory: data.openapi_directory,
    discovery: { directTools: data.discovery.direct_tools },
    code: {
      learnTypes: data.code.learn_types,
      isolation: data.code.isolation,
      limits: {
        cpuMs: data.code.limits.cpu_ms,
        wallMs: data.code.limits.wall_seconds * 1_000,
        memoryMb: data.code.limits.memory_mb,
        calls: data.code.limits.calls,
        callsInFlight: data.code.limits.parallel_calls,
        logBytes: data.code.limits.log_bytes,
        valueBytes: data.code.limits.value_bytes,
      },
    },
    models: data.models,
    at,
  };
}

function getSessions({
  idle_minutes: idle,
  absolute_hours: most,
}: z.infer<typeof configShape>['sessions']): SessionLimits {
  return {
    idleSeconds: idle === undefined ? defaultSessions.idleSeconds : idle * 60,
    absoluteSeconds: most === undefined ? defaultSessions.absoluteSeconds : Math.round(most * 60 * 60),
  };
}

/** Nested aliases can expand to more than any memory holds. */
function toValue(document: ReturnType<typeof parseDocument>, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw new HelveError('invalid_config', `${file}:1: the file: ${(cause as Error).message}`, { cause });
  }
}

/** The nearest enclosing node with a position gives the line: a missing key has none of its own. */
function place(
  document: ReturnType<typeof parseDocument>,
  lines: LineCounter,
  file: string,
  path: readonly (string | number)[],
): string {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range)
      return `${file}:${lines.linePos(node.range[0]).line}: ${path.join('.') || 'the file'}`;
  }
  return `${file}:1: ${path.join('.') || 'the file'}`;
}
