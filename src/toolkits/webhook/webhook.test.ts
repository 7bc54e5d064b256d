/** Webhooks through the pipeline, to a real server that checks them with the reference library. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readAttacks } from '../../../tests/data/attacks.js';
import { bearer, endAll, openRealDoor } from '../../../tests/mcp/real-door.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { verifyWebhook } from '../../util/webhook-signature.js';
import { webhook } from './toolkit.js';

interface Hit {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: Record<string, string>;
  readonly raw: string[];
  readonly body: string;
}

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const another = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const payload = { text: 'Task completed! Grüße 👋' };

let hits: Hit[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let server: Server;
let url = '';
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { method, url: path, rawHeaders: raw } = request;
      hits.push({ method, path, headers: request.headers as Record<string, string>, raw, body });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close().closeAllConnections();
});
beforeEach(() => {
  hits = [];
  answer = (_request, response) => response.end('ok');
});

const helves: TestHelve[] = [];
afterEach(async () => {
  for (const helve of helves.splice(0)) await helve.close();
  await endAll();
});

async function open(
  may: object = { allowed_urls: [`${url}/hooks/*`] },
  settings: object = {},
  egress: object = { allowedAddresses: ['127.0.0.1'] },
) {
  const helve = await createTestHelve({
    nativeToolkits: [webhook],
    toolConfig: { webhook: may as never },
    config: JSON.stringify({ toolkits: { webhook: settings } }),
    egress,
  });
  helves.push(helve);
  return helve;
}

const signing = () => ({
  signing_secrets: { [`${url}/hooks/special`]: [another, secret], [`${url}/hooks/*`]: secret, default: another },
});

describe('what is sent', () => {
  test('R-webhook: signed, as the reference library checks it, and recorded', async () => {
    const helve = await open(undefined, signing());
    // A receiver may repeat what it knows.
    answer = (_request, response) => response.end(`ok ${secret}`);
    const result = await helve.call('webhook', { url: `${url}/hooks/1`, payload });
    const id = `msg_${result.executionId.replaceAll('-', '')}`;
    expect(result).toMatchObject({
      ok: true,
      output: { status_code: 200, response: expect.stringMatching(/^ok /), truncated: false, webhook_id: id },
    });
    const [hit] = hits;
    expect(hit).toMatchObject({
      method: 'POST',
      path: '/hooks/1',
      headers: { 'webhook-id': id, 'content-type': 'application/json' },
    });
    expect(new Webhook(secret).verify(hit?.body ?? '', hit?.headers ?? {})).toEqual(payload);
    expect(await verifyWebhook(hit?.headers ?? {}, hit?.body ?? '', secret)).toMatchObject({ id });
    expect(() => new Webhook(another).verify(hit?.body ?? '', hit?.headers ?? {})).toThrow();
    expect(() => new Webhook(secret).verify(`${hit?.body} `, hit?.headers ?? {})).toThrow();
    const rows = (await helve.audited()).filter(({ executionId }) => executionId === result.executionId);
    expect(rows.map(({ type, tool }) => `${type} ${tool}`)).toEqual([
      'execution.started Webhook.webhook',
      'execution.finished Webhook.webhook',
    ]);
    expect(rows[1]?.body).toMatchObject({ output: { response: expect.stringContaining('ok [redacted]') } });
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6, 30));
  });

  test('R-webhook: with the secrets of the first pattern that fits, or of none', async () => {
    const helve = await open({ allowed_urls: [`${url}/*`] }, signing());
    await helve.call('webhook', { url: `${url}/hooks/special`, payload, method: 'PUT' });
    await helve.call('webhook', { url: `${url}/elsewhere`, payload });
    const [special, elsewhere] = hits;
    expect(special?.method).toBe('PUT');
    expect(special?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    for (const one of [secret, another]) new Webhook(one).verify(special?.body ?? '', special?.headers ?? {});
    new Webhook(another).verify(elsewhere?.body ?? '', elsewhere?.headers ?? {});
    await (await open({ allowed_urls: [`${url}/*`] })).call('webhook', { url, payload });
    expect(hits[2]?.headers).toMatchObject({
      'webhook-id': expect.stringMatching(/^msg_/),
      'webhook-timestamp': expect.any(String),
    });
    expect(hits[2]?.headers).not.toHaveProperty('webhook-signature');
  });

  test('R-webhook: each header once, and an answer of any status is an answer', async () => {
    const helve = await open(undefined, signing());
    answer = (_request, response) => response.writeHead(503).end('x'.repeat(100_000));
    const result = await helve.call('webhook', { url: `${url}/hooks/1`, payload, headers: { 'X-Request-Id': 'r1' } });
    expect(result).toMatchObject({ ok: true, output: { status_code: 503, truncated: true } });
    const names = hits[0]?.raw.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()) ?? [];
    expect(new Set(names).size).toBe(names.length);
    expect(hits[0]?.headers['x-request-id']).toBe('r1');
  });

  test('R-webhook: through a real MCP client', async () => {
    const { alice } = await openRealDoor({
      granted: ['webhook'],
      toolConfig: { webhook: { allowed_urls: [`${url}/hooks/*`] } },
      config: JSON.stringify({ toolkits: { webhook: signing() } }),
      egress: { allowedAddresses: ['127.0.0.1'] },
    });
    const client = new Client({ name: 'test', version: '0.0.0' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(alice.address), {
        requestInit: { headers: bearer(alice) },
      }) as Transport,
    );
    const sent = await client.callTool({ name: 'webhook', arguments: { url: `${url}/hooks/1`, payload } });
    expect(sent).toMatchObject({ structuredContent: { status_code: 200, response: 'ok' } });
    expect(await client.callTool({ name: 'webhook', arguments: { url: `${url}/other`, payload } })).toMatchObject({
      isError: true,
    });
    expect(hits.map(({ path }) => path)).toEqual(['/hooks/1']);
    await client.close();
  });
});

describe('what is refused', () => {
  test('R-webhook: a URL that is not allowed, named, in the record, and nothing leaves', async () => {
    const helve = await open();
    for (const end of [
      '/other',
      '/hooks',
      '/hooks/../other',
      '/hooks/%2e%2e/other',
      '/hooks/..%2fother',
      '/hooks//x',
      '/hooks/1#x',
      '/hooks\\..\\other',
    ]) {
      const { ok } = await helve.call('webhook', { url: `${url}${end}`, payload });
      expect(ok, end).toBe(false);
    }
    const result = await helve.call('webhook', { url: `${url}/other`, payload });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'egress_blocked', message: expect.stringContaining('/other') },
    });
    expect((await helve.audited()).at(-1)).toMatchObject({
      executionId: result.executionId,
      body: { error: { code: 'egress_blocked' } },
    });
    const none = await open({});
    expect(await none.call('webhook', { url: `${url}/hooks/1`, payload })).toMatchObject({
      error: { code: 'egress_blocked' },
    });
    expect(hits).toEqual([]);
  });

  test('R-webhook: an allowed URL at an address that the operator has not opened', async () => {
    const helve = await open(undefined, {}, {});
    expect(await helve.call('webhook', { url: `${url}/hooks/1`, payload })).toMatchObject({
      error: { code: 'egress_blocked' },
    });
    expect(hits).toEqual([]);
  });

  test.each([
    'Host',
    'authorization',
    'cookie',
    'webhook-id',
    'Webhook-Signature',
    'webhook-timestamp',
    'content-type',
    'content-length',
    'content-encoding',
    'transfer-encoding',
    'connection',
    'x-http-method-override',
    'x-forwarded-for',
    'x-api-key',
    'accept\r\nwebhook-id',
    '',
  ])('R-webhook: the header "%s"', async (name) => {
    // biome-ignore format: a table
    const helve = await open();
    expect(await helve.call('webhook', { url: `${url}/hooks/1`, payload, headers: { [name]: 'x' } })).toMatchObject({
      error: { code: 'invalid_input' },
    });
    expect(hits).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['a line break in a header', { headers: { accept: 'x\r\nwebhook-id: y' } }, 'invalid_input'],
    ['a header twice', { headers: { accept: 'x', Accept: 'y' } }, 'invalid_input'],
    ['another method', { method: 'DELETE' }, 'invalid_input'],
    ['a payload that is no object', { payload: ['x'] }, 'invalid_input'],
    ['a payload too large', { payload: { text: 'ü'.repeat(60) } }, 'too_large'],
  ])('R-webhook: %s', async (_what, more, code) => {
    const helve = await open({ allowed_urls: [`${url}/hooks/*`], max_bytes: 100 });
    expect(await helve.call('webhook', { url: `${url}/hooks/1`, payload, ...more })).toMatchObject({ error: { code } });
    expect(hits).toEqual([]);
  });

  test('R-webhook: patterns and secrets that make no sense', async () => {
    await expect(open({ allowed_urls: ['*'] })).rejects.toThrow();
    await expect(open({}, { signing_secrets: { default: 'secret' } })).rejects.toMatchObject({
      code: 'invalid_config',
    });
    const odd = await open({ allowed_urls: [`${url}/a/../b`] });
    expect(await odd.call('webhook', { url: `${url}/b`, payload })).toMatchObject({
      error: { code: 'invalid_config' },
    });
    const key = await open(undefined, { signing_secrets: { 'hooks/*': secret } });
    expect(await key.call('webhook', { url: `${url}/hooks/1`, payload })).toMatchObject({
      error: { code: 'invalid_config' },
    });
    expect(hits).toEqual([]);
  });
});

describe('what may have arrived', () => {
  test('R-webhook: a redirect is not followed, with or without the signature', async () => {
    const helve = await open({ allowed_urls: [`${url}/*`] }, signing());
    for (const status of [301, 302, 303, 307, 308]) {
      answer = (_request, response) => response.writeHead(status, { location: `${url}/target` }).end();
      const result = await helve.call('webhook', { url: `${url}/hooks/1`, payload });
      expect(result).toMatchObject({
        ok: false,
        error: { code: 'outcome_unknown', message: expect.stringContaining('redirect'), retryable: false },
      });
    }
    expect(hits.map(({ path }) => path)).toEqual(Array(5).fill('/hooks/1'));
  });

  test('R-webhook: no answer in time, or a connection cut, is not a failure to try again', async () => {
    const helve = await open({ allowed_urls: [`${url}/hooks/*`], timeout_seconds: 1 });
    for (const act of [() => undefined, (request: IncomingMessage) => request.socket.destroy()]) {
      answer = act;
      const result = await helve.call('webhook', { url: `${url}/hooks/1`, payload });
      const hint = expect.stringContaining(`msg_${result.executionId.replaceAll('-', '')}`);
      expect(result).toMatchObject({ error: { code: 'outcome_unknown', retryable: false, hint } });
    }
    expect(hits).toHaveLength(2);
  });

  test('R-webhook: what never left may be tried again', async () => {
    const closed = createTcpServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const helve = await open({ allowed_urls: [`http://127.0.0.1:${port}/*`] });
    const result = await helve.call('webhook', { url: `http://127.0.0.1:${port}/x`, payload });
    expect(result).toMatchObject({ error: { code: 'upstream_failed', retryable: true } });
  });
});

const rows = readAttacks<{ id: string; kind: string; url: string; expect: string }>('ssrf');

describe('attack rows', () => {
  test('R-webhook: none reaches an internal address, however broad the list of allowed URLs', async () => {
    const port = new URL(url).port;
    const allowed_urls = ['http://*/*', 'https://*/*', `http://*:${port}/*`, `https://*:${port}/*`];
    const lookup = (_name: string, _options: object, callback: (error: null, found: object[]) => void) =>
      setImmediate(callback, null, [{ address: '127.0.0.1', family: 4 }]);
    const helve = await open({ allowed_urls }, signing(), { lookup });
    const blocked = rows.filter((row) => row.expect !== 'allow' && !row.kind.startsWith('redirect'));
    for (const row of blocked) {
      const here = row.url.replace(/^(https?:\/\/[^/:@]+|https?:\/\/\[[^\]@]*\])(?=[/?#]|$)/i, `$1:${port}`);
      for (const one of [row.url, here]) {
        const result = await helve.call('webhook', { url: one, payload });
        expect(result.ok ? 'sent' : result.error.code, `${row.id} ${one}`).toMatch(
          /^(?:egress_blocked|invalid_input)$/,
        );
      }
    }
    expect(blocked.length).toBeGreaterThan(50);
    expect(hits).toEqual([]);
    // Such a list does reach what is opened, so that a leak would have been seen.
    const opened = await open({ allowed_urls }, {}, { allowedAddresses: ['127.0.0.1'] });
    expect(await opened.call('webhook', { url: `${url}/x`, payload })).toMatchObject({ ok: true });
  });
});
