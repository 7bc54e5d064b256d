/** What happens to an account while its access token is being renewed. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Scripted, sendJson, startScripted } from '../../../tests/counterparts/scripted.js';
import { defineToolkit } from '../../domain/tool.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';

let server: Scripted;
let helve: TestHelve;
/** What happens while the token endpoint is asked for the first time. */
let meanwhile: () => Promise<unknown>;
beforeEach(async () => {
  server = await startScripted();
  const tokens = { access_token: 'canary-second', refresh_token: 'canary-next-refresh', token_type: 'Bearer' };
  server.answer = async ({ url, headers, body }, response) => {
    if (url === '/revoke') return sendJson(response, 200, {});
    if (url !== '/token') {
      const known = headers.authorization === 'Bearer canary-second';
      return sendJson(response, known ? 200 : 401, { id: 'ada' });
    }
    // As many services do it, a refresh token is used up by its first use.
    if (seen('/token').length > 1 || !body.includes('canary-refresh'))
      return sendJson(response, 400, { error: 'invalid_grant' });
    await meanwhile();
    return sendJson(response, 200, { ...tokens, expires_in: 3_600 });
  };
  const vendor = defineToolkit({
    slug: 'vendor',
    title: 'Vendor',
    description: 'A service for tests',
    category: 'tests',
    auth: {
      schemes: [{ id: 'oauth', kind: 'oauth2', title: 'Sign in', provider: 'vendor' }],
      identify: (service) => service.json({ path: '/me' }),
    },
    service: { servers: () => ({ default: { url: server.url, named: true } }) },
    load: async () => [testTool({ name: 'ask', execute: async (_, { service }) => service.json({ path: '/ask' }) })],
  });
  const oauth = {
    client_id: 'us',
    client_secret: 'our-secret',
    authorization_endpoint: `${server.url}/authorize`,
    token_endpoint: `${server.url}/token`,
    revocation_endpoint: `${server.url}/revoke`,
  };
  helve = await createTestHelve({
    nativeToolkits: [],
    toolkits: [vendor],
    config: JSON.stringify({ oauth: { vendor: oauth } }),
    connections: [
      {
        toolkit: 'vendor',
        name: 'Work',
        credentials: {
          access_token: 'canary-first',
          refresh_token: 'canary-refresh',
          expires_at: '2020-01-01T00:00:00Z',
        },
      },
    ],
  });
});
afterEach(() => Promise.all([helve.close(), server.close()]));

const seen = (path: string) => server.seen.filter(({ url }) => url === path);

test('R-oauth: a token that is renewed while its account is disconnected is revoked at the service', async () => {
  meanwhile = () => helve.plane.disconnect(helve.admin, 'work');
  expect(await helve.call('work__ask')).toMatchObject({ ok: false });
  const revoked = seen('/revoke').map(({ body }) => new URLSearchParams(body).get('token'));
  expect(revoked).toEqual(['canary-refresh', 'canary-next-refresh']);
});

test('R-oauth: a new sign-in that fails while the token is renewed leaves the account with what was renewed', async () => {
  const { storage } = helve as { storage: { workspace: TestHelve['storage']['workspace'] } };
  const { workspace } = storage;
  let signIn: Promise<unknown> | undefined;
  meanwhile = () =>
    new Promise<void>((resolve) => {
      // The sign-in finds the credentials in use.
      storage.workspace = (id) => {
        const found = workspace(id);
        const lock: typeof found.secrets.lock = async (...given) => {
          const taken = await found.secrets.lock(...given);
          if (!taken) resolve();
          return taken;
        };
        return { ...found, secrets: { ...found.secrets, lock } };
      };
      signIn = helve.plane.connect(helve.admin, 'work', { credentials: { access_token: 'canary-wrong' } });
      signIn.catch(() => resolve());
    });
  await helve.call('work__ask');
  await expect(signIn).rejects.toMatchObject({ code: 'invalid_input' });
  storage.workspace = workspace;
  expect(await helve.call('work__ask')).toMatchObject({ ok: true, output: { id: 'ada' } });
  expect(seen('/token')).toHaveLength(1);
});
