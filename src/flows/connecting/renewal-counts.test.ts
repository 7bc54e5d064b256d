/** Each request for a fresh access token is counted once, by how it ended. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Scripted, sendJson, startScripted } from '../../../tests/counterparts/scripted.js';
import { defineToolkit } from '../../domain/tool.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';

let server: Scripted;
let helve: TestHelve;
beforeAll(async () => {
  server = await startScripted();
});
afterAll(() => server?.close());
afterEach(() => helve.close());

/** A service that accepts only the second token. */
async function open(token: (response: Parameters<Scripted['answer']>[1]) => void) {
  server.answer = ({ url, headers }, response) => {
    if (url === '/token') return token(response);
    const fresh = headers.authorization === 'Bearer canary-second';
    return sendJson(response, fresh ? 200 : 401, { id: 'ada' });
  };
  const vendor = defineToolkit({
    slug: 'vendor',
    title: 'Vendor',
    description: 'A service for tests',
    category: 'tests',
    auth: { schemes: [{ id: 'oauth', kind: 'oauth2', title: 'Sign in', provider: 'vendor' }] },
    service: { servers: () => ({ default: { url: server.url, named: true } }) },
    load: async () => [testTool({ name: 'ask', execute: async (_, { service }) => service.json({ path: '/ask' }) })],
  });
  const endpoints = { authorization_endpoint: `${server.url}/authorize`, token_endpoint: `${server.url}/token` };
  helve = await createTestHelve({
    toolkits: [vendor],
    config: JSON.stringify({ oauth: { vendor: { client_id: 'us', client_secret: 'our-secret', ...endpoints } } }),
    connections: [
      {
        toolkit: 'vendor',
        name: 'Work',
        scheme: 'oauth',
        credentials: { access_token: 'canary-first', refresh_token: 'canary-refresh' },
      },
    ],
  });
}

async function renewals(): Promise<string[]> {
  const text = await helve.plane.metrics(helve.admin);
  return text.split('\n').filter((line) => line.startsWith('helve_credential_renewals_total{'));
}

test('R-operate: one that works', async () => {
  await open((response) => sendJson(response, 200, { access_token: 'canary-second', token_type: 'Bearer' }));
  expect(await renewals()).toEqual([]);
  expect(await helve.call('work__ask')).toMatchObject({ ok: true });
  expect(await helve.call('work__ask')).toMatchObject({ ok: true });
  expect(await renewals()).toEqual(['helve_credential_renewals_total{outcome="renewed"} 1']);
});

test('R-operate: one that may work later, and none while it is paused', async () => {
  await open((response) => sendJson(response, 503, {}));
  for (let call = 0; call < 3; call++) expect(await helve.call('work__ask')).toMatchObject({ ok: false });
  expect(await renewals()).toEqual(['helve_credential_renewals_total{outcome="failed"} 1']);
});

test('R-operate: one after which somebody must connect the account again', async () => {
  await open((response) => sendJson(response, 400, { error: 'invalid_grant' }));
  expect(await helve.call('work__ask')).toMatchObject({ ok: false });
  expect(await renewals()).toEqual(['helve_credential_renewals_total{outcome="ended"} 1']);
});
