/** How the routes of the authorization server treat the form of a request, and errors behind them. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Plane } from '../../../domain/plane.js';
import { createTestHelve, type TestHelve } from '../../../testing/index.js';
import { createHttpApp, type HttpApp } from '../index.js';

const publicUrl = 'http://localhost';
const inner = 'open /var/lib/helve/keys failed';
const reportError = vi.fn();
let helve: TestHelve;
let app: HttpApp;

beforeAll(async () => {
  helve = await createTestHelve({ publicUrl });
  app = createHttpApp({ plane: helve.plane, publicUrl, reportError });
});
afterAll(() => helve.close());

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const json = { 'content-type': 'application/json' };
const post = (path: string, body: BodyInit, headers: Record<string, string>, at: HttpApp = app) =>
  at.request(path, { method: 'POST', headers, body, ...(typeof body === 'string' ? {} : { duplex: 'half' }) });

test.each([
  '/oauth/token',
  '/oauth/revoke',
])('R-mcp-server: %s accepts a form of at most 16 KiB and nothing else', async (path) => {
  const fields = 'grant_type=none&token=none';
  const said = async (body: string, headers: Record<string, string>) =>
    (await (await post(path, body, headers)).text()).includes('at most 16 KiB');
  expect(await said(fields, json)).toBe(true);
  expect(await said(`${fields}&more=${'x'.repeat(16 * 1024)}`, form)).toBe(true);
  expect(await said(fields, form)).toBe(false);
});

test('R-mcp-server: a registration that is not JSON gets the error of its standard', async () => {
  const answer = await post('/oauth/register', 'no JSON', json);
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { error: 'invalid_client_metadata', error_description: expect.stringContaining('not JSON') },
  ]);
});

test('leak: internal errors reach no program and no page, and are in the log', async () => {
  reportError.mockClear();
  const breaks = () => Promise.reject(new Error(inner));
  const plane: Plane = { ...helve.plane, beginAuthorization: breaks, registerClient: breaks };
  const broken = createHttpApp({ plane, publicUrl, reportError });
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error(inner)) });
  for (const answer of [
    await broken.request('/oauth/authorize'),
    await post('/oauth/register', '{}', json, broken),
    await post('/oauth/register', body, json),
  ]) {
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain(inner);
  }
  expect(reportError).toHaveBeenCalledTimes(3);
});
