/** How the panel's files are served: which paths name a file, with which headers, and what they do not count towards. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { createHttpApp, type HttpApp } from './index.js';

const script = 'export const panel = 1;\n'.repeat(50);
let outside: string;
let folder: string;
let helve: TestHelve;

beforeAll(() => {
  outside = mkdtempSync(join(tmpdir(), 'helve-panel-'));
  folder = join(outside, 'panel');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(outside, 'secret.txt'), 'SECRET');
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Panel</title>');
  writeFileSync(join(folder, 'assets', 'main-1a2b.js'), script);
  writeFileSync(join(folder, 'assets', 'main-1a2b.js.br'), brotliCompressSync(script));
  writeFileSync(join(folder, 'assets', 'main-1a2b.js.gz'), gzipSync(script));
});
afterEach(() => helve.close());
afterAll(() => rmSync(outside, { recursive: true, force: true }));

async function createApp(panelFolder = folder, limits?: { perIp: number }): Promise<HttpApp> {
  helve = await createTestHelve(limits === undefined ? {} : { limits });
  return createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost', panelFolder });
}

const get = (app: HttpApp, path: string, encoding = '') =>
  app.request(path, { headers: { 'accept-encoding': encoding } });

describe('the files of the panel', () => {
  test('R-panel: a hashed file is immutable, the page is asked for each time, and both are compressed as the browser asks', async () => {
    const app = await createApp();
    const file = await get(app, '/panel/assets/main-1a2b.js');
    expect(await file.text()).toBe(script);
    expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const unpack = async (encoding: string, by: (bytes: Buffer) => Buffer) => {
      const packed = await get(app, '/panel/assets/main-1a2b.js', encoding);
      expect(packed.headers.get('vary')).toBe('accept-encoding');
      return [packed.headers.get('content-encoding'), by(Buffer.from(await packed.arrayBuffer())).toString()];
    };
    expect(await unpack('gzip, deflate, br', brotliDecompressSync)).toEqual(['br', script]);
    expect(await unpack('gzip', gunzipSync)).toEqual(['gzip', script]);
    expect((await get(app, '/panel/')).headers.get('cache-control')).toBe('no-cache');
  });

  test('R-panel: a place inside the panel gets its page with the content policy; a missing file does not', async () => {
    const app = await createApp();
    for (const path of ['/panel/', '/panel/calls', '/panel/agents/first?q=1']) {
      const page = await get(app, path);
      expect(await page.text()).toContain('<title>Panel</title>');
      const policy = page.headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'; require-trusted-types-for 'script'");
      expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    }
    expect((await get(app, '/panel/assets/main-old.js')).status).toBe(404);
    for (const path of ['/', '/panel']) expect((await get(app, path)).headers.get('location')).toBe('/panel/');
    expect((await app.request('/panel/', { method: 'POST' })).status).toBe(405);
  });

  test.each([
    '/panel/../secret.txt',
    '/panel/..%2fsecret.txt',
    '/panel/%2e%2e/secret.txt',
    '/panel/assets/../../secret.txt',
    '/panel/assets/..%2f..%2fsecret.txt',
    '/panel/assets/..%5c..%5csecret.txt',
    '/panel//etc/passwd',
  ])('attack: %s reads nothing outside the folder', async (path) => {
    const app = await createApp();
    expect(await (await get(app, path)).text()).not.toMatch(/SECRET|root:/);
  });

  test('R-panel: the file outside would be read if it were in the folder', async () => {
    const app = await createApp(outside);
    expect((await get(app, '/panel/secret.txt')).status).toBe(404);
    writeFileSync(join(outside, 'index.html'), '');
    expect(await (await get(await createApp(outside), '/panel/secret.txt')).text()).toBe('SECRET');
  });

  test('R-panel: without a built panel, it says how to build one', async () => {
    const app = await createApp(join(outside, 'none'));
    const refused = await get(app, '/panel/');
    expect(refused.status).toBe(404);
    expect(await refused.json()).toMatchObject({ detail: 'The panel has not been built' });
  });

  test('R-limits: files are not counted; other requests of the same address are', async () => {
    const app = await createApp(folder, { perIp: 60 });
    const statuses = async (path: string, method = 'GET') => {
      const all: number[] = [];
      for (let count = 0; count < 70; count++) all.push((await app.request(path, { method })).status);
      return new Set(all);
    };
    expect(await statuses('/panel/assets/main-1a2b.js')).toEqual(new Set([200]));
    expect(await statuses('/panel/', 'POST')).toContain(429);
    expect(await statuses('/panel/assets/main-1a2b.js')).toEqual(new Set([200]));
  });
});
