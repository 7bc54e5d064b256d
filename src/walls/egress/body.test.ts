import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { readBody, readCodings } from './body.js';
import { createEgress } from './index.js';

const text = Buffer.from('hello '.repeat(100));
const limits = { maxBytes: 1000, truncate: false };
const read = (bytes: Uint8Array, encoding: string, change: Partial<typeof limits> = {}) =>
  readBody(Readable.from([bytes.subarray(0, 1), bytes.subarray(1)]), readCodings(encoding), { ...limits, ...change });

let server: Server | undefined;
afterEach(() => server?.close().closeAllConnections());

describe('bodies', () => {
  it.each([
    ['', text],
    ['identity', text],
    ['gzip', gzipSync(text)],
    ['X-GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['zstd', text],
    ['gzip, identity', gzipSync(text)],
    ['identity, gzip, identity', gzipSync(text)],
    ['gzip,', gzipSync(text)],
  ])('R-http: undoes content-encoding %j', async (encoding, bytes) => {
    const { body, truncated } = await read(bytes, encoding);
    expect([Buffer.from(body).equals(text), truncated]).toEqual([true, false]);
  });

  it.each(['gzip', 'deflate', 'br', 'gzip, br'])('an empty body is empty in %s', async (encoding) => {
    expect((await readBody(Readable.from([]), readCodings(encoding), limits)).body).toHaveLength(0);
  });

  it('R-http: refuses longer chains and broken data', async () => {
    expect(() => readCodings('gzip, gzip, gzip')).toThrow(expect.objectContaining({ code: 'upstream_failed' }));
    await expect(read(gzipSync(text).subarray(0, 30), 'gzip')).rejects.toThrow();
    await expect(read(Buffer.from('not gzip'), 'gzip')).rejects.toThrow();
    // A body that is too long is truncated, a broken one is not.
    await expect(read(Buffer.from('not gzip'), 'gzip', { truncate: true })).rejects.toThrow();
  });

  it('R-http: counts inflated bytes, to the byte', async () => {
    expect((await read(gzipSync(text), 'gzip', { maxBytes: 600 })).body).toHaveLength(600);
    await expect(read(gzipSync(text), 'gzip', { maxBytes: 599 })).rejects.toMatchObject({ code: 'too_large' });
    const cut = await read(gzipSync(text), 'gzip', { maxBytes: 599, truncate: true });
    expect([cut.body.length, cut.truncated]).toEqual([599, true]);
  });

  const zeros = Buffer.alloc(64 * 1024 * 1024);
  const emptyMember = gzipSync(Buffer.alloc(0));
  const bombs: [string, string, Buffer][] = [
    ['gzip', 'gzip', gzipSync(zeros)],
    ['deflate', 'deflate', deflateSync(zeros)],
    ['br', 'br', brotliCompressSync(zeros, { params: {} })],
    ['gzip in gzip', 'gzip, gzip', gzipSync(gzipSync(zeros))],
    ['gzip that inflates to nothing', 'gzip', Buffer.concat(Array.from({ length: 50_000 }, () => emptyMember))],
  ];
  it.each(bombs)('R-http: a bomb of %s is stopped early', async (_title, encoding, bytes) => {
    await expect(read(bytes, encoding)).rejects.toMatchObject({ code: 'too_large' });
    expect((await read(bytes, encoding, { truncate: true })).truncated).toBe(true);
  });

  it('R-http: a bomb or an endless body ends the socket; a declared length is refused before it is read', async () => {
    let closed = 0;
    server = createServer((request, response) => {
      response.on('close', () => {
        closed += 1;
      });
      if (request.url === '/declared') response.writeHead(200, { 'content-length': 10_000_000 }).flushHeaders();
      else if (request.url === '/bomb') response.writeHead(200, { 'content-encoding': 'gzip' }).write(bombs[0]?.[2]);
      else {
        const more = () => {
          while (!response.destroyed && response.write(text));
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      }
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const egress = createEgress({ allowedAddresses: ['127.0.0.1'], maxBytes: 100_000 });
    for (const path of ['/declared', '/bomb', '/endless']) {
      await expect(egress.fetch(base + path)).rejects.toMatchObject({ code: 'too_large' });
    }
    const cut = await egress.fetch({ url: `${base}/endless`, truncate: true, maxBytes: 10 });
    expect([cut.text(), cut.truncated]).toEqual(['hello hell', true]);
    await expect.poll(() => closed).toBe(4);
    await egress.close();
  });

  it('R-http: the declared length counts for uncompressed bodies, and a body that may be truncated is truncated', async () => {
    const random = randomBytes(600);
    const coded = gzipSync(random);
    server = createServer((request, response) => {
      if (request.url === '/coded')
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': coded.length }).end(coded);
      else if (request.url === '/plain') response.writeHead(200, { 'content-length': 600 }).end(random);
      else response.writeHead(Number(request.url?.slice(1)), { 'content-encoding': 'gzip' }).end();
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const egress = createEgress({ allowedAddresses: ['127.0.0.1'], maxBytes: 600 });
    expect(coded.length).toBeGreaterThan(600);
    expect((await egress.fetch(`${base}/coded`)).body).toHaveLength(600);
    expect(await egress.fetch({ url: `${base}/plain`, maxBytes: 10, truncate: true })).toMatchObject({
      truncated: true,
    });
    // These responses have no body that could be coded.
    for (const status of [204, 304])
      expect((await egress.fetch(`${base}/${status}`)).headers['content-encoding'], `${status}`).toBe('gzip');
    await egress.close();
  });

  it('omits the headers of the compressed form, and reads a HEAD that declares a coding', async () => {
    server = createServer((_request, response) => {
      response
        .writeHead(200, { 'content-encoding': 'gzip', 'content-length': gzipSync(text).length })
        .end(gzipSync(text));
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const egress = createEgress({ allowedAddresses: ['127.0.0.1'] });
    const response = await egress.fetch(url);
    expect(response.text()).toBe(text.toString());
    expect([response.headers['content-encoding'], response.headers['content-length']]).toEqual([undefined, undefined]);
    expect((await egress.fetch({ url, method: 'HEAD', maxBytes: 1 })).headers['content-encoding']).toBe('gzip');
    await egress.close();
  });
});
