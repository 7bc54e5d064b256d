/** The tools for knowledge through the whole pipeline: what each does and refuses, what is kept apart, what is resumed. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import { afterEach, describe, expect, test } from 'vitest';
import type { ToolResult } from '../../domain/execution.js';
import { createTestHelve, type TestHelve, type TestHelveOptions } from '../../testing/index.js';
import { knowledge } from './toolkit.js';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function plane(more: TestHelveOptions = {}): Promise<TestHelve> {
  const policies = [{ id: 'removing', effect: 'allow' as const, when: { tools: ['remove_knowledge'] } }];
  const helve = await createTestHelve({ nativeToolkits: [knowledge], policies, ...more });
  open.push(() => helve.close());
  return helve;
}

const output = (result: ToolResult): any => (result.ok ? result.output : result.error);
const caller = (helve: TestHelve) => async (tool: string, input: object) => output(await helve.call(tool, input));
const searches = [
  'search_knowledge',
  'semantic_search',
  'search_codebase',
  'search_tables',
  'search_images',
  'search_formulas',
  'search_multimodal',
];
const note =
  '# Travel\n\nThe daily allowance is 28 euros.\n\n| city | hotel |\n|--|--|\n| Ghent | 120 |\n\n![A map of Ghent](m.png)\n\n$E = mc^2$\n\n```ts\nexport function payAllowance() {}\n```\n';

describe('ingest_document, list_knowledge, remove_knowledge', () => {
  test('R-knowledge: a source is taken in, left alone while it is the same, replaced, listed and removed', async () => {
    const call = caller(await plane());
    const path = 'handbook/travel.md';
    const elements = { text: 2, table: 1, image: 1, formula: 1, code: 1, symbol: 1 };
    expect(await call('ingest_document', { path, content: note })).toMatchObject({ path, elements, unchanged: false });
    expect(await call('ingest_document', { path, content: note })).toMatchObject({ elements, unchanged: true });
    const changed = { path, content: '# Travel\n\nThe per diem is 31 euros.' };
    expect(await call('ingest_document', changed)).toMatchObject({ elements: { text: 1 }, unchanged: false });
    expect((await call('search_knowledge', { query: 'per diem' })).hits).toMatchObject([
      { source: path, place: { text: 'lines 1–3, under Travel', lines: [1, 3], heading: ['Travel'] }, type: 'text' },
    ]);
    expect((await call('search_knowledge', { query: 'hotel Ghent' })).hits).toEqual([]);
    await call('ingest_document', { path: 'other.txt', content: 'Nothing of note.' });
    expect(await call('list_knowledge', {})).toMatchObject({
      sources: [{ path, media_type: 'text/markdown', elements: { text: 1 } }, { path: 'other.txt' }],
      total: 2,
      truncated: false,
    });
    expect((await call('list_knowledge', { after: path, limit: 1 })).sources).toMatchObject([{ path: 'other.txt' }]);
    expect(await call('remove_knowledge', { path })).toEqual({ path, removed: true });
    expect((await call('search_knowledge', { query: 'per diem' })).hits).toEqual([]);
    expect(await call('remove_knowledge', { path })).toMatchObject({ code: 'not_found' });
    expect((await call('list_knowledge', {})).total).toBe(1);
  });

  test('R-knowledge: what does not fit is refused with what to do', async () => {
    const limits = { ingest_document: { max_file_bytes: 100, allowed_sources: ['mine'] } };
    const call = caller(
      await plane({ toolConfig: { ...limits, list_knowledge: {}, remove_knowledge: { allowed_sources: ['mine'] } } }),
    );
    const refused = async (input: object) => (await call('ingest_document', { path: 'mine/a.md', ...input })).code;
    expect(await refused({})).toBe('invalid_input');
    expect(await refused({ content: 'a', content_base64: 'YQ==' })).toBe('invalid_input');
    expect(await refused({ content_base64: 'no base64!' })).toBe('invalid_input');
    expect(await refused({ content: 'x'.repeat(101) })).toBe('too_large');
    expect(await refused({ content: 'x', media_type: 'video/mp4' })).toBe('invalid_input');
    expect(await refused({ content: 'x', path: 'mine/../a' })).toBe('invalid_input');
    expect(await refused({ content: 'x', path: 'mineral.md' })).toBe('forbidden');
    expect(await refused({ content: 'x' })).toBeUndefined();
    expect(await call('remove_knowledge', { path: 'yours/a.md' })).toMatchObject({ code: 'forbidden' });
    expect(await call('list_knowledge', { limit: 0 })).toMatchObject({ code: 'invalid_input' });
  });

  test('R-knowledge: a text from an older Windows keeps its quotes and its euro sign', async () => {
    const call = caller(await plane());
    const bytes = Buffer.from('The \x93daily allowance\x94 is 28 \x80.', 'latin1');
    await call('ingest_document', { path: 'a.txt', content_base64: bytes.toString('base64') });
    expect((await call('search_knowledge', { query: 'allowance' })).hits).toMatchObject([
      { snippet: 'The “daily allowance” is 28 €.' },
    ]);
  });

  test('R-knowledge: removing is denied unless a policy allows it', async () => {
    const call = caller(await plane({ policies: [] }));
    await call('ingest_document', { path: 'a.md', content: 'stays' });
    expect(await call('remove_knowledge', { path: 'a.md' })).toMatchObject({ code: 'denied_by_policy' });
    expect((await call('list_knowledge', {})).total).toBe(1);
  });
});

describe('the seven searches', () => {
  test('R-knowledge: each finds its kind, with source and place', async () => {
    const call = caller(await plane());
    await call('ingest_document', { path: 'a/travel.md', content: note });
    const first = async (tool: string, query: string, more: object = {}) =>
      (await call(tool, { query, ...more })).hits[0];
    expect(await first('search_knowledge', 'daily allowance')).toMatchObject({
      type: 'text',
      source: 'a/travel.md',
      place: { lines: [1, 3] },
    });
    expect(await first('search_tables', 'Ghent hotel')).toMatchObject({
      type: 'table',
      place: { line: 7 },
      snippet: 'city | hotel\nGhent | 120',
    });
    expect(await first('search_images', 'map')).toMatchObject({
      type: 'image',
      snippet: 'A map of Ghent',
      place: { lines: [9, 9] },
    });
    for (const written of ['mc^2', 'E=m c^{2}', '$$E = \\mathrm{m} c^2$$']) {
      expect(await first('search_formulas', written)).toMatchObject({
        type: 'formula',
        snippet: 'E = mc^2',
        place: { lines: [11, 11] },
      });
    }
    const symbol = { name: 'payAllowance', kind: 'function' };
    for (const written of ['payAllowance', 'payallow', 'pay_allowance', 'allowance pay']) {
      expect(await first('search_codebase', written, { kind: 'symbol', language: 'ts' })).toMatchObject({
        type: 'symbol',
        place: { symbol, lines: [14, 14] },
      });
    }
    expect(await first('search_codebase', 'export function', { kind: 'text' })).toMatchObject({
      type: 'code',
      place: { line: 14 },
    });
    expect(await first('search_codebase', 'payAllowance', { language: 'python' })).toBeUndefined();
    const { hits } = await call('search_multimodal', { query: 'Ghent allowance', limit: 5 });
    expect(new Set(hits.map(({ type }: any) => type))).toEqual(new Set(['text', 'table', 'image', 'symbol', 'code']));
    expect(await call('semantic_search', { query: 'allowance' })).toMatchObject({
      method: 'lexical',
      note: expect.stringContaining('models.embedding'),
    });
  });

  test('R-knowledge: accents and parts of identifiers are found; near words only where the word itself is nowhere', async () => {
    const call = caller(await plane());
    await call('ingest_document', { path: 'a.txt', content: 'Das Gebäude in Kraków, built by maxRetryCount workers.' });
    await call('ingest_document', { path: 'b.txt', content: 'A building of maxRetryCounts.' });
    const found = async (query: string) =>
      (await call('search_knowledge', { query })).hits.map(({ source }: any) => source);
    expect(await found('gebaude krakow')).toEqual(['a.txt']);
    expect(await found('retry')).toEqual(expect.arrayContaining(['a.txt', 'b.txt']));
    expect(await found('built')).toEqual(['a.txt']);
    expect(await found('bulding')).toEqual(['b.txt']);
    expect(await found('nothing whatsoever like xqzzy')).toEqual([]);
  });

  test('R-knowledge: an agent sees only the sources that its tool_config allows, whatever it asks', async () => {
    const only = Object.fromEntries(
      [...searches, 'list_knowledge'].map((tool) => [tool, { allowed_sources: ['open'] }]),
    );
    const call = caller(await plane({ toolConfig: only }));
    await call('ingest_document', { path: 'open/a.md', content: note });
    await call('ingest_document', { path: 'openly-secret/b.md', content: note.replaceAll('28', 'CANARY') });
    for (const tool of searches) {
      const { hits } = await call(tool, { query: 'allowance Ghent map function E = mc^2', limit: 50 });
      expect(hits.length, tool).toBeGreaterThan(0);
      expect(JSON.stringify(hits), tool).not.toMatch(/secret|CANARY/);
    }
    expect((await call('search_knowledge', { query: 'allowance', prefix: 'openly-secret/' })).hits).toEqual([]);
    expect(await call('list_knowledge', {})).toMatchObject({ total: 1 });
  });

  test('R-knowledge: two workspaces know nothing of each other', async () => {
    const [one, other] = [await plane(), await plane()];
    const second = await one.ensureWorkspace('second');
    expect(second.workspaceId).not.toBe(one.workspaceId);
    const admin = (await one.plane.redeemAdminLink(await one.adminLink(second.workspaceId))).principal;
    await one.plane.createAgent(admin, { slug: 'outsider' });
    const tools = ['ingest_document', 'search_knowledge', 'list_knowledge'];
    await one.plane.replaceGrants(admin, 'outsider', [{ toolkit: 'knowledge', tools, limits: {}, config: {} }]);
    const outside = async (tool: string, input: object): Promise<any> =>
      output(await one.execute({ principal: { agent: 'outsider', workspace: 'second' }, tool, input: input as never }));
    await caller(one)('ingest_document', { path: 'a.md', content: note });
    expect(await outside('list_knowledge', {})).toMatchObject({ total: 0 });
    expect((await outside('search_knowledge', { query: 'allowance' })).hits).toEqual([]);
    await outside('ingest_document', { path: 'b.md', content: note });
    expect((await outside('search_knowledge', { query: 'allowance' })).hits[0].source).toBe('b.md');
    expect((await caller(one)('search_knowledge', { query: 'allowance' })).hits[0].source).toBe('a.md');
    expect((await caller(other)('search_knowledge', { query: 'allowance' })).hits).toEqual([]);
  });

  test('R-knowledge: every search refuses an empty question, and none is called without a grant', async () => {
    const call = caller(await plane());
    for (const tool of searches)
      expect(await call(tool, { query: ' ' }), tool).toMatchObject({ code: 'invalid_input' });
    const bare = caller(await plane({ granted: ['list_knowledge'] }));
    for (const tool of searches)
      expect((await bare(tool, { query: 'a' })).code, tool).toMatch(/not_granted|tool_not_found/);
  });

  test('R-knowledge: the toolkit is no part of the marketplace', () => expect(knowledge.internal).toBe(true));
});

describe('ingest_files', () => {
  async function folder(count: number) {
    const top = await mkdtemp(join(tmpdir(), 'helve-knowledge-'));
    open.push(() => rm(top, { recursive: true, force: true }));
    const root = join(top, 'root');
    await mkdir(join(root, '.git'), { recursive: true });
    await writeFile(join(top, 'secret.md'), 'CANARY');
    await writeFile(join(root, '.git/config'), 'hidden');
    for (let at = 0; at < count; at += 1)
      await writeFile(
        join(root, `n-${String(at).padStart(2, '0')}.md`),
        `# Note ${at}\n\nfact${'abcdefghij'[at % 10]}${'klm'[Math.floor(at / 10)]}z`,
      );
    const toolConfig = { ingest_files: { allowed_paths: [`${root}/**`], max_file_bytes: 10_000 } };
    return { root, top, toolConfig };
  }

  test('R-knowledge: a folder with captions beside images; what is unchanged is skipped, what fails is named', async () => {
    const { root, top, toolConfig } = await folder(3);
    await writeFile(join(root, 'p.png'), Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1'));
    await writeFile(join(root, 'p.png.txt'), 'A heron at dawn');
    for (const name of ['q.png', 'r.png'])
      await writeFile(join(root, name), Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
    await writeFile(join(root, 'bad.pdf'), '%PDF-1.7 broken');
    await writeFile(join(root, 'big.txt'), 'x'.repeat(10_001));
    const call = caller(await plane({ toolConfig }));
    const first = await call('ingest_files', { path: root });
    expect(first).toMatchObject({ ingested: 6, unchanged: 0, failures: 2, truncated: false });
    expect(first.notes).toEqual([{ note: expect.stringContaining('No caption'), path: join(root, 'q.png'), files: 2 }]);
    expect(first.failed.map(({ path, code }: any) => [path, code]).sort()).toEqual([
      [join(root, 'bad.pdf'), 'invalid_input'],
      [join(root, 'big.txt'), 'too_large'],
    ]);
    expect((await call('search_images', { query: 'heron' })).hits[0]).toMatchObject({ source: join(root, 'p.png') });
    await writeFile(join(root, 'n-01.md'), 'another fact');
    expect(await call('ingest_files', { path: root, pattern: '*.md' })).toMatchObject({ ingested: 1, unchanged: 2 });
    expect(await call('ingest_files', { path: join(root, 'n-00.md') })).toMatchObject({ ingested: 0, unchanged: 1 });
    expect(await call('ingest_files', { path: join(top, 'secret.md') })).toMatchObject({ code: 'forbidden' });
    expect((await call('search_knowledge', { query: 'CANARY hidden' })).hits).toEqual([]);
  });

  test('R-knowledge: stopped in the middle, it keeps what it has and goes on from there', async () => {
    const { root, toolConfig } = await folder(30);
    const helve = await plane({ toolConfig });
    const stop = new AbortController();
    const seen: number[] = [];
    const result = await helve.call(
      'ingest_files',
      { path: root },
      {
        signal: stop.signal,
        onProgress: ({ progress }: { progress: number }) => {
          seen.push(progress);
          if (progress === 10) stop.abort();
        },
      },
    );
    expect(output(result)).toMatchObject({ code: 'outcome_unknown' });
    expect(seen.slice(0, 3)).toEqual([0, 1, 2]);
    const call = caller(helve);
    await expect.poll(async () => (await call('list_knowledge', {})).total).toBe(10);
    expect(await call('ingest_files', { path: root })).toMatchObject({ ingested: 20, unchanged: 10, failures: 0 });
    expect((await call('search_knowledge', { query: 'factjmz' })).hits).toHaveLength(1);
  });
});

describe('semantic_search with a model', () => {
  /** Three meanings, each a direction. */
  const meanings = [/money|euro|allowance|cost/i, /animal|heron|bird/i, /engine|turbine/i];
  const given = (modelId: string, asked: string[] = []) => ({
    modelId,
    doEmbed: async ({ values }: { values: string[] }) => {
      asked.push(...values);
      return {
        embeddings: values.map((value) => [...meanings.map((meaning) => (meaning.test(value) ? 1 : 0.01)), 0.1]),
      };
    },
  });

  test('R-knowledge: finds the same meaning in other words; vectors are made once, at ingest', async () => {
    const asked: string[] = [];
    const call = caller(await plane({ models: { embedding: given('m1', asked) } }));
    await call('ingest_document', { path: 'a.txt', content: 'The allowance is 28.' });
    await call('ingest_document', { path: 'b.txt', content: 'A heron stood there.' });
    await call('ingest_document', { path: 'b.txt', content: 'A heron stood there.' });
    expect(asked).toHaveLength(2);
    const answer = await call('semantic_search', { query: 'Which birds?', limit: 1 });
    expect(answer).toMatchObject({
      method: 'semantic',
      model: 'm1',
      hits: [{ source: 'b.txt', place: { lines: [1, 1] } }],
    });
    expect(answer.hits[0].score).toBeGreaterThan(0.95);
    expect(answer.note).toBeUndefined();
    expect((await call('list_knowledge', {})).sources[0]).toMatchObject({ embedding_model: 'm1' });
  });

  test('R-knowledge: vectors of another model are never compared; the answer says so, and ingesting makes new ones', async () => {
    let model = given('m1');
    const turning = {
      get modelId() {
        return model.modelId;
      },
      doEmbed: (options: { values: string[] }) => model.doEmbed(options),
    };
    const call = caller(await plane({ models: { embedding: turning } }));
    const bird = { path: 'b.txt', content: 'A heron stood there.' };
    await call('ingest_document', bird);
    await call('ingest_document', { path: 'a.txt', content: 'The allowance is 28.' });
    model = given('m2');
    expect(await call('semantic_search', { query: 'heron' })).toMatchObject({
      method: 'lexical',
      note: expect.stringContaining('2 elements have no vectors of m2'),
    });
    expect(await call('ingest_document', bird)).toMatchObject({ unchanged: false });
    expect(await call('semantic_search', { query: 'Which birds?' })).toMatchObject({
      method: 'semantic',
      model: 'm2',
      hits: [{ source: 'b.txt' }],
      note: expect.stringContaining('1 elements'),
    });
  });

  test('R-knowledge: an endpoint of helve.yaml in OpenAI’s protocol; one that fails costs only the vectors', async () => {
    const mock = new LLMock({ port: 0, host: '127.0.0.1' });
    await mock.start();
    open.push(() => mock.stop());
    const config = `models:\n  embedding: { base_url: "${mock.url}/v1", model: embed-x }\n`;
    const call = caller(await plane({ config } as TestHelveOptions));
    await call('ingest_document', { path: 'a.txt', content: 'The allowance is 28.' });
    await call('ingest_document', { path: 'b.txt', content: 'A heron stood there.' });
    const answer = await call('semantic_search', { query: 'A heron stood there.' });
    expect(answer).toMatchObject({
      method: 'semantic',
      model: 'embed-x',
      hits: [{ source: 'b.txt' }, { source: 'a.txt' }],
    });
    expect(answer.hits[0].score).toBeGreaterThan(0.999);
    const nowhere = caller(await plane({ config: config.replace(mock.url, 'http://127.0.0.1:1') } as TestHelveOptions));
    const taken = await nowhere('ingest_document', { path: 'a.txt', content: 'The allowance is 28.' });
    expect(taken).toMatchObject({ unchanged: false, notes: [expect.stringContaining('no vectors')] });
    expect((await nowhere('search_knowledge', { query: 'allowance' })).hits).toHaveLength(1);
    expect(await nowhere('semantic_search', { query: 'allowance' })).toMatchObject({ code: 'upstream_failed' });
  });
});
