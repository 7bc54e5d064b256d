/** Two workspaces behind a real listener, with a small Composio beside it: for operators, agents and browsers. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type HelveClient } from '../../src/api/index.js';
import { allPermissions, type Principal } from '../../src/domain/principal.js';
import { createHttpApp, type HttpApp, type Listening, listen } from '../../src/surfaces/http/index.js';
import { createMcpDoor } from '../../src/surfaces/mcp/index.js';
import { createTestHelve, type TestHelve } from '../../src/testing/index.js';
import { createBrowser } from '../accounts/support/browser.js';
import {
  type Composio,
  type ComposioOptions,
  startComposio,
  wholeTool,
  wholeToolkit,
  wholeTrigger,
} from '../counterparts/composio/index.js';
import { ask, type Reply } from '../e2e/support/requests.js';
import { composioConfig, syncNow } from './support.js';

export const apiKey = 'ak_canary_0123456789_composio';
export const webhookSecret = 'the-webhook-secret-0123456789abcdef';

const input = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

export function smallData() {
  const app = (slug: string, name: string, more: Parameters<typeof wholeToolkit>[0] = {}) =>
    wholeToolkit({ slug, name, auth_schemes: ['OAUTH2'], composio_managed_auth_schemes: ['OAUTH2'], ...more });
  const gmail = app('gmail', 'Gmail');
  const github = app('github', 'GitHub');
  const keyed = app('abuselpdb', 'Abuselpdb', { auth_schemes: ['API_KEY'], composio_managed_auth_schemes: [] });
  const news = app('hackernews', 'Hackernews', {
    auth_schemes: ['NO_AUTH'],
    composio_managed_auth_schemes: [],
    no_auth: true,
  });
  const tool = (toolkit: typeof gmail, slug: string, tags: string[]) =>
    wholeTool(
      { slug, name: slug, description: slug, tags, input_parameters: input, no_auth: toolkit.no_auth },
      toolkit,
    );
  return {
    toolkits: [gmail, github, keyed, news],
    tools: [
      tool(gmail, 'GMAIL_FETCH_EMAILS', ['readOnlyHint']),
      tool(gmail, 'GMAIL_SEND_EMAIL', []),
      tool(gmail, 'GMAIL_DELETE_MESSAGE', ['destructiveHint']),
      tool(github, 'GITHUB_CREATE_AN_ISSUE', []),
      tool(github, 'GITHUB_GET_REPOSITORY', ['readOnlyHint']),
      tool(keyed, 'ABUSELPDB_CHECK_IP', ['readOnlyHint']),
      tool(news, 'HACKERNEWS_GET_USER', ['readOnlyHint']),
    ],
    triggers: [
      wholeTrigger(
        {
          slug: 'GMAIL_NEW_GMAIL_MESSAGE',
          name: 'New message',
          config: { type: 'object', properties: { label: { type: 'string' } }, required: ['label'] },
        },
        gmail,
      ),
    ],
  };
}

export interface Workspace {
  readonly admin: Principal;
  readonly key: string;
  readonly agentToken: string;
  readonly client: HelveClient;
  rest(route: string, body?: unknown): Promise<Reply>;
  asAgent(route: string, body?: unknown): Promise<Reply>;
  /** Grants the agent these tools of it, in addition to its other grants. */
  grant(toolkit: string, tools: readonly string[], connectionId?: string): Promise<void>;
}

export interface Scene {
  readonly composio: Composio;
  readonly helve: TestHelve;
  readonly url: string;
  readonly home: Workspace;
  readonly elsewhere: Workspace;
  readonly reported: string[];
  /** Opens the link as a person's browser does, and ends on our page. */
  goTo(link: string): Promise<{ url: string; status: number; page: string }>;
  /** A working connection, and its slug. */
  connected(toolkit: string, name: string, of?: Workspace): Promise<{ id: string; slug: string }>;
  /** Every byte that is stored or was reported. */
  everything(): Promise<string>;
  close(): Promise<void>;
}

export async function openScene(options: ComposioOptions = {}): Promise<Scene> {
  const composio = await startComposio(smallData(), { apiKey, ...options });
  const dataDir = await mkdtemp(join(tmpdir(), 'helve-composio-'));
  const reported: string[] = [];
  let listening: Listening | undefined;
  const helve = await createTestHelve({
    dataDir,
    granted: [],
    publicUrl: () => listening?.url,
    config: composioConfig(composio, `  webhook_secret: ${webhookSecret}\n`),
    reportError: (error) => reported.push(String((error as Error).stack ?? error)),
  });
  const door = createMcpDoor({
    plane: helve.plane,
    mcpSessions: helve.mcpSessions,
    serverInfo: { name: 'helve', version: '0.0.0' },
    resultMaxChars: 10_000,
  });
  let app: HttpApp | undefined;
  listening = await listen({
    host: '127.0.0.1',
    port: 0,
    graceMs: 500,
    fetch: (request, bindings) => app?.fetch(request, bindings) ?? new Response(null, { status: 503 }),
  });
  const { url } = listening;
  app = createHttpApp({
    plane: helve.plane,
    mcp: (request, principal) => door.handle(request, principal),
    publicUrl: url,
  });
  await syncNow(helve);
  const home = await workspaceOf(helve, 'default', url);
  const elsewhere = await workspaceOf(helve, 'elsewhere', url);
  return {
    composio,
    helve,
    url,
    home,
    elsewhere,
    reported,
    async goTo(link) {
      const { url: end, response } = await createBrowser().go(link);
      return { url: end, status: response?.status ?? 0, page: (await response?.text()) ?? '' };
    },
    async connected(toolkit, name, of = home) {
      const scheme = toolkit === 'github' ? { scheme: 'composio' } : {};
      const begun = await of.rest('POST /api/tools/connect', { toolkit, name, ...scheme });
      const { id, slug } = begun.body.connection;
      await createBrowser().go(begun.body.redirectUrl);
      return { id, slug };
    },
    async everything() {
      const files = await Promise.all((await readdir(dataDir)).map((file) => readFile(join(dataDir, file), 'latin1')));
      return [...files, ...reported].join('\n');
    },
    async close() {
      await door.close();
      await listening?.close();
      await helve.close();
      await composio.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function workspaceOf(helve: TestHelve, slug: string, url: string): Promise<Workspace> {
  const { plane } = helve;
  const { workspaceId } = await helve.ensureWorkspace(slug);
  const admin = (await plane.redeemAdminLink(await helve.adminLink(workspaceId))).principal;
  await plane.createAgent(admin, { slug: 'worker' });
  const { secret: key } = await plane.createApiKey(admin, { name: 'test', permissions: allPermissions });
  const { secret: agentToken } = await plane.issueAgentToken(admin, 'worker', {});
  return {
    admin,
    key,
    agentToken,
    client: createClient({ url, token: key }),
    rest: (route, body) => ask(url, route, key, body),
    asAgent: (route, body) => ask(url, route, agentToken, body),
    async grant(toolkit, tools, connectionId) {
      const { grants } = await plane.grantCatalogue(admin, 'worker');
      const kept = grants.map(({ toolkit: of, connectionId: by, tools: names, limits, config }) => ({
        toolkit: of,
        tools: names,
        limits,
        config,
        ...(by === undefined ? {} : { connectionId: by }),
      }));
      const more = { toolkit, tools, limits: {}, config: {}, ...(connectionId === undefined ? {} : { connectionId }) };
      await plane.replaceGrants(admin, 'worker', [...kept, more]);
    },
  };
}
