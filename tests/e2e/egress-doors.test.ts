/**
 * The attack rows through `fetch_url`, by every door. 127.0.0.2 at one port stands for the public internet and is the only
 * address the operator opened; 127.0.0.1 and ::1 at that port and 127.0.0.2 at another are internal: any hit is a leak.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../src/testing/index.js';
import type { EgressLookup } from '../../src/walls/egress/index.js';
import { readAttacks } from '../data/attacks.js';
import { endAll, openRealDoor } from '../mcp/real-door.js';
import { overHttp, textOf } from './support/mcp.js';
import { ask } from './support/requests.js';

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly url: string;
  readonly expect: 'block' | 'allow' | 'no-internal';
}

const rows = readAttacks<Row>('ssrf');

const servers: Server[] = [];
let port = 0;
let leaks: string[] = [];
let publicHits = 0;
let lookups = 0;

function open(host: string, at: number, listener: RequestListener): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer(listener);
    servers.push(server);
    server.once('error', reject).listen(at, host, () => resolve((server.address() as AddressInfo).port));
  });
}

const withPort = (url: string) => url.replace(/^(https?:\/\/[^/:@]+|https?:\/\/\[[^\]@]*\])(?=[/?#]|$)/i, `$1:${port}`);

/** Names that begin with `pub.` are public; `rba-…` is public in every other answer; all others are internal. */
const lookup: EgressLookup = (name, _options, callback) => {
  lookups += 1;
  const embedded = /(\d+)-(\d+)-(\d+)-(\d+)/.exec(name)?.slice(1).join('.');
  const isPublic = /^(pub|api|other)\./.test(name) || (name.startsWith('rba-') && lookups % 2 === 1);
  const address = embedded ?? (isPublic ? '127.0.0.2' : '127.0.0.1');
  setImmediate(callback, null, [{ address, family: 4 }]);
};

let helve: TestHelve;
let url: string;
let token: string;
let client: Client;

beforeAll(async () => {
  port = await open('127.0.0.2', 0, (request, response) => {
    publicHits += 1;
    const query = new URL(request.url ?? '/', 'http://x').searchParams;
    const target = query.get('u');
    if (target === null) response.end('public');
    else
      response.writeHead(Number(query.get('c')), { location: Buffer.from(withPort(target)).toString('latin1') }).end();
  });
  const canary: RequestListener = (request, response) => {
    leaks.push(`${request.headers.host}${request.url}`);
    response.end('inside');
  };
  await open('127.0.0.1', port, canary);
  await open('127.0.0.2', 0, canary);
  await open('::1', port, canary).catch(() => undefined);

  ({ helve, url } = await openRealDoor({ egress: { lookup, allowedAddresses: [`127.0.0.2:${port}`] } }));
  token = (await helve.plane.issueAgentToken(helve.admin, 'tester', {})).secret;
  client = await overHttp(`${url}/mcp/tester`, token);
});
beforeEach(() => {
  leaks = [];
});
afterAll(async () => {
  await client.close();
  await endAll();
  for (const server of servers) server.close().closeAllConnections();
});

/** The outcome: the fetched body, or the code of the refusal. */
type Fetch = (input: Record<string, unknown>, tool?: string) => Promise<string>;

interface Answer {
  readonly ok: boolean;
  readonly output?: { readonly body: string };
  readonly error?: { readonly code: string };
}

const outcome = (answer: Answer) => answer.output?.body ?? answer.error?.code ?? 'nothing';
const doors: Record<string, Fetch> = {
  execute: async (input, tool = 'fetch_url') => outcome((await helve.call(tool, input)) as Answer),
  REST: async (input, tool = 'fetch_url') =>
    outcome((await ask(url, 'POST /api/tools/execute', token, { tool, input })).body),
  async MCP(input, tool = 'fetch_url') {
    const result = await client.callTool({ name: tool, arguments: input });
    if (result.isError)
      return (
        /\b(egress_blocked|invalid_input|upstream_failed|not_granted)\b/.exec(textOf(result))?.[0] ?? textOf(result)
      );
    return (result.structuredContent as { body: string }).body;
  },
};

const refused = /^(egress_blocked|invalid_input)$/;
// Without the port nothing listens there, so a gap in the checks would show as a failed connection.
const bare = /^(egress_blocked|invalid_input|upstream_failed)$/;

describe.each(Object.keys(doors))('by %s', (name) => {
  const fetchUrl = doors[name] as Fetch;

  test('R-http: the rig would see a leak, and the public address answers', async () => {
    const opened = await createTestHelve({ egress: { lookup, allowedAddresses: ['127.0.0.1'] } });
    await opened.call('fetch_url', { url: `http://127.0.0.1:${port}/` });
    await opened.close();
    expect(leaks).toHaveLength(1);
    expect(await fetchUrl({ url: withPort('http://pub.attacker-lab.net/') })).toBe('public');
  });

  describe('attack rows', () => {
    test.each(
      rows.filter((row) => row.expect !== 'allow' && row.kind !== 'rebind-alternate'),
    )('R-http: $id $kind reaches nothing internal', async ({ url }) => {
      expect(await fetchUrl({ url })).toMatch(bare);
      expect(await fetchUrl({ url: withPort(url) })).toMatch(refused);
      expect(leaks).toEqual([]);
    });

    test.each(
      rows.filter((row) => row.kind === 'rebind-alternate'),
    )('R-http: $id never follows a rebound name', async ({ url }) => {
      for (let turn = 0; turn < 6; turn += 1)
        expect(['public', 'egress_blocked']).toContain(await fetchUrl({ url: withPort(url) }));
      expect(leaks).toEqual([]);
    });

    test.each(rows.filter((row) => row.expect === 'allow'))('R-http: $id $kind passes', async ({ url }) => {
      expect(await fetchUrl({ url: withPort(url) })).toBe('public');
    });
  });

  test.each([
    'GET',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'HEAD',
    'OPTIONS',
  ])('R-http: no method reaches inside, nor a header that names another host: %s', async (method) => {
    const target = encodeURIComponent('http://127.0.0.1/');
    for (const url of ['http://127.0.0.1/', `http://pub.attacker-lab.net/r?c=307&u=${target}`])
      expect(await fetchUrl({ url: withPort(url), method })).toMatch(refused);
    await fetchUrl({ url: withPort('http://pub.attacker-lab.net/'), method, headers: { Host: '127.0.0.1' } });
    expect(leaks).toEqual([]);
  });

  test('R-tool-config R-http: allowed and blocked domains hold at the call and behind redirects', async () => {
    const configure = (config: Record<string, readonly string[]>) =>
      helve.plane.replaceGrants(helve.admin, 'tester', [
        { toolkit: 'http', tools: ['fetch_url'], limits: {}, config: { fetch_url: config } },
      ]);
    const to = (host: string) => ({ url: withPort(`http://${host}/`) });
    const redirected = {
      url: withPort(`http://api.example.com/r?c=302&u=${encodeURIComponent('http://other.example.org/')}`),
    };
    await configure({ allowed_domains: ['api.example.com', '*.github.test'] });
    expect(await fetchUrl(to('api.example.com'))).toBe('public');
    expect(await fetchUrl(to('pub.attacker-lab.net'))).toBe('egress_blocked');
    const before = publicHits;
    expect(await fetchUrl(redirected)).toBe('egress_blocked');
    expect(publicHits - before).toBe(1);
    await configure({ blocked_domains: ['other.example.org'] });
    expect(await fetchUrl(to('pub.attacker-lab.net'))).toBe('public');
    expect(await fetchUrl(to('other.example.org'))).toBe('egress_blocked');
    expect(await fetchUrl(redirected)).toBe('egress_blocked');
    await configure({});
    expect(await fetchUrl(to('other.example.org'))).toBe('public');
    // The outer egress checks still apply to what the inner ones allow.
    await configure({ allowed_domains: ['127.0.0.1', 'localhost'] });
    for (const host of ['127.0.0.1', 'localhost']) expect(await fetchUrl(to(host))).toBe('egress_blocked');
    await configure({});
    expect(leaks).toEqual([]);
  });

  test('R-http: http_request is the same tool, under the same grant', async () => {
    const url = withPort('http://pub.attacker-lab.net/');
    if (name === 'MCP')
      return expect((await client.listTools()).tools.map((tool) => tool.name)).not.toContain('http_request');
    expect(await fetchUrl({ url }, 'http_request')).toBe('public');
    expect(await fetchUrl({ url: withPort('http://127.0.0.1/') }, 'http_request')).toMatch(refused);
    const started = (await helve.audited()).filter((row) => row.type === 'execution.started').at(-1);
    expect(started?.tool).toBe('HTTP.fetchUrl');
  });
});

test('R-http: a tool_config cannot allow more than the operator does', async () => {
  const narrow = await createTestHelve({
    egress: { lookup, allowedAddresses: [`127.0.0.2:${port}`], allowedDomains: ['api.example.com'] },
    toolConfig: { fetch_url: { allowed_domains: ['other.example.org', 'api.example.com'] } },
  });
  const to = async (host: string) =>
    outcome((await narrow.call('fetch_url', { url: withPort(`http://${host}/`) })) as Answer);
  expect(await to('api.example.com')).toBe('public');
  expect(await to('other.example.org')).toBe('egress_blocked');
  await narrow.close();
});
