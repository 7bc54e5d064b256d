/** Every path attack of the shared data, through the whole pipeline, with what a canary outside says about it. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAttacks } from '../../../tests/data/attacks.js';
import type { JsonObject } from '../../domain/json.js';
import { createTestHelve } from '../../testing/index.js';
import { files } from './toolkit.js';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly setup: string;
  readonly tool: string;
  readonly arg: string;
  readonly expect: string;
}

const rows = readAttacks<Row>('path-scenarios');
const canary = 'CANARY-7f3a';

/** What a row's one argument is to our tool; archives are made of what is read. */
const inputs: Record<string, (arg: string) => [tool: string, input: JsonObject][]> = {
  read_file: (path) => [
    ['read_file', { path }],
    ['read_file', { path, binary: true }],
  ],
  write_file: (path) => [
    ['write_file', { path, content: 'x' }],
    ['write_file', { path, content: 'x', mode: 'append' }],
  ],
  list_dir: (path) => [['list_dir', { path }]],
  delete_file: (path) => [['delete_file', { path, recursive: true }]],
  move_file: (path) => [
    ['move_file', { source: path, destination: 'moved' }],
    ['move_file', { source: 'ok.txt', destination: path }],
  ],
  stat: (path) => [['file_info', { path }]],
  search_files: (path) => [
    ['search_files', { path }],
    ['search_files', { path, query: canary }],
    ['search_files', { path: '.', pattern: path }],
    ['search_files', { path: '.', pattern: path, query: canary }],
  ],
  create_directory: (path) => [['create_directory', { path }]],
  zip: (path) => [['read_file', { path, binary: true }]],
  unzip: (path) => [['read_file', { path, binary: true }]],
};

describe('path-scenarios.jsonl', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'helve-attacks-')));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.each(
    rows.map((row) => [row.id, row.name, row.tool, row] as const),
  )('R-files: %s %s %s', async (id, _, tool, row) => {
    const calls = inputs[tool] ?? [];
    expect(calls, `no way to call ${tool}`).not.toEqual([]);
    for (const index of inputs[tool]!('').keys()) {
      const base = join(folder, `${id}-${index}`);
      const [root, outside] = [join(base, 'root'), join(base, 'outside')];
      const filled = (text: string) =>
        text.replaceAll('{ROOT}', root).replaceAll('{OUTDIR}', outside).replaceAll('{SECRET}', join(outside, 'secret'));
      await mkdir(root, { recursive: true });
      await mkdir(outside);
      await writeFile(join(outside, 'secret'), canary);
      await writeFile(join(root, 'ok.txt'), 'fine');
      execFileSync('sh', ['-c', filled(row.setup)]);
      const [name, input] = inputs[tool]!(filled(row.arg))[index]!;
      const helve = await createTestHelve({
        nativeToolkits: [files],
        toolConfig: { [name]: { allowed_paths: [`${root}/**`] } },
        policies: [{ id: 'p', effect: 'allow', when: {} }],
      });
      const result = await helve.call(name, input);
      await helve.close();

      const answer = JSON.stringify(result);
      expect(answer).not.toContain(canary);
      expect(answer).not.toContain(Buffer.from(canary).toString('base64').slice(0, 12));
      expect(await readdir(outside)).toEqual(['secret']);
      expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe(canary);
      expect((await readdir(base)).filter((entry) => !/^(root|outside|root-.*)$/.test(entry))).toEqual([]);
      // A name of something missing that is searched for finds nothing; that is an answer.
      const found = result.ok && JSON.stringify(result.output).includes('"matches":[]');
      if (row.expect === 'deny' && !('pattern' in input && found)) expect(result.ok).toBe(false);
      if (row.expect === 'deny-by-size') expect(result).toMatchObject({ error: { code: 'too_large' } });
      if (row.expect === 'allow') expect(result).toMatchObject({ ok: true });
    }
  });
});
