import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterAll, describe, expect, it } from 'vitest';
import { seal, verifyChain } from '../audit/index.js';
import { storageContract } from '../testing/storage-contract.js';
import { draft, time, workspace } from '../testing/storage-fixtures.js';
import { killAndCheck, openersAtOnce, processesAtOnce, removeChildren } from '../testing/storage-processes.js';
import { releasedSchemas } from '../testing/storage-released.js';
import { pastVersions, upgradeFrom } from '../testing/storage-upgrade.js';
import { inspectStore, openStorage } from './index.js';
import { latestVersion } from './migrations/index.js';

const folder = await mkdtemp(join(tmpdir(), 'helve-sqlite-'));
let count = 0;
const fresh = () => join(folder, `store-${++count}.db`);
const open = (location: string) => openStorage({ location, seal });
afterAll(async () => {
  await removeChildren();
  await rm(folder, { recursive: true, force: true });
});

storageContract('SQLite', async () => {
  const location = fresh();
  const storage = await open(location);
  let current = storage;
  return {
    storage,
    second: () => open(location),
    async reopen() {
      await current.close();
      current = await open(location);
      return current;
    },
    dispose: () => current.close(),
  };
});

describe('SQLite files', () => {
  it('makes a private folder and file', async () => {
    const location = join(folder, 'deep', 'er', 'store.db');
    await (await open(location)).close();
    expect((await stat(location)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'deep', 'er'))).mode & 0o777).toBe(0o700);
  });
  it('R-audit: a row that was changed to what Helve never writes is named, and the others are still read', async () => {
    const location = fresh();
    const storage = await open(location);
    await storage.system.createWorkspace(workspace('w'), [draft(), draft({ body: { word: 'kept' } })]);
    const { audit } = storage.workspace('w');
    expect(await verifyChain(audit)).toMatchObject({ ok: true, rows: 2 });
    const database = new Libsql(location);
    for (const body of [`'no JSON'`, `'null'`, `'[1]'`, `x'00ff'`]) {
      database.exec(`update audit_events set body = ${body} where seq = 1`);
      expect(await verifyChain(audit)).toMatchObject({
        ok: false,
        rows: 0,
        firstBroken: { event: { type: 'execution.started' } },
      });
      expect((await audit.search({})).map((row) => Object.keys(row.body))).toEqual([['word'], ['unreadable']]);
    }
    database.close();
    await storage.close();
  });
  it('says what is wrong with a path', async () => {
    const file = join(folder, 'plain');
    await writeFile(file, 'not a database '.repeat(1000));
    for (const location of [file, join(file, 'below.db'), folder, '/proc/no/store.db']) {
      await expect(open(location)).rejects.toMatchObject({
        code: 'storage_failed',
        message: expect.stringContaining(location),
      });
    }
    for (const location of ['', 'mysql://host/db', 'libsql://host']) {
      await expect(open(location)).rejects.toMatchObject({ code: 'invalid_config' });
    }
  });
  it('R-operate: refuses a file from a newer Helve in one line, unless that one left it readable', async () => {
    const location = fresh();
    await (await open(location)).close();
    const change = (statement: string): void => {
      const database = new Libsql(location);
      database.exec(statement);
      database.close();
    };
    change(`insert into helve_schema values (99, 'later', '', ${latestVersion})`);
    await (await open(location)).close();
    change('update helve_schema set oldest_reader = null where version = 99');
    for (const use of [open, inspectStore])
      await expect(use(location)).rejects.toMatchObject({
        code: 'invalid_config',
        message: expect.stringMatching(/^[^\n]*newer Helve \(schema 99[^\n]*$/),
      });
  });
  it('R-operate: says whether its schema is there, also when the file was changed underneath', async () => {
    const location = fresh();
    const storage = await open(location);
    const change = (statement: string): void => {
      const database = new Libsql(location);
      database.exec(statement);
      database.close();
    };
    expect(await storage.system.isMigrated()).toBe(true);
    change(`insert into helve_schema values (99, 'later', '', ${latestVersion})`);
    expect(await storage.system.isMigrated()).toBe(true);
    change('update helve_schema set oldest_reader = 99 where version = 99');
    expect(await storage.system.isMigrated()).toBe(false);
    change('delete from helve_schema where version > 20');
    expect(await storage.system.isMigrated()).toBe(false);
    change('drop table helve_schema');
    await expect(storage.system.isMigrated()).rejects.toMatchObject({ code: 'storage_failed' });
    await storage.close();
  });
  it.each(pastVersions)('R-operate, R-vault: brings a store of schema %i up to date, with its rows', (version) =>
    upgradeFrom(version, fresh(), releasedSchemas.sqlite));
  it('R-operate: says that there is no store, without making one', async () => {
    const location = fresh();
    expect(await inspectStore(location)).toMatchObject({ schema: 0, pending: [] });
    await expect(stat(location)).rejects.toMatchObject({ code: 'ENOENT' });
  });
  it('works in memory, and says when it has been closed', async () => {
    const storage = await open(':memory:');
    await storage.system.createWorkspace(workspace('w'), [draft()]);
    await storage.close();
    await storage.close();
    await expect(storage.system.listWorkspaces()).rejects.toMatchObject({ code: 'storage_failed' });
    const entry = { workspaceId: 'w', events: [draft()] };
    await expect(storage.commit([entry])).rejects.toMatchObject({ code: 'storage_failed' });
  });
  it('lets another handle wait for a slow change without blocking the process', async () => {
    const location = fresh();
    const [a, b] = [await open(location), await open(location)];
    await a.system.createWorkspace(workspace('w'), []);
    // The change ends only if this process goes on while the other handle waits.
    const slow = a.workspace('w').change([], async () => {
      for (let tick = 0; tick < 10; tick++) await new Promise((resolve) => setTimeout(resolve, 20));
      return Date.now();
    });
    await b.workspace('w').keyValues.set('n', 'k', 1, time(1));
    expect(Date.now()).toBeGreaterThanOrEqual(await slow);
    await a.close();
    await b.close();
  });
});

describe('SQLite processes', () => {
  it('opens one empty file four times simultaneously', () => openersAtOnce(open, fresh()));
  it('starts two processes on one empty file', () => processesAtOnce(open, fresh()), 60_000);
  it('R-audit: loses nothing acknowledged when killed', async () => {
    const location = fresh();
    await killAndCheck(open, location, 5);
  }, 60_000);
});
