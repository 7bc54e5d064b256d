import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer as createTcpServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createConnector } from './connector.js';
import { createEgress, type EgressPolicy } from './index.js';
import { resolvePolicy } from './policy.js';

const openssl = 'openssl';
const hasOpenssl = (() => {
  try {
    execFileSync(openssl, ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const lookup: EgressPolicy['lookup'] = (_name, _options, callback) =>
  setImmediate(callback, null, [{ address: '127.0.0.1', family: 4 }]);
const policy: EgressPolicy = { lookup, allowedAddresses: ['127.0.0.1'], timeoutMs: 2000 };

const connect = (hostname: string, port: string, protocol: string, given: EgressPolicy, ca?: Buffer) =>
  new Promise<unknown>((resolve) => {
    const connector = createConnector(resolvePolicy(given), ca === undefined ? {} : { ca });
    connector({ hostname, port, protocol }, (error, socket) => {
      socket?.end();
      resolve(error ?? socket);
    });
  });

describe('connector', () => {
  it.each([
    '127.0.0.1',
    '::1',
    'localhost',
    'a.example',
  ])('R-http: checks %s itself, for every caller', async (host) => {
    expect(await connect(host, '8080', 'http:', { lookup })).toMatchObject({ code: 'egress_blocked' });
  });

  it('R-http: refuses a socket whose peer is not the address that was checked', async () => {
    const server = createTcpServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    // The getter cannot be mocked, but an own property of the socket, set at its first use after connecting, overrides
    // it.
    const peer = vi.spyOn(Socket.prototype, 'setKeepAlive').mockImplementation(function (this: Socket) {
      return Object.defineProperty(this, 'remoteAddress', { value: '169.254.169.254' });
    });
    expect(await connect('a.example', String(port), 'http:', policy)).toMatchObject({ code: 'egress_blocked' });
    peer.mockRestore();
    server.close();
  });

  it('looks a name up once for each socket', async () => {
    const counted = vi.fn(lookup);
    await connect('a.example', '1025', 'http:', { ...policy, lookup: counted });
    expect(counted).toHaveBeenCalledTimes(1);
    await connect('127.0.0.1', '1025', 'http:', { ...policy, lookup: counted });
    expect(counted).toHaveBeenCalledTimes(1);
  });

  it('R-http: checks the host and the port too, even if its address is open', async () => {
    const server = createTcpServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const port = String((server.address() as AddressInfo).port);
    for (const more of [
      { blockedDomains: ['a.example'] },
      { allowedDomains: ['b.example'] },
      { allowedPorts: [443] },
    ] satisfies EgressPolicy[])
      expect(await connect('a.example', port, 'http:', { ...policy, ...more })).toMatchObject({
        code: 'egress_blocked',
      });
    expect(await connect('a.example', port, 'http:', policy)).toBeInstanceOf(Socket);
    server.close();
  });

  it('reports a look-up that throws or returns invalid data', async () => {
    const thrower = () => {
      throw new Error('bug');
    };
    expect(await connect('a.example', '1025', 'http:', { lookup: thrower })).toMatchObject({ code: 'upstream_failed' });
    const silly: EgressPolicy['lookup'] = (_name, _options, callback) => callback(null, []);
    expect(await connect('a.example', '1025', 'http:', { lookup: silly })).toMatchObject({ code: 'upstream_failed' });
  });
});

describe.skipIf(!hasOpenssl)('TLS (skipped without openssl, which makes the certificate)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'helve-egress-'));
  const names: (string | false | null)[] = [];
  let ca: Buffer;
  let port = '';
  const server = createServer({}, (socket: TLSSocket) => {
    names.push(socket.servername as string | false | null);
    socket.on('error', () => undefined).resume();
  });

  beforeAll(async () => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    execFileSync(
      openssl,
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=a.example',
        '-addext',
        'subjectAltName=DNS:a.example,IP:127.0.0.1',
        '-keyout',
        key,
        '-out',
        cert,
      ],
      { stdio: 'ignore' },
    );
    ca = readFileSync(cert);
    server.setSecureContext({ key: readFileSync(key), cert: ca });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = String((server.address() as AddressInfo).port);
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('R-http: connects to the checked address with the name for SNI and certificate', async () => {
    expect(await connect('a.example', port, 'https:', policy, ca)).toMatchObject({ authorized: true });
    expect(await connect('127.0.0.1', port, 'https:', policy, ca)).toMatchObject({ authorized: true });
    await expect.poll(() => names).toEqual(['a.example', false]);
  });

  it('R-http: refuses a certificate for another name or without a trusted issuer, also with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    expect(await connect('b.example', port, 'https:', policy, ca)).toMatchObject({
      code: 'upstream_failed',
      message: expect.stringContaining('another name'),
    });
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const egress = createEgress(policy);
    await expect(egress.fetch(`https://a.example:${port}/`)).rejects.toMatchObject({
      code: 'upstream_failed',
      message: expect.stringContaining('certificate'),
    });
    await egress.close();
    vi.unstubAllEnvs();
  });
});
