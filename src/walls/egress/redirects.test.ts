import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEgress, type EgressRequest } from './index.js';
import { resolvePolicy } from './policy.js';
import { type Hop, isRedirect, nextHop } from './redirects.js';

const servers: Server[] = [];
const seen: { host: string; method: string; headers: IncomingHttpHeaders; body: string }[] = [];
let here = '';
let there = '';

/** `/302?to=…` redirects; anything else answers `end`. */
async function serve(host: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    seen.push({ host, method: request.method ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() });
    const to = url.searchParams.get('to');
    if (to === null) response.end('end');
    else response.writeHead(Number(url.pathname.slice(1)), { location: to }).end('x'.repeat(1000));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

const egress = createEgress({ allowedAddresses: ['127.0.0.0/8'] });
const from = (status: number, to: string) => `${here}/${status}?to=${encodeURIComponent(to)}`;
const codeOf = (request: string | EgressRequest) =>
  egress.fetch(request).then(
    () => 'passed',
    (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
  );

beforeAll(async () => {
  here = await serve('127.0.0.1');
  there = await serve('127.0.0.2');
});
beforeEach(() => {
  seen.length = 0;
});
afterAll(async () => {
  await egress.close();
  for (const server of servers) server.close();
});

const secrets = {
  Authorization: 's',
  Cookie: 's',
  'Proxy-Authorization': 's',
  'X-Api-Key': 's',
  'X-Auth-Token': 's',
  'X-Session-Id': 's',
  'X-Amz-Signature': 's',
  'My-Secret': 's',
  apikey: 's',
  'Private-Token': 's',
  'X-Figma': 's',
};

describe('redirects', () => {
  it('R-http: drops secrets when the origin changes, for good, and keeps the rest', async () => {
    const back = `${there}/302?to=${encodeURIComponent(`${here}/end`)}`;
    await egress.fetch({ url: from(302, back), headers: { ...secrets, 'X-Trace': 't' }, secretHeaders: ['x-figma'] });
    expect(seen.map(({ host }) => host)).toEqual(['127.0.0.1', '127.0.0.2', '127.0.0.1']);
    expect(Object.values(seen[0]!.headers).filter((value) => value === 's')).toHaveLength(Object.keys(secrets).length);
    for (const { headers } of seen.slice(1)) {
      expect(headers['x-trace']).toBe('t');
      expect(Object.values(headers)).not.toContain('s');
    }
  });

  it('R-http: keeps secrets within one origin', async () => {
    const response = await egress.fetch({ url: from(307, '/end'), headers: { authorization: 's' } });
    expect(seen[1]?.headers.authorization).toBe('s');
    expect(response).toMatchObject({ url: `${here}/end`, redirects: [`${here}/end`] });
  });

  it('R-http: drops secrets when https becomes http on one host', () => {
    const policy = resolvePolicy({ allowedAddresses: ['127.0.0.1'] });
    const headers = new Map([
      ['authorization', 's'],
      ['accept', '*/*'],
    ]);
    const hop: Hop = {
      url: new URL('https://127.0.0.1/'),
      method: 'GET',
      headers,
      body: undefined,
      secretHeaders: new Set(),
    };
    expect([...nextHop(policy, hop, 302, 'http://127.0.0.1/').headers.keys()]).toEqual(['accept']);
    expect([...nextHop(policy, hop, 302, '/x').headers.keys()]).toEqual(['authorization', 'accept']);
  });

  it('drops headers of the body with the body, and keeps all others', () => {
    const policy = resolvePolicy({ allowedAddresses: ['127.0.0.0/8'] });
    const headers = new Map([
      ['content-type', 'text/plain'],
      ['accept', 'a'],
    ]);
    const hop: Hop = { url: new URL(here), method: 'POST', headers, body: 'x', secretHeaders: new Set() };
    expect([...nextHop(policy, hop, 303, '/x').headers.keys()]).toEqual(['accept']);
    expect([...nextHop(policy, hop, 307, '/x').headers.keys()]).toEqual(['content-type', 'accept']);
  });

  it.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [301, 'PUT', 'PUT'],
    [302, 'DELETE', 'DELETE'],
    [307, 'POST', 'POST'],
    [308, 'PATCH', 'PATCH'],
    [303, 'HEAD', 'HEAD'],
  ])('R-http: %i turns %s into %s', async (status, method, next) => {
    const body = method === 'HEAD' ? {} : { body: 'b', headers: { 'content-type': 'text/x' } };
    await egress.fetch({ url: from(status, '/end'), method, ...body });
    expect(seen[1]).toMatchObject({ method: next, body: next === 'GET' || method === 'HEAD' ? '' : 'b' });
    if (next === 'GET') expect(Object.keys(seen[1]!.headers).filter((name) => name.startsWith('content-'))).toEqual([]);
  });

  it('R-http: stops cycles and long chains', async () => {
    const cycle = `${here}/302?to=/302`;
    expect(await codeOf(from(302, cycle.replace('to=/302', `to=${encodeURIComponent(from(302, '/end'))}`)))).toBe(
      'passed',
    );
    let chain = `${here}/end`;
    for (let hop = 0; hop < 5; hop += 1) chain = from(302, `${chain}#${hop}`);
    expect(await codeOf(chain)).toBe('passed');
    expect(await codeOf(from(302, chain))).toMatch(/^upstream_failed: .*more than 5 redirects/);
    expect(await codeOf(from(302, ''))).toMatch(/^upstream_failed: .*cycle/);
  });

  it('R-http: a redirect to a refused address names the redirecting host and the reason', async () => {
    expect(await codeOf(from(302, 'http://169.254.169.254/latest/'))).toMatch(
      /^egress_blocked: 127.0.0.1 redirects: 169.254.169.254 is not a public address: link-local/,
    );
    expect(await codeOf(from(302, 'http://[::1'))).toMatch(/^upstream_failed/);
    expect(await codeOf(from(302, 'http://u:p@127.0.0.2/'))).toMatch(/^egress_blocked/);
  });

  it('does not follow when told not to', async () => {
    const response = await egress.fetch({ url: from(302, 'http://10.0.0.1/'), redirect: 'manual' });
    expect([response.status, response.headers.location]).toEqual([302, 'http://10.0.0.1/']);
    expect(await codeOf({ url: from(302, '/end'), redirect: 'error' })).toMatch(/^upstream_failed/);
    expect(seen).toHaveLength(2);
  });

  it('follows only redirects with a location', async () => {
    expect(await egress.fetch(from(201, '/end'))).toMatchObject({ status: 201, redirects: [] });
    expect(isRedirect(302, undefined)).toBe(false);
    expect(seen).toHaveLength(1);
  });
});
