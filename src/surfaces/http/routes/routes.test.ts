import { sign } from '@octokit/webhooks-methods';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  type Composio,
  eventBody,
  signedHeaders,
  startComposio,
  wholeTool,
  wholeToolkit,
  wholeTrigger,
} from '../../../../tests/counterparts/composio/index.js';
import type { Scripted } from '../../../../tests/counterparts/scripted.js';
import {
  conversation,
  lastBlocks,
  linkMember,
  postedAt,
  slackTeam,
  startSlackApi,
} from '../../../../tests/counterparts/slack-api.js';
import { agentPermissions, allPermissions, type Permission } from '../../../domain/principal.js';
import type { Provider } from '../../../domain/provider.js';
import { defineToolkit } from '../../../domain/tool.js';
import { bodyOf, signedBy, valuesOf } from '../../../flows/notifying/slack/testing/press.js';
import { machines } from '../../../tasks/index.js';
import { createTestHelve, type TestHelve, testTool } from '../../../testing/index.js';
import { testProviderTool } from '../../../testing/provider-tool.js';
import { untilIssue } from '../../../testing/until-issue.js';
import { newId, sha256 } from '../../../util/hash.js';
import { createHttpApp, type HttpApp } from '../index.js';
import { accessTo, listAuditEvents, type Route } from '../route.js';
import { routes, type ServedApi } from './index.js';

let helve: TestHelve;
let app: HttpApp;
let adminKey: string;
let agentToken: string;
let expiredKey: string;
let revokedKey: string;
let composio: Composio;
let slackApi: Scripted;

const webhookSecret = 'a secret that composio signs with';
const hookSecret = 'a secret that GitHub signs with';
const slackSecret = '0123456789abcdef'.repeat(2);
const chatter = { slug: 'chatter', name: 'Chatter' };
const config = { type: 'object', properties: { room: { type: 'string' } }, required: ['room'] };

const tools = [
  testTool({ name: 'echo' }),
  testTool({
    name: 'hang',
    execute: (_input, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({}));
        hanging();
      }),
  }),
  testTool({ name: 'guarded', highRisk: true }),
  testTool({
    name: 'broken',
    async execute() {
      throw new Error('it broke');
    },
  }),
];

/** A toolkit that acts with an account; no service is asked whose it is. */
const vendor = defineToolkit({
  slug: 'vendor',
  title: 'Vendor',
  description: 'Acts with an account',
  category: 'tests',
  auth: {
    schemes: [{ id: 'token', kind: 'api_key', title: 'Token', fields: [{ name: 'token', title: 'T', secret: true }] }],
  },
  service: { servers: () => ({ default: { url: 'https://vendor.invalid' } }) },
  load: async () => [testTool({ name: 'ask' })],
});

/** A tool whose definition its maker changes. */
let version = 1;
let hanging: () => void = () => undefined;
const changing: Provider = {
  kind: 'mcp',
  async toolkits() {
    const facts = { title: 'Changing', description: '', category: 'tests', internal: false };
    return [{ slug: 'changing', ...facts, provider: 'mcp', needsConnection: false }];
  },
  async tools() {
    const text = JSON.stringify({ description: `version ${version}`, inputSchema: { type: 'object' }, name: 'say' });
    const definition = { hash: `hash ${version}`, text };
    return [testProviderTool({ toolkit: 'changing', name: 'say' }, { description: `version ${version}`, definition })];
  },
  execute: async () => ({ output: null }),
  onChange(listener) {
    changed = listener;
    return () => undefined;
  },
  close: async () => undefined,
};
let changed: () => void = () => undefined;

beforeAll(async () => {
  composio = await startComposio({
    toolkits: [wholeToolkit({ ...chatter, composio_managed_auth_schemes: ['OAUTH2'] })],
    tools: [wholeTool({ slug: 'CHATTER_SAY' }, chatter)],
    triggers: [wholeTrigger({ slug: 'CHATTER_MESSAGE', config }, chatter)],
  });
  slackApi = await startSlackApi();
  helve = await createTestHelve({
    config: `notifications: { gather_seconds: 0 }\ntoolkits: { slack: { base_url: '${slackApi.url}', files_base_url: '${slackApi.url}' } }\ncomposio: { api_key: ${composio.apiKey}, base_url: '${composio.url}', webhook_secret: ${webhookSecret} }`,
    publicUrl: 'http://localhost',
    tools,
    toolkits: [vendor],
    providers: [changing],
    connections: [
      { toolkit: 'vendor', name: 'First', credentials: { token: 'a-token-1' } },
      { toolkit: 'vendor', name: 'Second', credentials: { token: 'a-token-2' } },
      { toolkit: 'linear', name: 'Linear', scheme: 'api_key', credentials: { key: 'lin_api_0123456789abcdef' } },
      { toolkit: 'slack', name: 'Chat', scheme: 'bot_token', credentials: { token: 'xoxb-0123456789-abcdef' } },
      { toolkit: 'github', name: 'GitHub', scheme: 'token', credentials: { token: 'ghp_0123456789abcdef' } },
    ],
  });
  app = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost' });
  adminKey = (await helve.plane.createApiKey(helve.admin, { permissions: allPermissions })).secret;
  agentToken = (await helve.plane.issueAgentToken(helve.admin, 'tester', {})).secret;
  const permissions = allPermissions;
  expiredKey = (await helve.plane.createApiKey(helve.admin, { permissions, expiresInSeconds: 1 })).secret;
  helve.advance(1_001);
  const revoked = await helve.plane.createApiKey(helve.admin, { permissions });
  await helve.plane.revokeCredential(helve.admin, revoked.credential.id);
  revokedKey = revoked.secret;
});

const keyWith = async (permissions: readonly Permission[]): Promise<string> =>
  (await helve.plane.createApiKey(helve.admin, { permissions })).secret;

afterAll(async () => {
  await helve.close();
  await composio.close();
  await slackApi.close();
});

/** An account at Composio, once there is one. */
async function hosted(): Promise<void> {
  if ((await helve.plane.connections(helve.admin)).some(({ slug }) => slug === 'hosted')) return;
  const { id } = await helve.plane.addConnection(helve.admin, { toolkit: 'chatter', name: 'Hosted' });
  await helve.plane.connect(helve.admin, id, {});
  for (const account of composio.accounts.values()) account.status = 'ACTIVE';
  await helve.plane.connection(helve.admin, id);
}

/** An event for the newest subscription, as Composio sends it. */
function event(): { readonly body: string; readonly headers: Record<string, string> } {
  const row = [...composio.triggers.values()].at(-1);
  if (!row) throw new Error('nobody subscribed');
  const body = JSON.stringify(eventBody(row, 'V3', { text: 'hello' }, new Date().toISOString()));
  return { body, headers: signedHeaders(webhookSecret, 'msg_1', Math.floor(Date.now() / 1_000), body) };
}

/** A job that runs as long as its source does not respond. */
async function runningJob(delayMs: number): Promise<string> {
  await ended();
  composio.faults.push({ when: ({ path }) => path === '/toolkits', delayMs });
  return (await helve.plane.synchronise(helve.admin, { kind: 'full' })).job.id;
}

async function ended(): Promise<void> {
  const [job] = await helve.plane.syncJobs(helve.admin, { limit: 1 });
  // Also after a test has ended the session.
  const { credentialId: _, ...follower } = helve.admin;
  if (job) for await (const __ of helve.plane.followSync(follower, job.id, new AbortController().signal));
}

/** A key with every permission, or a session for routes that accept only a session. */
async function goodFor(route: Route): Promise<string> {
  if (!('session' in accessTo(route))) return adminKey;
  return (await helve.plane.redeemAdminLink(await helve.adminLink(helve.workspaceId))).session;
}

/** One JSON request; `token` null: without one. */
async function ask(
  route: string,
  body?: unknown,
  token: string | null = adminKey,
  headers: Readonly<Record<string, string>> = {},
) {
  const [method = 'GET', path = ''] = route.split(' ');
  const response = await app.request(path, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && !text.includes('\n');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/** The latest list. */
let hashSeen = 'none';
const definitionSeen = {
  get hash() {
    return hashSeen;
  },
};
/** One success for each route, in an order that works; the value is the body. */
const successes = [
  ['GET /api/tools/workspace', undefined, 200, 'GET /api/tools/workspace?agent=tester'],
  ['GET /api/tools/export', undefined, 200, 'GET /api/tools/export?format=anthropic&agent=tester'],
  ['POST /api/tools/execute', { tool: 'echo', input: { a: 1 }, agent: 'tester' }, 200],
  [
    'GET /api/tools/search',
    undefined,
    200,
    'GET /api/tools/search?q=read+a+file&limit=3&toolkits=files,http&explain=true',
  ],
  ['POST /api/tools/describe', { names: ['echo', 'nothing'] }, 200],
  ['POST /api/tools/hints', { text: 'read a file', mode: 'chat' }, 200],
  ['POST /api/runs', { code: 'return await math.calculate({ expression: "1" })', agent: 'tester' }, 200],
  ['POST /api/issues', { title: 'It breaks', labels: ['bug'], repo: 'github:acme/shop' }, 201],
  ['GET /api/issues', undefined, 200, 'GET /api/issues?state=idle&repo=r&agent=tester&text=x&limit=5'],
  ['GET /api/issues/:id', undefined, 200],
  ['PATCH /api/issues/:id', { title: 'It breaks often', tools: { disabled: ['math'] } }, 200],
  ['POST /api/issues/:id/comments', { text: 'Since yesterday' }, 201],
  ['POST /api/issues/:id/assign', { agent: 'tester' }, 200],
  ['POST /api/issues/:id/unassign', undefined, 200],
  ['POST /api/issues/:id/retry', undefined, 200],
  ['POST /api/issues/:id/cancel', undefined, 200],
  ['POST /api/issues/:id/checks/:check', { accepted: false, reason: 'Not yet' }, 200, 'POST /api/issues/:id/checks/0'],
  ['GET /api/issues/:id/timeline', undefined, 200],
  ['GET /api/issues/:id/events', undefined, 200, 'GET /api/issues/:id/events?live=false'],
  ['GET /api/tool-config/:level/:id', undefined, 200, 'GET /api/tool-config/repo/github%3Aacme%2Fshop'],
  ['PUT /api/tool-config/:level/:id', { disabled: ['math'] }, 200, 'PUT /api/tool-config/org/own'],
  ['GET /api/tool-config/:level/:id/effective', undefined, 200, 'GET /api/tool-config/org/own/effective'],
  ['PUT /api/recipes/:name', { steps: [{ prompt: 'Look', tools: ['echo'] }] }, 200],
  ['GET /api/recipes', undefined, 200],
  ['GET /api/recipes/:name', undefined, 200],
  ['DELETE /api/recipes/:name', undefined, 204],
  ['POST /api/task-sources', { provider: 'github', scope: 'acme', connection: 'github' }, 201],
  ['GET /api/task-sources', undefined, 200],
  ['GET /api/task-sources/:id', undefined, 200],
  ['GET /api/notification-channels', undefined, 200],
  ['POST /api/notification-channels', { kind: 'webhook', name: 'Ops', url: 'https://hooks.example/x' }, 201],
  ['PATCH /api/notification-channels/:id', { signingSecret: null }, 200],
  ['DELETE /api/notification-channels/:id', undefined, 204],
  ['GET /api/notifications', undefined, 200],
  ['PUT /api/notifications/:id', { kinds: ['approval', 'account'] }, 200],
  ['POST /api/notifications/:id/code', { code: '1234 5678' }, 200],
  ['GET /api/notification-messages', undefined, 200],
  ['POST /api/webhooks/slack', '', 200],
  ['POST /api/webhooks/github', '', 202],
  ['POST /api/webhooks/linear', '', 200],
  ['DELETE /api/task-sources/:id', undefined, 204],
  ['GET /api/runs', undefined, 200, 'GET /api/runs?status=succeeded&limit=1&agent=tester'],
  ['GET /api/actor-machines', undefined, 200],
  ['GET /api/orgs', undefined, 200, 'GET /api/orgs?state=open&limit=5'],
  ['GET /api/orgs/:id', undefined, 200],
  ['PATCH /api/orgs/:id', { limits: { maxRunning: 3, maxTokens: null }, defaultTools: { disabled: ['math'] } }, 200],
  ['POST /api/orgs/:id/billing-period', undefined, 200],
  ['GET /api/repos', undefined, 200, 'GET /api/repos?org=github%3Aacme'],
  ['GET /api/repos/:id', undefined, 200],
  ['PATCH /api/repos/:id', { paused: true, autoAssign: [{ label: 'bug', agent: 'tester' }] }, 200],
  ['GET /api/projects', undefined, 200],
  ['GET /api/projects/:id', undefined, 200],
  ['PATCH /api/projects/:id', { automation: [{ column: 'Done', do: 'cancel' }], maxRunning: 2 }, 200],
  ['POST /api/projects/:id/cards', { issue: 'iss_1', column: 'Done' }, 200],
  ['GET /api/pull-requests', undefined, 200],
  ['GET /api/pull-requests/:id', undefined, 200],
  ['PATCH /api/pull-requests/:id', { requiredApprovals: 0, requiredChecks: ['ci'] }, 200],
  ['POST /api/pull-requests/:id/merge', { whenReady: true }, 200],
  ['DELETE /api/pull-requests/:id/merge', undefined, 200],
  ['GET /api/actors', undefined, 200, 'GET /api/actors?kind=issue&state=idle&limit=1'],
  ['GET /api/actors/:kind/:id', undefined, 200],
  ['GET /api/actors/:kind/:id/events', undefined, 200, 'GET /api/actors/:kind/:id/events?live=false'],
  ['GET /api/runs/:id', undefined, 200],
  ['GET /api/runs/:id/calls', undefined, 200],
  ['GET /api/runs/:id/events', undefined, 200],
  ['POST /api/runs/:id/cancel', undefined, 200],
  ['POST /api/runs/:id/decide', { decision: 'approve_plan' }, 200],
  ['GET /api/types', undefined, 200, 'GET /api/types?only=math&agent=tester'],
  ['GET /api/tools/search/stats', undefined, 200],
  ['GET /api/tools/access', undefined, 200, 'GET /api/tools/access?tool=echo&agent=tester'],
  ['GET /api/tools/executions', undefined, 200, 'GET /api/tools/executions?limit=5'],
  ['GET /api/tools/executions/:executionId', undefined, 200],
  ['GET /api/tools/executions/:executionId/events', undefined, 200],
  ['GET /api/executions', undefined, 200, 'GET /api/executions?limit=5&status=ok'],
  ['GET /api/executions/facets', undefined, 200, 'GET /api/executions/facets?risk=write'],
  ['GET /api/executions/:executionId', undefined, 200],
  ['POST /api/executions/:executionId/cancel', undefined, 202],
  ['GET /api/metrics/calls', undefined, 200, 'GET /api/metrics/calls?by=tool'],
  ['GET /api/events', undefined, 200, 'GET /api/events?after=0&live=false'],
  ['GET /api/tools/toolkits', undefined, 200],
  ['GET /api/tools/:toolkit/actions', undefined, 200, 'GET /api/tools/custom/actions'],
  ['GET /api/tools/:toolkit/actions/:tool', undefined, 200, 'GET /api/tools/custom/actions/echo'],
  ['GET /api/tools/:toolkit/summaries', undefined, 200, 'GET /api/tools/custom/summaries?limit=1'],
  ['POST /api/tools/:toolkit/actions', { enabled: true }, 200, 'POST /api/tools/custom/actions'],
  ['GET /api/approvals', undefined, 200, 'GET /api/approvals?status=pending'],
  ['GET /api/approvals/:id', undefined, 200],
  ['POST /api/approvals/decide', { ids: ['none'], decision: 'approved' }, 200],
  ['POST /api/approvals/:id/decision', { decision: 'approved' }, 200],
  ['GET /api/audit', undefined, 200, 'GET /api/audit?types=execution.finished,agent.created&limit=3'],
  ['GET /api/audit/verify', undefined, 200],
  ['GET /api/audit/verify/stream', undefined, 200],
  ['GET /api/audit/export', undefined, 200],
  ['GET /api/settings', undefined, 200],
  ['GET /api/store-sizes', undefined, 200],
  ['GET /api/doctor', undefined, 200, 'GET /api/doctor?record=skip'],
  ['GET /api/agents', undefined, 200],
  ['POST /api/agents', { slug: 'second' }, 201],
  ['PATCH /api/agents/:agent', { name: 'Second', toolMode: 'meta' }, 200, 'PATCH /api/agents/second'],
  ['POST /api/agents/:agent/tokens', { name: 'ci' }, 201, 'POST /api/agents/second/tokens'],
  ['GET /api/agents/:agent/grants', undefined, 200, 'GET /api/agents/tester/grants'],
  [
    'PUT /api/agents/:agent/grants',
    { grants: [{ toolkit: 'custom', tools: ['echo'] }] },
    200,
    'PUT /api/agents/second/grants',
  ],
  [
    'POST /api/agents/:agent/grants/preview',
    { grants: [{ toolkit: 'custom', tools: ['echo'] }] },
    200,
    'POST /api/agents/second/grants/preview',
  ],
  ['PATCH /api/agents/:agent/grants', { add: [{ tools: ['echo'] }] }, 200, 'PATCH /api/agents/second/grants'],
  ['DELETE /api/agents/:agent', undefined, 204, 'DELETE /api/agents/second'],
  ['GET /api/policies', undefined, 200],
  ['PUT /api/policies', { policies: [{ id: 'p', effect: 'deny', when: { tools: ['calculate'] } }] }, 200],
  ['GET /api/credentials', undefined, 200],
  ['POST /api/keys', { permissions: ['tools:read'] }, 201],
  ['DELETE /api/credentials/:id', undefined, 204],
  ['POST /api/admin-links', undefined, 201],
  ['POST /api/explain', { agent: 'tester', tool: 'echo', input: {} }, 200],
  ['GET /api/agents/:agent/effective', undefined, 200, 'GET /api/agents/tester/effective'],
  ['POST /api/policies/preview', { policies: [{ id: 'none', effect: 'deny', when: {} }] }, 200],
  ['GET /api/workspaces', undefined, 200],
  ['POST /api/workspaces', { slug: 'team', admin: { name: 'Ben' } }, 201],
  ['GET /api/users', undefined, 200],
  ['POST /api/users', { name: 'Ada', role: 'auditor' }, 201],
  ['PATCH /api/users/:user', { role: 'member' }, 200],
  ['POST /api/users/:user/link', undefined, 201],
  ['DELETE /api/users/:user', undefined, 204],
  ['GET /api/session', undefined, 200],
  ['GET /api/sessions', undefined, 200],
  ['DELETE /api/sessions/:id', undefined, 204],
  ['DELETE /api/session', undefined, 204],
  ['DELETE /api/sessions', undefined, 200],
  ['POST /api/tools/sync', { kind: 'full' }, 202],
  ['GET /api/tools/sync/:job/events', undefined, 200],
  ['POST /api/tools/backfill-params', { limit: 1 }, 202],
  ['GET /api/tools/sync-history', undefined, 200, 'GET /api/tools/sync-history?limit=2'],
  ['POST /api/tools/sync/:job/cancel', undefined, 200],
  ['GET /api/tools/marketplace', undefined, 200, 'GET /api/tools/marketplace?search=chatter&limit=3'],
  ['GET /api/tools/stats', undefined, 200],
  ['GET /api/tools/:toolkit/triggers', undefined, 200, 'GET /api/tools/chatter/triggers'],
  ['GET /api/tools/debug/connections', undefined, 200],
  ['GET /api/tools/debug/cache-status', undefined, 200],
  ['POST /api/triggers', { trigger: 'CHATTER_MESSAGE', connection: 'hosted', config: { room: 'a' } }, 201],
  ['GET /api/triggers', undefined, 200],
  ['POST /api/composio/webhook', '', 200],
  ['GET /api/triggers/events', undefined, 200],
  ['DELETE /api/triggers/:id', undefined, 204],
  ['GET /api/tools/connected', undefined, 200],
  ['GET /api/connections/:connection', undefined, 200, 'GET /api/connections/first'],
  ['GET /api/tools/:toolkit/schemes', undefined, 200, 'GET /api/tools/vendor/schemes'],
  ['POST /api/tools/add-to-workspace', { app_name: 'vendor', name: 'Third' }, 201],
  ['POST /api/tools/connect', { toolkit: 'vendor', name: 'Fourth', credentials: { token: 'a-token-4' } }, 200],
  ['PUT /api/connections/:connection', { visibility: 'private' }, 200, 'PUT /api/connections/first'],
  ['POST /api/connections/:connection/check', undefined, 200, 'POST /api/connections/second/check'],
  ['GET /api/connections/:connection/usage', undefined, 200, 'GET /api/connections/second/usage'],
  ['DELETE /api/connections/:connection/agents/:agent', undefined, 200, 'DELETE /api/connections/second/agents/tester'],
  ['POST /api/tools/disconnect', { connection: 'second', remove: true }, 200],
  ['PUT /api/auth-clients/:provider', { clientId: 'c', clientSecret: 's' }, 204, 'PUT /api/auth-clients/google'],
  ['GET /api/auth-checks', undefined, 200],
  ['DELETE /api/auth-clients/:provider', undefined, 204, 'DELETE /api/auth-clients/google'],
  ['POST /api/vault/rotate', undefined, 200],
  ['GET /api/definitions', undefined, 200],
  ['POST /api/definitions/:toolkit/:tool/accept', definitionSeen, 204, 'POST /api/definitions/changing/say/accept'],
  ['POST /api/connections/disconnect-all', undefined, 200],
  ['GET /api/machine', undefined, 200],
  ['GET /health', undefined, 200],
  ['GET /ready', undefined, 200],
  ['GET /metrics', undefined, 200],
  ['GET /api/openapi.json', undefined, 200],
] as const satisfies readonly Example[];

type Example = readonly [route: keyof ServedApi, body: unknown, status: number, path?: string];

/** Does not compile if a route has no example, and therefore no row in the table below. */
const examples: Exclude<keyof ServedApi, (typeof successes)[number][0]> extends never ? readonly Example[] : never =
  successes;

/** The id of an approval that waits, for the route that decides several. */
async function askForOne(route: string): Promise<string> {
  if (route !== 'POST /api/approvals/decide') return 'none';
  await helve.call('guarded', { at: Date.now() });
  return (await helve.plane.approvals(helve.admin, { status: 'pending' }))[0]?.id ?? '';
}

/** The id of a call that runs until it is stopped. */
async function hang(): Promise<string> {
  let id = '';
  await new Promise<void>((resolve) => {
    hanging = resolve;
    void helve.call('hang', {}, { onStart: (executionId) => (id = executionId) });
  });
  return id;
}

/** The id of a source for some repository. */
async function aSource(): Promise<string> {
  const scope = `acme/${newId()}`;
  const wanted = { provider: 'github', scope, connection: 'github', secret: hookSecret } as const;
  return (await helve.plane.createTaskSource(helve.admin, wanted)).source.id;
}

/** The id of a notification channel. */
async function aChannel(): Promise<string> {
  const wanted = { kind: 'webhook', name: 'Ops', url: 'https://hooks.example/x' } as const;
  return (await helve.plane.createNotificationChannel(helve.admin, wanted)).channel.id;
}

/** The id of a channel of Slack that has sent the admin the code 12345678. */
async function aSentCode(): Promise<string> {
  const { admin, storage, workspaceId } = helve;
  const channel = {
    id: newId(),
    kind: 'slack',
    name: 'Team',
    createdBy: { kind: 'user', id: admin.id, name: 'x' },
  } as const;
  const codeHash = sha256(`${workspaceId}/${admin.id}/12345678`);
  const slack = { member: `U${Date.now()}`, conversation: 'D1', codeHash, codeExpiresAt: '2099-01-01T00:00:00.000Z' };
  await storage.workspace(workspaceId).change([], async (tables) => {
    await tables.insertNotificationChannel({ ...channel, createdAt: new Date().toISOString() });
    await tables.putNotificationChoice({ userId: admin.id, channelId: channel.id, kinds: ['approval'], slack });
  });
  return channel.id;
}

/** The name of a recipe. */
async function aRecipe(): Promise<string> {
  const { name } = await helve.plane.setRecipe(helve.admin, 'triage', { steps: [{ prompt: 'Look', tools: [] }] });
  return name;
}

/** What GitHub delivers when somebody opens an issue, signed for a new source. */
async function delivery() {
  const { scope } = await helve.plane.getTaskSource(helve.admin, await aSource());
  const issue = {
    id: 1,
    number: 1,
    title: 'It breaks',
    html_url: 'https://github.com',
    updated_at: '2026-01-01T00:00:00Z',
  };
  const body = JSON.stringify({ action: 'opened', issue, repository: { full_name: scope } });
  const headers: Record<string, string> = { 'x-hub-signature-256': await sign(hookSecret, body) };
  return { body, headers };
}

/** What Linear delivers when somebody opens an issue. */
async function deliveryOfLinear() {
  const wanted = { provider: 'linear', scope: 'ENG', connection: 'linear', secret: hookSecret } as const;
  await helve.plane.createTaskSource(helve.admin, wanted);
  const body = JSON.stringify({
    action: 'create',
    type: 'Issue',
    url: 'https://linear.app/acme/issue/ENG-1/it-breaks',
    createdAt: '2026-01-01T00:00:00.000Z',
    data: { id: '1', title: 'It breaks', updatedAt: '2026-01-01T00:00:00.000Z' },
    webhookTimestamp: Date.now(),
  });
  const headers: Record<string, string> = { 'linear-signature': (await sign(hookSecret, body)).replace('sha256=', '') };
  return { body, headers };
}

/** The admin presses the button of a call that waits. */
async function pressInSlack() {
  const { plane, admin } = helve;
  const channel = { kind: 'slack', name: 'Slack', connection: 'chat' } as const;
  const { id } = (await plane.createNotificationChannel(admin, channel)).channel;
  await plane.changeNotificationChannel(admin, id, { signingSecret: slackSecret });
  await linkMember(plane, slackApi, { person: admin, channelId: id, member: 'U0ADMIN' });
  await helve.call('guarded', { at: Date.now() });
  await helve.notify();
  await helve.notify();
  // Later calls that wait are told to nobody.
  await plane.chooseNotifications(admin, id, { kinds: [] });
  const blocks = lastBlocks(slackApi);
  const [value = ''] = valuesOf(blocks, 'approve');
  const place = { team: slackTeam, channel: conversation, ts: postedAt };
  const pressed = bodyOf({ ...place, value, user: 'U0ADMIN', blocks, responseUrl: slackApi.url });
  const { body, headers } = signedBy(slackSecret, pressed, Math.floor(Date.now() / 1_000));
  return { body: Buffer.from(body).toString(), headers: Object.fromEntries(headers) };
}

/** The id of an issue in a state in which the route does something. */
async function filed(route: string): Promise<string> {
  const { id } = await helve.plane.createIssue(helve.admin, { title: 'It breaks' });
  if (route.endsWith('unassign')) await helve.plane.assignIssue(helve.admin, id, { agent: 'tester' });
  if (route.endsWith('retry')) await helve.plane.cancelIssue(helve.admin, id);
  if (route.endsWith(':check')) await letAskPerson(id);
  return id;
}

/** Verification of its work asks a person. */
async function letAskPerson(id: string): Promise<void> {
  await helve.plane.updateIssue(helve.admin, id, { checks: [{ kind: 'person' }] });
  const { actors } = helve.storage.workspace(helve.workspaceId);
  for (const type of ['ASSIGN_AGENT', 'TOOLS_READY', 'COMPLETED'])
    await actors.send({ to: { kind: 'issue', id }, id: type, event: { type } });
  await untilIssue(helve, id, ({ state, waitsFor }) => state === 'verifying' && waitsFor !== undefined);
}

let places = 0;

/** The id of a place of tasks in a state in which the route does something. */
async function placed(route: string): Promise<string> {
  const [, kind] = /^\w+ \/api\/([a-z-]+)/.exec(route) ?? [];
  const { actors } = helve.storage.workspace(helve.workspaceId);
  const id = `github:acme/shop${kind === 'repos' ? '-' : '#'}${++places}`;
  if (kind === 'orgs') await helve.plane.updatePlace(helve.admin, { kind: 'org', id }, {});
  if (kind === 'repos') await helve.plane.updatePlace(helve.admin, { kind: 'repo', id }, {});
  if (kind === 'projects') {
    const columns = [{ name: 'To do', issues: ['iss_1'] }, 'Done'];
    await actors.insert({ kind: 'project', id }, machines.project.initial({ id, columns }));
  }
  if (kind === 'pull-requests') await actors.insert({ kind: 'pr', id }, machines.pr.initial({ id }));
  if (route.startsWith('DELETE')) await helve.plane.mergePullRequest(helve.admin, id, { whenReady: true });
  return encodeURIComponent(id);
}

/** The path of the example, with ids that exist. */
async function pathOf(route: string, path: string | undefined): Promise<string> {
  const target = path ?? route;
  if (route.endsWith(':executionId/cancel')) return target.replace(':executionId', await hang());
  if (route.includes(':executionId')) {
    return target.replace(':executionId', (await helve.call('echo', {})).executionId);
  }
  if (route.includes('actors/:kind')) {
    const actor = { kind: 'issue', id: 'acme/shop#1' } as const;
    const { actors } = helve.storage.workspace(helve.workspaceId);
    await actors.insert(actor, { value: 'idle', context: {}, status: 'active' });
    return target.replace(':kind', actor.kind).replace(':id', encodeURIComponent(actor.id));
  }
  if (route.includes('runs/:id')) {
    const { decide, cancel } = { decide: route.endsWith('decide'), cancel: route.endsWith('cancel') };
    const code = cancel ? 'await sleep(3_600_000)' : 'await custom.echo({})';
    const run = await helve.plane.runCode(helve.admin, { code, mode: decide ? 'plan' : 'run' });
    return target.replace(':id', run.id);
  }
  if (route.includes('recipes/:name')) return target.replace(':name', await aRecipe());
  if (route.endsWith('/code') || route.startsWith('PATCH /api/notification-channels'))
    return target.replace(':id', await aSentCode());
  if (route.includes('notification')) return target.replace(':id', await aChannel());
  if (route.includes('task-sources/:id')) return target.replace(':id', await aSource());
  if (/(orgs|repos|projects|pull-requests)\/:id/.test(route)) return target.replace(':id', await placed(route));
  if (route.includes('issues/:id')) return target.replace(':id', await filed(route));
  if (route.includes('approvals/:id')) {
    await helve.call('guarded', { at: Date.now() });
    const [approval] = await helve.plane.approvals(helve.admin, { status: 'pending' });
    return target.replace(':id', approval?.id ?? '');
  }
  if (route.includes('/definitions')) {
    await helve.plane.tools(helve.admin);
    version += 1;
    changed();
    hashSeen = (await helve.plane.pendingDefinitions(helve.admin))[0]?.hash ?? 'none';
  }
  // One that is to be cancelled runs until it is.
  if (route.includes('/sync/:job'))
    return target.replace(':job', await runningJob(route.endsWith('/cancel') ? 10_000 : 300));
  if (/backfill|sync|marketplace|stats|triggers/.test(route)) await ended();
  if (route === 'POST /api/triggers') await hosted();
  if (route.includes('triggers/:id')) {
    const wanted = { trigger: 'CHATTER_MESSAGE', connection: 'hosted', config: { room: 'b' } };
    const { id } = await helve.plane.subscribe(helve.admin, wanted);
    return target.replace(':id', id);
  }
  if (route.includes(':user')) {
    const { user } = await helve.plane.createUser(helve.admin, { name: 'Mia', role: 'member' });
    return target.replace(':user', user.id);
  }
  if (route.includes('sessions/:id')) {
    const { principal } = await helve.plane.redeemAdminLink(await helve.adminLink(helve.workspaceId));
    return target.replace(':id', principal.credentialId ?? '');
  }
  if (route.includes('credentials/:id')) {
    const { credential } = await helve.plane.createApiKey(helve.admin, { permissions: ['tools:read'] });
    return target.replace(':id', credential.id);
  }
  return target;
}

/** All events except the rows of refused requests: every action that changes anything leaves a row. */
async function happened(): Promise<readonly string[]> {
  return (await helve.audited()).map(({ type }) => type).filter((type) => type !== 'request.refused');
}

/** Every credential that a route must refuse, with the status of the refusal. */
async function badFor(
  route: Route,
): Promise<readonly (readonly [who: string, token: string | null, status: number])[]> {
  const strangers = [
    ['no credential', null, 401],
    ['an empty one', '', 401],
    ['one that was never issued', `helve_key_${'x'.repeat(43)}`, 401],
    ['an expired one', expiredKey, 401],
    ['a revoked one', revokedKey, 401],
  ] as const;
  const access = accessTo(route);
  if ('none' in access) return [];
  const ofAgent = ['the token of an agent', agentToken, 403] as const;
  if ('session' in access) return [...strangers, ['a key', await keyWith(allPermissions), 403], ofAgent];
  const without = await Promise.all(
    access.map(async (missing) => {
      const held = allPermissions.filter((each) => each !== missing);
      return [`a key without ${missing}`, await keyWith(held), 403] as const;
    }),
  );
  const isAgents = access.every((permission) => agentPermissions.includes(permission));
  return [...strangers, ...without, ...(isAgents ? [] : [ofAgent])];
}

describe('every route', () => {
  test('R-rest: each has an example here, once', () => {
    expect(examples.map(([route]) => route).sort()).toEqual(
      routes.map(({ method, path }) => `${method} ${path}`).sort(),
    );
  });

  for (const [route, body, status, path] of examples) {
    const definition = routes.find((each) => `${each.method} ${each.path}` === route);
    if (!definition) continue;

    test(`R-rest: ${route} refuses every wrong credential without effect; it answers the right one in its shape`, async () => {
      const target = await pathOf(route, path);
      // A job adds a row when it ends. That must not happen between two requests that are refused.
      if (route.endsWith('/sync/:job/events')) await ended();
      for (const [who, token, refusal] of await badFor(definition)) {
        const made = await happened();
        const reply = await ask(target, body, token);
        expect(reply.status, `${who}: ${reply.text}`).toBe(refusal);
        const code = refusal === 401 ? 'unauthenticated' : 'forbidden';
        expect(reply.body, who).toMatchObject({ type: `urn:helve:error:${code}`, code });
        if (refusal === 401) expect(reply.headers.get('www-authenticate')).toBe('Bearer');
        expect(await happened(), who).toEqual(made);
      }

      // The control: the same request with the right credential has its effect, and the record shows it.
      const joint = { body: { ids: [await askForOne(route)], decision: 'rejected', note: 'No.' }, headers: {} };
      const plain = route === 'POST /api/approvals/decide' ? joint : { body, headers: {} };
      const hooks = {
        'POST /api/webhooks/linear': deliveryOfLinear,
        'POST /api/composio/webhook': event,
        'POST /api/webhooks/github': delivery,
        'POST /api/webhooks/slack': pressInSlack,
      };
      const hook = Object.hasOwn(hooks, route) ? hooks[route as keyof typeof hooks] : undefined;
      const sent = hook ? await hook() : plain;
      const again = route.endsWith('/sync/:job/events') ? await pathOf(route, path) : target;
      const good = await goodFor(definition);
      const before = (await happened()).length;
      const reply = await ask(again, sent.body, good, sent.headers);
      expect(reply.status, reply.text).toBe(status);
      if (definition.reply) expect((definition.reply as z.ZodType).safeParse(reply.body).error).toBeUndefined();
      const audit = listAuditEvents(definition);
      if ('none' in audit) return;
      expect(audit).toEqual(expect.arrayContaining([expect.toBeOneOf((await happened()).slice(before))]));
    });
  }
});

test('R-sync: a synchronisation that is requested as events reports every step to its end', async () => {
  await ended();
  const { text } = await ask('POST /api/tools/sync', { kind: 'full' }, adminKey, { accept: 'text/event-stream' });
  const lines = text.split('\n').filter((line) => line.startsWith('data: '));
  const jobs = lines.map((line) => JSON.parse(line.slice(6)) as { status: string; phase: string });
  expect(text).toContain('event: sync\n');
  expect(jobs.length).toBeGreaterThan(1);
  expect(jobs[0]).toMatchObject({ status: 'running', kind: 'full' });
  expect(jobs.at(-1)).toMatchObject({ status: 'done', phase: 'finish', counts: { apps: 1, actions: 1, triggers: 1 } });
  expect(text).not.toContain('cursor');
});

test('R-rest: without audit:read a caller sees its own executions and no others', async () => {
  const { executionId } = await helve.call('echo', {});
  const { secret } = await helve.plane.createApiKey(helve.admin, { permissions: ['tools:read', 'tools:call'] });
  expect((await ask('GET /api/tools/executions', undefined, secret)).body).toEqual({ executions: [] });
  for (const path of ['', '/events'])
    expect((await ask(`GET /api/tools/executions/${executionId}${path}`, undefined, secret)).status).toBe(404);
  expect((await ask(`GET /api/tools/executions/${executionId}`, undefined, agentToken)).status).toBe(200);
});

describe('executing', () => {
  test('R-rest: a call that failed is an answer, a call that was refused has its own status', async () => {
    const failed = await ask('POST /api/tools/execute', { tool: 'broken', input: {} }, agentToken);
    expect(failed).toMatchObject({ status: 200, body: { ok: false, error: { code: 'tool_failed' } } });
    const unknown = await ask('POST /api/tools/execute', { tool: 'nothing', input: {} }, agentToken);
    expect(unknown).toMatchObject({ status: 404, body: { ok: false, error: { code: 'tool_not_found' } } });
    expect(unknown.headers.get('content-type')).toContain('application/json');
  });

  test('R-approval: a call that waits is 409 with the approval; once approved the same call runs', async () => {
    const body = { tool: 'guarded', input: { for: 'approval' } };
    const waits = await ask('POST /api/tools/execute', body, agentToken);
    expect(waits).toMatchObject({ status: 409, body: { ok: false, error: { code: 'approval_required' } } });
    const { approvalId } = waits.body.error.details;
    const selfDecided = await ask(`POST /api/approvals/${approvalId}/decision`, { decision: 'approved' }, agentToken);
    expect(selfDecided.status).toBe(403);
    const decided = await ask(`POST /api/approvals/${approvalId}/decision`, { decision: 'approved' });
    expect(decided.body).toMatchObject({ status: 'approved', decidedThrough: 'api' });
    const runs = await ask('POST /api/tools/execute', { ...body, approvalId }, agentToken);
    expect(runs).toMatchObject({ status: 200, body: { ok: true } });
  });

  test('R-rest: whether a call with certain arguments would be allowed is asked with an object', async () => {
    const asked = (input: string) =>
      ask(`GET /api/tools/access?tool=echo&agent=tester&input=${encodeURIComponent(input)}`);
    expect(await asked('{"a":1}')).toMatchObject({ status: 200, body: { effect: 'allow' } });
    for (const input of ['[1]', '3', 'null', '{']) expect((await asked(input)).status, input).toBe(400);
  });

  test('R-rest: acting as an agent needs agents:act and names the one on whose behalf', async () => {
    const done = await ask('POST /api/tools/execute', { tool: 'echo', input: {}, agent: 'tester' });
    const record = await ask(`GET /api/tools/executions/${done.body.executionId}`);
    expect(record.body).toMatchObject({ actor: { name: 'tester' }, onBehalfOf: { kind: 'api_key' } });
    expect((await ask('POST /api/tools/execute', { tool: 'echo', agent: 'tester' }, agentToken)).status).toBe(403);
    expect((await ask('POST /api/tools/execute', { tool: 'echo', agent: 'nobody' })).status).toBe(404);
  });

  test('R-rest: a __proto__ in the input is data', async () => {
    const body = '{"tool":"echo","input":{"__proto__":{"polluted":true}}}';
    const done = await ask('POST /api/tools/execute', body, agentToken);
    expect(done.text).toContain('"echoed":{"__proto__":{"polluted":true}}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('requests that do not fit', () => {
  test('R-rest: every invalid field is listed', async () => {
    const reply = await ask('POST /api/keys', { permissions: ['fly'], expiresInSeconds: -1, extra: 1 });
    expect(reply.status).toBe(400);
    expect(reply.headers.get('content-type')).toBe('application/problem+json');
    const places = reply.body.details.issues.map((issue: { path: string }) => issue.path);
    expect(places).toEqual(expect.arrayContaining(['/permissions/0', '/expiresInSeconds', '/']));
  });

  test.each([
    ['not JSON', '{"tool": }', 400, 'not JSON'],
    ['an empty body', undefined, 400, '/tool'],
    ['a __proto__ key', '{"__proto__":{"tool":"echo"},"tool":"echo"}', 400, '__proto__'],
    ['deep nesting', `{"tool":"echo","input":${'['.repeat(200)}${']'.repeat(200)}}`, 400, 'nested deeper'],
  ])('R-rest: %s is refused with the location', async (_name, body, status, text) => {
    const reply = await ask('POST /api/tools/execute', body, agentToken);
    expect(reply.status).toBe(status);
    expect(reply.body.detail).toContain(text);
  });

  test('R-rest: of a doubled key the last one counts', async () => {
    const reply = await ask('POST /api/tools/execute', '{"tool":"broken","tool":"echo","input":{}}', agentToken);
    expect(reply.body).toMatchObject({ ok: true, tool: 'echo' });
  });

  test('R-rest: brackets inside strings are not depth', async () => {
    const reply = await ask(
      'POST /api/tools/execute',
      { tool: 'echo', input: { a: `"\\${'['.repeat(300)}` } },
      agentToken,
    );
    expect(reply.status).toBe(200);
  });

  test('R-rest: another content type is 415', async () => {
    const response = await app.request('/api/tools/execute', {
      method: 'POST',
      headers: { authorization: `Bearer ${agentToken}`, 'content-type': 'text/plain' },
      body: '{"tool":"echo"}',
    });
    expect(response.status).toBe(415);
  });

  test('R-rest: misspelt and unknown query parameters are refused', async () => {
    expect((await ask('GET /api/audit?limit=0')).status).toBe(400);
    expect((await ask('GET /api/audit?limits=5')).status).toBe(400);
    expect((await ask('GET /api/audit?types=execution.dreamt')).status).toBe(400);
    expect((await ask('GET /api/audit?limit=5&limit=6')).status).toBe(400);
  });

  test.each([
    '/mcp',
    '/mcp/tester/',
    '/mcp/tester/sse',
    '/sse',
  ])('R-mcp-server: %s says where MCP clients go', async (path) => {
    const { status, body } = await ask(`POST ${path}`, {});
    expect(status).toBe(404);
    expect(body).toMatchObject({ hint: expect.stringContaining('/mcp/<agent>') });
  });

  test('R-rest: unknown paths are 404, known paths with another method 405, OPTIONS tells without CORS', async () => {
    expect(await ask('GET /api/nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const wrong = await ask('PUT /api/agents', {});
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    const options = await app.request('/api/agents/x/grants', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, PUT, PATCH, OPTIONS']);
    expect(options.headers.get('access-control-allow-origin')).toBeNull();
    expect((await app.request('/nothing', { method: 'OPTIONS' })).status).toBe(404);
    const head = await app.request('/health', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

describe('what goes wrong inside', () => {
  test('R-rest: an unexpected error is 500 and reveals nothing; the operator gets it', async () => {
    const reported: unknown[] = [];
    const failing = createHttpApp({
      plane: {
        ...helve.plane,
        toolkits: async () => {
          throw new Error('secret path /var/lib/helve');
        },
        healthy: async () => false,
      },
      publicUrl: 'http://localhost',
      reportError: (error) => reported.push(error),
    });
    const headers = { authorization: `Bearer ${adminKey}` };
    const response = await failing.request('/api/tools/toolkits', { headers });
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret path');
    expect(String(reported[0])).toContain('secret path');
    const health = await failing.request('/health');
    expect([health.status, await health.json()]).toEqual([503, { status: 'unavailable' }]);
  });
});
