/** How a body is written: as text only if nothing of it is lost. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../../testing/index.js';

const bodies: Record<string, readonly [type: string, body: Buffer]> = {
  '/pdf': ['application/pdf', Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj', 'latin1')],
  '/zero': ['application/octet-stream', Buffer.from('a\0b')],
  '/plain': ['application/octet-stream', Buffer.from('déjà vu')],
  '/latin': ['text/plain; charset=iso-8859-1', Buffer.from('d\xe9j\xe0 vu, 5 \x80', 'latin1')],
  '/inside': ['text/html', Buffer.from('<meta charset="shift_jis"><p>\x93\xfa\x96\x7b', 'latin1')],
  '/xml': ['text/xml', Buffer.from('<?xml version="1.0" encoding="iso-8859-2"?><a>\xb1</a>', 'latin1')],
  '/unnamed': ['text/plain', Buffer.from('d\xe9j\xe0 vu', 'latin1')],
  '/wrong': ['text/html; charset=utf-8', Buffer.from('<meta charset="shift_jis"><p>日本')],
  '/json': ['application/json', Buffer.from('{"a":1}')],
};
const server = createServer(({ url = '' }, response) => {
  const [type, body] = bodies[url] ?? ['text/plain', Buffer.from('')];
  response.writeHead(200, { 'content-type': type }).end(body);
}).listen(0, '127.0.0.1');
let helve: TestHelve;
let origin: string;

beforeAll(async () => {
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  const policies = [{ id: 'fetch', effect: 'allow', when: { tools: ['http.fetch_url'] } }] as const;
  helve = await createTestHelve({ egress: { allowedAddresses: [`127.0.0.1:${port}`] }, policies });
});
afterAll(async () => {
  await helve.close();
  server.close();
});

test.each([
  ['/pdf', 'base64', Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj', 'latin1').toString('base64')],
  ['/zero', 'base64', Buffer.from('a\0b').toString('base64')],
  ['/plain', 'text', 'déjà vu'],
  ['/latin', 'text', 'déjà vu, 5 €'],
  ['/inside', 'text', '<meta charset="shift_jis"><p>日本'],
  ['/xml', 'text', '<?xml version="1.0" encoding="iso-8859-2"?><a>ą</a>'],
  ['/unnamed', 'text', 'déjà vu'],
  ['/wrong', 'text', '<meta charset="shift_jis"><p>日本'],
  ['/json', 'text', '{"a":1}'],
])('R-http: %s is %s', async (path, encoding, body) => {
  expect(await helve.call('fetch_url', { url: `${origin}${path}` })).toMatchObject({ output: { encoding, body } });
});
