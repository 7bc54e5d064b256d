/** Accounts over HTTP: connections, ways to sign in, and changed definitions that wait for consent. Never contains a secret. */
import { z } from 'zod';
import { jsonObject, namedShapes } from './shapes.js';

const text = z.string().min(1).max(500);
const visibility = z.enum(['private', 'workspace']);

const account = z.object({
  id: z.string(),
  name: z.string().optional(),
  email: z.string().optional(),
  environment: z.string().optional().describe('For a service with one id in each: live, test'),
});

export const connection = z.object({
  id: z.string(),
  toolkit: z.string(),
  name: z.string(),
  slug: z.string().describe('The prefix of tool names, before the two underscores'),
  status: z.enum(['added', 'pending', 'active', 'expired', 'revoked', 'error']),
  reason: z.string().optional().describe('Why it is not active'),
  visibility,
  ownerId: z.string(),
  scheme: z.string(),
  settings: jsonObject,
  account: account.optional(),
  scopes: z.array(z.string()).optional(),
  createdAt: z.string(),
  connectedAt: z.string().optional(),
});
namedShapes.add(connection, { id: 'Connection' });

export const connected = z.object({
  connection,
  redirectUrl: z
    .string()
    .optional()
    .describe('The address where the person signs in; the sign-in must finish in the same browser'),
  expiresAt: z.string().optional(),
});

export const disconnectReport = z.object({
  connection,
  revocation: z
    .enum(['revoked', 'unsupported', 'failed', 'nothing'])
    .describe('The outcome of the revocation at the service'),
});

export const connectionCheck = z.object({
  connection,
  outcome: z
    .enum(['works', 'refused', 'unreachable', 'unknown'])
    .describe('unreachable: says nothing about the account; unknown: the toolkit offers no way to check'),
  checkedAt: z.string().describe('ISO 8601, UTC'),
  reason: z.string().optional().describe('Unless it works: why'),
  hint: z.string().optional().describe('Unless it works: what to do'),
});
namedShapes.add(connectionCheck, { id: 'ConnectionCheck' });

export const scheme = z.object({
  id: z.string(),
  kind: z.enum(['oauth2', 'api_key', 'basic', 'bot_token', 'service_account', 'custom', 'hosted']),
  title: z.string(),
  provider: z.string().optional(),
  fields: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      description: z.string().optional(),
      secret: z.boolean(),
      optional: z.boolean().optional(),
      pattern: z.string().optional(),
    }),
  ),
});

export const authCheck = z.object({
  provider: z.string(),
  toolkits: z.array(z.string()),
  client: z.enum(['workspace', 'file', 'none']),
  redirectUri: z.string().optional(),
  scopes: z.array(z.string()),
  consoleUrl: z.string().optional(),
  docsUrl: z.string().optional(),
  problems: z.array(z.string()),
});

export const pendingDefinition = z.object({
  toolkit: z.string(),
  tool: z.string(),
  hash: z.string().describe('Hash of the new definition, for accepting it'),
  change: z.enum(['same', 'compatible', 'breaking', 'suspicious']),
  changes: z.array(z.string()),
  flags: z.array(z.string()),
  before: jsonObject,
  after: jsonObject,
});

/** Composio calls a toolkit `app_name`. */
const toolkitOrApp = { toolkit: text.optional(), app_name: text.optional().describe('As toolkit') };

export const addConnectionBody = z.strictObject({
  ...toolkitOrApp,
  name: text.optional().describe('Display name; the slug is made from it'),
  visibility: visibility.optional(),
  scheme: text.optional().describe('One of the toolkit’s sign-in schemes; default: the first'),
});
namedShapes.add(addConnectionBody, { id: 'AddConnectionRequest' });

export const connectBody = addConnectionBody.extend({
  connection: text
    .optional()
    .describe('Id or slug; default: the toolkit’s connection that waits for its account, or a new one'),
  credentials: z.record(z.string(), z.string().max(20_000)).optional().describe('By field name'),
  tools: z.array(text).max(1_000).optional().describe('OAuth: only the scopes that these tools need'),
  scopes: z.array(text).max(200).optional().describe('OAuth: additional scopes'),
  check: z.boolean().optional().describe('Check with the service whose account it is; default true'),
  way: text.optional().describe('Accounts at a provider: how the app signs in, such as API_KEY'),
});
namedShapes.add(connectBody, { id: 'ConnectRequest' });

export const disconnectBody = z.strictObject({
  ...toolkitOrApp,
  connection: text.optional().describe('Id or slug; optional if the app has only one connection'),
  remove: z.boolean().optional().describe('Also remove the connection with its grants'),
});

export const changeConnectionBody = z.strictObject({ name: text.optional(), visibility: visibility.optional() });

export const authClientBody = z.strictObject({
  clientId: text,
  clientSecret: z.string().min(1).max(5_000).optional(),
  overrides: jsonObject.optional().describe('Endpoints and settings that differ from the provider’s data'),
});

export const connectionParams = z.object({ connection: text });
export const withdrawalParams = z.object({ connection: text, agent: text });
export const withdrawal = z.object({ removed: z.array(z.string()).describe('The names of the tools') });
export const connectionUsage = z.object({
  connection: z.string().describe('Slug of the account'),
  agents: z
    .array(
      z.object({
        id: z.string(),
        slug: z.string(),
        name: z.string(),
        tools: z.array(z.string()),
        calls: z.int(),
        lastUsedAt: z.string().optional(),
      }),
    )
    .describe('Those that have tools of the account'),
  calls: z.int().describe('By anybody, also by agents that have lost the account since'),
  lastUsedAt: z.string().optional(),
});
namedShapes.add(connectionUsage, { id: 'ConnectionUsage' });
export const providerParams = z.object({ provider: text });
export const definitionParams = z.object({ toolkit: text, tool: text });
export const definitionBody = z.strictObject({ hash: text.describe('Hash of the definition from the list') });
export const rotation = z.object({ keyId: z.string(), resealed: z.number(), unreadable: z.number() });
