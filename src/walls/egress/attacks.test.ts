/**
 * The attack rows, against real sockets. 127.0.0.2 at one port stands for the public internet and is the only address
 * that the operator opened; servers on 127.0.0.1 and ::1 at that port, and on 127.0.0.2 at another, stand for the
 * internal network: any hit is a leak.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readAttacks } from '../../../tests/data/attacks.js';
import { HelveError } from '../../domain/errors.js';
import { createEgress, type EgressLookup } from './index.js';

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
let lookups = 0;

const listen = (host: string, at: number, listener: RequestListener) =>
  new Promise<number>((resolve, reject) => {
    const server = createServer(listener);
    servers.push(server);
    server.once('error', reject).listen(at, host, () => resolve((server.address() as AddressInfo).port));
  });

const withPort = (url: string) => url.replace(/^(https?:\/\/[^/:@]+|https?:\/\/\[[^\]@]*\])(?=[/?#]|$)/i, `$1:${port}`);

const fakeDns: EgressLookup = (name, _options, callback) => {
  lookups += 1;
  const embedded = /(\d+)-(\d+)-(\d+)-(\d+)/.exec(name)?.slice(1).join('.');
  const isPublic = name.startsWith('pub.') || (name.startsWith('rba-') && lookups % 2 === 1);
  const six: Record<string, string> = {
    'six.attacker-lab.net': '::1',
    'mapped.attacker-lab.net': '::ffff:127.0.0.1',
    'mappedpub.attacker-lab.net': '::ffff:127.0.0.2',
    'scoped.attacker-lab.net': 'fe80::1%lo',
    'garbage.attacker-lab.net': '0x7f.1',
  };
  const address = six[name] ?? embedded ?? (isPublic ? '127.0.0.2' : '127.0.0.1');
  const answers = [{ address, family: address.includes(':') ? 6 : 4 }];
  if (name === 'mixed.attacker-lab.net') answers.unshift({ address: '127.0.0.2', family: 4 });
  setImmediate(callback, null, answers);
};

beforeAll(async () => {
  port = await listen('127.0.0.2', 0, (request, response) => {
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
  await listen('127.0.0.1', port, canary);
  await listen('127.0.0.2', 0, canary);
  await listen('::1', port, canary).catch(() => undefined);
});
beforeEach(() => {
  leaks = [];
});
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

async function call(url: string, opened: readonly string[] = []): Promise<string> {
  const allowedAddresses = [`127.0.0.2:${port}`, ...opened];
  const egress = createEgress({ allowedAddresses, lookup: fakeDns, timeoutMs: 3000 });
  try {
    return (await egress.fetch(url)).text();
  } catch (error) {
    if (error instanceof HelveError) return error.code;
    throw error;
  } finally {
    await egress.close();
  }
}

const refused = expect.stringMatching(/^(egress_blocked|invalid_input)$/);

describe('attack rows', () => {
  it.each(
    rows.filter((row) => row.expect !== 'allow' && row.kind !== 'rebind-alternate'),
  )('R-http: $id $kind reaches nothing inside', async ({ url }) => {
    expect([await call(url), await call(withPort(url))]).toEqual([
      expect.stringMatching(/^(egress_blocked|invalid_input|upstream_failed)$/),
      refused,
    ]);
    expect(leaks).toEqual([]);
  });

  it.each(rows.filter((row) => row.kind === 'rebind-alternate'))('R-http: $id never follows a rebound name', async ({
    url,
  }) => {
    for (let turn = 0; turn < 10; turn += 1) {
      expect(['public', 'egress_blocked']).toContain(await call(withPort(url)));
    }
    expect(leaks).toEqual([]);
  });

  it.each(rows.filter((row) => row.expect === 'allow'))('R-http: $id $kind passes', async ({ url }) => {
    expect(await call(withPort(url))).toBe('public');
  });
});

const inside = [
  'localhost', 'LOCALHOST', 'localhost.', 'a.localhost', '127.0.0.1', '127.1', '2130706433', '0x7f000001', '017700000001',
  '0177.0.0.1', '127.0.0.1.', '１２７.0.0.1', '127。0。0。1', '%31%32%37.0.0.1', '127\u00ad.0.0.1', '①②⑦.0.0.1', '0', '0.0.0.0',
  '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[0:0:0:0:0:ffff:7f00:0001]', '[::1%25lo]', '[::1%lo]',
  '[fe80::1]', '[fd00:ec2::254]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]', '169.254.169.254', '168.63.129.16',
  '[::ffff:127.0.0.2]', 'loop.attacker-lab.net', 'LOOP.attacker-lab.net.', 'six.attacker-lab.net', 'mapped.attacker-lab.net',
  'mappedpub.attacker-lab.net', 'scoped.attacker-lab.net', 'garbage.attacker-lab.net', 'mixed.attacker-lab.net', '10-0-0-1.sslip.io',
  'pub', 'pub.local', 'pub.internal', 'pub.home.arpa', 'ip6-localhost', 'ip6-loopback',
]; // biome-ignore format: a table

const spelt = [
  (host: string) => `http://${host}/`,
  (host: string) => `http://${host}?x`,
  (host: string) => `http://${host}#x`,
  (host: string) => `HTTP://${host}`,
  (host: string) => `http:${host}/`,
  (host: string) => `http:/${host}/`,
  (host: string) => `http:///${host}/`,
  (host: string) => `http:\\\\${host}\\`,
  (host: string) => `\u0000http://${host}/`,
  (host: string) => `ht\ntp://${host}/`,
  (host: string) => `http://\t${host}/`,
  (host: string) => `http://${host}\r\n/`,
  (host: string) => ` http://${host}/ `,
  (host: string) => `url:http://${host}/`,
  (host: string) => `//${host}/`,
  (host: string) => `http://@${host}/`,
  (host: string) => `http://pub.attacker-lab.net@${host}/`,
  (host: string) => `http://pub.attacker-lab.net:80@${host}/`,
  (host: string) => `http://pub.attacker-lab.net%00@${host}/`,
  (host: string) => `http://pub.attacker-lab.net#@${host}/`,
  (host: string) => `http://pub.attacker-lab.net?@${host}/`,
  (host: string) => `http://pub.attacker-lab.net\\@${host}/`,
  (host: string) => `http://${host}\\@pub.attacker-lab.net/`,
  (host: string) => `http://${host}#@pub.attacker-lab.net/`,
  (host: string) => `http://pub.attacker-lab.net/r?c=302&u=${encodeURIComponent(`//${host}/`)}`,
];

describe('additional forms', () => {
  it('would detect a leak: the internal server answers and is counted once it is opened', async () => {
    expect(await call(withPort('http://loop.attacker-lab.net/'), ['127.0.0.1'])).toBe('inside');
    expect(leaks).toHaveLength(1);
  });

  it.each(inside)('R-http: no spelling of %s reaches it, directly or by a redirect', async (host) => {
    const urls = spelt.map((spell) => spell(host));
    for (const status of [301, 302, 303, 307, 308]) {
      const target = encodeURIComponent(`http://${host}/`);
      urls.push(`http://pub.attacker-lab.net/r?c=${status}&u=${target}`);
      urls.push(
        `http://pub.attacker-lab.net/r?c=302&u=${encodeURIComponent(withPort(`http://pub.attacker-lab.net/r?c=${status}&u=${target}`))}`,
      );
    }
    for (const url of urls) {
      const outcome = await call(withPort(url).replace(/^(\S*)$/, '$1'));
      expect(outcome, JSON.stringify(url)).toMatch(/^(egress_blocked|invalid_input|upstream_failed)$/);
    }
    expect(leaks).toEqual([]);
  });

  it.each([
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_x',
    'ftp://pub.attacker-lab.net/',
    'data:text/plain,x',
    'ws://pub.attacker-lab.net/',
    'javascript:1',
    'blob:http://x/1',
  ])('R-http: the scheme of %s is refused, also in a redirect', async (url) => {
    expect(await call(url)).toBe('egress_blocked');
    expect(await call(withPort(`http://pub.attacker-lab.net/r?c=302&u=${encodeURIComponent(url)}`))).toBe(
      'egress_blocked',
    );
  });

  it.each([
    'PUB.attacker-lab.net',
    'pub.attacker-lab.net.',
    'ｐｕｂ.attacker-lab.net',
    'pub.bücher.example',
  ])('reaches %s', async (host) => {
    expect(await call(withPort(`http://${host}/a b?to=http://127.0.0.1/&e=a@b#@x`))).toBe('public');
  });
});
