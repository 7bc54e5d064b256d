import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import { createEgress, type Egress, type EgressPolicy } from './index.js';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  cleanups.push(() => server.close().closeAllConnections());
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

/** A server of raw bytes; `closed` settles when the client's socket ends. */
async function serveBytes(onSocket: (socket: Socket) => void) {
  let ended = () => {};
  const closed = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => ended());
    socket.resume();
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, closed };
}

function egressWith(policy: EgressPolicy = {}): Egress {
  const egress = createEgress({ allowedAddresses: ['127.0.0.0/8'], ...policy });
  cleanups.push(() => egress.close());
  return egress;
}

async function failure(promise: Promise<unknown>): Promise<HelveError> {
  const error = await promise.then(
    () => expect.fail('it passed'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof HelveError) return error;
  throw error;
}

const echo: RequestListener = async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method, headers, url } = request as IncomingMessage;
  response.setHeader('set-cookie', ['a=1', 'b=2']).setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ method, headers, url, body: Buffer.concat(chunks).toString() }));
};

describe('a call', () => {
  it('R-http: sends method, headers and body, and returns status, headers and body', async () => {
    const base = await serve(echo);
    const response = await egressWith().fetch({
      url: `${base}/x?y=1#z`,
      method: 'put',
      headers: { 'X-A': 'b' },
      body: 'hé',
    });
    expect(response).toMatchObject({
      status: 200,
      statusText: 'OK',
      url: `${base}/x?y=1#z`,
      redirects: [],
      truncated: false,
    });
    expect(response.headers['set-cookie']).toBe('a=1\nb=2');
    expect(JSON.parse(response.text())).toMatchObject({
      method: 'PUT',
      url: '/x?y=1',
      body: 'hé',
      headers: { 'x-a': 'b' },
    });
  });

  it('accepts a Request, a URL and a string', async () => {
    const base = await serve(echo);
    const egress = egressWith();
    const request = new Request(`${base}/r`, { method: 'POST', body: 'b', headers: { 'x-a': 'b' } });
    expect(JSON.parse((await egress.fetch(request)).text())).toMatchObject({
      method: 'POST',
      body: 'b',
      headers: { 'x-a': 'b' },
    });
    expect((await failure(egress.fetch(request))).code).toBe('invalid_input');
    expect(JSON.parse((await egress.fetch(new URL(`${base}/u`))).text()).url).toBe('/u');
    expect(JSON.parse((await egress.fetch(`${base}/s`)).text()).url).toBe('/s');
  });

  it('reads JSON with a wrong byte as UTF-8', async () => {
    const base = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(Buffer.concat([Buffer.from('{"name":"Zoë '), Buffer.from([0xff]), Buffer.from('"}')]));
    });
    expect((await egressWith().fetch(base)).text()).toBe('{"name":"Zoë \ufffd"}');
  });

  it('does not wait without end for a streamed answer that does not begin', async () => {
    const base = await serve(() => undefined);
    await expect(egressWith().stream(base, {}, 50)).rejects.toMatchObject({
      cause: { code: 'UND_ERR_HEADERS_TIMEOUT' },
    });
    const begun = await serve((_request, response) => response.writeHead(200).write('a'));
    const { body } = await egressWith().stream(begun, {}, 50);
    expect(await body?.getReader().read()).toMatchObject({ done: false });
  });

  it('reads text in the charset of the content-type', async () => {
    const base = await serve((request, response) => {
      response
        .writeHead(200, { 'content-type': `text/plain; charset="${request.url?.slice(1)}"` })
        .end(Buffer.from([0xe9]));
    });
    expect((await egressWith().fetch(`${base}/iso-8859-1`)).text()).toBe('é');
    expect((await egressWith().fetch(`${base}/utf-8`)).text()).toBe('\ufffd');
    expect((await egressWith().fetch(`${base}/no-such`)).text()).toBe('é');
  });

  it('R-http: keeps a socket for the next call to the same origin', async () => {
    const ports = new Set<number | undefined>();
    const base = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end();
    });
    const egress = egressWith();
    for (let turn = 0; turn < 6; turn += 1) await egress.fetch(base);
    // undici releases a socket a tick after its answer, so a second one may be opened, but no third.
    expect(ports.size).toBeLessThan(3);
  });

  it('R-http: ignores proxy variables', async () => {
    const proxy = await serve((_request, response) => response.end('proxy'));
    for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) vi.stubEnv(name, proxy);
    const base = await serve((_request, response) => response.end('direct'));
    expect((await egressWith().fetch(base)).text()).toBe('direct');
  });

  it.each([
    [{ 'x-a': 'b\r\nx-c: d' }],
    [{ 'x-a': 'b\n' }],
    [{ 'x-a': 'b\0' }],
    [{ 'x-a\r\nx-b': 'c' }],
    [{ 'x a': 'b' }],
    [{ '': 'b' }],
    [{ 'x-a': '\u010a' }],
    [{ Host: 'evil.example' }],
    [{ 'Content-Length': '1' }],
    [{ 'transfer-encoding': 'chunked' }],
    [{ connection: 'upgrade' }],
    [{ upgrade: 'h2c' }],
    [{ TE: 'trailers' }],
    [{ 'X-A': '1', 'x-a': '2' }],
  ])('R-http: refuses the headers %j', async (headers) => {
    const hits = vi.fn<RequestListener>((_request, response) => response.end());
    const base = await serve(hits);
    expect((await failure(egressWith().fetch({ url: base, headers }))).code).toBe('invalid_input');
    expect(hits).not.toHaveBeenCalled();
  });

  it.each([
    [null],
    [undefined],
    [7],
    [{}],
    [{ headers: { 'x-a': 7 } }],
    [{ method: 7 }],
    [{ method: Object('PUT') }],
    [{ body: { a: 1 } }],
    [{ timeoutMs: 0 }],
    [{ timeoutMs: 1.5 }],
    [{ timeoutMs: Number.NaN }],
    [{ maxBytes: -1 }],
    [{ maxBytes: 0.5 }],
  ])('R-http: refuses the request %j', async (request) => {
    const hits = vi.fn<RequestListener>((_request, response) => response.end());
    const url = await serve(hits);
    const given =
      typeof request === 'object' && request && Object.keys(request).length > 0 ? { url, ...request } : request;
    expect((await failure(egressWith().fetch(given as never))).code).toBe('invalid_input');
    expect(hits).not.toHaveBeenCalled();
  });

  it('never puts a header value into a message', async () => {
    const base = await serve(echo);
    const error = await failure(egressWith().fetch({ url: base, headers: { authorization: 'hunter2\n' } }));
    expect(JSON.stringify(error) + error.stack).not.toContain('hunter2');
  });

  it.each(['CONNECT', 'TRACE', 'GET /', 'GET\r\n', ''])('R-http: refuses the method %j', async (method) => {
    expect((await failure(egressWith().fetch({ url: await serve(echo), method }))).code).toBe('invalid_input');
  });
});

describe('rules of the operator', () => {
  const lookup: EgressPolicy['lookup'] = (_name, _options, callback) =>
    setImmediate(callback, null, [{ address: '127.0.0.1', family: 4 }]);

  it('R-http: allow and block lists decide by name, blocking wins', async () => {
    const base = await serve(echo);
    const at = (host: string) => base.replace('127.0.0.1', host);
    const egress = egressWith({
      lookup,
      allowedDomains: ['api.example.com', '*.github.com'],
      blockedDomains: ['raw.github.com'],
    });
    for (const host of ['api.example.com', 'API.example.com.', 'a.github.com']) {
      expect((await egress.fetch(at(host))).status).toBe(200);
    }
    for (const host of ['example.com', 'github.com', 'raw.github.com', 'evil.com', '127.0.0.1']) {
      const error = await failure(egress.fetch(at(host)));
      expect([error.code, error.message, error.hint]).toEqual([
        'egress_blocked',
        expect.stringContaining(host),
        expect.stringContaining('allowed_domains'),
      ]);
    }
  });

  it('R-http: an empty allow list allows nothing', async () => {
    expect((await failure(egressWith({ allowedDomains: [] }).fetch(await serve(echo)))).code).toBe('egress_blocked');
  });

  it('R-http: ports and schemes', async () => {
    const base = await serve(echo);
    const { port } = new URL(base);
    expect((await egressWith({ allowedPorts: [Number(port)] }).fetch(base)).status).toBe(200);
    expect((await failure(egressWith({ allowedPorts: [443] }).fetch(base))).code).toBe('egress_blocked');
    expect((await failure(egressWith().fetch('http://127.0.0.1:25/'))).message).toContain('Port 25');
    expect((await failure(egressWith({ schemes: ['https:'] }).fetch(base))).message).toContain('http:');
  });

  it('R-http: a local name needs the name in allowedDomains and its address opened', async () => {
    const base = (await serve(echo)).replace('127.0.0.1', 'localhost');
    const codes = [];
    for (const policy of [{}, { allowedDomains: ['*'] }, { allowedDomains: ['localhost'], allowedAddresses: [] }]) {
      codes.push((await failure(egressWith({ lookup, ...policy }).fetch(base))).code);
    }
    expect(codes).toEqual(['egress_blocked', 'egress_blocked', 'egress_blocked']);
    expect((await egressWith({ lookup, allowedDomains: ['localhost'] }).fetch(base)).status).toBe(200);
  });

  it('names the address, the rule and where to open it', async () => {
    const error = await failure(createEgress().fetch('http://0x7f.1/'));
    expect(error.message).toBe('127.0.0.1 is not a public address: loopback (127.0.0.0/8)');
    expect(error.hint).toContain('egress.allowed_addresses in helve.yaml');
  });

  it('R-http: a policy cannot be widened after it was passed in', async () => {
    const base = await serve(echo);
    const allowedAddresses: string[] = [];
    const egress = egressWith({ allowedAddresses });
    allowedAddresses.push('127.0.0.1');
    expect((await failure(egress.fetch(base))).code).toBe('egress_blocked');
  });
});

describe('ends', () => {
  it('R-http: a slow header ends at the time limit and the socket with it', async () => {
    const { url, closed } = await serveBytes((socket) => socket.write('HTTP/1.1 200 OK\r\nx: '));
    expect((await failure(egressWith({ timeoutMs: 100 }).fetch(url))).code).toBe('timeout');
    await closed;
  });

  it('R-http: a slow body ends at the time limit of the call and the socket with it', async () => {
    const { url, closed } = await serveBytes((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n');
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect((await failure(egressWith().fetch({ url, timeoutMs: 100 }))).code).toBe('timeout');
    await closed;
  });

  it('R-http: a look-up that never answers ends at the time limit', async () => {
    const egress = egressWith({ timeoutMs: 100, lookup: () => undefined });
    expect((await failure(egress.fetch('http://a.example/'))).code).toBe('timeout');
  });

  it('R-http: an abort ends the call and the socket, before and during', async () => {
    const { url, closed } = await serveBytes((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'));
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    expect((await failure(egressWith().fetch({ url, signal: controller.signal }))).code).toBe('cancelled');
    await closed;
    expect((await failure(egressWith().fetch({ url, signal: AbortSignal.abort() }))).code).toBe('cancelled');
  });

  it('R-http: tries the next address, and reports refusal, reset and unknown names', async () => {
    const base = await serve(echo);
    const answers = ['127.0.0.9', '127.0.0.1'].map((address) => ({ address, family: 4 }));
    const egress = egressWith({ lookup: (_name, _options, callback) => setImmediate(callback, null, answers) });
    expect((await egress.fetch(base.replace('127.0.0.1', 'two.example'))).status).toBe(200);
    const refused = await failure(egressWith().fetch(base.replace('127.0.0.1', '127.0.0.9')));
    expect([refused.code, refused.message]).toEqual(['upstream_failed', expect.stringContaining('refused')]);
    const { url } = await serveBytes((socket) => socket.destroy());
    expect((await failure(egressWith().fetch(url))).code).toBe('upstream_failed');
    const lost = Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    const unknown = egressWith({ lookup: (_name, _options, callback) => setImmediate(callback, lost, []) });
    expect((await failure(unknown.fetch('http://a.example/'))).message).toContain('does not resolve');
  });

  it('R-http: a header block over the limit is too large', async () => {
    const base = await serve((_request, response) => response.setHeader('x', 'y'.repeat(2000)).end());
    expect((await failure(egressWith({ maxHeaderBytes: 1000 }).fetch(base))).code).toBe('too_large');
  });

  it('close waits for calls in progress, then refuses new ones', async () => {
    const base = await serve((_request, response) => void setTimeout(() => response.end('late'), 50));
    const egress = egressWith();
    const call = egress.fetch(base);
    await egress.close();
    expect((await call).text()).toBe('late');
    expect((await failure(egress.fetch(base))).code).toBe('shutting_down');
  });
});
