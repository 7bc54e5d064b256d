/** The tools for files through the whole pipeline: what each does, and what it refuses. */
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolResult } from '../../domain/execution.js';
import type { JsonObject } from '../../domain/json.js';
import { createTestHelve, type TestHelve, type TestHelveOptions } from '../../testing/index.js';
import { files } from './toolkit.js';

const tools = [
  'read_file',
  'write_file',
  'list_dir',
  'create_directory',
  'delete_file',
  'move_file',
  'file_info',
  'search_files',
];

let folder: string;
let root: string;
let helve: TestHelve;
let planes: TestHelve[] = [];

async function open(config: JsonObject = { allowed_paths: [`${root}/**`] }, more: TestHelveOptions = {}) {
  helve = await createTestHelve({
    nativeToolkits: [files],
    granted: tools,
    toolConfig: Object.fromEntries(tools.map((tool) => [tool, config])),
    policies: [{ id: 'destructive', effect: 'allow', when: {} }],
    ...more,
  });
  planes.push(helve);
  return helve;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helve-files-'));
  root = join(folder, 'root');
  await mkdir(root);
  await writeFile(join(folder, 'secret'), 'CANARY');
  await open();
});
afterEach(async () => {
  for (const plane of planes) await plane.close();
  planes = [];
  await rm(folder, { recursive: true, force: true });
});

const output = (result: ToolResult): any => (result.ok ? result.output : result.error);
const call = async (tool: string, input: JsonObject) => output(await helve.call(tool, input));
const there = (name: string) => readFile(join(root, name), 'utf8');

describe('read_file', () => {
  test('R-files: text, with where it is and how large', async () => {
    await writeFile(join(root, 'a.txt'), 'Grüße\r\n');
    const answer = { content: 'Grüße\r\n', path: join(root, 'a.txt'), size: 9, encoding: 'utf-8' };
    expect(await call('read_file', { path: join(root, 'a.txt') })).toEqual(answer);
    expect(await call('read_file', { path: 'a.txt' })).toEqual(answer);
    expect(await call('read_file', { path: 'no/../a.txt' })).toEqual(answer);
    await writeFile(join(root, 'empty'), '');
    expect(await call('read_file', { path: 'empty' })).toMatchObject({ content: '', size: 0 });
  });

  test('R-files: bytes as base64', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 128]);
    await writeFile(join(root, 'b'), bytes);
    expect(await call('read_file', { path: 'b', binary: true })).toMatchObject({
      content: bytes.toString('base64'),
      size: 5,
      encoding: 'base64',
    });
  });

  test.each([
    'utf-8',
    'utf-16',
    'utf-16le',
    'utf-16be',
    'utf-32',
    'gb18030',
    'shift_jis',
    'euc-kr',
  ])('R-files: what is written in %s is read in it, and other programs agree', async (encoding) => {
    const text = { shift_jis: '日本語 ｱ', 'euc-kr': '한국어' }[encoding] ?? 'äß日本語😀';
    const { bytes_written } = await call('write_file', { path: 'e', content: text, encoding });
    expect(await call('read_file', { path: 'e', encoding })).toMatchObject({ content: text, size: bytes_written });
    expect(new TextDecoder(encoding.replace('utf-32', 'utf-8'), { fatal: encoding !== 'utf-32' })).toBeDefined();
    if (encoding !== 'utf-32') expect(new TextDecoder(encoding).decode(await readFile(join(root, 'e')))).toBe(text);
  });

  test('R-files: a byte order mark is no part of the text', async () => {
    await writeFile(join(root, 'bom'), '\ufefftext');
    expect(await call('read_file', { path: 'bom' })).toMatchObject({ content: 'text', size: 7 });
    await writeFile(join(root, 'bom'), Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('text', 'utf16le')]));
    expect(await call('read_file', { path: 'bom', encoding: 'utf-16' })).toMatchObject({ content: 'text' });
    expect(await call('read_file', { path: 'bom' })).toMatchObject({
      code: 'invalid_input',
      hint: expect.stringContaining('encoding=utf-16'),
    });
  });

  test('R-files: what is no text in the encoding is refused, with what to do', async () => {
    await writeFile(join(root, 'latin'), Buffer.from('Gr\xfc\xdfe', 'latin1'));
    const refused = { code: 'invalid_input', hint: expect.stringContaining('binary=true') };
    expect(await call('read_file', { path: 'latin' })).toMatchObject(refused);
    expect(await call('read_file', { path: 'latin', encoding: 'iso-8859-1' })).toMatchObject({ content: 'Grüße' });
    expect(await call('read_file', { path: 'latin', encoding: 'shift_jis' })).toMatchObject(refused);
    await writeFile(join(root, 'half'), Buffer.from([0x61, 0, 0x62]));
    for (const encoding of ['utf-16', 'utf16le', 'UTF-16BE', 'ucs2'])
      expect(await call('read_file', { path: 'half', encoding }), encoding).toMatchObject(refused);
    await writeFile(join(root, 'png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]));
    expect(await call('read_file', { path: 'png' })).toMatchObject(refused);
    for (const encoding of ['klingon', 'base64', 'hex', 'binary', '__proto__'])
      expect(await call('read_file', { path: 'latin', encoding }), encoding).toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('no encoding'),
      });
  });

  test('R-files: too large, missing, a folder', async () => {
    await open({ allowed_paths: [`${root}/**`], max_bytes: 10 });
    await writeFile(join(root, 'ten'), '0123456789');
    await writeFile(join(root, 'eleven'), '0123456789x');
    await mkdir(join(root, 'sub'));
    expect(await call('read_file', { path: 'ten' })).toMatchObject({ size: 10 });
    expect(await call('read_file', { path: 'eleven' })).toMatchObject({ code: 'too_large' });
    expect(await call('read_file', { path: 'none' })).toMatchObject({ code: 'not_found' });
    expect(await call('read_file', { path: 'ten/x' })).toMatchObject({ code: 'not_found' });
    expect(await call('read_file', { path: 'sub' })).toMatchObject({ code: 'conflict' });
    expect(await call('read_file', { path: 'x'.repeat(300) })).toMatchObject({ code: 'invalid_input' });
  });
});

describe('write_file', () => {
  test('R-files: overwrite and append, text and bytes', async () => {
    expect(await call('write_file', { path: 'a', content: 'ä1' })).toEqual({
      bytes_written: 3,
      path: join(root, 'a'),
    });
    await call('write_file', { path: 'a', content: '2', mode: 'append' });
    expect(await there('a')).toBe('ä12');
    await call('write_file', { path: 'a', content: 'new' });
    expect(await there('a')).toBe('new');
    await call('write_file', { path: 'log', content: 'first\n', mode: 'append' });
    expect(await there('log')).toBe('first\n');
    await call('write_file', { path: 'b', content: 'AP8K\n', binary: true });
    expect([...(await readFile(join(root, 'b')))]).toEqual([0, 255, 10]);
    expect((await readdir(root)).sort()).toEqual(['a', 'b', 'log']);
  });

  test('R-files: appending in an encoding with a byte order mark puts one at the start only', async () => {
    await call('write_file', { path: 'u', content: 'a', encoding: 'utf-16' });
    await call('write_file', { path: 'u', content: 'b', encoding: 'utf-16', mode: 'append' });
    expect(await call('read_file', { path: 'u', encoding: 'utf-16' })).toMatchObject({ content: 'ab', size: 6 });
  });

  test('R-files: a file keeps its permissions when it is replaced', async () => {
    await writeFile(join(root, 'run.sh'), 'old');
    await chmod(join(root, 'run.sh'), 0o750);
    await call('write_file', { path: 'run.sh', content: 'new' });
    expect([(await stat(join(root, 'run.sh'))).mode & 0o777, await there('run.sh')]).toEqual([0o750, 'new']);
  });

  test('R-files: nothing is lost in silence', async () => {
    expect(await call('write_file', { path: 'a', content: 'five €', encoding: 'iso-8859-1' })).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('€'),
    });
    for (const content of ['not base64!', 'A', 'AAAAA', 'AA=A', '===='])
      expect(await call('write_file', { path: 'a', content, binary: true }), content).toMatchObject({
        code: 'invalid_input',
      });
    expect(await call('write_file', { path: 'a', content: 'half \ud800' })).toMatchObject({ code: 'invalid_input' });
    expect(await readdir(root)).toEqual([]);
  });

  test('R-files: any text is returned unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 60 }), async (text) => {
        await call('write_file', { path: 'p', content: text, encoding: 'utf-16le' });
        expect((await call('read_file', { path: 'p', encoding: 'utf-16le' })).content).toBe(text);
      }),
      { numRuns: 40 },
    );
  });

  test('R-files: too large, also by what was there; a missing folder; a folder', async () => {
    await open({ allowed_paths: [`${root}/**`], max_bytes: 10 });
    expect(await call('write_file', { path: 'a', content: 'x'.repeat(11) })).toMatchObject({ code: 'too_large' });
    await call('write_file', { path: 'a', content: 'x'.repeat(10) });
    expect(await call('write_file', { path: 'a', content: 'y', mode: 'append' })).toMatchObject({ code: 'too_large' });
    expect(await there('a')).toBe('x'.repeat(10));
    expect(await call('write_file', { path: 'no/a', content: '' })).toMatchObject({
      code: 'not_found',
      hint: expect.stringContaining('create_directory'),
    });
    expect(await call('write_file', { path: '.', content: '' })).toMatchObject({ code: 'conflict' });
    await mkdir(join(root, 'sub'));
    expect(await call('write_file', { path: 'sub', content: '' })).toMatchObject({ code: 'conflict' });
  });
});

describe('list_dir', () => {
  beforeEach(async () => {
    await mkdir(join(root, 'docs/deep'), { recursive: true });
    for (const name of ['b.md', 'a.xml', '.hidden', 'docs/c.md', 'docs/deep/d.md'])
      await writeFile(join(root, name), name);
    await symlink(join(folder, 'secret'), join(root, 'out'));
  });
  const listed = async (pattern?: string, path = '.') => {
    const { entries } = await call('list_dir', pattern === undefined ? { path } : { path, pattern });
    return entries.map((entry: any) => (entry.path ? entry.path.slice(root.length + 1) : entry.name));
  };

  test('R-files: name, type, size and time, in order; links are shown and not followed', async () => {
    await utimes(join(root, 'b.md'), 0, 1_000_000_000);
    const answer = await call('list_dir', { path: root });
    expect(answer.truncated).toBe(false);
    expect(answer.entries.map(({ name, type }: any) => [name, type])).toEqual([
      ['.hidden', 'file'],
      ['a.xml', 'file'],
      ['b.md', 'file'],
      ['docs', 'directory'],
      ['out', 'link'],
    ]);
    expect(answer.entries[2]).toEqual({ name: 'b.md', type: 'file', size: 4, modified: '2001-09-09T01:46:40.000Z' });
    expect(output(await helve.call('list_directory', { path: root }))).toEqual(answer);
  });

  test('R-files: globs', async () => {
    expect(await listed('*.md')).toEqual(['b.md']);
    expect(await listed('**/*.md')).toEqual(['b.md', 'docs/c.md', 'docs/deep/d.md']);
    expect(await listed('docs/**')).toEqual(['docs/c.md', 'docs/deep', 'docs/deep/d.md']);
    expect(await listed('*.{md,xml}')).toEqual(['a.xml', 'b.md']);
    expect(await listed('[!a-m.]*')).toEqual(['out']);
    expect(await listed('nothing*')).toEqual([]);
    expect(await listed('*', 'docs')).toEqual(['c.md', 'deep']);
  });

  test('R-files: a file, a missing folder, and patterns that lead out', async () => {
    expect(await call('list_dir', { path: 'b.md' })).toMatchObject({ code: 'conflict' });
    expect(await call('list_dir', { path: 'none' })).toMatchObject({ code: 'not_found' });
    for (const pattern of ['../*', '/etc/*', 'docs/../../*', '\0', '[z-a]'])
      expect(await call('list_dir', { path: '.', pattern }), pattern).toMatchObject({ code: 'invalid_input' });
  });

  test('R-files: a large folder is cut, and said to be', async () => {
    await mkdir(join(root, 'many'));
    execFileSync('sh', ['-c', 'seq -w 1 3000 | xargs touch'], { cwd: join(root, 'many') });
    const { entries, truncated } = await call('list_dir', { path: 'many' });
    expect([entries.length, entries[0].name, truncated]).toEqual([1_000, '0001', true]);
  });
});
