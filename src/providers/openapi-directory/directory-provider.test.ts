/** The directory's toolkits: listed from the catalogue's rows, loaded on use, called like those of any OpenAPI document. */
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CatalogueApp } from '../../domain/catalogue.js';
import type { JsonObject } from '../../domain/json.js';
import { providerContract } from '../../testing/provider-contract.js';
import { createTestHelve } from '../../testing/test-helve.js';
import { createWorkers } from '../../util/sandbox/workers.js';
import type { OpenApiProvider } from '../openapi/index.js';
import { plainHttp, serve, type TestServer } from '../openapi/tests/serve.js';
import { createSummarise } from './index-processes.js';
import { createDirectoryProvider, createDirectorySource } from './loaded.js';
import { api, heldCatalogue, listAll, makeDirectory, type TinyDirectory } from './tests/tiny-directory.js';

const workers = createWorkers();
afterAll(workers.close);
const summarise = createSummarise(workers);

/** The documents that were read, by path. */
const read = vi.hoisted(() => [] as string[]);
vi.mock('./document-file.js', async (original) => {
  const real = await original<typeof import('./document-file.js')>();
  return {
    ...real,
    readDocumentFile(folder: string, path: string) {
      read.push(path);
      return real.readDocumentFile(folder, path);
    },
  };
});

const open: { close(): unknown }[] = [];
beforeEach(() => {
  read.length = 0;
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function indexed(
  documents: Readonly<Record<string, unknown>>,
): Promise<{ directory: TinyDirectory; rows: CatalogueApp[] }> {
  const directory = await makeDirectory(documents);
  open.push(directory);
  return { directory, rows: (await listAll(createDirectorySource(directory.folder, { summarise }))).rows };
}

async function serving(answer: Parameters<typeof serve>[0]): Promise<TestServer> {
  const server = await serve(answer);
  open.push(server);
  return server;
}

const at = (url: string, more: JsonObject = {}): JsonObject => ({ servers: [{ url }], ...more });
const key = {
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
};

async function call(provider: OpenApiProvider, toolkit: string, name: string, input: JsonObject = {}) {
  const tool = (await provider.tools(toolkit)).find(({ id }) => id.name === name);
  if (!tool) throw new Error(`no ${name}`);
  return provider.execute({
    tool,
    input,
    config: {},
    executionId: 'e1',
    effectKey: '0123456789abcdef0123456789abcdef',
    signal: new AbortController().signal,
    progress: () => undefined,
    caller: { kind: 'agent', id: 'a1', name: 'scout', workspaceId: 'w1' },
  });
}

providerContract('openapi-directory', async () => {
  const server = await serving(({ url, body }) => {
    if (url === '/patient') return undefined;
    if (url === '/broken') return { status: 500, json: { error: { message: 'broke' } } };
    return { json: { echoed: body === '' ? {} : JSON.parse(Buffer.from(body, 'latin1').toString()) } };
  });
  const post = (operationId: string, properties: object = {}) => ({
    post: {
      operationId,
      responses: {},
      requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } }, required: true },
    },
  });
  const paths = {
    '/echo': post('echo', { text: { type: 'string' }, list: { type: 'array', items: {} } }),
    '/broken': post('broken'),
    '/patient': post('patient'),
  };
  const { directory, rows } = await indexed({
    'one.com.json': api('One', 0, at(server.url, { paths } as never)),
    'two.com.json': api('Two', 2, key),
  });
  return {
    provider: createDirectoryProvider({
      folder: directory.folder,
      catalogue: heldCatalogue(rows),
      http: plainHttp,
      workers,
    }),
    loads: () => read.map((path) => path.replace('.com.json', '-com')),
    echo: { toolkit: 'one-com', name: 'echo' },
    broken: { toolkit: 'one-com', name: 'broken' },
    patient: { toolkit: 'one-com', name: 'patient' },
  };
});

describe('toolkits of the directory', () => {
  it('R-openapi: a toolkit is described from its row alone; how it signs in is known once its document is loaded', async () => {
    const { directory, rows } = await indexed({ 'keyed.com.json': api('Keyed', 2, key), 'open.com.json': api('Open') });
    const provider = createDirectoryProvider({
      folder: directory.folder,
      catalogue: heldCatalogue(rows),
      http: plainHttp,
      workers,
    });
    open.push(provider);
    const [keyed, free] = await provider.toolkits();
    const common = { provider: 'openapi', category: 'api', onDemand: true, internal: false };
    expect(keyed).toMatchObject({ slug: 'keyed-com', title: 'Keyed', needsConnection: true, ...common });
    expect(free).toMatchObject({ slug: 'open-com', title: 'Open', needsConnection: false, ...common });
    expect(keyed?.auth).toBeUndefined();
    expect(read).toEqual([]);
    expect(await provider.tools('keyed-com')).toHaveLength(2);
    expect(keyed?.auth).toMatchObject({ schemes: [{ id: 'key', kind: 'api_key' }] });
    expect(read).toEqual(['keyed.com.json']);
  });

  it('R-openapi: a changed document is loaded again, another change loads nothing; a missing one is reported', async () => {
    const { directory, rows } = await indexed({ 'a.com.json': api('A', 1), 'b.com.json': api('B', 1) });
    const catalogue = heldCatalogue(rows);
    const provider = createDirectoryProvider({ folder: directory.folder, catalogue, http: plainHttp, workers });
    open.push(provider);
    let told = 0;
    provider.onChange?.(() => {
      told += 1;
    });
    await provider.tools('a-com');
    await directory.write('a.com.json', api('A', 3));
    expect(await provider.tools('a-com')).toHaveLength(1);
    const next = (await listAll(createDirectorySource(directory.folder, { summarise }))).rows;
    catalogue.publish(next);
    expect(told).toBe(1);
    expect(await provider.tools('a-com')).toHaveLength(3);
    catalogue.publish(next.filter(({ slug }) => slug !== 'b-com'));
    expect(await provider.tools('a-com')).toHaveLength(3);
    expect(await provider.tools('b-com')).toEqual([]);
    expect(read).toEqual(['a.com.json', 'a.com.json']);
    catalogue.publish(next);
    await directory.remove('b.com.json');
    await expect(provider.tools('b-com')).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringMatching(
        'the OpenAPI document of b-com cannot be used|The OpenAPI document of b-com cannot be used',
      ),
      hint: expect.stringMatching('Synchronise'),
    });
  });

  it('R-openapi: another provider’s toolkit under the same slug is never mixed with it', async () => {
    const { directory, rows } = await indexed({ 'a.com.json': api('A'), 'b.com.json': api('B') });
    const taken = async () => new Set(['a-com']);
    const provider = createDirectoryProvider({
      folder: directory.folder,
      taken,
      catalogue: heldCatalogue(rows),
      http: plainHttp,
      workers,
    });
    open.push(provider);
    expect((await provider.toolkits()).map(({ slug }) => slug)).toEqual(['b-com']);
    expect(await provider.tools('a-com')).toEqual([]);
    expect(await provider.describe('a-com')).toBeUndefined();
  });

  it('R-openapi: slugs that climb or name files find nothing', async () => {
    const { directory, rows } = await indexed({ 'a.com.json': api('A') });
    const provider = createDirectoryProvider({
      folder: directory.folder,
      catalogue: heldCatalogue(rows),
      http: plainHttp,
      workers,
    });
    open.push(provider);
    for (const slug of ['../a.com', 'a.com', 'a.com.json', '..%2f..', '__proto__', 'constructor', '', 'a-com\0'])
      expect(await provider.tools(slug)).toEqual([]);
    // A row from another source: its slug is looked up among the files, and never used as a path.
    const forged = heldCatalogue([{ ...rows[0], slug: '../../package' } as CatalogueApp]);
    const other = createDirectoryProvider({ folder: directory.folder, catalogue: forged, http: plainHttp, workers });
    open.push(other);
    await expect(other.tools('../../package')).rejects.toMatchObject({ code: 'invalid_config' });
    expect(read).toEqual([]);
  });

  it('R-openapi: relative servers use the provider’s own address, also in calls', async () => {
    const server = await serving(({ url }) => ({ json: { url } }));
    const { port } = new URL(server.url);
    const info = { title: 'Home', 'x-origin': [{ url: `http://127.0.0.1:${port}/docs/openapi.json` }] };
    const { directory, rows } = await indexed({
      '127.0.0.1.json': api('Home', 1, { info, servers: [{ url: '/v1' }] }),
    });
    const provider = createDirectoryProvider({
      folder: directory.folder,
      catalogue: heldCatalogue(rows),
      http: plainHttp,
      workers,
    });
    open.push(provider);
    expect((await call(provider, rows[0]?.slug ?? '', 'list_things0')).output).toEqual({ url: '/v1/things0' });
  });

  it('R-openapi: through the plane an account is connected by the document’s scheme, and its key is not recorded', async () => {
    const { directory, rows } = await indexed({ 'keyed.com.json': api('Keyed', 1, key) });
    const provider = createDirectoryProvider({
      folder: directory.folder,
      catalogue: heldCatalogue(rows),
      http: plainHttp,
      workers,
    });
    const helve = await createTestHelve({
      providers: [provider],
      granted: [],
      connections: [{ toolkit: 'keyed-com', name: 'Mine', scheme: 'key', credentials: { api_key: 's3cret-key' } }],
    });
    open.push(helve);
    const [connection] = await helve.plane.connections(helve.admin);
    expect(connection).toMatchObject({ toolkit: 'keyed-com', scheme: 'key', status: 'active' });
    expect(JSON.stringify(await helve.audited())).not.toContain('s3cret-key');
  });
});
