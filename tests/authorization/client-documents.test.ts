/** Fetching an untrusted document from an untrusted address: only public addresses, with limits on size and time. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClientDocuments, isDocumentAddress } from '../../src/flows/authorizing/client-documents.js';
import { createDocumentFetch } from '../../src/plane/wiring/document-fetch.js';
import { type Documents, startDocuments } from './documents.js';

let documents: Documents;
beforeAll(async () => {
  documents = await startDocuments();
});
afterAll(() => documents.close());

describe('R-mcp-server R-http: client ID metadata documents', () => {
  it.each([
    'https://127.0.0.1/c',
    'https://localhost/c',
    'https://[::1]/c',
    'https://0.0.0.0/c',
    'https://10.1.2.3/c',
    'https://169.254.169.254/latest/meta-data',
    'https://192.168.0.1/c',
    'https://[fd00::1]/c',
    'https://100.64.0.1/c',
    'https://[::ffff:127.0.0.1]/c',
    'https://2130706433/c',
    'https://0x7f.1/c',
    'http://127.0.0.1/c',
    'file:///etc/passwd',
  ])('R-mcp-server: %s is never fetched', async (url) => {
    await expect(createDocumentFetch()(url)).rejects.toMatchObject({
      code: expect.stringMatching(/egress_blocked|invalid_input/),
    });
  });

  it.each<[string, string]>([
    ['/endless', 'too_large'],
    ['/moved', 'upstream_failed'],
    ['/page', 'invalid_input'],
    ['/gone', 'invalid_input'],
  ])('R-mcp-server: %s is refused', async (path, code) => {
    await expect(createDocumentFetch(documents.policy)(documents.url + path)).rejects.toMatchObject({ code });
    expect(documents.asked.filter((one) => one === '/good')).toEqual([]);
  });

  it('R-mcp-server: five seconds, however steadily it drips', async () => {
    const begun = Date.now();
    await expect(createDocumentFetch(documents.policy)(`${documents.url}/slow`)).rejects.toMatchObject({
      code: 'timeout',
    });
    expect(Date.now() - begun).toBeLessThan(6_500);
  }, 10_000);

  it('R-mcp-server: valid documents are read', async () => {
    for (const path of ['/fine', '/fine-cimd'])
      expect(await createDocumentFetch(documents.policy)(documents.url + path)).toBe('{"good":true}');
  });

  it('R-mcp-server: an invalid document is requested again after seconds, a valid one after minutes', async () => {
    let time = 0;
    let good = false;
    let asked = 0;
    const id = 'https://program.example/c';
    const known = createClientDocuments(
      async () => {
        asked += 1;
        return good ? JSON.stringify({ client_id: id, redirect_uris: ['https://program.example/cb'] }) : '{';
      },
      () => new Date(time),
    );
    for (const at of [0, 9_000]) {
      time = at;
      await expect(known.get(id)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    expect(asked).toBe(1);
    good = true;
    for (const at of [10_001, 200_000]) {
      time = at;
      expect(await known.get(id)).toMatchObject({ id, origin: 'document', name: 'A program without a name' });
    }
    expect(asked).toBe(2);
  });

  it.each([
    ['https://program.example/c', true],
    ['https://program.example:8443/c?x=1', true],
    ['https://program.example', false],
    ['https://program.example/', false],
    ['http://program.example/c', false],
    ['https://PROGRAM.example/c', false],
    ['https://program.example/a/../c', false],
    ['https://program.example/c#x', false],
    ['https://a@program.example/c', false],
    ['https://:b@program.example/c', false],
    ['https://program.example\\c', false],
    ['https://[', false],
    [`https://program.example/${'a'.repeat(1_000)}`, false],
  ])('R-mcp-server: whether %s can be an address of one: %s', (address, expected) => {
    expect(isDocumentAddress(address)).toBe(expected);
  });
});
