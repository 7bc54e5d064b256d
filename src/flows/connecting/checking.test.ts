/** Checking an account now, at a scripted service. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Scripted, sendJson, startScripted } from '../../../tests/counterparts/scripted.js';
import type { ToolkitAuth } from '../../domain/connection.js';
import { defineToolkit } from '../../domain/tool.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';

let server: Scripted;
let helve: TestHelve;
beforeAll(async () => {
  server = await startScripted();
});
afterAll(() => server?.close());
afterEach(() => helve.close());
beforeEach(() => {
  server.answer = (_, response) => sendJson(response, 200, { id: 'ada' });
});

const schemes: ToolkitAuth['schemes'] = [
  {
    id: 'token',
    kind: 'api_key',
    title: 'Token',
    fields: [{ name: 'token', title: 'Token', secret: true }],
    placement: [{ in: 'header', name: 'x-token', value: '{token}' }],
  },
  { id: 'oauth', kind: 'oauth2', title: 'Sign in', provider: 'vendor' },
];
const identify: ToolkitAuth['identify'] = (service) => service.json({ path: '/me' });
const token = { token: 'canary-token-1' };
const oauth = { access_token: 'canary-access', refresh_token: 'canary-refresh' };

async function open(credentials: Readonly<Record<string, string>>, asks = true): Promise<void> {
  const vendor = defineToolkit({
    slug: 'vendor',
    title: 'Vendor',
    description: 'A service for tests',
    category: 'tests',
    auth: asks ? { schemes, identify } : { schemes },
    service: { servers: () => ({ default: { url: server.url, named: true } }) },
    load: async () => [testTool({ name: 'ask', execute: async (_, { service }) => service.json({ path: '/ask' }) })],
  });
  const endpoints = { authorization_endpoint: `${server.url}/authorize`, token_endpoint: `${server.url}/token` };
  const scheme = 'token' in credentials ? 'token' : 'oauth';
  helve = await createTestHelve({
    toolkits: [vendor],
    config: JSON.stringify({ oauth: { vendor: { client_id: 'us', client_secret: 'our-secret', ...endpoints } } }),
  });
  await helve.plane.addConnection(helve.admin, { toolkit: 'vendor', name: 'Work', scheme });
  await helve.plane.connect(helve.admin, 'work', { credentials });
  server.seen.length = 0;
}

const check = () => helve.plane.checkConnection(helve.admin, 'work');
const stored = () => helve.plane.connection(helve.admin, 'work');
const paths = () => server.seen.map(({ method, url }) => `${method} ${url}`);

/** Runs the act, and returns its answer with the rows that it wrote. */
async function recorded<T>(act: () => Promise<T>) {
  const read = async () => (await helve.plane.audit(helve.admin, { limit: 500 })).length;
  const before = await read();
  const answer = await act();
  const rows = await helve.plane.audit(helve.admin, { limit: 500 });
  const fresh = [...rows].sort((one, other) => one.seq - other.seq).slice(before);
  return { answer, rows: fresh };
}

test('R-oauth: an account that works says so: one request with its own credentials, one row, and nothing else', async () => {
  await open(token);
  const before = await stored();
  const revision = await helve.storage.workspace(helve.admin.workspaceId).revision();
  const { answer, rows } = await recorded(check);
  expect(answer).toEqual({ connection: before, outcome: 'works', checkedAt: expect.stringMatching(/^20/) });
  expect(server.seen.map(({ url, headers }) => [url, headers['x-token']])).toEqual([['/me', token.token]]);
  expect(rows.map(({ type, actor, body }) => [type, actor.id, body.outcome])).toEqual([
    ['connection.checked', helve.admin.id, 'works'],
  ]);
  expect(await helve.storage.workspace(helve.admin.workspaceId).revision()).toBe(revision);
  expect(await stored()).toEqual(before);
});

test('R-oauth: one that the service refuses is no longer used, and is used again once it is taken back', async () => {
  await open(token);
  server.answer = (_, response) => sendJson(response, 401, { message: `Ended: ${token.token}` });
  const { answer, rows } = await recorded(check);
  expect(answer).toMatchObject({
    outcome: 'refused',
    hint: 'Connect the account again.',
    connection: { status: 'error' },
  });
  expect(answer.reason).toContain('Ended');
  expect(rows.map(({ type, actor }) => [type, actor.id])).toEqual([['connection.failed', helve.admin.id]]);
  // What the service repeats of the credentials is shown nowhere.
  expect(JSON.stringify([answer, rows])).not.toContain(token.token);
  expect(await stored()).toMatchObject({ status: 'error', reason: answer.reason });
  // Asked again, it is still refused: one row, and no second failure.
  expect((await recorded(check)).rows.map(({ type }) => type)).toEqual(['connection.checked']);
  server.answer = (_, response) => sendJson(response, 200, { id: 'ada' });
  expect(await check()).toMatchObject({ outcome: 'works', connection: { status: 'active' } });
  expect(await stored()).not.toHaveProperty('reason');
});

test('R-oauth: a token that cannot be renewed is found, and so is another account behind the same sign-in', async () => {
  await open(oauth);
  const refuse: Scripted['answer'] = ({ url }, response) =>
    url === '/token' ? sendJson(response, 400, { error: 'invalid_grant' }) : sendJson(response, 401, {});
  server.answer = refuse;
  const { answer, rows } = await recorded(check);
  expect(answer).toMatchObject({ outcome: 'refused', connection: { status: 'expired' } });
  expect(rows.map(({ type }) => type)).toEqual(['connection.failed']);
  expect(paths()).toEqual(['GET /me', 'POST /token']);
  server.answer = (_, response) => sendJson(response, 200, { id: 'eve' });
  expect(await check()).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('this is eve') });
  expect(await stored()).toMatchObject({ status: 'error', account: { id: 'ada' } });
});

test('R-oauth: a service that cannot be asked, or has no question, says nothing about the account', async () => {
  await open(token);
  server.answer = (_, response) => sendJson(response, 429, {}, { 'retry-after': '120' });
  const before = await stored();
  expect(await check()).toMatchObject({ outcome: 'unreachable', hint: 'Try again in 120 seconds.' });
  expect(await stored()).toEqual(before);
  await helve.close();
  await open(token, false);
  expect(await check()).toMatchObject({ outcome: 'unknown', reason: 'Vendor offers no way to check an account' });
  expect(paths()).toEqual([]);
});

test('R-visibility: what happens to the account meanwhile wins over the answer', async () => {
  await open(token);
  server.answer = async (_, response) => {
    await helve.plane.disconnect(helve.admin, 'work');
    sendJson(response, 200, { id: 'ada' });
  };
  await expect(check()).rejects.toMatchObject({ code: 'conflict' });
  expect(await stored()).toMatchObject({ status: 'revoked' });
  await expect(check()).rejects.toThrow(/Work was disconnected/);
  server.answer = (_, response) => sendJson(response, 200, { id: 'ada' });
  await helve.plane.connect(helve.admin, 'work', { credentials: token });
  let isFirst = true;
  server.answer = async (_, response) => {
    const refused = isFirst;
    isFirst = false;
    if (refused) {
      helve.advance(1_000);
      await helve.plane.connect(helve.admin, 'work', { credentials: { token: 'canary-token-2' } });
    }
    sendJson(response, refused ? 401 : 200, { id: 'ada' });
  };
  await expect(check()).rejects.toThrow();
  expect(await stored()).toMatchObject({ status: 'active' });
});
