/** Toolkits that an operator configures in `helve.yaml`: an OpenAPI document and an MCP server. */

import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../src/testing/index.js';
import { removeTemporaryFolders, temporaryFolder } from '../e2e/support/server.js';

const document = {
  openapi: '3.1.0',
  info: { title: 'Shelf', version: '1' },
  servers: [{ url: 'https://shelf.example' }],
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'api_key' } } },
  paths: {
    '/books/{id}': {
      get: {
        operationId: 'getBook',
        summary: 'One book',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          {
            name: 'tags',
            in: 'query',
            style: 'pipeDelimited',
            explode: false,
            schema: { type: 'array', items: { type: 'string' } },
          },
        ],
        responses: { 200: { description: 'The book' } },
      },
    },
  },
};

let server: Server;
let helve: TestHelve;
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ title: 'Emma' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const dataDir = await temporaryFolder('outside');
  await writeFile(join(dataDir, 'shelf.json'), JSON.stringify(document));
  const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
  await writeFile(
    join(dataDir, 'helve.yaml'),
    [
      'openapi:',
      `  shelf: { document: ./shelf.json, base_url: "http://127.0.0.1:${(server.address() as AddressInfo).port}/v1" }`,
      'mcp_servers:',
      `  everything: { command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(everything)}, stdio] }`,
      '',
    ].join('\n'),
  );
  helve = await createTestHelve({
    dataDir,
    connections: [{ toolkit: 'shelf', name: 'My Shelf', credentials: { api_key: 'shelf-key-0123456789' } }],
  });
});
afterAll(async () => {
  await helve.close();
  server.close();
  await removeTemporaryFolders();
});

describe('from helve.yaml', () => {
  test('R-openapi: a document’s operations are tools of each connection, called with its key', async () => {
    const result = await helve.call('my-shelf__get_book', { id: 'a/b', tags: ['x', 'y,z'] });
    expect(result).toMatchObject({ ok: true, output: { title: 'Emma' } });
    expect(asked.at(-1)).toBe('/v1/books/a%2Fb?tags=x%7Cy%2Cz&api_key=shelf-key-0123456789');
    expect(JSON.stringify(await helve.audited())).not.toContain('shelf-key-0123456789');
  });

  test('R-mcp-client: a server’s tools have its name as prefix and are called through the pipeline', async () => {
    const names = (await helve.plane.tools(helve.agent, { all: true })).map(({ name }) => name);
    expect(names).toContain('everything__echo');
    expect(await helve.call('everything__echo', { message: 'hello' })).toMatchObject({ ok: true });
    expect((await helve.audited()).at(-1)).toMatchObject({ type: 'execution.finished', tool: 'Everything.echo' });
    expect(await helve.call('everything__echo', { message: 5 })).toMatchObject({
      ok: false,
      error: { code: 'invalid_input' },
    });
  });

  test('R-tool-config: an error in the file names its location', async () => {
    const config = 'mcp_servers:\n  one: { url: "http://127.0.0.1:1", command: x }\n';
    await expect(createTestHelve({ config })).rejects.toThrow(/helve\.yaml:2: mcp_servers\.one.*command.*or a url/);
    await expect(createTestHelve({ config: 'openapi:\n  Bad_Slug: { document: a.json }\n' })).rejects.toThrow(
      /helve\.yaml:2/,
    );
  });
});
