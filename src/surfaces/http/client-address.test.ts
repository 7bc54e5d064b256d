/** Which address a request counts towards, and who can lock out whom. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readEnvironment } from '../../config/index.js';
import { createTestHelve, type TestHelve, type TestHelveOptions } from '../../testing/index.js';
import { createAddressReader } from './client-address.js';
import { createHttpApp, type Listening, listen } from './index.js';

describe('the address behind proxies', () => {
  const trusted = ['10.0.0.0/8', '127.0.0.1', 'fd00::/8'];
  const read = createAddressReader(trusted);

  test.each([
    [
      'no proxy is named: nothing is believed',
      createAddressReader([]),
      '10.0.0.1',
      { 'x-forwarded-for': '1.1.1.1' },
      '10.0.0.1',
    ],
    ['the sender is not a proxy', read, '8.8.8.8', { 'x-forwarded-for': '1.1.1.1' }, '8.8.8.8'],
    ['one proxy', read, '10.0.0.1', { 'x-forwarded-for': '1.1.1.1' }, '1.1.1.1'],
    [
      'what the client wrote itself stands further left',
      read,
      '10.0.0.1',
      { 'x-forwarded-for': '9.9.9.9, 1.1.1.1' },
      '1.1.1.1',
    ],
    ['two proxies', read, '10.0.0.1', { 'x-forwarded-for': '9.9.9.9, 1.1.1.1, 10.2.2.2' }, '1.1.1.1'],
    ['proxies only', read, '10.0.0.1', { 'x-forwarded-for': '10.3.3.3, 10.2.2.2' }, '10.3.3.3'],
    ['no header', read, '10.0.0.1', {}, '10.0.0.1'],
    ['no socket: nothing is believed', read, 'in-process', { 'x-forwarded-for': '1.1.1.1' }, 'in-process'],
    ['no address at the right, but a zone', read, 'fd00::1', { 'x-forwarded-for': '1.1.1.1, fd00::2%a' }, 'fd00::1'],
    ['no address at the right', read, '10.0.0.1', { 'x-forwarded-for': '1.1.1.1, unknown' }, '10.0.0.1'],
    ['an address with a port', read, '10.0.0.1', { 'x-forwarded-for': '1.1.1.1:4711' }, '1.1.1.1'],
    ['IPv6 in brackets', read, 'fd00::1', { 'x-forwarded-for': '[2001:db8::1]:80' }, '2001:db8::1'],
    ['an IPv4 address in IPv6', read, '::ffff:10.0.0.1', { 'x-forwarded-for': '::ffff:1.1.1.1' }, '1.1.1.1'],
    [
      'Forwarded',
      read,
      '10.0.0.1',
      { forwarded: 'for=9.9.9.9, for="[2001:db8::1]:80";proto=https, for=10.2.2.2' },
      '2001:db8::1',
    ],
    ['Forwarded that hides', read, '10.0.0.1', { forwarded: 'for=9.9.9.9, for=_hidden' }, '10.0.0.1'],
    ['both, and they agree', read, '10.0.0.1', { forwarded: 'for=1.1.1.1', 'x-forwarded-for': '1.1.1.1' }, '1.1.1.1'],
    [
      'both, and one is the client’s own',
      read,
      '10.0.0.1',
      { forwarded: 'for=9.9.9.9', 'x-forwarded-for': '1.1.1.1' },
      '10.0.0.1',
    ],
  ] as const)('R-limits: %s', (_, reader, peer, headers, expected) => {
    expect(reader(peer, new Headers(headers))).toBe(expected);
  });

  test.each([
    '10.0.0.0/33',
    'example.com',
    '10.0.0',
    '::/129',
    '10.0.0.1/x',
    '10.0.0.1/8/9',
    '',
  ])('R-limits: %j is not a network', (entry) => {
    expect(() => createAddressReader([entry])).toThrow(/proxy/);
  });
});

test('R-limits: the operator names the proxies in the environment', () => {
  expect(readEnvironment({}).trustedProxies).toEqual([]);
  expect(readEnvironment({ HELVE_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,' }).trustedProxies).toEqual([
    '127.0.0.1',
    '10.0.0.0/8',
  ]);
});

describe('who locks out whom', () => {
  let helve: TestHelve;
  let server: Listening;
  let token: string;

  async function open(limits: TestHelveOptions['limits'] = { perIp: 5 }, trustedProxies = ['127.0.0.1']) {
    helve = await createTestHelve({ limits: { perIp: null, perPrincipal: null, perTool: null, ...limits } });
    token = (await helve.plane.issueAgentToken(helve.admin, 'tester', {})).secret;
    const app = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost', trustedProxies });
    server = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0 });
  }
  beforeEach(() => open());
  afterEach(async () => {
    await server.close();
    await helve.close();
  });

  const ask = async (path: string, headers: Record<string, string>) =>
    (await fetch(server.url + path, { headers })).status;
  const bearer = (secret: string, from = '1.1.1.1') => ({ authorization: `Bearer ${secret}`, 'x-forwarded-for': from });
  const bad = (n: number) => `helve_agent_${String(n).padStart(4, '0')}${'x'.repeat(39)}`;
  const list = '/api/tools/workspace';

  test('R-limits: behind a proxy the bad tokens of one client do not lock out another', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 10; n++) statuses.push(await ask(list, bearer(bad(n), '6.6.6.6')));
    expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(statuses.slice(5)).toEqual([429, 429, 429, 429, 429]);
    expect(await ask('/health', { 'x-forwarded-for': '1.1.1.1' })).toBe(200);
    expect(await ask(list, bearer(bad(1)))).toBe(401);
  });

  test('R-limits: without naming the proxy, its clients share one address', async () => {
    await server.close();
    await open({ perIp: 5 }, []);
    for (let n = 0; n < 5; n++) await ask(list, bearer(bad(n), '6.6.6.6'));
    expect(await ask(list, bearer(bad(9), '1.1.1.1'))).toBe(429);
  });

  test('R-limits: a valid token or session passes, whatever else its address sends', async () => {
    const { session } = await helve.plane.redeemAdminLink(await helve.adminLink(helve.workspaceId));
    for (let n = 0; n < 20; n++) await ask(list, bearer(bad(n)));
    for (let n = 0; n < 20; n++) await ask('/health', { 'x-forwarded-for': '1.1.1.1' });
    expect(await ask('/health', { 'x-forwarded-for': '1.1.1.1' })).toBe(429);
    expect(await ask(list, bearer(token))).toBe(200);
    expect(await ask(list, { cookie: `helve_session=${session}`, 'x-forwarded-for': '1.1.1.1' })).toBe(200);
  });

  test('R-limits: repeated attempts with one stale token leave room for others at its address', async () => {
    await server.close();
    await open({ perIp: 30 });
    const stale: number[] = [];
    for (let n = 0; n < 40; n++) stale.push(await ask(list, bearer(bad(1))));
    expect(stale.filter((status) => status === 401)).toHaveLength(10);
    expect(stale.at(-1)).toBe(429);
    expect(await ask(list, bearer(bad(2)))).toBe(401);
  });

  test('R-limits: a good credential has a limit of its own', async () => {
    await server.close();
    await open({ perCredential: 3 });
    const other = (await helve.plane.issueAgentToken(helve.admin, 'tester', {})).secret;
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push(await ask(list, bearer(token, `1.1.1.${n}`)));
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(await ask(list, bearer(other))).toBe(200);
  });

  test('R-limits: requests for the pages’ files are not counted', async () => {
    for (let n = 0; n < 20; n++) expect(await ask('/assets/helve.css', { 'x-forwarded-for': '1.1.1.1' })).toBe(200);
    expect(await ask('/health', { 'x-forwarded-for': '1.1.1.1' })).toBe(200);
  });
});
