/** Hosts that the operator named are open at their port, and open nothing else. */
import { once } from 'node:events';
import { createServer as createHttp, type Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectEndpoint, createEgress } from './index.js';

let inside: Server;
let other: Server;
const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  inside = createHttp((request, response) => {
    if (request.url !== '/away') return void response.end('in');
    response.writeHead(302, { location: `http://127.0.0.1:${portOf(other)}/secret` }).end();
  }).listen(0, '127.0.0.1');
  other = createHttp((_, response) => response.end('secret')).listen(0, '127.0.0.1');
  await Promise.all([once(inside, 'listening'), once(other, 'listening')]);
});
afterAll(() => {
  inside.close();
  other.close();
});

describe('R-http: open hosts', () => {
  test('a named host is reached at its port at any address, and by no other name, port or redirect', async () => {
    const port = portOf(inside);
    const egress = createEgress({ openHosts: [{ host: '127.0.0.1', port }] });
    expect((await egress.fetch(`http://127.0.0.1:${port}/`)).text()).toBe('in');
    for (const url of [
      `http://127.0.0.1:${portOf(other)}/`,
      `http://localhost:${port}/`,
      `http://127.0.0.2:${port}/`,
      `http://[::1]:${port}/`,
      `http://127.0.0.1:${port}/away`,
    ]) {
      await expect(egress.fetch(url), url).rejects.toMatchObject({ code: 'egress_blocked' });
    }
    await egress.close();
  });

  test('a name may resolve to any address, and the check of each address stays for all others', async () => {
    const port = portOf(inside);
    const lookup = (_name: string, _options: unknown, done: (error: null, found: object[]) => void): void =>
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    const egress = createEgress({ openHosts: [{ host: 'search.internal', port }], lookup: lookup as never });
    expect((await egress.fetch(`http://search.internal:${port}/`)).text()).toBe('in');
    await expect(egress.fetch(`http://evil.example:${port}/`)).rejects.toMatchObject({ code: 'egress_blocked' });
    await egress.close();
  });

  test('a blocked domain stays blocked, and a host without a port is a mistake', async () => {
    const openHosts = [{ host: '127.0.0.1', port: portOf(inside) }];
    const egress = createEgress({ openHosts, blockedDomains: ['127.0.0.1'] });
    await expect(egress.fetch(`http://127.0.0.1:${portOf(inside)}/`)).rejects.toMatchObject({ code: 'egress_blocked' });
    await egress.close();
    expect(() => createEgress({ openHosts: [{ host: 'a.example' } as never] })).toThrow(/openHosts\[0\]\.port/);
  });

  test('a plain connection reaches its endpoint, also at a port that HTTP may not use, and fails with a clear message', async () => {
    const server = createServer((socket) => socket.end('220 hello')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = await connectEndpoint({ host: '127.0.0.1', port: portOf(server) });
    expect(String((await once(socket, 'data'))[0])).toBe('220 hello');
    socket.destroy();
    server.close();
    await once(server, 'close');
    const gone = connectEndpoint({ host: '127.0.0.1', port: 1 });
    await expect(gone).rejects.toMatchObject({ code: 'upstream_failed' });
    const cancelled = connectEndpoint({ host: '127.0.0.1', port: portOf(inside) }, { signal: AbortSignal.abort() });
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  });
});
