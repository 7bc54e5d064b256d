/** What a program, its document or a moment can do wrong that no request to a whole plane brings about. */
import { expect, test } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import { createClients } from './clients.js';
import { createConsent } from './consent.js';
import { createTokenActs } from './tokens.js';

const issuer = 'https://helve.example';
const now = () => new Date('2026-01-01T00:00:00.000Z');

const askFor = (redirectUri: string, find: () => Promise<unknown>) =>
  createConsent({ storage: {}, now, clients: { find } } as never).beginAuthorization(
    issuer,
    new URLSearchParams({ client_id: 'x', redirect_uri: redirectUri }),
    undefined,
  );

test('attack: an answer address that was registered under earlier rules, and would be refused now, is not answered', async () => {
  for (const uri of ['javascript:alert(1)', 'http://app.example/cb', 'https://app.example/cb?code=mine']) {
    const step = await askFor(uri, async () => ({ id: 'x', name: 'x', redirectUris: [uri], origin: 'registered' }));
    expect(step).toEqual({ kind: 'problem', error: 'invalid_request', message: expect.any(String) });
  }
});

test('R-mcp-server: a bad document is the program’s fault, a store that is down is not', async () => {
  const failing = (code: 'invalid_input' | 'storage_failed') =>
    askFor('https://app.example/cb', () => Promise.reject(new HelveError(code, 'Told')));
  expect(await failing('invalid_input')).toEqual({ kind: 'problem', error: 'invalid_client', message: 'Told' });
  await expect(failing('storage_failed')).rejects.toMatchObject({ code: 'storage_failed' });
});

test('attack: programs cannot register without end, from one address or from many', async () => {
  let unused = 0;
  const kept: unknown[] = [];
  const table = { countUnused: async () => unused, insert: async (one: unknown) => void kept.push(one) };
  const clients = createClients({ system: { clients: table } } as never, {} as never, now);
  const register = (address: string) => clients.register({ redirect_uris: ['https://app.example/cb'] }, address);
  for (let count = 0; count < 30; count++) await register('192.0.2.1');
  await expect(register('192.0.2.1')).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await register('192.0.2.2')).toMatchObject({ status: 201 });
  expect(await clients.register({ redirect_uris: ['javascript:alert(1)'] }, '192.0.2.2')).toMatchObject({
    status: 400,
  });
  unused = 2_000;
  await expect(register('192.0.2.3')).rejects.toMatchObject({ code: 'rate_limited' });
  expect(kept).toHaveLength(31);
});

test('attack: no tokens come of an authorization that ends while they are being issued', async () => {
  const kept: unknown[] = [];
  const tables = {
    extendAuthorization: async () => false,
    spendCredential: async () => true,
    insertCredential: async (one: unknown) => void kept.push(one),
  };
  const authorization = {
    id: 'a',
    workspaceId: 'w',
    clientId: 'x',
    scopes: ['tools:read'],
    user: { kind: 'user', id: 'ada', name: 'Ada' },
  };
  const storage = {
    now: async () => now(),
    system: {
      findCredential: async () => ({ workspaceId: 'w', credential: { kind: 'refresh_token', authorizationId: 'a' } }),
    },
    workspace: () => ({
      authorizations: { find: async () => authorization },
      change: (_: unknown, work: (given: typeof tables) => Promise<void>) => work(tables),
    }),
  };
  const acts = createTokenActs({ storage, now, clients: { find: async () => ({ id: 'x' }) } } as never);
  const token = `helve_refresh_${'a'.repeat(43)}`;
  const form = new URLSearchParams({ grant_type: 'refresh_token', client_id: 'x', refresh_token: token });
  expect((await acts.exchangeToken(form, undefined)).body).toMatchObject({
    error: 'invalid_grant',
    error_description: expect.stringContaining('revoked'),
  });
  expect(kept).toEqual([]);
});
