/** JSON that came as text, such as a fetched body, is looked into by the query of a handle. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../testing/index.js';

const items = Array.from({ length: 500 }, (_, id) => ({ id, name: `Item number ${id}`, price: id / 2 }));
const pages: Record<string, [type: string, body: string]> = {
  '/list': ['application/json', JSON.stringify({ items, next: null })],
  '/long': ['application/json', JSON.stringify({ items, next: 0 }).replace('"next":0', '"next":9007199254740993')],
  '/array': ['application/json', JSON.stringify(items)],
  '/broken': ['application/json', `{"items": ${JSON.stringify(items)}`],
};
const server = createServer((request, response) => {
  const [type, body] = pages[request.url ?? ''] ?? ['text/plain', ''];
  response.writeHead(200, { 'content-type': type }).end(body);
});

let helve: TestHelve;
let origin: string;
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  const policies = [{ id: 'fetch', effect: 'allow', when: { tools: ['http.fetch_url'] } }] as const;
  helve = await createTestHelve({ egress: { allowedAddresses: [`127.0.0.1:${port}`] }, policies });
});
afterAll(async () => {
  await helve.close();
  server.close();
});

async function fetched(path: string) {
  const result = await helve.call('fetch_url', { url: `${origin}${path}` });
  if (!result.ok || !result.handle) throw new Error(JSON.stringify(result));
  const { handle, shape } = result.handle;
  const read = async (query: string) => {
    const answer = await helve.call('result_read', { handle, query });
    if (!answer.ok) throw new Error(answer.error.message);
    const { text, matches, next_offset } = answer.output as { text: string; matches: number; next_offset: null };
    return { values: next_offset === null ? JSON.parse(text) : text.slice(0, 20), matches };
  };
  return { shape, read, body: (result.output as { body: string }).body };
}

test('R-handles: a query reads the values of a JSON body, and the shape says what is in it', async () => {
  const { shape, read, body } = await fetched('/list');
  expect(shape).toContain('body: JSON text of { items: array(500) of { id: number, name: string, price: number }');
  expect(await read('$.body.items[?@.price > 249].id')).toEqual({ values: [499], matches: 1 });
  expect(await read('$.status_code')).toEqual({ values: [200], matches: 1 });
  // The answer itself is as it always was: text.
  expect(JSON.parse(body)).toEqual({ items, next: null });
  expect(await (await fetched('/array')).read('$.body[3].name')).toEqual({ values: ['Item number 3'], matches: 1 });
});

test('R-handles: an id with more digits than a number holds is text', async () => {
  const { shape, read } = await fetched('/long');
  expect(shape).toContain('next: string');
  expect(await read('$.body.next')).toEqual({ values: ['9007199254740993'], matches: 1 });
});

test('R-handles: what only begins like JSON stays text', async () => {
  const { shape, read } = await fetched('/broken');
  expect(shape).toMatch(/body: string\(\d+\)/);
  expect(await read('$.body')).toEqual({ values: String.raw`["{\"items\": [{\"id`, matches: 1 });
  expect(await read('$.body.items')).toEqual({ values: [], matches: 0 });
});
