/** `helve knowledge` against a real server, with real files. Runs the built code, so `dist/` must be up to date. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { killChildren, removeTemporaryFolders, run, type Server, serve, temporaryFolder } from './support/server.js';

let dataDir: string;
let docs: string;
let server: Server;

beforeAll(async () => {
  dataDir = await temporaryFolder('cli-knowledge');
  docs = join(await temporaryFolder('cli-knowledge-files'), 'docs');
  await mkdir(join(docs, 'deep/.git'), { recursive: true });
  await writeFile(join(docs, 'travel.md'), '# Travel\n\nThe daily allowance is 28 euros.\n');
  await writeFile(join(docs, 'deep/plan.csv'), 'city,hotel\nGhent,120\n');
  await writeFile(join(docs, 'deep/.git/config'), 'hidden');
  await writeFile(join(docs, 'p.png'), Buffer.from('\x89PNG\r\n\x1a\n\0', 'latin1'));
  await writeFile(join(docs, 'p.png.caption'), 'A heron at dawn\n');
  await writeFile(join(dataDir, 'helve.yaml'), 'limits: { per_ip: null, per_principal: 600 }\n');
  server = await serve(dataDir);
});
afterAll(async () => {
  await server.stop();
  killChildren();
  await removeTemporaryFolders();
});

const helve = (...args: string[]) => run(['knowledge', ...args, '--data', dataDir]);
const json = async (...args: string[]): Promise<any> => JSON.parse((await helve(...args, '--json')).stdout);

test('R-knowledge: a folder is ingested through the one pipeline, skipped while unchanged, listed and searched', async () => {
  const first = await helve('ingest', docs, '--prefix', 'hand/');
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toBe(
    'ingested hand/docs/deep/plan.csv\ningested hand/docs/p.png\ningested hand/docs/travel.md\n3 ingested, 0 unchanged, 0 failed.\n',
  );
  expect(await json('ingest', docs, '--prefix', 'hand/')).toMatchObject({
    ingested: 0,
    unchanged: 3,
    failed: [],
    stopped: false,
  });
  await writeFile(join(docs, 'travel.md'), '# Travel\n\nThe daily allowance is 31 euros.\n');
  expect(await json('ingest', docs, '--prefix', 'hand/')).toMatchObject({ ingested: 1, unchanged: 2 });
  expect((await json('list', 'hand/')).map(({ path }: { path: string }) => path)).toEqual([
    'hand/docs/deep/plan.csv',
    'hand/docs/p.png',
    'hand/docs/travel.md',
  ]);
  expect((await helve('search', 'heron')).stdout).toContain('hand/docs/p.png (image, ');
  expect((await json('search', 'daily allowance')).hits[0]).toMatchObject({
    source: 'hand/docs/travel.md',
    snippet: expect.stringContaining('31 euros'),
  });
}, 30_000);

test('R-knowledge: a file that fails is named and the others continue; a missing one is refused', async () => {
  await writeFile(join(docs, 'bad.pdf'), '%PDF-1.7 broken');
  const { code, stdout } = await helve('ingest', docs, '--prefix', 'hand/');
  expect(code).toBe(1);
  expect(stdout).toMatch(/failed \(invalid_input: The PDF is broken.*\) hand\/docs\/bad\.pdf/);
  expect(stdout).toContain('0 ingested, 3 unchanged, 1 failed.');
  const missing = await helve('ingest', join(docs, 'nowhere'));
  expect([missing.code, missing.stderr]).toEqual([5, expect.stringContaining('(not_found)')]);
  const captioned = await helve('ingest', docs, '--caption', 'one for all');
  expect([captioned.code, captioned.stderr]).toEqual([2, expect.stringContaining('(invalid_input)')]);
}, 30_000);
