/** The tools for knowledge as an MCP client sees and calls them: a success and a refusal of each. */
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterEach, expect, it } from 'vitest';
import { atEnd, bearer, endAll, openRealDoor } from './real-door.js';

afterEach(endAll);

const searches = [
  'search_codebase',
  'search_formulas',
  'search_images',
  'search_knowledge',
  'search_multimodal',
  'search_tables',
  'semantic_search',
];
const tools = ['ingest_document', 'ingest_files', 'list_knowledge', 'remove_knowledge', ...searches];
const note =
  '# Travel\n\nThe daily allowance is 28 euros.\n\n| city | hotel |\n|--|--|\n| Ghent | 120 |\n\n![A map](m.png)\n\n$E = mc^2$\n\n```ts\nexport function payAllowance() {}\n```\n';

it('R-knowledge: lists the tools with their hints, and each answers and refuses', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'helve-mcp-knowledge-')));
  atEnd(() => rm(root, { recursive: true, force: true }));
  await writeFile(join(root, 'a.txt'), 'A heron stood there.');
  const real = await openRealDoor({
    granted: tools,
    toolConfig: { ingest_files: { allowed_paths: [`${root}/**`] } },
    policies: [{ id: 'removing', effect: 'allow', when: { tools: ['remove_knowledge'] } }],
  });
  const client = new Client({ name: 'test', version: '0.0.0' });
  const requestInit = { headers: bearer(real.alice) };
  await client.connect(new StreamableHTTPClientTransport(new URL(real.alice.address), { requestInit }) as Transport);
  atEnd(() => client.close());

  const listed = (await client.listTools()).tools.filter(({ name }) => tools.includes(name));
  const hints = listed.map(({ name, annotations }) => [name, annotations?.readOnlyHint, annotations?.destructiveHint]);
  expect(hints.sort()).toEqual(
    tools.map((name) => [name, /search|list/.test(name), name === 'remove_knowledge']).sort(),
  );

  const call = async (name: string, input: Record<string, unknown>): Promise<any> =>
    client.callTool({ name, arguments: input });
  const answer = async (name: string, input: Record<string, unknown>) => (await call(name, input)).structuredContent;
  expect(await answer('ingest_document', { path: 'travel.md', content: note })).toMatchObject({
    elements: { text: 2, table: 1, image: 1, formula: 1, symbol: 1, code: 1 },
  });
  const progress: string[] = [];
  const ingested: any = await client.callTool({ name: 'ingest_files', arguments: { path: root } }, undefined, {
    onprogress: ({ message }) => progress.push(message ?? ''),
  });
  expect(ingested.structuredContent).toMatchObject({ ingested: 1, failures: 0 });
  expect(progress).toContain(join(root, 'a.txt'));
  expect(await answer('list_knowledge', {})).toMatchObject({ total: 2 });
  const found: Record<string, [query: string, type: string]> = {
    search_knowledge: ['heron', 'text'],
    semantic_search: ['daily allowance', 'text'],
    search_codebase: ['payAllowance', 'symbol'],
    search_tables: ['hotel Ghent', 'table'],
    search_images: ['map', 'image'],
    search_formulas: ['mc^{2}', 'formula'],
    search_multimodal: ['map', 'image'],
  };
  for (const [name, [query, type]] of Object.entries(found)) {
    expect((await answer(name, { query })).hits[0], name).toMatchObject({
      type,
      source: expect.any(String),
      place: { text: expect.any(String) },
    });
  }
  expect(await answer('remove_knowledge', { path: 'travel.md' })).toEqual({ path: 'travel.md', removed: true });

  const refusals: Record<string, Record<string, unknown>> = {
    ingest_document: { path: 'x.md' },
    ingest_files: { path: '/etc' },
    list_knowledge: { limit: 0 },
    remove_knowledge: { path: 'travel.md' },
    ...Object.fromEntries(searches.map((name) => [name, { query: ' ' }])),
  };
  for (const [name, input] of Object.entries(refusals)) expect((await call(name, input)).isError, name).toBe(true);
});
