/** The record says what the command line did with a whole store. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { seal } from '../../audit/index.js';
import { openStorage } from '../../storage/index.js';
import { draft, workspace } from '../../testing/storage-fixtures.js';
import { backup, type CopyFacts, move, restore } from './backup/index.js';
import { createCopyEvents, noteBackup } from './note-in-record.js';

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
  expect(await noteBackup({ location, facts })).toBeUndefined();
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
  expect(await noteBackup({ location, facts: older })).toMatch(/another version/);
  expect(await storage.workspace('first').audit.head()).toMatchObject({ seq: 2 });
  await storage.close();
});

/** The bodies of the rows of this type in the record of the first workspace. */
async function readRows(location: string, type: 'store.backed_up' | 'store.restored' | 'store.moved') {
  const storage = await openStorage({ location, seal });
  try {
    return (await storage.workspace('first').audit.search({ types: [type], limit: 5 })).map(({ body }) => body);
  } finally {
    await storage.close();
  }
}

test('R-operate: a backup has no name before the record says that it was made, and none if it already exists', async () => {
  const { storage, location, dataDir } = await plant();
  const target = join(dataDir, 'second.backup');
  const seen: string[][] = [];
  const note = async (facts: CopyFacts) => {
    seen.push((await readdir(dataDir)).filter((name) => name.startsWith('second.')));
    await noteBackup({ location, facts });
  };
  await backup({ location, dataDir, target, beforeNamed: note });
  expect(seen).toEqual([[expect.stringMatching(/^second\.backup\..*\.part$/)]]);
  await expect(backup({ location, dataDir, target, beforeNamed: note })).rejects.toMatchObject({ code: 'conflict' });
  await storage.close();
  expect(await readRows(location, 'store.backed_up')).toHaveLength(1);
});

test('R-operate: a backup whose row cannot be written for a reason that throws leaves no file', async () => {
  const { storage, location, dataDir } = await plant();
  const target = join(dataDir, 'second.backup');
  const fail = () => Promise.reject(new Error('planted'));
  await expect(backup({ location, dataDir, target, beforeNamed: fail })).rejects.toThrow(/planted/);
  expect((await readdir(dataDir)).filter((name) => name.startsWith('second.'))).toEqual([]);
  await storage.close();
});

test('R-operate: a restored store and the row that says so are committed together', async () => {
  const { storage, dataDir, facts } = await plant();
  await storage.close();
  const fresh = await mkdtemp(join(tmpdir(), 'helve-note-'));
  folders.push(fresh);
  const target = { dataDir: fresh, location: join(fresh, 'helve.db'), vaultKeys: undefined, file: facts.file };
  const fail = () => {
    throw new Error('planted');
  };
  await expect(restore({ ...target, events: fail })).rejects.toThrow(/planted/);
  // Nothing of the first attempt is left, so the second finds an empty store.
  await restore({ ...target, events: createCopyEvents('store.restored') });
  expect(await readRows(target.location, 'store.restored')).toEqual([
    expect.objectContaining({ through: 'command line', recordRows: 2, rows: facts.rows }),
  ]);
  expect(JSON.stringify(await readRows(target.location, 'store.restored'))).not.toContain(dataDir);
});

test('R-operate: a moved store and the row that says so are committed together', async () => {
  const { storage, location, dataDir } = await plant();
  await storage.close();
  const to = join(dataDir, 'moved.db');
  const fail = () => {
    throw new Error('planted');
  };
  await expect(move({ from: location, to, events: fail })).rejects.toThrow(/planted/);
  await move({ from: location, to, events: createCopyEvents('store.moved') });
  expect(await readRows(to, 'store.moved')).toEqual([expect.objectContaining({ from: 'sqlite', recordRows: 2 })]);
});
