/**
 * `helve.yaml`: agents with their tools and `tool_config`, limits, egress, the operator's settings for toolkits,
 * models. The file takes precedence for what it declares. Every error names file, line and key; a file with an error is
 * not used at all.
 */

import { isNode, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { HelveError } from '../domain/errors.js';
import type { IdentityProvider } from '../domain/identity.js';
import type { JsonObject } from '../domain/json.js';
import type { SessionLimits } from '../domain/principal.js';
import type { RunLimits } from '../domain/run.js';
import type { Setting } from '../domain/settings.js';
import type { ToolMode } from '../domain/tool-mode.js';
import type { WorkerKind } from '../domain/worker-kind.js';
import { defined } from '../util/defined.js';
import { nearest, orDidYouMean } from '../util/nearest.js';
import {
  configShape,
  type LanguageSettings,
  type ModelSettings,
  type OAuthSettings,
  type ToolEmbeddingSettings,
} from './config-shape.js';
import { wantsTraces } from './environment.js';
import { type NotificationSettings, readNotifications } from './notifications-shape.js';
import { type RetentionSettings, readRetention } from './record-shape.js';
import { listKeys, listSettings } from './settings.js';
import { readIdentityProviders } from './sign-in-shape.js';
import type {
  ComposioSettings,
  McpServerSettings,
  OpenApiDirectorySettings,
  OpenApiSettings,
} from './source-shapes.js';
import { readTasks, type TasksSettings } from './tasks-shape.js';
import { readTelemetry, type TelemetrySettings } from './telemetry-shape.js';
import { expandVariables, type Variables } from './variables.js';

export interface DeclaredAgent {
  readonly name: string;
  readonly title?: string;
  readonly tools: readonly string[];
  /** How the agent sees its tools. */
  readonly toolMode?: ToolMode;
  readonly worker?: WorkerKind;
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
  /** Absent: the record stays in the store. */
  readonly retention?: RetentionSettings;
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
  readonly discovery: { readonly directTools: number; readonly embeddings?: ToolEmbeddingSettings | undefined };
  /** Whether the types of answers are learned where a tool does not declare them. */
  readonly code: {
    readonly learnTypes: boolean;
    /** Where programs run: in threads of this process, or in confined processes of their own. */
    readonly isolation: 'worker' | 'process';
    readonly limits: RunLimits;
  };
  readonly tasks: TasksSettings;
  readonly notifications: NotificationSettings;
  readonly telemetry: TelemetrySettings;
  readonly models: { readonly language?: LanguageSettings | undefined; readonly embedding?: ModelSettings | undefined };
  /** Every key of the file with its effective value and where that is from. */
  readonly settings: () => Promise<readonly Setting[]>;
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
    // A mistyped key is often also one that is missing, which says less.
    const { issues } = parsed.error;
    const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
    const path = [...(issue?.path ?? []), ...unknown] as (string | number)[];
    throw new HelveError('invalid_config', `${at(path)}: ${unknown.length > 0 ? noSuchKey(path) : issue?.message}`);
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
      ...defined({ toolMode: agent.tool_mode, worker: agent.worker }),
      toolConfig: agent.tool_config as Record<string, JsonObject>,
      at: (path) => at([list, index, ...path]),
    })),
    limits: {
      perIp: data.limits.per_ip,
      perCredential: data.limits.per_credential,
      perPrincipal: data.limits.per_principal,
      perTool: data.limits.per_tool,
    },
    approvals: {
      elicitation: { enabled: data.approvals.elicitation, agents: data.approvals.elicitation_agents },
      lifetimeMs: data.approvals.lifetime_minutes * 60_000,
      maxPending: data.approvals.pending_per_agent,
    },
    ...defined({ retention: readRetention(data.record) }),
    sessions: getSessions(data.sessions),
    identityProviders: readIdentityProviders(data.sign_in),
    egress: { allowedAddresses: data.egress.allowed_addresses, blockedDomains: data.egress.blocked_domains },
    toolkits: data.toolkits as Record<string, JsonObject>,
    oauth: data.oauth,
    openapi: data.openapi,
    mcpServers: data.mcp_servers,
    composio: data.composio,
    openapiDirectory: data.openapi_directory,
    discovery: { directTools: data.discovery.direct_tools, ...defined({ embeddings: data.discovery.embeddings }) },
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
    tasks: readTasks(data.tasks),
    notifications: readNotifications(data.notifications),
    telemetry: readTelemetry(data.telemetry, wantsTraces(variables)),
    models: data.models,
    settings: async () => {
      const lineOf = (path: readonly (string | number)[]) =>
        document.hasIn(path) ? findLine(document, lines, path) : undefined;
      return listSettings({ data, written: document.toJS({ maxAliasCount: 100 }), file, lineOf, variables });
    },
    at,
  };
}

function noSuchKey(path: readonly (string | number)[]): string {
  return `no such key${orDidYouMean(nearest(String(path.at(-1)), listKeys(path.slice(0, -1))))}`;
}

function getSessions({ idle_minutes, absolute_hours }: z.infer<typeof configShape>['sessions']): SessionLimits {
  return { idleSeconds: idle_minutes * 60, absoluteSeconds: Math.round(absolute_hours * 60 * 60) };
}

/** Nested aliases can expand to more than any memory holds. */
function toValue(document: ReturnType<typeof parseDocument>, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw new HelveError('invalid_config', `${file}:1: the file: ${(cause as Error).message}`, { cause });
  }
}

function place(
  document: ReturnType<typeof parseDocument>,
  lines: LineCounter,
  file: string,
  path: readonly (string | number)[],
): string {
  return `${file}:${findLine(document, lines, path)}: ${path.join('.') || 'the file'}`;
}

/** Finds the line of a path. A missing key has no position, so the nearest enclosing node that has one gives the line. */
function findLine(
  document: ReturnType<typeof parseDocument>,
  lines: LineCounter,
  path: readonly (string | number)[],
): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
