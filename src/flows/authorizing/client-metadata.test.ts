/** Which metadata a program may send, and which addresses may receive an answer. */
import { describe, expect, test } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import { createClientDocuments, isDocumentAddress } from './client-documents.js';
import { isRegistered, readClientMetadata, redirectUriProblem } from './client-metadata.js';

const id = 'https://program.example/client.json';
const good = { client_id: id, client_name: 'Program', redirect_uris: ['https://program.example/cb'] };

describe('the address of a document', () => {
  test.each([
    [id, true],
    ['https://program.example:8443/c?x=1', true],
    [`https://program.example/${'a'.repeat(1_000)}`, false],
    ['http://program.example/c', false],
    ['https://program.example/c#x', false],
    ['https://program.example/', false],
    ['https://[', false],
    ['https://PROGRAM.example/c', false],
    ['https://program.example/a/../c', false],
    ['https://a@program.example/c', false],
    ['https://:b@program.example/c', false],
    ['https://a:b@program.example/c', false],
  ])('R-mcp-server: %s: %s', (address, expected) => {
    expect(isDocumentAddress(address)).toBe(expected);
  });
});

describe('a document', () => {
  const read = (text: string, address = id) =>
    createClientDocuments(
      async () => {
        if (text === 'FAILS') throw new HelveError('timeout', 'It took too long');
        return text;
      },
      () => new Date(0),
    ).get(address);

  test.each<[string, object]>([
    ['as it should be', {}],
    ['that says that it does not authenticate itself', { token_endpoint_auth_method: 'none' }],
  ])('R-mcp-server: %s is read', async (_, more) => {
    expect(await read(JSON.stringify({ ...good, ...more }))).toEqual({
      id,
      origin: 'document',
      name: 'Program',
      redirectUris: good.redirect_uris,
    });
  });

  test.each<[string, string, RegExp]>([
    ['another client_id', JSON.stringify({ ...good, client_id: `${id}/` }), /program does not name its own address/],
    ['an inherited client_id', JSON.stringify([good]), /program does not name its own address/],
    ['null', 'null', /program does not name its own address/],
    ['a text', JSON.stringify(id), /program does not name its own address/],
    ['a secret', JSON.stringify({ ...good, client_secret: 'x' }), /program asks for a client that authenticates/],
    ['a method', JSON.stringify({ ...good, token_endpoint_auth_method: 'private_key_jwt' }), /asks for a client that/],
    ['a script', JSON.stringify({ ...good, redirect_uris: ['javascript:x'] }), /^The document .* program is refused/],
    ['no JSON', '{', /cannot be read/],
    ['a fetch that fails', 'FAILS', /cannot be read: It took too long/],
  ])('R-mcp-server: with %s is refused', async (_, text, message) => {
    await expect(read(text)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(message),
    });
    // The message is not nested in itself.
    await expect(read(text)).rejects.not.toThrow(/describes this program.*describes this program/);
  });

  test('R-mcp-server: a document is requested again after five minutes', async () => {
    let [time, asked] = [0, 0];
    const documents = createClientDocuments(
      async () => {
        asked += 1;
        return JSON.stringify(good);
      },
      () => new Date(time),
    );
    for (time of [0, 299_000, 301_000]) await documents.get(id);
    expect(asked).toBe(2);
  });

  test('R-mcp-server: of many documents, the oldest is forgotten and the others are kept', async () => {
    let asked = 0;
    const documents = createClientDocuments(
      async (address) => {
        asked += 1;
        return JSON.stringify({ ...good, client_id: address });
      },
      () => new Date(0),
    );
    for (let index = 0; index <= 200; index++) await documents.get(`${id}?${index}`);
    expect(asked).toBe(201);
    await documents.get(`${id}?1`);
    expect(asked).toBe(201);
    await documents.get(`${id}?0`);
    expect(asked).toBe(202);
  });
});

describe('the metadata of a program', () => {
  const { client_id: _, ...metadata } = good;

  test.each<[string, object, string]>([
    ['a method with a key', { token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
    ['no code flow', { grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    ['no code', { response_types: ['token'] }, 'invalid_client_metadata'],
    ['a name that is no text', { client_name: 7 }, 'invalid_client_metadata'],
    ['no address', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['a bad address after a good one', { redirect_uris: [...good.redirect_uris, 'cb'] }, 'invalid_redirect_uri'],
  ])('R-mcp-server: %s', (_what, more, error) => {
    expect(readClientMetadata({ ...metadata, ...more })).toMatchObject({ ok: false, error });
  });

  test('R-mcp-server: valid metadata is accepted, with a name in any case', () => {
    expect(
      readClientMetadata({ ...metadata, client_name: ' ', token_endpoint_auth_method: 'client_secret_basic' }),
    ).toEqual({ ok: true, metadata: { name: 'A program without a name', redirectUris: good.redirect_uris } });
    expect(readClientMetadata(metadata)).toMatchObject({ metadata: { name: 'Program' } });
    expect(readClientMetadata(7)).toMatchObject({ error: 'invalid_client_metadata' });
  });
});

describe('an answer address', () => {
  test.each([
    ['https://app.example/cb', true],
    ['https://app.example:8443/cb?x=1', true],
    ['http://localhost:3000/cb', true],
    ['http://127.0.0.1/cb', true],
    ['http://[::1]:5000/cb', true],
    ['https://[2001:db8::1]/cb', true],
    ['http://app.example/cb', false],
    ['http://0.0.0.0/cb', false],
    ['ftp://localhost/cb', false],
    ['javascript:alert(1)', false],
    ['https://app.example/cb#x', false],
    ['https://app.example/cb x', false],
    ['https://', false],
    ['cb', false],
    ['https://a@app.example/cb', false],
    ['https://:b@app.example/cb', false],
    ['https://@app.example/cb', false],
    ['https://app.example@app.example/cb', false],
    ['https://app.example:x@app.example/cb', false],
    ['https://*.example/cb', false],
    ['https://APP.example/cb', false],
    ['https:app.example/cb', false],
    ['https://app.example/cb?code=1', false],
    ['https://app.example/cb?iss=x', false],
  ])('R-mcp-server: %s: %s', (uri, expected) => {
    expect(redirectUriProblem(uri) === undefined).toBe(expected);
  });

  test.each([
    ['https://app.example/cb', true],
    ['https://app.example/cb/', false],
    ['https://app.example:5000/cb', false],
    ['http://127.0.0.1/cb', true],
    ['http://127.0.0.1:5000/cb', true],
    ['http://127.0.0.1:5000/other', false],
    ['http://127.0.0.1:99999/cb', false],
    ['http://127.0.0.1:0/cb', false],
    ['http://127.0.0.1:5000/cb#x', false],
    ['http://[::1]:5000/cb', false],
    ['http://localhost:5000/cb', false],
    ['', false],
  ])('R-mcp-server: whether %j is registered, as a free port of a registered number too: %s', (uri, expected) => {
    const registered = [
      'https://app.example/cb',
      'http://127.0.0.1/cb',
      'http://localhost/cb',
      'http://127.0.0.1/cb#x',
    ];
    expect(isRegistered(uri, registered)).toBe(expected);
  });
});
