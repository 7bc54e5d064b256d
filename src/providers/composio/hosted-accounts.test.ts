/** Accounts at Composio: connecting, checking, removing; none of their tokens reach Helve. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectClient } from '../../../tests/counterparts/composio/connect.js';
import { type Composio, startComposio, wholeToolkit } from '../../../tests/counterparts/composio/index.js';
import type { HostedAccounts } from '../../domain/provider.js';
import { createHostedAccounts } from './hosted-accounts.js';

const data = {
  toolkits: [
    wholeToolkit({ slug: 'github', composio_managed_auth_schemes: ['OAUTH2'] }),
    wholeToolkit({ slug: 'vault', auth_schemes: ['API_KEY'] }),
    wholeToolkit({ slug: 'shop', auth_schemes: ['OAUTH2', 'BASIC'] }),
    wholeToolkit({ slug: 'news', auth_schemes: ['NO_AUTH'], no_auth: true }),
  ],
  tools: [],
  triggers: [],
};
const callbackUrl = 'http://127.0.0.1:9/api/composio/callback?state=s1';
const request = { workspaceId: 'w1', toolkit: 'github', callbackUrl };
let composio: Composio;
let accounts: HostedAccounts;

beforeEach(async () => {
  composio = await startComposio(data);
  accounts = createHostedAccounts(connectClient({ url: composio.url }), (workspaceId) => `helve-${workspaceId}`);
});
afterEach(() => composio.close());

const idOf = (reference: { readonly [key: string]: unknown }): string => String(reference.connectedAccountId);

describe('R-composio-client: connecting', () => {
  test('R-composio-client: a person signs in at Composio and comes back to where they began', async () => {
    const { reference, redirectUrl } = await accounts.connect(request);
    expect(reference).toEqual({
      connectedAccountId: expect.stringMatching(/^ca_/),
      authConfigId: expect.stringMatching(/^ac_/),
      userId: 'helve-w1',
    });
    expect(composio.accounts.get(idOf(reference))).toMatchObject({
      userId: 'helve-w1',
      callbackUrl,
      status: 'INITIATED',
    });
    expect(await accounts.look({ settings: reference })).toMatchObject({ status: 'pending' });
    const visit = await fetch(redirectUrl!, { redirect: 'manual' });
    expect(visit.headers.get('location')).toBe(`${callbackUrl}&status=success&connected_account_id=${idOf(reference)}`);
    const known = await accounts.look({ settings: reference });
    expect(known).toEqual({ status: 'active' });
    expect(JSON.stringify([reference, known])).not.toMatch(/secret/);
  });

  test('R-composio-client: consent that was refused is an error with its reason', async () => {
    composio.setOptions({ consent: 'deny' });
    const { reference, redirectUrl } = await accounts.connect(request);
    const visit = await fetch(redirectUrl!, { redirect: 'manual' });
    expect(visit.headers.get('location')).toContain('status=failed');
    expect(await accounts.look({ settings: reference })).toEqual({ status: 'error', reason: 'access_denied' });
  });

  test('R-composio-client: without a link page, a sign-in begins with the account itself', async () => {
    composio.setOptions({ link: false });
    const { reference, redirectUrl } = await accounts.connect(request);
    expect(redirectUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/link\//);
    await fetch(redirectUrl!, { redirect: 'manual' });
    expect(await accounts.look({ settings: reference })).toEqual({ status: 'active' });
    const key = accounts.connect({ ...request, toolkit: 'vault' });
    await expect(key).rejects.toMatchObject({ code: 'invalid_input', hint: 'Send generic_api_key.' });
  });

  test('R-composio-client: a given key creates the account immediately; without one Composio’s page asks for it', async () => {
    const credentials = { generic_api_key: 'k-123' };
    const { reference, redirectUrl } = await accounts.connect({ ...request, toolkit: 'vault', credentials });
    expect(redirectUrl).toBeUndefined();
    expect(composio.accounts.get(idOf(reference))).toMatchObject({ status: 'ACTIVE', values: credentials });
    expect(JSON.stringify([reference, await accounts.look({ settings: reference })])).not.toContain('k-123');
    expect((await accounts.connect({ ...request, toolkit: 'vault' })).redirectUrl).toContain('/link/');
  });

  test('R-composio-client: fields that the app does not take are refused by name, never by value', async () => {
    const refused = async (more: object) => {
      const thrown = await accounts.connect({ ...request, toolkit: 'vault', ...more }).catch((error: unknown) => error);
      expect(JSON.stringify(thrown)).not.toContain('topsecret');
      return thrown;
    };
    expect(await refused({ credentials: { password: 'topsecret' } })).toMatchObject({ code: 'invalid_input' });
    const both = { generic_api_key: 'topsecret', extra: 'topsecret' };
    expect(await refused({ credentials: both })).toMatchObject({
      code: 'invalid_input',
      details: { fields: ['extra'] },
    });
    expect(await refused({ scheme: 'SAML', credentials: both })).toMatchObject({
      code: 'invalid_input',
      hint: 'Its schemes: API_KEY.',
    });
    expect(await refused({ scheme: 'BASIC' })).toMatchObject({ code: 'invalid_input' });
    expect(composio.accounts.size).toBe(0);
    composio.faults.push({
      when: ({ path }) => path === '/connected_accounts',
      status: 400,
      body: {
        error: { message: 'The key topsecret is wrong', code: 612, slug: 'topsecret', suggested_fix: 'topsecret' },
      },
    });
    const wrong = await refused({ credentials: { generic_api_key: 'topsecret' } });
    expect(wrong).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('[credential removed]') });
    const half = { toolkit: 'shop', scheme: 'BASIC', credentials: { username: 'u' } };
    expect(await refused(half)).toMatchObject({ code: 'invalid_input', details: { missing: ['password'] } });
  });

  test('R-composio-client: the given fields decide the scheme, and an own client is used for the sign-in', async () => {
    const basic = await accounts.connect({
      ...request,
      toolkit: 'shop',
      credentials: { username: 'u', password: 'p' },
    });
    expect(composio.accounts.get(idOf(basic.reference))).toMatchObject({ scheme: 'BASIC', status: 'ACTIVE' });
    const credentials = { client_id: 'c', client_secret: 's' };
    const own = await accounts.connect({ ...request, toolkit: 'shop', credentials });
    expect(own.redirectUrl).toContain('/link/');
    expect(composio.authConfigs.get(String(own.reference.authConfigId))).toMatchObject({
      scheme: 'OAUTH2',
      credentials,
    });
  });

  test('R-composio-client: an app without accounts and one that does not exist', async () => {
    await expect(accounts.connect({ ...request, toolkit: 'news' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(accounts.connect({ ...request, toolkit: 'none' })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('R-composio-client: an auth config that no longer exists at Composio is forgotten, and another one found', async () => {
    const first = await accounts.connect(request);
    composio.authConfigs.clear();
    const second = await accounts.connect(request);
    expect(second.reference.authConfigId).not.toBe(first.reference.authConfigId);
    composio.authConfigs.get(String(second.reference.authConfigId))!.status = 'DISABLED';
    expect((await accounts.connect(request)).reference.authConfigId).not.toBe(second.reference.authConfigId);
    composio.faults.push({
      when: ({ path }) => path.endsWith('/link'),
      times: 9,
      status: 404,
      body: { error: { message: 'Auth config not found', code: 306, status: 404 } },
    });
    await expect(accounts.connect(request)).rejects.toMatchObject({ code: 'not_found' });
    expect(composio.calls['POST /connected_accounts/link']).toBe(7);
  });
});

describe('R-composio-client: reading and deleting accounts', () => {
  test.each([
    ['INITIALIZING', null, 'pending'],
    ['ACTIVE', null, 'active'],
    ['EXPIRED', 'the refresh token was refused', 'expired'],
    ['FAILED', null, 'error'],
    ['INACTIVE', null, 'error'],
    ['REVOKED', null, 'revoked'],
    ['SOMETHING_NEW', null, 'error'],
  ])('R-composio-client: %s (%s) is %s', async (status, statusReason, ours) => {
    const { reference } = await accounts.connect(request);
    Object.assign(composio.accounts.get(idOf(reference))!, { status, statusReason });
    const known = await accounts.look({ settings: reference });
    expect(known.status).toBe(ours);
    if (ours !== 'active') expect(known.reason).toBe(statusReason ?? known.reason);
    expect(known.reason === undefined).toBe(ours === 'active');
    expect(JSON.stringify(known)).not.toMatch(/secret/);
  });

  test('R-composio-client: a deleted account is also deleted there; deleting twice succeeds, and then it is revoked', async () => {
    const { reference } = await accounts.connect(request);
    await accounts.disconnect({ settings: reference });
    expect(composio.accounts.size).toBe(0);
    await accounts.disconnect({ settings: reference });
    expect(await accounts.look({ settings: reference })).toMatchObject({ status: 'revoked' });
    await accounts.disconnect({ settings: {} });
    expect(await accounts.look({ settings: { connectedAccountId: 7 } })).toMatchObject({ status: 'revoked' });
    composio.faults.push({ when: () => true, times: 9, status: 500 });
    await expect(accounts.look({ settings: reference })).rejects.toMatchObject({ code: 'upstream_failed' });
  });
});
