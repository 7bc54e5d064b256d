/** Searches with the operator's own embeddings: what they bring, what they send, and that no fault of theirs is noticed. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestHelve, type TestHelve, testTool } from '../../../testing/index.js';

const tools = [
  testTool({ name: 'settle_dispute', description: 'Returns an amount to a buyer.' }),
  testTool({ name: 'list_orders', description: 'Lists the orders of a shop.' }),
  testTool({ name: 'send_letter', description: 'Sends a letter to somebody.' }),
  testTool({ name: 'water_plants', description: 'Waters the plants of a garden.' }),
];
const right = 'settle_dispute';
const rightText = 'Custom: settle dispute. Returns an amount to a buyer.';
const query = 'my zorblat wants the dosh again';
const secret = 'sk-embeddings-canary';

let helve: TestHelve | undefined;
let errors: unknown[];
let dataDir: string;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  errors = [];
  dataDir = await mkdtemp(join(tmpdir(), 'helve-embeddings-'));
});
afterEach(async () => {
  await helve?.close();
  helve = undefined;
  for (const close of closing.splice(0)) await close();
  await rm(dataDir, { recursive: true });
});

const configFor = (url: string, more = '') =>
  `discovery: { embeddings: { base_url: '${url}/v1', model: near-1, api_key: ${secret}${more} } }\n`;

async function open(config: string, more: object = {}): Promise<TestHelve> {
  helve = await createTestHelve({
    nativeToolkits: [],
    tools,
    config,
    reportError: (error) => errors.push(error),
    ...more,
  });
  return helve;
}

const search = (text = query) => helve?.plane.searchTools(helve.agent, { query: text }) ?? Promise.reject();
const statsOf = async () => (await helve?.plane.discoveryStats(helve.admin))?.embeddings;

/** Searches once, so that the vectors of the tools are asked for, and waits until they are there. */
async function fill(): Promise<void> {
  await search('list the orders');
  await expect.poll(async () => [(await statsOf())?.waiting, (await statsOf())?.vectors]).toEqual([0, tools.length]);
}

/** A service that gives a text the vector of the tool that it means. */
async function startMock() {
  const mock = new LLMock({ port: 0, host: '127.0.0.1' });
  await mock.start();
  closing.push(() => mock.stop());
  const answer = await fetch(`${mock.url}/v1/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer x' },
    body: JSON.stringify({ model: 'near-1', input: rightText }),
  });
  const { data } = (await answer.json()) as { data: { embedding: number[] }[] };
  mock.onEmbedding(query, { embedding: data[0]?.embedding ?? [] });
  mock.clearRequests();
  /** The texts of each request, joined. */
  const sent = () => mock.getRequests().map(({ body }) => (body as { embeddingInput?: string }).embeddingInput);
  return { mock, sent };
}

/** A service with a fault in its answers to requests; its answers about tools are good. */
async function startFaulty(fault: (response: ServerResponse, request: IncomingMessage) => void, dimensions = 8) {
  const asked: string[] = [];
  const connections: unknown[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] };
      asked.push(...input);
      if (input.some((text) => !text.startsWith('Custom: '))) return fault(response, request);
      const data = input.map((text, index) => ({
        index,
        embedding: Array.from({ length: dimensions }, (_, at) => Math.sin(text.length * 7 + at)),
      }));
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
    });
  });
  server.on('connection', (socket) => connections.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, server, connections, queries: () => asked.filter((text) => !text.startsWith('Custom: ')) };
}

const json = (response: ServerResponse, value: unknown) =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
const vector = (embedding: unknown) => ({ data: [{ index: 0, embedding }] });

describe('R-tiers: the operator’s own embeddings', () => {
  test('R-tiers: they find a tool that no word of the request names; without them it is not found', async () => {
    await open('');
    const without = await search();
    expect([without.abstained, await statsOf()]).toEqual([true, undefined]);
    await helve?.close();

    const { mock, sent } = await startMock();
    await open(configFor(mock.url));
    await fill();
    const found = await search();
    expect(found.hits[0]?.name).toBe(right);
    expect(await statsOf()).toMatchObject({ model: 'near-1', vectors: 4, used: 1, skipped: 1, late: 0, failed: 0 });
    // The first search was before the vectors, so its text was not sent; a known text is not sent again.
    await search();
    expect(sent().filter((text) => !text?.startsWith('Custom: '))).toEqual([query]);
    expect((await statsOf())?.used).toBe(2);
    expect(errors).toEqual([]);
  });

  test('R-visibility: only tools that a caller may use are sent, and no text that names a tool', async () => {
    const { mock, sent } = await startMock();
    await open(configFor(mock.url), { granted: ['list_orders', 'settle_dispute'] });
    await search('list the orders');
    await expect.poll(async () => (await statsOf())?.vectors).toBe(2);
    expect(sent()).toEqual([`${rightText} Custom: list orders. Lists the orders of a shop.`]);
    mock.clearRequests();
    expect((await search('run list_orders')).tier).toBe('exact');
    expect(sent()).toEqual([]);
    expect((await search()).hits.map(({ name }) => name)).not.toContain('send_letter');
  });

  test('R-tiers: after a restart no vector is asked for again', async () => {
    const { mock, sent } = await startMock();
    await open(configFor(mock.url), { dataDir });
    await fill();
    await helve?.close();
    expect((await readdir(join(dataDir, 'discovery'))).sort()).toEqual(['index.bin', 'vectors']);
    mock.clearRequests();
    await open(configFor(mock.url), { dataDir, workspace: 'later' });
    expect((await search()).hits[0]?.name).toBe(right);
    expect(sent()).toEqual([query]);
  });

  test('R-cli: the doctor shows how many tools have vectors, and no key', async () => {
    const { mock } = await startMock();
    await open(configFor(mock.url));
    const rows = async () => (await helve?.plane.doctor(helve.admin))?.filter(({ check }) => check === 'embeddings');
    expect(await rows()).toMatchObject([{ state: 'ok', detail: 'near-1: 0 texts of tools have vectors, 0 wait' }]);
    await fill();
    expect(await rows()).toMatchObject([{ state: 'ok', detail: 'near-1: 4 texts of tools have vectors, 0 wait' }]);
    const shown = JSON.stringify([await rows(), await statsOf(), await helve?.plane.settings(helve.admin)]);
    expect(shown).toContain('near-1');
    expect(shown).not.toContain(secret);
  });

  test.each<[string, Parameters<typeof startFaulty>[0], 'failed' | 'late']>([
    ['is refused', (response) => void response.writeHead(401).end('no'), 'failed'],
    ['fails', (response) => void response.writeHead(500).end(), 'failed'],
    ['is cut off', (_, request) => void request.socket.destroy(), 'failed'],
    ['never comes', () => undefined, 'late'],
    ['is no JSON', (response) => void response.end('<html>'), 'failed'],
    ['is of another form', (response) => json(response, { vectors: [[1]] }), 'failed'],
    ['has no vector', (response) => json(response, { data: [] }), 'failed'],
    ['has another length', (response) => json(response, vector([1, 0, 0])), 'failed'],
    ['has no numbers', (response) => json(response, vector(['NaN', null, 1, 1, 1, 1, 1, 1])), 'failed'],
    ['has no direction', (response) => json(response, vector([0, 0, 0, 0, 0, 0, 0, 0])), 'failed'],
    ['is huge', (response) => json(response, vector(Array.from({ length: 100_000 }, () => 0.123_456_789))), 'failed'],
    [
      'leads elsewhere',
      (response, { url }) =>
        url === '/other'
          ? json(response, vector([1, 1, 1, 1, 1, 1, 1, 1]))
          : void response.writeHead(307, { location: '/other' }).end(),
      'failed',
    ],
  ])('R-tiers: an answer that %s costs no search', async (_what, fault, counted) => {
    await open('');
    const without = await search();
    await helve?.close();
    const { url, queries } = await startFaulty(fault);
    // On a slow machine too, a late answer has been asked for, and a fault that is answered is not late.
    await open(configFor(url, counted === 'late' ? ', timeout_ms: 500' : ', timeout_ms: 10000'));
    await fill();
    const found = await search();
    expect(found).toEqual(without);
    expect(queries()).toEqual([query]);
    expect(await statsOf()).toMatchObject({ used: 0, [counted]: 1 });
    expect(JSON.stringify(errors.map(String))).not.toContain(secret);
  });

  test('R-tiers: a connection is used again, so that the time of a search is not spent on opening one', async () => {
    const good = vector([1, 1, 1, 1, 1, 1, 1, 1]);
    const { url, connections, queries } = await startFaulty((response) => json(response, good));
    await open(configFor(url, ', timeout_ms: 10000'));
    await fill();
    for (let at = 0; at < 5; at++) await search(`zorblat number ${at}`);
    expect(queries()).toHaveLength(5);
    expect(connections.length).toBeLessThan(6);
  });

  test('R-tiers: an endpoint that failed three times in a row is left alone', async () => {
    const { url, queries } = await startFaulty((response) => void response.writeHead(500).end());
    await open(configFor(url, ', timeout_ms: 10000'));
    await fill();
    const texts = Array.from({ length: 6 }, (_, at) => `zorblat number ${at}`);
    for (const text of texts) await search(text);
    expect(queries()).toEqual(texts.slice(0, 3));
    expect(await statsOf()).toMatchObject({ failed: 3, skipped: 4 });
    // One fault is reported, not each search.
    expect(errors).toHaveLength(1);
  });

  test('R-tiers: an endpoint that is down is asked again in the background, and searches go on', async () => {
    const { url, server } = await startFaulty(() => undefined);
    await new Promise((resolve) => server.close(resolve));
    await open(configFor(url));
    expect((await search('list the orders')).hits[0]?.name).toBe('list_orders');
    await expect.poll(() => errors.length).toBe(1);
    const [row] = (await helve?.plane.doctor(helve.admin))?.filter(({ check }) => check === 'embeddings') ?? [];
    expect(row).toMatchObject({ state: 'warning', detail: expect.stringContaining('4 wait; the last request failed') });
    expect(await statsOf()).toMatchObject({ vectors: 0, waiting: 4, skipped: 1 });
  });

  test('R-tiers: when the model was replaced by one of another length, its vectors take the place of the others', async () => {
    const first = await startFaulty((response) => json(response, vector([1, 1, 1, 1, 1, 1, 1, 1])));
    await open(configFor(first.url), { dataDir });
    await fill();
    await helve?.close();
    const second = await startFaulty((response) => json(response, vector([1, 1, 1, 1, 1])), 5);
    await open(configFor(second.url, ', timeout_ms: 10000'), { dataDir, workspace: 'later' });
    await search();
    // The vectors of before are dropped, and those of the tools asked for at the next search.
    await search();
    await expect.poll(async () => (await statsOf())?.vectors).toBe(4);
    await search();
    expect(await statsOf()).toMatchObject({ used: 1, skipped: 2, failed: 0 });
  });
});
