/** The server's answers against Composio's own document: tests with it do not rely on our assumptions. */
import { readFileSync } from 'node:fs';
import { Ajv, type AnySchema, type ValidateFunction } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Composio,
  composioData,
  composioDocumentFile,
  missingData,
  startComposio,
  stretchedData,
} from './index.js';

interface OpenApi {
  readonly paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >;
  readonly components: object;
}

/** OpenAPI 3.0's `nullable`, which JSON Schema does not have. */
function toJsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toJsonSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, ...rest } = schema as Record<string, unknown>;
  const converted = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, toJsonSchema(value)]));
  if (nullable !== true || converted.type === undefined) return converted;
  const { enum: values, ...others } = converted;
  return { ...others, type: [converted.type, 'null'], ...(values ? { enum: [...(values as unknown[]), null] } : {}) };
}

const ajv = new Ajv({ strict: false, validateFormats: false });
const compiled = new Map<string, ValidateFunction>();
let document: OpenApi;
let composio: Composio;

function check(method: string, template: string, status: number, body: unknown): void {
  const key = `${method} ${template} ${status}`;
  let validate = compiled.get(key);
  if (!validate) {
    const schema =
      document.paths[template]?.[method.toLowerCase()]?.responses[status]?.content?.['application/json']?.schema;
    if (!schema) throw new Error(`The document has no answer ${key}`);
    validate = ajv.compile({
      ...(toJsonSchema(schema) as object),
      components: toJsonSchema(document.components),
    } as AnySchema);
    compiled.set(key, validate);
  }
  const valid = validate(body);
  expect({ key, errors: valid ? [] : validate.errors?.slice(0, 5) }).toEqual({ key, errors: [] });
}

async function ask(method: string, path: string, template: string, body?: unknown): Promise<any> {
  const response = await fetch(composio.url + path, {
    method,
    headers: { 'x-api-key': composio.apiKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  check(method, template, response.status, answer);
  return { status: response.status, body: answer };
}

describe.skipIf(missingData)('the Composio to test against', () => {
  beforeAll(async () => {
    document = JSON.parse(readFileSync(composioDocumentFile, 'utf8')) as OpenApi;
    composio = await startComposio(composioData());
  });
  afterAll(() => composio?.close());

  test('R-composio-client: its listings are as the document has them, page by page', async () => {
    const slugs = new Set<string>();
    let cursor = '';
    for (let page = 0; page < 5; page++) {
      const { body } = await ask('GET', `/api/v3/tools?limit=250&toolkit_versions=latest${cursor}`, '/api/v3/tools');
      for (const { slug } of body.items) slugs.add(slug);
      expect(body.total_items).toBe(930);
      if (body.next_cursor === null) break;
      cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
    }
    expect(slugs.size).toBe(930);
    const { body: toolkits } = await ask('GET', '/api/v3/toolkits?limit=1000', '/api/v3/toolkits');
    expect(toolkits.items.length).toBeGreaterThanOrEqual(530);
    expect((await ask('GET', '/api/v3/triggers_types?limit=100', '/api/v3/triggers_types')).body.items).toHaveLength(
      94,
    );
    expect((await ask('GET', '/api/v3/tools/enum', '/api/v3/tools/enum')).body).toHaveLength(930);
    await ask('GET', '/api/v3/tools/GITHUB_CREATE_AN_ISSUE', '/api/v3/tools/{tool_slug}');
    for (const slug of ['github', '_21risk', 'hackernews', 'googledrive'])
      await ask('GET', `/api/v3/toolkits/${slug}`, '/api/v3/toolkits/{slug}');
  });

  test('R-composio-client: its accounts, executions and triggers are, through all their states', async () => {
    const auth = (await ask('POST', '/api/v3/auth_configs', '/api/v3/auth_configs', { toolkit: { slug: 'github' } }))
      .body;
    const config = auth.auth_config.id;
    await ask('GET', '/api/v3/auth_configs?toolkit_slug=github', '/api/v3/auth_configs');
    const link = { auth_config_id: config, user_id: 'u1', callback_url: 'http://127.0.0.1/done?id=7' };
    const { body: linked } = await ask(
      'POST',
      '/api/v3/connected_accounts/link',
      '/api/v3/connected_accounts/link',
      link,
    );
    const account = `/api/v3/connected_accounts/${linked.connected_account_id}`;
    const oneAccount = '/api/v3/connected_accounts/{nanoid}';
    expect((await ask('GET', account, oneAccount)).body.status).toBe('INITIATED');
    const visit = await fetch(linked.redirect_url, { redirect: 'manual' });
    expect(visit.headers.get('location')).toBe(
      `http://127.0.0.1/done?id=7&status=success&connected_account_id=${linked.connected_account_id}`,
    );
    for (const status of ['EXPIRED', 'INACTIVE', 'FAILED', 'INITIALIZING', 'ACTIVE'] as const) {
      composio.accounts.get(linked.connected_account_id)!.status = status;
      await ask('GET', account, oneAccount);
    }
    await ask('GET', '/api/v3/connected_accounts?user_ids=u1', '/api/v3/connected_accounts');
    const run = { connected_account_id: linked.connected_account_id, user_id: 'u1', arguments: { invitation_id: 5 } };
    const execute = '/api/v3/tools/execute/GITHUB_ACCEPT_A_REPOSITORY_INVITATION';
    const { body: done } = await ask('POST', execute, '/api/v3/tools/execute/{tool_slug}', run);
    expect(done).toMatchObject({ successful: true, data: { echoed: { invitation_id: 5 } } });
    const broken = await ask('POST', execute, '/api/v3/tools/execute/{tool_slug}', { ...run, arguments: {} });
    expect(broken.body).toMatchObject({ successful: false });
    const upsert = { connected_account_id: linked.connected_account_id, trigger_config: { owner: 'o', repo: 'r' } };
    const at = '/api/v3/trigger_instances/GITHUB_COMMIT_EVENT/upsert';
    const { body: made } = await ask('POST', at, '/api/v3/trigger_instances/{slug}/upsert', upsert);
    await ask('GET', '/api/v3/trigger_instances/active', '/api/v3/trigger_instances/active');
    const manage = `/api/v3/trigger_instances/manage/${made.trigger_id}`;
    await ask('PATCH', manage, '/api/v3/trigger_instances/manage/{triggerId}', { status: 'disable' });
    await ask('DELETE', manage, '/api/v3/trigger_instances/manage/{triggerId}');
    await ask('DELETE', account, oneAccount);
    expect((await ask('DELETE', account, oneAccount)).status).toBe(404);
    expect((await ask('GET', account, oneAccount)).status).toBe(404);
  });

  test('R-composio-client: fields instead of a sign-in, refusals, and an invalid key', async () => {
    const body = { toolkit: { slug: '_21risk' }, auth_config: { type: 'use_custom_auth', authScheme: 'API_KEY' } };
    const { body: auth } = await ask('POST', '/api/v3/auth_configs', '/api/v3/auth_configs', body);
    const path = '/api/v3/connected_accounts';
    const connect = (val: object) =>
      ask('POST', path, path, {
        auth_config: { id: auth.auth_config.id },
        connection: { user_id: 'u1', state: { authScheme: 'API_KEY', val: { status: 'ACTIVE', ...val } } },
      });
    expect((await connect({ generic_api_key: 'k' })).body.status).toBe('ACTIVE');
    expect((await connect({})).status).toBe(400);
    const managed = { toolkit: { slug: '_21risk' } };
    expect((await ask('POST', '/api/v3/auth_configs', '/api/v3/auth_configs', managed)).status).toBe(400);
    expect((await ask('GET', '/api/v3/tools?limit=1001', '/api/v3/tools')).status).toBe(400);
    expect((await ask('GET', '/api/v3/toolkits/none', '/api/v3/toolkits/{slug}')).status).toBe(404);
    expect((await fetch(`${composio.url}/api/v3/tools`)).status).toBe(401);
  });

  test('R-sync: the big catalogue has the same shape, with and without parameters', async () => {
    await composio.close();
    composio = await startComposio(stretchedData(), { parameters: 'per-app' });
    expect(composio.data).toMatchObject({
      toolkits: { length: 1_083 },
      tools: { length: 12_947 },
      triggers: { length: 94 },
    });
    const { body } = await ask('GET', '/api/v3/tools?toolkit_slug=zoho_books&limit=1000', '/api/v3/tools');
    expect(body.items.length).toBeGreaterThan(0);
    await ask('GET', '/api/v3/toolkits?limit=1000', '/api/v3/toolkits');
    const bulk = await fetch(`${composio.url}/api/v3.1/tools?limit=1`, { headers: { 'x-api-key': composio.apiKey } });
    expect(((await bulk.json()) as { items: object[] }).items[0]).not.toHaveProperty('input_parameters');
    expect(composio.calls).toEqual({ 'GET /tools': 2, 'GET /toolkits': 1 });
  });
});
