/** Making, deleting, moving, looking and searching, through the whole pipeline; and what `tool_config` says about all. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolResult } from '../../domain/execution.js';
import type { JsonObject } from '../../domain/json.js';
import { createTestHelve, type TestHelve, type TestHelveOptions } from '../../testing/index.js';
import { files } from './toolkit.js';

const tools = ['create_directory', 'delete_file', 'move_file', 'file_info', 'search_files', 'read_file', 'write_file'];

let folder: string;
let root: string;
let helve: TestHelve;
let planes: TestHelve[] = [];

async function open(options: TestHelveOptions = {}, config: JsonObject = { allowed_paths: [`${root}/**`] }) {
  helve = await createTestHelve({
    nativeToolkits: [files],
    granted: tools,
    toolConfig: Object.fromEntries(tools.map((tool) => [tool, config])),
    policies: [{ id: 'destructive', effect: 'allow', when: {} }],
    ...options,
  });
  planes.push(helve);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helve-files-'));
  root = join(folder, 'root');
  await mkdir(root);
  await writeFile(join(folder, 'secret'), 'CANARY');
  await symlink(folder, join(root, 'out'));
  await open();
});
afterEach(async () => {
  for (const plane of planes) await plane.close();
  planes = [];
  await rm(folder, { recursive: true, force: true });
});

const output = (result: ToolResult): any => (result.ok ? result.output : result.error);
const call = async (tool: string, input: JsonObject) => output(await helve.call(tool, input));
const forbidden = { code: 'forbidden', hint: expect.stringContaining('Allowed: ') };

describe('one after the other', () => {
  test('R-files: create_directory', async () => {
    const path = join(root, 'a/b');
    expect(await call('create_directory', { path: 'a/b' })).toEqual({ path, created: true });
    expect(await call('create_directory', { path })).toEqual({ path, created: false });
    expect(await call('create_directory', { path: 'out/new' })).toMatchObject(forbidden);
    await writeFile(join(root, 'file'), '');
    expect(await call('create_directory', { path: 'file' })).toMatchObject({ code: 'conflict' });
    expect((await readdir(folder)).sort()).toEqual(['root', 'secret']);
  });

  test('R-files: delete_file', async () => {
    await mkdir(join(root, 'full/deep'), { recursive: true });
    await writeFile(join(root, 'full/deep/x'), '');
    await writeFile(join(root, 'file'), '');
    expect(await call('delete_file', { path: 'file' })).toEqual({ deleted: true, path: join(root, 'file') });
    expect(await call('delete_file', { path: 'file' })).toMatchObject({ code: 'not_found' });
    expect(await call('delete_file', { path: 'full' })).toMatchObject({
      code: 'conflict',
      hint: expect.stringContaining('recursive=true'),
    });
    expect(await call('delete_file', { path: 'full', recursive: true })).toMatchObject({ deleted: true });
    expect(await call('delete_file', { path: '../secret' })).toMatchObject(forbidden);
    expect(await call('delete_file', { path: 'out/secret' })).toMatchObject(forbidden);
    expect([await readdir(root), await readFile(join(folder, 'secret'), 'utf8')]).toEqual([['out'], 'CANARY']);
  });

  test('R-files: deleting is denied unless a policy says otherwise', async () => {
    await open({ policies: [] });
    await writeFile(join(root, 'file'), '');
    expect((await call('delete_file', { path: 'file' })).code).toMatch(/^(denied_by_policy|approval_required)$/);
    expect(await readdir(root)).toContain('file');
  });

  test('R-files: move_file', async () => {
    await writeFile(join(root, 'a'), 'a');
    await writeFile(join(root, 'b'), 'b');
    expect(await call('move_file', { source: 'a', destination: 'c' })).toEqual({ path: join(root, 'c') });
    expect(await call('move_file', { source: 'c', destination: 'b' })).toMatchObject({ code: 'conflict' });
    for (const [source, destination] of [
      ['c', '../c'],
      ['c', 'out/c'],
      ['../secret', 'mine'],
      ['out/secret', 'mine'],
      ['out', 'mine'],
    ] as const)
      expect(await call('move_file', { source, destination }), source).toMatchObject(forbidden);
    expect([(await readdir(root)).sort(), (await readdir(folder)).sort()]).toEqual([
      ['b', 'c', 'out'],
      ['root', 'secret'],
    ]);
  });

  test('R-files: file_info, also under the name stat', async () => {
    await writeFile(join(root, 'a'), '12345');
    const facts = {
      name: 'a',
      path: join(root, 'a'),
      type: 'file',
      size: 5,
      modified: expect.stringMatching(/^2\d{3}-/),
    };
    expect(await call('file_info', { path: 'a' })).toEqual(facts);
    expect(await call('stat', { path: 'a' })).toEqual(facts);
    expect(await call('file_info', { path: '.' })).toMatchObject({ type: 'directory', size: 0, path: root });
    expect(await call('file_info', { path: 'none' })).toMatchObject({ code: 'not_found' });
    expect(await call('file_info', { path: 'out' })).toMatchObject(forbidden);
  });
});

describe('search_files', () => {
  beforeEach(async () => {
    await mkdir(join(root, 'docs/deep'), { recursive: true });
    await writeFile(join(root, 'docs/a.md'), 'one\r\ntwo budget, budget\nthree\n');
    await writeFile(join(root, 'docs/deep/b.md'), `${'ä'.repeat(1_000)} budget ${'ß'.repeat(1_000)}\n\nbudget`);
    await writeFile(join(root, 'c.txt'), 'no money');
    await writeFile(join(root, 'budget.bin'), Buffer.from('\0\u0001budget'));
  });
  const paths = ({ matches }: any) => matches.map(({ path }: any) => path.slice(root.length + 1));

  test('R-files: by name, anywhere below', async () => {
    expect(paths(await call('search_files', { pattern: '*.md' }))).toEqual(['docs/a.md', 'docs/deep/b.md']);
    expect(paths(await call('search_files', { path: 'docs', pattern: '*/*.md' }))).toEqual(['docs/deep/b.md']);
    expect(paths(await call('search_files', { path: '.' }))).toEqual([
      'budget.bin',
      'c.txt',
      'docs',
      'out',
      'docs/a.md',
      'docs/deep',
      'docs/deep/b.md',
    ]);
  });

  test('R-files: by text, with the lines; links, binary and large files are not looked into', async () => {
    await open({}, { allowed_paths: [`${root}/**`], max_bytes: 5_000 });
    await writeFile(join(root, 'large.md'), `budget ${'x'.repeat(5_000)}`);
    const found = await call('search_files', { query: 'budget' });
    expect(found).toMatchObject({ truncated: false, skipped: 2 });
    expect(
      found.matches.map(({ path, lines }: any) => [path.slice(root.length + 1), lines.map((one: any) => one.line)]),
    ).toEqual([
      ['docs/a.md', [2]],
      ['docs/deep/b.md', [1, 3]],
    ]);
    expect(found.matches[0].lines[0].text).toBe('two budget, budget');
    expect(found.matches[1].lines[0].text).toMatch(/^ä+ budget ß+$/);
    expect(found.matches[1].lines[0].text.length).toBeLessThan(300);
    expect(await call('search_files', { query: 'Budget' })).toMatchObject({ matches: [] });
    for (const [lines, truncated] of [
      [20, false],
      [21, true],
    ] as const) {
      await writeFile(join(root, 'many.txt'), 'often\n'.repeat(lines));
      const { matches, ...rest } = await call('search_files', { query: 'often' });
      expect([matches[0].lines.length, rest.truncated]).toEqual([20, truncated]);
    }
    expect(await call('search_files', { query: 'CANARY' })).toMatchObject({ matches: [] });
  });

  test('R-files: refusals', async () => {
    for (const path of ['..', 'out', '../secret', '/etc'])
      expect(await call('search_files', { path, query: 'CANARY' }), path).toMatchObject(forbidden);
    for (const pattern of ['../**/secret', '/etc/*', '**/../../secret'])
      expect(await call('search_files', { path: '.', pattern }), pattern).toMatchObject({ code: 'invalid_input' });
    expect(await call('search_files', { path: 'c.txt' })).toMatchObject({ code: 'conflict' });
  });

  test('R-files: a search ends when the caller goes', async () => {
    await Promise.all(Array.from({ length: 400 }, (_, n) => writeFile(join(root, `docs/${n}`), 'x'.repeat(10_000))));
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 30);
    const result = await helve.call('search_files', { query: 'nowhere' }, { signal: stop.signal });
    expect(output(result)).toMatchObject({ code: 'cancelled' });
  });
});

describe('tool_config', () => {
  test('R-tool-config: without allowed_paths, the folder of the workspace, in which nobody else is', async () => {
    const dataDir = join(folder, 'data');
    await open({ dataDir }, {});
    expect(await call('write_file', { path: 'notes.txt', content: 'mine' })).toEqual({
      bytes_written: 4,
      path: join(dataDir, 'files', helve.workspaceId, 'notes.txt'),
    });
    expect(await call('read_file', { path: 'notes.txt' })).toMatchObject({ content: 'mine' });
    expect(await call('read_file', { path: '../../helve.db' })).toMatchObject({ code: 'forbidden' });
    await open({}, {});
    expect(await call('read_file', { path: 'notes.txt' })).toMatchObject({
      code: 'invalid_config',
      hint: expect.stringContaining('allowed_paths'),
    });
  });

  test('R-tool-config: Helve’s own files are out of reach of the widest glob', async () => {
    const dataDir = join(folder, 'data');
    await open({ dataDir }, { allowed_paths: ['/**'] });
    expect(await call('read_file', { path: join(folder, 'secret') })).toMatchObject({ content: 'CANARY' });
    for (const path of [dataDir, `${dataDir}/helve.db`, `${dataDir}/none`])
      expect(await call('read_file', { path, binary: true }), path).toMatchObject({ code: 'forbidden' });
    expect(await call('delete_file', { path: folder, recursive: true })).toMatchObject({ code: 'forbidden' });
    expect(paths(await call('search_files', { path: folder, pattern: 'helve*' }))).toEqual([]);
  });
  const paths = ({ matches }: any) => matches.map(({ path }: any) => path);

  test('R-tool-config: each tool has its own, as the native-tools document writes it', async () => {
    await mkdir(join(root, 'research/deep'), { recursive: true });
    await mkdir(join(root, 'output'));
    await writeFile(join(root, 'research/deep/a'), 'found');
    await open({
      config: `agents:
  - name: researcher
    tools: [read_file, write_file]
    tool_config:
      read_file:
        allowed_paths: ["${root}/research/**"]
      write_file:
        allowed_paths: ["${root}/output/**"]
`,
    });
    await helve.setUp();
    const as = async (tool: string, input: JsonObject) =>
      output(await helve.execute({ principal: { agent: 'researcher' }, tool, input }));
    expect(await as('read_file', { path: `${root}/research/deep/a` })).toMatchObject({ content: 'found' });
    expect(await as('read_file', { path: `${root}/output/a` })).toMatchObject({ code: 'forbidden' });
    expect(await as('write_file', { path: `${root}/research/a`, content: '' })).toMatchObject({ code: 'forbidden' });
    expect(await as('write_file', { path: `${root}/output/a`, content: 'x' })).toMatchObject({ bytes_written: 1 });
  });

  test.each([
    ['a relative glob', { allowed_paths: ['data/**'] }],
    ['no list', { allowed_paths: '/data/**' }],
    ['no size', { max_bytes: 0 }],
    ['an unknown key', { allowed_path: ['/data/**'] }],
  ])('R-tool-config: %s is refused when it is granted', async (_, config) => {
    await expect(open({}, config as JsonObject)).rejects.toMatchObject({ code: expect.stringMatching(/^invalid_/) });
  });
});
