/** R-operate: the shipped command archives old rows of the record while a server uses the store, and both can prove the rest. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { seal } from '../../src/audit/index.js';
import { openStorage } from '../../src/storage/index.js';
import { draft, workspace } from '../../src/testing/storage-fixtures.js';
import { ask } from './support/requests.js';
import { killChildren, removeTemporaryFolders, run, serve, temporaryFolder } from './support/server.js';

afterAll(async () => {
  killChildren();
  await removeTemporaryFolders();
});

/** A record whose first 2,500 rows are two years old. */
async function plantOldRows(dataDir: string): Promise<void> {
  const storage = await openStorage({ location: join(dataDir, 'helve.db'), seal });
  const at = new Date(Date.now() - 730 * 86_400_000).toISOString();
  await storage.system.createWorkspace({ ...workspace('w'), slug: 'default' }, [draft({ at })]);
  const events = Array.from({ length: 2_499 }, () => draft({ at }));
  await storage.commit([{ workspaceId: 'w', events }]);
  await storage.close();
}

test('R-operate: old rows are archived while a server runs, and the record stays proved', async () => {
  const dataDir = await temporaryFolder('archive');
  const archives = join(dataDir, 'archives');
  await plantOldRows(dataDir);
  const server = await serve(dataDir);
  const verify = ['audit', 'verify', '--data', dataDir];
  expect((await run(verify)).stdout).toMatch(/^25\d\d rows, unbroken\. Head/);
  const archive = ['audit', 'archive', '--to', archives, '--data', dataDir, '--keep'];
  for (const keep of ['3d', '100000d']) {
    const refused = await run([...archive, keep]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('from 30d to 99999d')]);
  }
  const done = await run([...archive, '400d']);
  expect(done).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('rows 1 to 2048 of default') });
  expect(await readdir(archives)).toEqual(['w-1-2048.record']);

  expect((await run(verify)).stdout).toMatch(/unbroken \(rows 1 to 2048 are in signed archives, which were not read\)/);
  const answered = await ask(server.url, 'POST /api/tools/execute', server.token, {
    tool: 'calculate',
    input: { expression: '6*7' },
  });
  expect(answered.body).toMatchObject({ ok: true });
  expect((await run([...archive, '400d'])).stdout).toMatch(/No rows are old enough/);
  const whole = [...verify, '--store', join(dataDir, 'helve.db'), '--archives', archives];
  expect((await run(whole)).stdout).toMatch(/unbroken \(rows 1 to 2048 were read in their archives\)/);
  await rm(join(archives, 'w-1-2048.record'));
  const without = await run(whole);
  expect([without.code, without.stderr]).toEqual([1, expect.stringContaining('broken at row 1: There is no archive')]);
  await server.stop();
});
