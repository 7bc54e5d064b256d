/** The client against our own Composio server, whose responses are checked against Composio's API description. */
import { afterEach, describe, expect, test } from 'vitest';
import { connectClient } from '../../../tests/counterparts/composio/connect.js';
import {
  type Composio,
  type ComposioData,
  type ComposioOptions,
  composioData,
  missingData,
  startComposio,
  wholeTool,
  wholeToolkit,
} from '../../../tests/counterparts/composio/index.js';
import { type Scripted, sendJson, startScripted } from '../../../tests/counterparts/scripted.js';

const github = wholeToolkit({ slug: 'github', name: 'GitHub', composio_managed_auth_schemes: ['OAUTH2'] });
const shop = wholeToolkit({ slug: 'shop', auth_schemes: ['OAUTH2'] });
const vault = wholeToolkit({ slug: 'vault', auth_schemes: ['API_KEY'] });
const news = wholeToolkit({ slug: 'news', auth_schemes: ['NO_AUTH'], no_auth: true });
const small: ComposioData = {
  toolkits: [github, shop, vault, news],
  tools: [
    wholeTool({ slug: 'GITHUB_GET_USER', tags: ['readOnlyHint'] }, github),
    wholeTool({ slug: 'NEWS_SEND', no_auth: true }, news),
  ],
  triggers: [],
};

let composio: Composio;
let scripted: Scripted | undefined;
const start = async (options: ComposioOptions = {}, data = small): Promise<Composio> => {
  composio = await startComposio(data, options);
  return composio;
};
afterEach(async () => {
  await composio?.close();
  await scripted?.close();
  scripted = undefined;
});

describe('R-composio-client: listings', () => {
  test.skipIf(missingData)(
    'R-composio-client: every tool of Composio comes, a page of a thousand at a time',
    async () => {
      const { url } = await start({}, composioData());
      const client = connectClient({ url });
      const page = await client.listTools();
      expect(page).toMatchObject({ total: 930, rows: { length: 930 } });
      expect(page).not.toHaveProperty('next');
      expect(composio.requests[0]?.query.toString()).toBe('limit=1000&toolkit_versions=latest');
      expect((await client.listTools({ toolkit: 'googledrive' })).rows).toHaveLength(51);
      expect((await client.listToolkits()).rows).toHaveLength(532);
      expect((await client.listTriggerTypes({ toolkit: 'github' })).rows).toHaveLength(6);
      expect(await client.toolSlugs()).toHaveLength(930);
      expect((await client.getToolkit('github')).ways.map(({ scheme }) => scheme)).toContain('OAUTH2');
    },
  );

  test('R-composio-client: pages follow each other by their cursor, and one that leads to itself is refused', async () => {
    const tools = Array.from({ length: 2_500 }, (_, index) => wholeTool({ slug: `GITHUB_GET_${index}` }, github));
    const { url } = await start({}, { ...small, tools });
    const client = connectClient({ url });
    const slugs: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listTools(cursor === undefined ? {} : { cursor });
      slugs.push(...page.rows.map(({ slug }) => slug));
      cursor = page.next;
    } while (cursor !== undefined);
    expect(new Set(slugs).size).toBe(2_500);
    expect(composio.calls).toEqual({ 'GET /tools': 3 });
    const [first] = composio.requests;
    composio.faults.push({ when: () => true, status: 200, body: { items: [], next_cursor: 'again' } });
    await expect(client.listTools({ cursor: 'again' })).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(first?.headers['x-api-key']).toBe('ak_test');
  });

  test('R-composio-client: a server without v3.1 is used with v3, which is remembered; a pinned version is not changed', async () => {
    const { url } = await start({ versions: ['v3'] });
    const client = connectClient({ url });
    expect((await client.listToolkits()).rows).toHaveLength(4);
    await client.listToolkits();
    expect(composio.requests.map(({ version }) => version)).toEqual(['v3.1', 'v3', 'v3']);
    await expect(connectClient({ url, apiVersion: 'v3.1' }).listToolkits()).rejects.toMatchObject({
      code: 'not_found',
    });
    expect((await connectClient({ url, apiVersion: 'v3' }).listToolkits()).rows).toHaveLength(4);
  });

  test('R-composio-client: a call that comes first finds the version out by a listing, and then only once', async () => {
    const { url } = await start({ versions: ['v3'] });
    const client = connectClient({ url });
    const run = { tool: 'NEWS_SEND', userId: 'u', input: { a: 1 }, repeatable: false };
    expect(await client.execute(run)).toMatchObject({ data: { echoed: { a: 1 } } });
    expect(composio.executions).toHaveLength(1);
    expect(await client.findAccount('ca_none')).toBeUndefined();
    composio.forgetCalls();
    expect(await connectClient({ url }).findAccount('ca_none')).toBeUndefined();
    expect(composio.requests.map(({ version, path }) => `${version}${path}`)).toEqual([
      'v3.1/connected_accounts/ca_none',
      'v3.1/toolkits',
      'v3/toolkits',
      'v3/connected_accounts/ca_none',
    ]);
  });

  test('R-composio-client: a missing resource stays missing, under v3.1', async () => {
    const { url } = await start();
    const client = connectClient({ url });
    await expect(client.getToolkit('none')).rejects.toMatchObject({ code: 'not_found', details: { status: 404 } });
    await expect(client.getToolkit('nothing')).rejects.toMatchObject({ code: 'not_found' });
    expect(composio.requests.map(({ version }) => version)).toEqual(['v3.1', 'v3.1', 'v3.1']);
  });

  test('R-composio-client: a name cannot change the path', async () => {
    const { url } = await start();
    const client = connectClient({ url });
    for (const slug of ['a/b?x=1#y', 'ä %2e']) {
      await expect(client.getToolkit(slug)).rejects.toMatchObject({ code: 'not_found' });
      expect(composio.requests.some(({ path }) => path === `/toolkits/${encodeURIComponent(slug)}`)).toBe(true);
    }
    for (const slug of ['..', '.', '', '../auth_configs'])
      await expect(client.getToolkit(slug)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('R-composio-client: invalid answers', () => {
  test.each([
    ['GET /tools', { items: {} }, 'items'],
    ['GET /tools', [], ''],
    ['GET /tools', { items: [], next_cursor: 5 }, 'next_cursor'],
  ])('R-composio-client: %s %j names the field', async (route, body, field) => {
    scripted = await startScripted();
    scripted.answer = (_, response) => sendJson(response, 200, body);
    const client = connectClient({ url: scripted.url });
    const calls: Record<string, () => Promise<unknown>> = {
      'GET /tools': () => client.listTools(),
      'GET /toolkits': () => client.listToolkits(),
      'GET /triggers_types': () => client.listTriggerTypes(),
    };
    await expect(calls[route]!()).rejects.toMatchObject({ code: 'upstream_failed', details: { route, field } });
  });

  test.each([
    ['listTools', { slug: 5 }, 'items/1', 'items/1/slug'],
    ['listTools', { slug: '' }, 'items/1', 'items/1'],
    ['listTools', { slug: 'x'.repeat(501) }, 'items/1', 'items/1'],
    ['listTools', { slug: 'A', tags: 'x' }, 'A', 'items/1/tags'],
    ['listTools', { slug: 'A', toolkit: {} }, 'A', 'items/1/toolkit/slug'],
    ['listTools', { slug: 'A', toolkit: { slug: 'x'.repeat(501) } }, 'A', 'items/1'],
    ['listTools', { slug: 'A', input_parameters: [] }, 'A', 'items/1/input_parameters'],
    ['listToolkits', { slug: 'a', meta: { categories: ['x'] } }, 'a', 'items/1/meta/categories/0'],
    ['listTriggerTypes', null, 'items/1', 'items/1'],
  ] as const)('R-sync: %s leaves out the row %j alone, by name', async (list, row, name, field) => {
    scripted = await startScripted();
    scripted.answer = (_, response) => sendJson(response, 200, { items: [{ slug: 'ONE' }, row, { slug: 'TWO' }] });
    const { rows, leftOut } = await connectClient({ url: scripted.url })[list]();
    expect(rows.map(({ slug }) => slug)).toEqual(['ONE', 'TWO']);
    expect(leftOut).toEqual([expect.objectContaining({ name, reason: expect.stringMatching(`${field}\\b`) })]);
  });

  test.each([
    [3, 3],
    ['3', 3],
    [null, undefined],
    ['about 3', undefined],
    [-1, undefined],
    [{ value: 3 }, undefined],
  ])('R-sync: a total of %j is read as %j', async (given, read) => {
    scripted = await startScripted();
    scripted.answer = (_, response) => sendJson(response, 200, { items: [], total_items: given });
    expect((await connectClient({ url: scripted.url }).listTools()).total).toBe(read);
  });

  test('R-sync: names of tools that are not strings are skipped while they are few', async () => {
    scripted = await startScripted();
    scripted.answer = (_, response) => sendJson(response, 200, ['A', null, 'B']);
    expect(await connectClient({ url: scripted.url }).toolSlugs()).toEqual(['A', 'B']);
    scripted.answer = (_, response) => sendJson(response, 200, ['A', null, 5]);
    await expect(connectClient({ url: scripted.url }).toolSlugs()).rejects.toMatchObject({ code: 'upstream_failed' });
  });

  test('R-composio-client: unknown fields, missing optional ones, nulls and one-element lists are fine', async () => {
    scripted = await startScripted();
    const row = { slug: 'A', tags: null, toolkit: null, scopes: ['one'] };
    const items = [{ ...row, newThing: { deep: [1] } }];
    scripted.answer = (_, response) => sendJson(response, 200, { items, next_cursor: null, more: true });
    expect(await connectClient({ url: scripted.url }).listTools()).toEqual({ rows: [row], leftOut: [] });
  });

  test.each([
    {},
    null,
    { auth_config_creation: 'none', connected_account_initiation: null },
  ])('R-composio-client: the sign-in fields %j count as none', async (fields) => {
    scripted = await startScripted();
    const details = [{ mode: 'api_key', fields }];
    scripted.answer = (_, response) => sendJson(response, 200, { slug: 'a', auth_config_details: details });
    const none = { required: [], optional: [] };
    expect(await connectClient({ url: scripted.url }).getToolkit('a')).toEqual({
      slug: 'a',
      managed: [],
      ways: [{ scheme: 'API_KEY', creation: none, initiation: none }],
    });
  });

  test('R-composio-client: an error has Composio’s message, code, request id and hint', async () => {
    const { url } = await start();
    const error = {
      message: 'Bad limit',
      code: 611,
      slug: 'X_Y',
      status: 400,
      request_id: 'r1',
      suggested_fix: 'Send less',
    };
    composio.faults.push({ when: () => true, status: 400, body: { error } });
    await expect(connectClient({ url }).listTools()).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'Composio answered 400: Bad limit',
      hint: 'Send less',
      details: { status: 400, composioCode: 611, composioSlug: 'X_Y', requestId: 'r1' },
    });
    await expect(connectClient({ url, apiKey: 'wrong' }).listTools()).rejects.toMatchObject({ code: 'invalid_config' });
  });
});

describe('R-composio-client: temporary failures', () => {
  const run = { tool: 'NEWS_SEND', userId: 'u', input: {} };

  test('R-composio-client: reads are repeated after 5xx and lost answers, at most five times', async () => {
    const { url } = await start();
    composio.faults.push({ when: () => true, times: 2, status: 502 }, { when: () => true, drop: true });
    expect((await connectClient({ url }).listTools()).rows).toHaveLength(2);
    composio.faults.push({ when: () => true, times: 9, status: 500 });
    composio.forgetCalls();
    await expect(connectClient({ url }).listTools()).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(composio.calls['GET /tools']).toBe(5);
  });

  test('R-composio-client: its rate limits are obeyed, also for tools that write', async () => {
    const { url } = await start();
    const waited: number[] = [];
    composio.faults.push({ when: () => true, status: 429, headers: { 'retry-after': '3' } });
    await connectClient({ url, waited }).execute({ ...run, repeatable: false });
    expect(waited).toEqual([3_000]);
    expect(composio.executions).toHaveLength(1);
    const limited = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '7' };
    composio.faults.push({ when: () => true, status: 200, headers: limited, body: { items: [] } });
    const client = connectClient({ url, waited });
    await client.listTools();
    await client.listTools();
    expect(waited).toEqual([3_000, 7_000]);
  });

  test('R-composio-client: after a lost answer, a tool that writes is not called again', async () => {
    const { url } = await start();
    composio.faults.push({ when: () => true, drop: true });
    const once = connectClient({ url }).execute({ ...run, repeatable: false });
    await expect(once).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(composio.executions).toHaveLength(1);
    composio.faults.push({ when: () => true, status: 500 });
    const failing = connectClient({ url }).execute({ ...run, repeatable: false });
    await expect(failing).rejects.toMatchObject({ code: 'outcome_unknown' });
    composio.faults.push({ when: () => true, status: 200, body: { data: {} } });
    const garbled = connectClient({ url }).execute({ ...run, repeatable: false });
    await expect(garbled).rejects.toMatchObject({ code: 'outcome_unknown' });
    composio.faults.push({ when: () => true, drop: true });
    expect(await connectClient({ url }).execute({ ...run, repeatable: true })).toMatchObject({ data: { echoed: {} } });
    expect(composio.executions).toHaveLength(3);
  });
});

test('R-composio-client: an id with more digits than a number holds is text in what a tool answers', async () => {
  scripted = await startScripted();
  scripted.answer = (_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"successful":true,"error":null,"data":{"id":9007199254740993,"name":"9007199254740993"}}');
  };
  const run = { tool: 'NEWS_SEND', userId: 'u', input: {}, repeatable: false };
  expect(await connectClient({ url: scripted.url }).execute(run)).toMatchObject({
    data: { id: '9007199254740993', name: '9007199254740993' },
  });
});

describe('R-composio-client: auth configs', () => {
  const owner = 'helve-w1';

  test('R-composio-client: an auth config is remembered for an hour, then looked up, and created only if there is none', async () => {
    const { url } = await start();
    let now = 0;
    const client = connectClient({ url, now: () => now });
    const made = await client.resolveAuthConfig({ toolkit: 'github', owner });
    expect(made).toEqual({ id: expect.stringMatching(/^ac_/), scheme: 'OAUTH2' });
    expect(composio.authConfigs.get(made!.id)).toMatchObject({ managed: true, toolkit: 'github' });
    expect(composio.calls).toEqual({ 'GET /auth_configs': 1, 'GET /toolkits/{}': 1, 'POST /auth_configs': 1 });
    composio.forgetCalls();
    now += 3_599_999;
    expect(await client.resolveAuthConfig({ toolkit: 'github', scheme: 'OAUTH2', owner: 'helve-w2' })).toEqual(made);
    expect(composio.requests).toEqual([]);
    now += 1;
    expect(await client.resolveAuthConfig({ toolkit: 'github', owner })).toEqual(made);
    expect(composio.calls).toEqual({ 'GET /auth_configs': 1 });
    expect(await connectClient({ url }).resolveAuthConfig({ toolkit: 'github', owner })).toEqual(made);
    expect(composio.authConfigs.size).toBe(1);
  });

  test('R-composio-client: a key that one person connected with is not used for others to sign in', async () => {
    const both = wholeToolkit({
      slug: 'both',
      auth_schemes: ['OAUTH2', 'API_KEY'],
      composio_managed_auth_schemes: ['OAUTH2'],
    });
    const { url } = await start({}, { ...small, toolkits: [both, vault] });
    for (const client of [connectClient({ url }), connectClient({ url })]) {
      const key = await client.resolveAuthConfig({ toolkit: 'both', owner, scheme: 'api_key' });
      expect(key).toMatchObject({ scheme: 'API_KEY' });
      expect(await client.resolveAuthConfig({ toolkit: 'both', owner })).toMatchObject({ scheme: 'OAUTH2' });
      expect(await client.resolveAuthConfig({ toolkit: 'both', owner, scheme: 'API_KEY' })).toEqual(key);
      expect(await client.resolveAuthConfig({ toolkit: 'vault', owner })).toMatchObject({ scheme: 'API_KEY' });
      expect(await client.resolveAuthConfig({ toolkit: 'vault', owner })).toMatchObject({ scheme: 'API_KEY' });
    }
    expect(composio.authConfigs.size).toBe(3);
  });

  test('R-composio-client: parallel requests create one', async () => {
    const { url } = await start();
    const client = connectClient({ url });
    const wanted = Array.from({ length: 20 }, (_, index) => ({
      toolkit: 'github',
      owner: `w${index}`,
      ...(index % 2 ? { scheme: 'OAUTH2' } : {}),
    }));
    const found = await Promise.all(wanted.map((one) => client.resolveAuthConfig(one)));
    expect(new Set(found.map((one) => one?.id)).size).toBe(1);
    expect(composio.calls['POST /auth_configs']).toBe(1);
  });

  test('R-composio-client: none for an app that needs none; a key needs no client; a disabled one is passed over', async () => {
    const { url } = await start();
    const client = connectClient({ url });
    expect(await client.resolveAuthConfig({ toolkit: 'news', owner })).toBeUndefined();
    expect(await client.resolveAuthConfig({ toolkit: 'news', owner })).toBeUndefined();
    expect(composio.calls['GET /auth_configs']).toBe(1);
    const key = await client.resolveAuthConfig({ toolkit: 'vault', owner });
    expect(key).toMatchObject({ scheme: 'API_KEY' });
    expect(composio.authConfigs.get(key!.id)).toMatchObject({ managed: false, credentials: {} });
    composio.authConfigs.get(key!.id)!.status = 'DISABLED';
    client.forgetAuthConfig(key!.id);
    expect((await client.resolveAuthConfig({ toolkit: 'vault', owner }))?.id).not.toBe(key!.id);
  });

  test('R-composio-client: an app without a client says what to set up; with the workspace’s own client it works', async () => {
    const { url } = await start();
    const client = connectClient({ url });
    await expect(client.resolveAuthConfig({ toolkit: 'shop', owner })).rejects.toMatchObject({
      code: 'conflict',
      hint: expect.stringContaining('client_id, client_secret'),
      details: { toolkit: 'shop', scheme: 'OAUTH2', fields: ['client_id', 'client_secret'] },
    });
    const missing = client.resolveAuthConfig({ toolkit: 'shop', owner, credentials: { client_id: 'c' } });
    await expect(missing).rejects.toMatchObject({ code: 'invalid_input', details: { missing: ['client_secret'] } });
    const strange = client.resolveAuthConfig({ toolkit: 'shop', owner, scheme: 'SAML' });
    await expect(strange).rejects.toMatchObject({ code: 'invalid_input', hint: 'Its schemes: OAUTH2.' });
    const credentials = { client_id: 'c', client_secret: 's' };
    const own = await client.resolveAuthConfig({ toolkit: 'shop', owner, credentials });
    expect(composio.authConfigs.get(own!.id)).toMatchObject({ managed: false, credentials });
    // Its own config from now on, and no other workspace's, also after a restart.
    for (const one of [client, connectClient({ url })]) {
      expect(await one.resolveAuthConfig({ toolkit: 'shop', owner })).toEqual(own);
      await expect(one.resolveAuthConfig({ toolkit: 'shop', owner: 'helve-w2' })).rejects.toMatchObject({
        code: 'conflict',
      });
    }
  });
});
