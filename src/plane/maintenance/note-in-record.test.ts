/** The record says what the command line did with a whole store. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { seal } from '../../audit/index.js';
import { openStorage } from '../../storage/index.js';
import { draft, workspace } from '../../testing/storage-fixtures.js';
import { backup } from './backup/index.js';
import { noteInRecord } from './note-in-record.js';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function plant() {
  const dataDir = await mkdtemp(join(tmpdir(), 'helve-note-'));
  folders.push(dataDir);
  const location = join(dataDir, 'helve.db');
  const storage = await openStorage({ location, seal });
  await storage.system.createWorkspace({ ...workspace('first'), slug: 'default' }, [draft(), draft()]);
  await storage.system.createWorkspace(workspace('second'), [draft()]);
  const facts = await backup({ location, dataDir, target: join(dataDir, 'copy.backup') });
  return { storage, location, facts, dataDir };
}

test('R-operate: who made a backup, of how much, is in each record; how much the whole store has, in the first only', async () => {
  const { storage, location, facts, dataDir } = await plant();
  expect(await noteInRecord({ type: 'store.backed_up', location, facts })).toBeUndefined();
  const read = async (id: string) => {
    const [row] = await storage.workspace(id).audit.search({ types: ['store.backed_up'], limit: 2 });
    return row?.body;
  };
  const common = { through: 'command line', user: expect.any(String), from: 'sqlite', copiedAt: facts.head.at };
  const whole = { rows: facts.rows, tables: facts.tables.size, files: facts.files };
  expect(await read('first')).toEqual({ ...common, recordRows: 2, ...whole });
  expect(await read('second')).toEqual({ ...common, recordRows: 1 });
  expect(JSON.stringify(await read('first'))).not.toContain(dataDir);
  await storage.close();
});

test('R-operate: the store of another version is backed up and not brought up to date, and the command says that nothing is noted', async () => {
  const { storage, location, facts } = await plant();
  const older = { ...facts, head: { ...facts.head, schema: facts.head.schema - 1 } };
  expect(await noteInRecord({ type: 'store.backed_up', location, facts: older })).toMatch(/another version/);
  expect(await storage.workspace('first').audit.head()).toMatchObject({ seq: 2 });
  await storage.close();
});
