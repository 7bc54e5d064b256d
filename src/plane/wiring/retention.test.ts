/** The policy of `helve.yaml` moves old rows to archives, once over all processes, and goes on where a dead one stopped. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { seal } from '../../audit/index.js';
import type { JsonObject } from '../../domain/json.js';
import type { Storage } from '../../domain/storage.js';
import { openStorage } from '../../storage/index.js';
import { draft, workspace } from '../../testing/storage-fixtures.js';
import { createVault, keyringInFile } from '../../vault/index.js';
import { createRetention } from './retention.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const now = () => new Date('2026-01-01T00:00:00.000Z');

/** 1,100 rows in each of two months of 2025, and 100 that are younger than the policy says. */
async function plant() {
  const folder = await mkdtemp(join(tmpdir(), 'helve-retention-'));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  const location = join(folder, 'helve.db');
  const storage = await open(location);
  await storage.system.createWorkspace(workspace('w'), []);
  for (const [day, count] of [
    ['2025-01-15', 1_100],
    ['2025-02-15', 1_100],
    ['2025-12-20', 100],
  ] as const) {
    const events = Array.from({ length: count }, () => draft({ at: `${day}T00:00:00.000Z` }));
    await storage.commit([{ workspaceId: 'w', events }]);
  }
  return { folder, location, storage, archives: join(folder, 'archives') };
}

async function open(location: string): Promise<Storage> {
  const storage = await openStorage({ location, seal });
  closing.push(() => storage.close());
  return storage;
}

type Scene = Awaited<ReturnType<typeof plant>>;

/** A process on the store. */
function retain({ folder, archives }: Scene, storage: Storage, policy = { keepDays: 100, folder: archives }) {
  const problems: unknown[] = [];
  const vault = createVault(keyringInFile(join(folder, 'vault-keys.json')));
  const retention = createRetention({ storage, vault, policy, now, reportError: (error) => problems.push(error) });
  closing.push(retention.close);
  return { ...retention, problems };
}

const archivedRows = async (storage: Storage): Promise<JsonObject[]> =>
  (await storage.workspace('w').audit.search({ types: ['record.archived'], limit: 10 })).map(({ body, actor }) => ({
    ...body,
    actor: actor.name,
  }));

test('R-operate: rows that are older than the policy says move to archives; the record says how many, and no path', async () => {
  const scene = await plant();
  const { storage, archives, folder } = scene;
  const process = retain(scene, storage);
  await process.look();
  expect(process.problems).toEqual([]);
  expect((await storage.workspace('w').audit.page(0, 1))[0]?.seq).toBe(2_049);
  expect(await readdir(archives)).toHaveLength(2);
  const common = { through: 'retention', keep: '100d', actor: 'Helve', rows: 1_024 };
  const rows = await archivedRows(storage);
  expect(rows).toMatchObject([
    { ...common, first: 1_025, last: 2_048, to: '2025-02-15T00:00:00.000Z' },
    { ...common, first: 1, last: 1_024 },
  ]);
  expect(JSON.stringify(rows)).not.toContain(folder);
  await process.look();
  expect(await archivedRows(storage)).toHaveLength(2);
});

test('attack: a process whose clock is far ahead of the clock of the store archives nothing that the others would keep', async () => {
  const scene = await plant();
  const { storage } = scene;
  const early = { ...storage, now: async () => new Date('2025-04-01T00:00:00.000Z') };
  const process = retain(scene, early);
  await process.look();
  expect(process.problems).toEqual([]);
  expect(await archivedRows(storage)).toEqual([]);
  // By then the rows of January are old.
  early.now = async () => new Date('2025-05-01T00:00:00.000Z');
  await process.look();
  expect(await archivedRows(storage)).toMatchObject([{ first: 1, last: 1_024 }]);
});

test('R-operate: two processes that look at the same time make each archive once', async () => {
  const scene = await plant();
  const [one, two] = [retain(scene, scene.storage), retain(scene, await open(scene.location))];
  await Promise.all([one.look(), two.look()]);
  await Promise.all([one.look(), two.look()]);
  expect([...one.problems, ...two.problems]).toEqual([]);
  expect((await archivedRows(scene.storage)).map(({ first }) => first)).toEqual([1_025, 1]);
});

test('R-operate: an archive that a dead process had begun is made by another when the time of the first is over', async () => {
  const scene = await plant();
  const { storage, archives } = scene;
  const { system } = storage;
  const dead = retain(scene, {
    ...storage,
    system: { ...system, useOnce: (hash) => system.useOnce(hash, new Date(Date.now() + 900_000).toISOString()) },
    workspace: (id) => {
      const inside = storage.workspace(id);
      const add = () => Promise.reject(new Error('killed'));
      return { ...inside, recordArchives: { ...inside.recordArchives, add } };
    },
  });
  await dead.look();
  expect(dead.problems).toHaveLength(1);
  expect(await readdir(archives)).toHaveLength(1);
  const other = retain(scene, storage);
  await other.look();
  expect(await archivedRows(storage)).toEqual([]);
  await system.purgeExpired(new Date(Date.now() + 901_000).toISOString());
  await other.look();
  expect(other.problems).toEqual([]);
  expect((await archivedRows(storage)).map(({ first }) => first)).toEqual([1_025, 1]);
  expect(await readdir(archives)).toHaveLength(2);
});

test('R-operate: a folder that cannot be written is reported, and nothing leaves the store', async () => {
  const scene = await plant();
  const taken = join(scene.folder, 'taken');
  await mkdir(scene.folder, { recursive: true });
  await writeFile(taken, '');
  const process = retain(scene, scene.storage, { keepDays: 100, folder: taken });
  await process.look();
  expect(process.problems).toHaveLength(1);
  expect((await scene.storage.workspace('w').audit.page(0, 1))[0]?.seq).toBe(1);
});
