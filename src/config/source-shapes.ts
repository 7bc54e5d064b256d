/** What `helve.yaml` says of toolkits that come from elsewhere: OpenAPI documents and MCP servers. */
import { z } from 'zod';

const httpUrl = z.url({ protocol: /^https?$/ });

/** `openapi.<slug>`. */
export const openApiShape = z.strictObject({
  /** A path, from the folder of this file, or an address. */
  document: z.string().min(1),
  title: z.string().min(1).max(100).optional(),
  category: z.string().min(1).max(50).optional(),
  /** In place of the document's own servers. */
  base_url: httpUrl.optional(),
  /** Values of server variables. */
  variables: z.record(z.string(), z.string()).optional(),
  /** Names of operations or tags; all others are left out. */
  include: z.array(z.string()).optional(),
});

const mcpFacts = { title: z.string().min(1).max(100).optional(), category: z.string().min(1).max(50).optional() };

/** `mcp_servers.<slug>`, in the words that MCP clients use for the same thing. */
export const mcpServerShape = z.union(
  [
    z.strictObject({
      ...mcpFacts,
      command: z.string().min(1),
      args: z.array(z.string()).default([]),
      env: z.record(z.string(), z.string()).default({}),
      cwd: z.string().optional(),
    }),
    z.strictObject({
      ...mcpFacts,
      url: httpUrl,
      auth: z
        .union([
          z.enum(['none', 'oauth', 'client_credentials']),
          z.strictObject({ header: z.string(), value: z.string() }),
        ])
        .default('none'),
      /** With `oauth`: places to sign in that stand in a private network. */
      authorization_servers: z.array(httpUrl).default([]),
    }),
  ],
  { error: 'has a command (with args, env, cwd) or a url (with auth), and nothing else' },
);

export type OpenApiSettings = z.infer<typeof openApiShape>;
export type McpServerSettings = z.infer<typeof mcpServerShape>;
