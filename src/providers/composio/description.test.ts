/** Every request of the client against prism, which checks it against Composio's API description, and one that prism refuses. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Counterpart } from '../../../tests/counterparts/child.js';
import { connectClient } from '../../../tests/counterparts/composio/connect.js';
import { missingData, startComposioDescription, usedOperations } from '../../../tests/counterparts/composio/index.js';
import { passOnTo, type Scripted, startScripted } from '../../../tests/counterparts/scripted.js';
import type { ComposioClient } from './client.js';
import { createComposioSource } from './composio-source.js';

let prism: Counterpart;
let watched: Scripted;
const link = { authConfigId: 'ac_1', userId: 'helve-w1', callbackUrl: 'https://helve.example/back?state=1' };
const run = { userId: 'helve-w1', input: { owner: 'a', nested: { list: [1, null] } }, repeatable: false };

interface Case {
  readonly operation: string;
  readonly right: (client: ComposioClient) => Promise<unknown>;
  /** Requests that must be refused: another query, or another body. */
  readonly query?: string;
  readonly body?: unknown;
  readonly path?: string;
}

const cases: readonly Case[] = [
  { operation: 'get /api/v3/toolkits', right: (client) => client.listToolkits(), query: 'limit=abc' },
  {
    operation: 'get /api/v3/tools',
    right: (client) => client.listTools({ toolkit: 'github', cursor: 'MS0y' }),
    query: 'limit=abc',
  },
  {
    operation: 'get /api/v3/triggers_types',
    right: (client) => client.listTriggerTypes({ toolkit: 'github' }),
    query: 'limit=abc',
  },
  {
    operation: 'get /api/v3/auth_configs',
    right: (client) => client.listAuthConfigs({ toolkit: 'github' }),
    query: 'show_disabled=perhaps',
  },
  // In these requests only the key can be wrong.
  { operation: 'get /api/v3/tools/enum', right: (client) => client.toolSlugs() },
  { operation: 'get /api/v3/toolkits/{slug}', right: (client) => client.getToolkit('github') },
  { operation: 'get /api/v3/connected_accounts/{nanoid}', right: (client) => client.findAccount('ca_1') },
  { operation: 'delete /api/v3/connected_accounts/{nanoid}', right: (client) => client.deleteAccount('ca_1') },
  { operation: 'delete /api/v3/trigger_instances/manage/{triggerId}', right: (client) => client.unsubscribe('ti_1') },
  {
    operation: 'post /api/v3/tools/execute/{tool_slug}',
    body: { user_id: 5, arguments: {} },
    right: (client) => client.execute({ ...run, tool: 'GITHUB_GET_USER', connectedAccountId: 'ca_1' }),
  },
  {
    operation: 'post /api/v3/tools/execute/{tool_slug}',
    body: { arguments: ['a'] },
    right: (client) => client.execute({ ...run, tool: 'HACKERNEWS_GET_ITEM' }),
  },
  {
    operation: 'post /api/v3/auth_configs',
    body: { auth_config: { type: 'use_composio_managed_auth' } },
    right: (client) => client.createAuthConfig({ toolkit: 'github', kind: 'managed', scheme: 'OAUTH2' }),
  },
  {
    operation: 'post /api/v3/auth_configs',
    body: { toolkit: { slug: 'x' }, auth_config: { type: 'use_custom_auth', authScheme: 'MAGIC' } },
    right: (client) =>
      client.createAuthConfig({
        toolkit: 'x',
        kind: 'custom',
        scheme: 'OAUTH2',
        name: 'n',
        credentials: { client_id: 'c', client_secret: 's' },
      }),
  },
  {
    operation: 'post /api/v3/connected_accounts/link',
    body: { auth_config_id: 'ac_1', user_id: '' },
    right: (client) => client.linkAccount({ ...link, data: { subdomain: 'mine' } }),
  },
  {
    operation: 'post /api/v3/connected_accounts',
    body: { auth_config: { id: 'ac_1' } },
    right: (client) => client.createAccount({ ...link, scheme: 'API_KEY', data: { generic_api_key: 'k' } }),
  },
  {
    operation: 'post /api/v3/connected_accounts',
    body: { auth_config: { id: 'a' }, connection: { state: { authScheme: 'OAUTH2', val: { status: 'NO' } } } },
    right: (client) => client.createAccount({ ...link, scheme: 'BASIC', data: { username: 'u', password: 'p' } }),
  },
  {
    operation: 'post /api/v3/trigger_instances/{slug}/upsert',
    body: { connected_account_id: 'ca_1', trigger_config: 'x' },
    right: (client) =>
      client.subscribe({ trigger: 'GITHUB_COMMIT_EVENT', connectedAccountId: 'ca_1', config: { owner: 'o' } }),
  },
];

describe.skipIf(missingData)('R-composio-client: by Composio’s own document', () => {
  beforeAll(async () => {
    prism = await startComposioDescription();
    watched = await startScripted();
    watched.answer = passOnTo(() => prism.url);
  });
  afterAll(async () => {
    await watched?.close();
    await prism?.close();
  });

  const client = () => connectClient({ url: watched.url, apiVersion: 'v3' });

  test('R-composio-client: no operation is missing', () => {
    expect(new Set(cases.map(({ operation }) => operation))).toEqual(
      new Set(usedOperations.map((one) => one.join(' '))),
    );
  });

  test.each(cases)('R-composio-client: $operation is accepted, and prism notices an invalid request', async ({
    operation,
    right,
    query,
    body,
  }) => {
    watched.seen.length = 0;
    await right(client());
    const [method = '', template = ''] = operation.split(' ');
    const pattern = new RegExp(`^${template.replace(/\{\w+\}/, '[^/]+')}(?:\\?|$)`);
    expect(watched.seen.map((one) => [one.method.toLowerCase(), pattern.test(one.url)])).toEqual([[method, true]]);
    const keyless = query === undefined && body === undefined;
    const refused = await fetch(`${prism.url}${template.replace(/\{\w+\}/, 'x1')}${query ? `?${query}` : ''}`, {
      method: method.toUpperCase(),
      headers: { 'content-type': 'application/json', ...(keyless ? {} : { 'x-api-key': 'k' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect([400, 401, 422]).toContain(refused.status);
    expect(refused.headers.get('sl-violations') ?? (await refused.text())).toBeTruthy();
  });

  test('R-sync: the 930 real tools come through it too', async () => {
    const source = createComposioSource(client());
    expect((await source.actions({})).rows).toHaveLength(930);
    expect((await source.apps()).rows).toHaveLength(532);
    // One row each, as prism invents them.
    expect((await source.triggers({})).rows).toHaveLength(1);
  });
});
