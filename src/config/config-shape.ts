/** The shape of `helve.yaml`: what is checked, what is the default, and what is listed as the effective settings. */
import { z } from 'zod';
import { defaultRunLimits } from '../domain/run.js';
import { workerKinds } from '../domain/worker-kind.js';
import {
  defaultDirectTools,
  defaultEmbeddings,
  defaultMostPending,
  defaultRateLimits,
  defaultSessions,
} from './defaults.js';
import { notificationsShape } from './notifications-shape.js';
import { recordShape } from './record-shape.js';
import { signInShape } from './sign-in-shape.js';
import { composioShape, mcpServerShape, openApiDirectoryShape, openApiShape } from './source-shapes.js';
import { tasksShape } from './tasks-shape.js';
import { telemetryShape } from './telemetry-shape.js';

const agentShape = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,47}$/, 'use lower-case letters, digits and -, starting with a letter'),
  title: z.string().optional(),
  tools: z.array(z.string()).default([]),
  tool_mode: z.enum(['auto', 'direct', 'meta', 'code']).optional(),
  worker: z.enum(workerKinds).optional(),
  tool_config: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
});

const perMinute = (most: number) => z.int().positive().nullable().default(most);

/** An endpoint that speaks OpenAI's protocol, as most model servers do. */
const modelShape = z.strictObject({
  base_url: z.url({ protocol: /^https?$/ }),
  model: z.string().min(1),
  api_key: z.string().meta({ secret: true }).optional(),
});

export type ModelSettings = z.infer<typeof modelShape>;

const dollars = z.number().nonnegative();

/** The price is in US dollars per million tokens. */
const languageShape = modelShape.extend({
  price: z.strictObject({ input: dollars, output: dollars, cached: dollars.optional() }).optional(),
});

/** A model for finding tools. What `prefix` is depends on the model: `search_query: `, `passage: `. */
const toolEmbeddingShape = modelShape.extend({
  timeout_ms: z.int().min(20).max(10_000).default(defaultEmbeddings.timeoutMs),
  weight: z.number().min(0).max(4).default(defaultEmbeddings.weight),
  query_prefix: z.string().max(200).default(''),
  tool_prefix: z.string().max(200).default(''),
});

export type ToolEmbeddingSettings = z.infer<typeof toolEmbeddingShape>;

export type LanguageSettings = z.infer<typeof languageShape>;

/** The operator's client at an OAuth provider, and overrides of the provider's data. */
const oauthShape = z.strictObject({
  client_id: z.string().min(1).optional(),
  client_secret: z.string().min(1).meta({ secret: true }).optional(),
  authorization_endpoint: z.url({ protocol: /^https?$/ }).optional(),
  token_endpoint: z.url({ protocol: /^https?$/ }).optional(),
  revocation_endpoint: z.url({ protocol: /^https?$/ }).optional(),
  issuer: z.string().optional(),
  issuer_required: z.boolean().optional(),
  scope_delimiter: z.string().optional(),
  scope_parameter: z.string().optional(),
  pkce: z.enum(['S256', 'none']).optional(),
  token_auth: z.enum(['client_secret_basic', 'client_secret_post', 'none']).optional(),
  authorization_parameters: z.record(z.string(), z.string().meta({ secret: true })).optional(),
  token_parameters: z.record(z.string(), z.string().meta({ secret: true })).optional(),
});

export type OAuthSettings = z.infer<typeof oauthShape>;

const slug = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'use lower-case letters, digits and -, starting with a letter');

/** The whole of `helve.yaml`. `meta({ secret })` marks what nobody is shown. */
export const configShape = z.strictObject({
  agents: z.array(agentShape).optional(),
  listeners: z.array(agentShape).meta({ alias: 'agents' }).optional(),
  limits: z
    .strictObject({
      per_ip: perMinute(defaultRateLimits.perIp),
      per_credential: perMinute(defaultRateLimits.perCredential),
      per_principal: perMinute(defaultRateLimits.perPrincipal),
      per_tool: perMinute(defaultRateLimits.perTool),
    })
    .prefault({}),
  approvals: z
    .strictObject({
      elicitation: z.boolean().default(true),
      elicitation_agents: z.array(z.string()).default([]),
      lifetime_minutes: z.number().positive().default(60),
      pending_per_agent: z.int().positive().default(defaultMostPending),
    })
    .prefault({}),
  record: recordShape,
  sessions: z
    .strictObject({
      idle_minutes: z
        .number()
        .min(1)
        .default(defaultSessions.idleSeconds / 60),
      absolute_hours: z
        .number()
        .min(0.25)
        .default(defaultSessions.absoluteSeconds / 3_600),
    })
    .prefault({}),
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
  discovery: z
    .strictObject({
      direct_tools: z.int().min(0).default(defaultDirectTools),
      embeddings: toolEmbeddingShape.optional(),
    })
    .prefault({}),
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
  tasks: tasksShape,
  notifications: notificationsShape,
  telemetry: telemetryShape,
  models: z.strictObject({ language: languageShape.optional(), embedding: modelShape.optional() }).default({}),
});
