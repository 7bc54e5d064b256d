/** Search and browser through the official MCP client: what a model's program gets. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { mayBeMissing } from '../../src/testing/needs.js';
import { findChromium } from '../../src/walls/browser/find.js';
import { atEnd, bearer, endAll, openRealDoor, textOf } from './real-door.js';

const noChromium = mayBeMissing(
  findChromium(process.env.PATH ?? '') === undefined ? 'there is no Chromium on this machine' : undefined,
);

let site: Server;
let base: string;

const answers: Readonly<Record<string, string>> = {
  '/search': JSON.stringify({
    results: [{ title: 'Bees', url: 'https://bees.example/', content: 'About', img_src: 'https://bees.example/1.png' }],
  }),
  '/page': `<!doctype html><title>Bees</title><article><h1>Bees</h1><p>${'Bees make honey. '.repeat(40)}</p></article>`,
};

beforeAll(async () => {
  site = createServer((request, response) => {
    const answer = answers[new URL(request.url ?? '', 'http://x').pathname];
    response.writeHead(answer ? 200 : 404, {
      'content-type': answer?.startsWith('{') ? 'application/json' : 'text/html',
    });
    response.end(answer);
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(() => site.close());
afterEach(endAll);

async function connect(): Promise<Client> {
  const { alice } = await openRealDoor({
    config: `toolkits:\n  web_search: { engine: searxng, base_url: "${base}" }\n`,
    egress: { allowedAddresses: [base.slice('http://'.length)] },
  });
  const client = new Client({ name: 'test', version: '0.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(alice.address), { requestInit: { headers: bearer(alice) } }),
  );
  atEnd(() => client.close());
  return client;
}

it('R-web-search: pages and images', async () => {
  const client = await connect();
  const pages = await client.callTool({ name: 'web_search', arguments: { query: 'bees', num_results: 1 } });
  expect(pages.structuredContent).toMatchObject({ results: [{ title: 'Bees', url: 'https://bees.example/' }] });
  const images = await client.callTool({ name: 'image_search', arguments: { query: 'bees', num_results: 1 } });
  expect(images.structuredContent).toMatchObject({ results: [{ image_url: 'https://bees.example/1.png' }] });
  const refused = await client.callTool({ name: 'web_search', arguments: { query: 'bees', num_results: 50 } });
  expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('num_results')]);
});

it('R-browser: a page as Markdown; internal addresses stay closed', async () => {
  const client = await connect();
  const page = await client.callTool({ name: 'fetch_page', arguments: { url: `${base}/page` } });
  expect(page.structuredContent).toMatchObject({ title: 'Bees', content: expect.stringContaining('Bees make honey.') });
  const refused = await client.callTool({ name: 'fetch_page', arguments: { url: 'http://127.0.0.1:8081/' } });
  expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringMatching(/not a public address|not allowed/)]);
});

it.skipIf(noChromium)('R-browser: a picture is an image block', async () => {
  const client = await connect();
  const shot = await client.callTool({ name: 'take_screenshot', arguments: { url: `${base}/page`, width: 300 } });
  expect(shot.content).toContainEqual(expect.objectContaining({ type: 'image', mimeType: 'image/png' }));
  expect(shot.structuredContent).toMatchObject({ width: 300, title: 'Bees' });
  const refused = await client.callTool({ name: 'take_screenshot', arguments: { url: 'http://127.0.0.1:8081/' } });
  expect(refused.isError).toBe(true);
});
