/** Which account a request means that names only its app: never one that works already, never another app's, never a guess. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type Composio,
  startComposio,
  wholeTool,
  wholeToolkit,
} from '../../../../tests/counterparts/composio/index.js';
import { allPermissions } from '../../../domain/principal.js';
import { defineToolkit } from '../../../domain/tool.js';
import { createTestHelve, type TestHelve, testTool } from '../../../testing/index.js';
import { createHttpApp, type HttpApp } from '../index.js';

const weather = { slug: 'weather', name: 'Weather' };
const scheme = (id: string) => ({
  id,
  kind: 'api_key' as const,
  title: id,
  fields: [{ name: 'token', title: 'Token', secret: true }],
});
const toolkit = (slug: string) =>
  defineToolkit({
    slug,
    title: slug,
    description: 'Acts with an account',
    category: 'tests',
    auth: { schemes: [scheme('token'), scheme('second_way')] },
    service: { servers: () => ({ default: { url: 'https://vendor.invalid' } }) },
    load: async () => [testTool({ name: `${slug}_ask` })],
  });

let composio: Composio;
let helve: TestHelve;
let app: HttpApp;
let key: string;

beforeEach(async () => {
  composio = await startComposio({
    toolkits: [wholeToolkit({ ...weather, no_auth: true, auth_schemes: ['NO_AUTH'] })],
    tools: [wholeTool({ slug: 'WEATHER_NOW', no_auth: true }, weather)],
    triggers: [],
  });
  helve = await createTestHelve({
    config: `composio: { api_key: ${composio.apiKey}, base_url: '${composio.url}' }`,
    publicUrl: 'http://localhost',
    toolkits: [toolkit('vendor'), toolkit('other')],
  });
  app = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost' });
  key = (await helve.plane.createApiKey(helve.admin, { permissions: allPermissions })).secret;
});

afterEach(async () => {
  await helve.close();
  await composio.close();
});

async function post(path: string, body: object) {
  const response = await app.request(`/api/tools/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

const credentials = { token: 'a-token' };
const connect = (body: object) => post('connect', { toolkit: 'vendor', credentials, ...body });
/** The connections that the key can see, including its own private ones. */
const accounts = async () =>
  (await helve.plane.connections(await helve.plane.authenticate(key))).map(
    ({ slug, toolkit, status }) => `${toolkit} ${slug} ${status}`,
  );
const add = async (name: string, slug = 'vendor') =>
  (await helve.plane.addConnection(helve.admin, { toolkit: slug, name })).slug;

test('R-rest: connecting an app uses the account that was added for it and waits', async () => {
  await add('Elsewhere', 'other');
  await add('Waiting');
  expect((await connect({})).status).toBe(200);
  expect((await accounts()).sort()).toEqual(['other elsewhere added', 'vendor waiting active']);
});

test('R-rest: connecting an app makes another account where the one it has works already', async () => {
  await add('Working');
  await helve.plane.connect(helve.admin, 'working', { credentials });
  expect((await connect({})).status).toBe(200);
  expect(await accounts()).toHaveLength(2);
});

test.each([
  { name: 'New' },
  { visibility: 'private' },
  { scheme: 'second_way' },
])('R-rest: connecting an app with %j does not use the waiting account', async (said) => {
  await add('Waiting');
  expect((await connect(said)).status).toBe(200);
  expect(await accounts()).toHaveLength(2);
  expect(await accounts()).toContain('vendor waiting added');
});

test('R-rest: connecting without an app, or disconnecting without an account, names what is missing', async () => {
  expect(await post('connect', { credentials })).toMatchObject({ status: 400 });
  expect(await post('disconnect', {})).toMatchObject({ status: 400 });
});

test('R-rest: disconnecting an app ends its one account, whatever ended before and whatever other apps have', async () => {
  await add('Elsewhere', 'other');
  await add('Ended');
  await helve.plane.disconnect(helve.admin, 'ended');
  expect(await post('disconnect', { toolkit: 'vendor' })).toMatchObject({ status: 404 });
  await add('Working');
  await helve.plane.connect(helve.admin, 'working', { credentials });
  expect(await post('disconnect', { toolkit: 'vendor' })).toMatchObject({ status: 200 });
  expect((await accounts()).sort()).toEqual([
    'other elsewhere added',
    'vendor ended revoked',
    'vendor working revoked',
  ]);
});

test('R-rest: disconnecting an app with two accounts names them and ends neither', async () => {
  await add('One');
  await add('Two');
  const { status, body } = await post('disconnect', { toolkit: 'vendor' });
  expect([status, body.hint]).toEqual([400, expect.stringMatching(/one.*two|two.*one/)]);
  expect((await accounts()).sort()).toEqual(['vendor one added', 'vendor two added']);
});

test('R-rest: an app without accounts is used and no longer used; an account that is named besides is the one that ends', async () => {
  const { job } = await helve.plane.synchronise(helve.admin, { kind: 'full' });
  for await (const _ of helve.plane.followSync(helve.admin, job.id, new AbortController().signal));
  const state = { toolkit: 'weather', status: 'active' };
  expect(await post('add-to-workspace', { toolkit: 'weather' })).toMatchObject({ status: 201, body: state });
  await add('Working');
  expect((await post('disconnect', { toolkit: 'weather', connection: 'working' })).status).toBe(200);
  expect(await accounts()).toEqual(['vendor working revoked']);
  expect(await post('disconnect', { toolkit: 'weather' })).toEqual({
    status: 200,
    body: { toolkit: 'weather', status: 'available' },
  });
});

test('R-instances: a connect that fails leaves no row, and the next attempt gets the same slug', async () => {
  const slugs = async () => (await helve.plane.connections(helve.admin)).map(({ slug, status }) => [slug, status]);
  const wrong = await post('connect', { toolkit: 'vendor', name: 'Work', credentials: { nothing: 'x' } });
  expect(wrong.status).toBe(400);
  expect(await slugs()).toEqual([]);
  const right = { toolkit: 'vendor', name: 'Work', credentials: { token: 'a-token-1' }, check: false };
  expect((await post('connect', right)).status).toBe(200);
  expect(await slugs()).toEqual([['work', 'active']]);
  // A connection that existed before stays, however often it is refused.
  const again = await post('connect', { connection: 'work', credentials: { nothing: 'x' } });
  expect(again.status).toBe(400);
  expect(await slugs()).toEqual([['work', 'active']]);
});
