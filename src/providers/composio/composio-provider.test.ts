/** Composio's tools: the provider contract, and the possible outcomes of a call. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectClient } from '../../../tests/counterparts/composio/connect.js';
import {
  type Composio,
  type ComposioData,
  composioData,
  missingData,
  startComposio,
  wholeTool,
  wholeToolkit,
} from '../../../tests/counterparts/composio/index.js';
import type { CatalogueAction, CatalogueApp, CatalogueReader } from '../../domain/catalogue.js';
import type { Connection } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import { createNameIndex, toComposioName } from '../../domain/naming/index.js';
import type { ProviderCall } from '../../domain/provider.js';
import { providerContract } from '../../testing/provider-contract.js';
import { type ComposioProvider, createComposioProvider } from './composio-provider.js';
import { createComposioSource } from './composio-source.js';

const github = wholeToolkit({ slug: 'github', name: 'GitHub', composio_managed_auth_schemes: ['OAUTH2'] });
const search = wholeToolkit({ slug: 'composio_search', name: 'Search', auth_schemes: ['NO_AUTH'], no_auth: true });
const rag = wholeToolkit({ slug: 'rag', name: 'RAG' });
github.meta.categories = [{ id: 'dev', name: 'Developer Tools' }];
const free = { no_auth: true };
const data: ComposioData = {
  toolkits: [github, search, rag],
  tools: [
    wholeTool({ slug: 'COMPOSIO_SEARCH_ECHO', ...free }, search),
    wholeTool({ slug: 'COMPOSIO_SEARCH_BREAK', ...free }, search),
    wholeTool({ slug: 'COMPOSIO_SEARCH_WAIT', ...free }, search),
    wholeTool(
      {
        slug: 'GITHUB_CREATE_ISSUE',
        tags: ['openWorldHint'],
        input_parameters: { type: 'object', required: ['title'] },
      },
      github,
    ),
    wholeTool({ slug: 'GITHUB_GET_ISSUE', tags: ['readOnlyHint', 'openWorldHint'] }, github),
    wholeTool({ slug: 'LEGACY_CREATE_ISSUE' }, github),
    wholeTool({ slug: 'GITHUB_HOSTILE', input_parameters: { type: 'array' } }, github),
    wholeTool({ slug: 'GITHUB_REFUSED', input_parameters: { type: 'object', hostile: true } }, github),
    wholeTool({ slug: 'GITHUB_UNKNOWN_YET', input_parameters: {} }, github),
  ],
  triggers: [],
};

/** The rows that a synchronisation would have stored. */
async function catalogueOf(composio: Composio, loads: string[] = []): Promise<CatalogueReader & { change(): void }> {
  const source = createComposioSource(connectClient({ url: composio.url }));
  const apps = new Map<string, CatalogueApp>((await source.apps()).rows.map((app) => [app.slug, app]));
  const actions: readonly CatalogueAction[] = (await source.actions({})).rows;
  const listeners = new Set<() => void>();
  return {
    apps: async () => apps,
    async actions(_, app) {
      if (apps.has(app)) loads.push(app);
      return actions.filter((one) => one.app === app);
    },
    triggers: async () => [],
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change: () => listeners.forEach((listener) => void listener()),
  };
}

let composio: Composio;
const close = (): Promise<void> => composio.close();
const entityOf = (workspaceId: string): string => `helve-${workspaceId}`;

const admit = (schema: object): void => {
  if ('hostile' in schema) throw new HelveError('invalid_input', 'The schema is hostile');
};

async function open(loads: string[] = []): Promise<ComposioProvider> {
  composio = await startComposio(data, {
    behaviour({ tool }) {
      if (tool.endsWith('_BREAK')) return { error: 'broke' };
      return tool.endsWith('_WAIT') ? { delayMs: 20_000 } : undefined;
    },
  });
  const catalogue = await catalogueOf(composio, loads);
  return createComposioProvider({ client: connectClient({ url: composio.url }), catalogue, entityOf, admit });
}

describe('the contract', () => {
  afterEach(close);
  providerContract('composio', async () => {
    const loads: string[] = [];
    const toolkit = 'composio_search';
    return {
      provider: await open(loads),
      loads: () => loads,
      echo: { toolkit, name: 'echo' },
      broken: { toolkit, name: 'break' },
      patient: { toolkit, name: 'wait' },
    };
  });
});

describe('R-composio-client: apps and actions', () => {
  let provider: ComposioProvider;
  beforeEach(async () => {
    provider = await open();
  });
  afterEach(async () => {
    await provider.close();
    await close();
  });

  test('R-composio-client: apps are toolkits, with a hosted account where they need one; internal ones are marked', async () => {
    const toolkits = new Map((await provider.toolkits()).map((toolkit) => [toolkit.slug, toolkit]));
    expect(toolkits.get('github')).toMatchObject({
      title: 'GitHub',
      category: 'developer tools',
      needsConnection: true,
      internal: false,
      onDemand: true,
      auth: { schemes: [{ id: 'composio', kind: 'hosted', hostedBy: 'composio' }] },
    });
    expect(toolkits.get('composio_search')).toMatchObject({ needsConnection: false, internal: false });
    expect(toolkits.get('composio_search')?.auth).toBeUndefined();
    expect(toolkits.get('rag')).toMatchObject({ internal: true });
  });

  test('R-composio-client: a schema that must not be used leaves out its tool, with the reason, and no other', async () => {
    const tools = await provider.tools('github');
    expect(tools.map(({ id }) => id.name)).toEqual([
      'create_issue',
      'get_issue',
      expect.stringMatching(/^legacy_create_issue_[0-9a-f]{12}$/),
      'unknown_yet',
    ]);
    expect(await provider.refused('github')).toEqual([
      { slug: 'GITHUB_HOSTILE', reason: 'its input is not an object' },
      { slug: 'GITHUB_REFUSED', reason: 'The schema is hostile' },
    ]);
    expect(tools.at(-1)?.inputSchema).toEqual({ type: 'object' });
    expect(tools.every(({ outputSchema }) => outputSchema === undefined)).toBe(true);
  });

  test('R-composio-client: a change of the catalogue is announced, and tools are read again', async () => {
    const catalogue = await catalogueOf(composio);
    const changing = createComposioProvider({ client: connectClient({ url: composio.url }), catalogue, entityOf });
    let told = 0;
    changing.onChange(() => told++);
    const before = await changing.tools('github');
    expect(await changing.tools('github')).toBe(before);
    catalogue.change();
    expect(told).toBe(1);
    expect(await changing.tools('github')).not.toBe(before);
  });
});

describe.skipIf(missingData)('R-schema: the 930 real tools', () => {
  afterEach(close);
  test('R-schema: each keeps the source’s schema and its slug, and is found by Composio’s own name', async () => {
    const real = composioData();
    composio = await startComposio(real);
    const catalogue = await catalogueOf(composio);
    const provider = createComposioProvider({ client: connectClient({ url: composio.url }), catalogue, entityOf });
    const sources = new Map(real.tools.map((tool) => [tool.slug, tool]));
    let seen = 0;
    for (const { slug } of await provider.toolkits()) {
      const tools = await provider.tools(slug);
      expect(await provider.refused(slug)).toEqual([]);
      for (const tool of tools) {
        const own = await provider.slugOf(tool.id);
        expect(tool.inputSchema).toEqual(sources.get(own!)?.input_parameters);
        seen += toComposioName(tool.id) === own ? 1 : 0;
        expect(tool.capabilities[0]).toBeTruthy();
      }
    }
    expect(seen).toBe(930);
  });
});

describe('R-composio-client: calls', () => {
  let provider: ComposioProvider;
  let settings: JsonObject;
  const caller = { kind: 'agent', id: 'a1', name: 'scout', workspaceId: 'w1' } as const;

  beforeEach(async () => {
    provider = await open();
    const { reference, redirectUrl } = await provider.accounts.connect({
      workspaceId: 'w1',
      toolkit: 'github',
      callbackUrl: 'http://127.0.0.1/',
    });
    await fetch(redirectUrl!, { redirect: 'manual' });
    settings = reference;
    composio.forgetCalls();
  });
  afterEach(close);

  async function call(name: string, input: JsonObject, more: Partial<ProviderCall> = {}) {
    const tool = (await provider.tools('github')).find(({ id }) => id.name === name)!;
    const facts = { id: 'c1', slug: 'work', settings } as unknown as Connection;
    const connection = { facts, service: () => expect.unreachable(), fields: () => expect.unreachable() };
    return provider.execute({
      tool,
      input,
      config: {},
      executionId: 'e1',
      effectKey: '0123456789abcdef0123456789abcdef',
      caller,
      connection: connection as ProviderCall['connection'],
      signal: new AbortController().signal,
      progress: () => undefined,
      ...more,
    });
  }
  const failing = (body: object, status = 200) =>
    composio.faults.push({ when: ({ path }) => path.startsWith('/tools/execute'), status, body });

  test('R-composio-client: a call acts with the account, as the workspace, and answers with the data', async () => {
    expect(await call('create_issue', { title: 'x' })).toEqual({ output: { echoed: { title: 'x' } } });
    expect(composio.executions[0]).toMatchObject({
      tool: 'GITHUB_CREATE_ISSUE',
      body: {
        connected_account_id: settings.connectedAccountId,
        user_id: 'helve-w1',
        arguments: { title: 'x' },
        version: 'latest',
      },
    });
    const odd = (await provider.tools('github')).find(({ id }) => id.name.startsWith('legacy'))!;
    await call(odd.id.name, {});
    expect(composio.executions[1]?.tool).toBe('LEGACY_CREATE_ISSUE');
  });

  test('R-composio-client: a call without such an account says what to do, and nothing is sent', async () => {
    const none = call('get_issue', {}, { connection: undefined } as Partial<ProviderCall>);
    await expect(none).rejects.toMatchObject({ code: 'connection_inaccessible' });
    settings = { host: 'elsewhere' };
    const other = call('get_issue', {});
    await expect(other).rejects.toMatchObject({
      code: 'connection_inaccessible',
      hint: expect.stringContaining('work'),
    });
    expect(composio.requests).toEqual([]);
  });

  test('R-composio-client: a read is repeated, a write is not', async () => {
    composio.faults.push({ when: () => true, drop: true });
    expect(await call('get_issue', {})).toMatchObject({ output: { echoed: {} } });
    composio.faults.push({ when: () => true, drop: true });
    await expect(call('create_issue', { title: 'x' })).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(composio.executions.map(({ tool }) => tool)).toEqual([
      'GITHUB_GET_ISSUE',
      'GITHUB_GET_ISSUE',
      'GITHUB_CREATE_ISSUE',
    ]);
  });

  test('R-composio-client: a tool’s own failure has its own message, with the id of Composio’s log entry', async () => {
    failing({ data: {}, error: 'Repository is archived', successful: false, log_id: 'log_7' });
    await expect(call('create_issue', { title: 'x' })).rejects.toMatchObject({
      code: 'tool_failed',
      message: 'Repository is archived',
      hint: expect.any(String),
      details: { logId: 'log_7', tool: 'GITHUB_CREATE_ISSUE' },
    });
    failing({ data: { status_code: 429 }, error: 'slow down', successful: false });
    await expect(call('get_issue', {})).rejects.toMatchObject({ code: 'rate_limited' });
    failing({ data: { status_code: 504 }, error: '504 Server Error: Gateway Timeout', successful: false });
    await expect(call('create_issue', { title: 'x' })).rejects.toMatchObject({ code: 'outcome_unknown' });
    failing({ data: { status_code: 504 }, error: '504 Server Error: Gateway Timeout', successful: false });
    await expect(call('get_issue', {})).rejects.toMatchObject({ code: 'tool_failed' });
    failing({ data: {}, successful: false });
    await expect(call('get_issue', {})).rejects.toMatchObject({ code: 'tool_failed', message: 'it did not say why' });
    failing({ data: {}, error: null });
    await expect(call('get_issue', {})).rejects.toMatchObject({
      code: 'upstream_failed',
      details: { field: 'successful' },
    });
  });

  test('R-composio-client: input that the tool does not take is the caller’s to correct', async () => {
    const missing = call('create_issue', {});
    await expect(missing).rejects.toMatchObject({ code: 'invalid_input', hint: expect.stringContaining('schema') });
    failing({ error: { message: 'arguments must be an object', code: 1, status: 400 } }, 400);
    await expect(call('get_issue', {})).rejects.toMatchObject({
      code: 'invalid_input',
      hint: expect.stringContaining('schema'),
    });
    failing({ error: { message: 'Tool GITHUB_GET_ISSUE not found', code: 2301, status: 404 } }, 404);
    await expect(call('get_issue', {})).rejects.toMatchObject({ code: 'tool_not_found' });
  });

  test.each([
    ['EXPIRED', 'expired'],
    ['INACTIVE', 'error'],
    ['FAILED', 'error'],
  ] as const)('R-visibility: an account that is %s is inaccessible, with its state', async (status, account) => {
    composio.accounts.get(String(settings.connectedAccountId))!.status = status;
    await expect(call('get_issue', {})).rejects.toMatchObject({
      code: 'connection_inaccessible',
      message: 'Connection not accessible',
      details: { account, reason: expect.stringContaining(status) },
    });
  });

  test.each([
    [{ error: { message: 'Connected account ca_1 not found', code: 1803, status: 404 } }, 404, 'revoked'],
    [{ error: { message: 'Forbidden', code: 1, status: 403 } }, 403, 'error'],
    [{}, 403, 'error'],
    [{ data: { status_code: 401 }, error: 'nope', successful: false }, 200, 'expired'],
    [{ data: {}, error: '401 Client Error: Unauthorized for url: https://x', successful: false }, 200, 'expired'],
    [{ data: {}, error: 'No active connection found for toolkit github', successful: false }, 200, 'revoked'],
  ])('R-visibility: %j (%i) is a lost account', async (body, status, account) => {
    failing(body, status);
    await expect(call('get_issue', {})).rejects.toMatchObject({
      code: 'connection_inaccessible',
      details: { account },
    });
  });

  test('R-visibility: a 403 of the app, or a lost database connection, does not', async () => {
    failing({ data: { status_code: 403 }, error: '403 Client Error: Forbidden', successful: false });
    await expect(call('get_issue', {})).rejects.toMatchObject({ code: 'tool_failed' });
    failing({ data: {}, error: 'The connection to the database has expired', successful: false });
    await expect(call('get_issue', {})).rejects.toMatchObject({ code: 'tool_failed' });
  });

  test('R-composio-client: every tool is found again by the name it has, and two never share one', async () => {
    const tools = await provider.tools('github');
    const rows = await Promise.all(tools.map(async ({ id }) => ({ ...id, composioSlug: await provider.slugOf(id) })));
    const index = createNameIndex(rows);
    for (const { composioSlug, ...id } of rows) expect(index.parse(composioSlug!)).toEqual(id);
    expect(await provider.slugOf({ toolkit: 'github', name: 'none' })).toBeUndefined();
  });
});
