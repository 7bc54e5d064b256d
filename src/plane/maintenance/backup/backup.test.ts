/** Backups of real stores: made while another process of the pool writes, restored on both databases, broken, stopped. */
import { execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import Libsql from 'libsql';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { seal, verifyChain } from '../../../audit/index.js';
import type { Storage } from '../../../domain/storage.js';
import { openStorage } from '../../../storage/index.js';
import { startPostgres } from '../../../testing/postgres.js';
import { draft, time, workspace } from '../../../testing/storage-fixtures.js';
import { sha256 } from '../../../util/hash.js';
import { backup, restore } from './index.js';

const server = await startPostgres();
const folders: string[] = [];
afterAll(async () => {
  await server.stop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'helve-backup-'));
  folders.push(folder);
  return folder;
}

const nobody = 65_534;

/** Root may read everything, so the work is done as another user, who then has these folders. */
async function asOrdinaryUser<T>(own: readonly string[], work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  execFileSync('chown', ['-R', String(nobody), ...own]);
  process.seteuid?.(nobody);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

interface Installation {
  readonly dataDir: string;
  readonly location: string;
}

const kinds = ['sqlite', 'postgres'] as const;

async function newInstallation(kind: (typeof kinds)[number]): Promise<Installation> {
  const dataDir = await newFolder();
  return { dataDir, location: kind === 'sqlite' ? join(dataDir, 'helve.db') : await server.url() };
}

const odd = 'a\0b\u001a\ud800c\u2028d\ne';

async function plant({ dataDir, location }: Installation): Promise<void> {
  const storage = await openStorage({ location, seal });
  await storage.system.createWorkspace(workspace('w'), [draft()]);
  await storage.system.createWorkspace(workspace('v'), [draft({ body: { odd } })]);
  await storage.workspace('w').change([draft()], async (tables) => {
    await tables.putSecret('s', { sealed: 'v1.key1.AAAA.AAAA', keyId: 'key1' }, time(1));
    await tables.insertAgent({ id: 'agent', slug: 'agent', name: odd, createdAt: time(1), managedBy: 'api' });
  });
  await addRows(storage, 700);
  // The first search makes the blocks of the record, which hold bytes.
  await storage.workspace('w').audit.search({ text: 'nowhere', limit: 1 });
  await storage.close();
  await mkdir(join(dataDir, 'files/w'), { recursive: true });
  await writeFile(join(dataDir, 'files/w/a.bin'), Buffer.from([0, 255, 10, 13]), { mode: 0o640 });
  await symlink('a.bin', join(dataDir, 'files/w/link'));
  await writeFile(join(dataDir, 'helve.yaml'), 'agents: []\n');
  await writeFile(join(dataDir, 'vault-keys.json'), keyText);
}

const keyText = JSON.stringify({ current: 'key1', keys: { key1: Buffer.alloc(32, 7).toString('base64') } });

/** As if this many actors had been there. */
async function giveNumbers({ location }: Installation, count: number): Promise<void> {
  if (location.includes('://')) {
    const client = new pg.Client({ connectionString: location });
    await client.connect();
    await client.query(`select setval(pg_get_serial_sequence('helve.actors', 'number'), ${count})`);
    return client.end();
  }
  const database = new Libsql(location);
  database.exec(`insert into sqlite_sequence (name, seq) values ('actors', ${count})`);
  database.close();
}

async function addRows(storage: Storage, count: number): Promise<void> {
  for (let row = 0; row < count; row += 100)
    await storage.commit([{ workspaceId: 'w', events: Array.from({ length: 100 }, () => draft()) }]);
}

async function readAll({ location }: Installation) {
  const storage = await openStorage({ location, seal });
  const found = {
    workspaces: await storage.system.listWorkspaces(),
    agents: await storage.workspace('w').listAgents(),
    secret: await storage.workspace('w').secrets.find('s'),
    odd: await storage.workspace('v').audit.page(0, 10),
    blocks: (await storage.workspace('w').audit.search({ text: 'nowhere', limit: 1 })).length,
    chains: [await verifyChain(storage.workspace('w').audit), await verifyChain(storage.workspace('v').audit)],
  };
  await storage.close();
  return found;
}

describe.each(kinds)('a backup of %s', (from) => {
  it.each(kinds)('is restored on %s: every row, every file, the chain', async (to) => {
    const [source, target] = [await newInstallation(from), await newInstallation(to)];
    await plant(source);
    await giveNumbers(source, 41);
    const { file, head } = await backup({ ...source, target: await newFolder() });
    expect(head).toMatchObject({ from, keys: ['key1'], counters: { actors: 41 } });
    const again = { ...target, file, keys: join(source.dataDir, 'vault-keys.json') };
    await restore(again);
    const [before, after] = [await readAll(source), await readAll(target)];
    expect(after).toEqual(before);
    expect(after.chains.map(({ ok, rows }) => [ok, rows])).toEqual([
      [true, 702],
      [true, 1],
    ]);
    expect(await readFile(join(target.dataDir, 'files/w/link'))).toEqual(Buffer.from([0, 255, 10, 13]));
    expect(await readFile(join(target.dataDir, 'vault-keys.json'), 'utf8')).toBe(keyText);
    expect((await readFile(file)).includes('vault-keys')).toBe(false);
    // Numbers of rows that are gone are not given again.
    const { counters } = (await backup({ ...target, target: await newFolder() })).head;
    expect(counters).toMatchObject({ actors: 41 });
    // A store that has rows is refused, and stays as it is.
    await rm(join(target.dataDir, 'files'), { recursive: true });
    await rm(join(target.dataDir, 'helve.yaml'));
    await expect(restore({ ...again, keys: undefined })).rejects.toMatchObject({ code: 'conflict' });
    expect(await readAll(target)).toEqual(after);
    expect(await readdir(target.dataDir)).not.toContain('files');
  });

  it('has every row that was acknowledged before it began, and none in part', async () => {
    const source = await newInstallation(from);
    await plant(source);
    const storage = await openStorage({ location: source.location, seal });
    let acknowledged = 702;
    let writing = true;
    const writer = (async () => {
      for (; writing; acknowledged += 2) {
        await storage.commit([{ workspaceId: 'w', events: [draft(), draft()] }]);
        // A commit to SQLite waits for nothing that lets the backup have its turn.
        await nextTurn();
      }
    })();
    const before = acknowledged;
    const { file } = await backup({ ...source, target: await newFolder() });
    const during = acknowledged - before;
    writing = false;
    await writer;
    await storage.close();
    const target = await newInstallation('sqlite');
    await restore({ ...target, file, withoutKeys: true });
    const [chain] = (await readAll(target)).chains;
    expect(chain).toMatchObject({ ok: true });
    expect(chain?.rows).toBeGreaterThanOrEqual(before);
    expect(((chain?.rows ?? 0) - before) % 2).toBe(0);
    expect(during).toBeGreaterThan(0);
  });
});

describe('a plain copy of the file of a serving store', () => {
  it('loses acknowledged rows that a backup has', async () => {
    const source = await newInstallation('sqlite');
    const storage = await openStorage({ location: source.location, seal });
    await storage.system.createWorkspace(workspace('w'), [draft()]);
    await addRows(storage, 200);
    const copied = { dataDir: await newFolder(), location: join(await newFolder(), 'helve.db') };
    await copyFile(source.location, copied.location);
    const { file, rows } = await backup({ ...source, target: await newFolder() });
    await storage.close();
    expect(rows).toBeGreaterThan(200);
    const restored = await newInstallation('sqlite');
    await restore({ ...restored, file });
    const [whole, plain] = [await openStorage({ ...restored, seal }), await openStorage({ ...copied, seal })];
    expect((await whole.workspace('w').audit.head()).seq).toBe(201);
    expect(await plain.system.listWorkspaces()).toEqual([]);
    await Promise.all([whole.close(), plain.close()]);
  });
});

describe('a backup that cannot be restored as it is', () => {
  async function refused(file: string, code: string, problem?: RegExp): Promise<void> {
    const target = await newInstallation('sqlite');
    const given = { ...target, file, withoutKeys: true };
    const thrown = await restore(given).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(thrown).toMatchObject({
      code,
      ...(problem && { message: expect.stringMatching(problem) }),
    });
    expect(await readdir(target.dataDir)).toEqual([]);
  }

  it('is refused wherever it was cut or changed, and nothing of it stays', async () => {
    const source = await newInstallation('sqlite');
    await plant(source);
    const { file } = await backup({ ...source, target: await newFolder() });
    const bytes = await readFile(file);
    const broken = join(await newFolder(), 'broken');
    for (const part of [0, 0.1, 0.5, 0.99]) {
      await writeFile(broken, bytes.subarray(0, Math.floor(bytes.length * part)));
      await refused(broken, 'invalid_input');
    }
    const lines = gunzipSync(bytes).toString('utf8').split('\n');
    const changed = async (change: (all: string[]) => string[], problem: RegExp) => {
      await writeFile(broken, gzipSync(change([...lines]).join('\n')));
      await refused(broken, 'invalid_input', problem);
    };
    await changed((all) => all.slice(0, -2).concat(''), /its end is missing/);
    await changed(
      (all) => all.filter((line) => !(line.startsWith('[') && line.includes('"api"'))),
      /rows of agents are not the ones/,
    );
    await changed((all) => all.map((line) => line.replace('helve.yaml', 'helve.yam2')), /does not belong|changed/);
    // The same bytes, put together again in the same way, are accepted.
    await writeFile(broken, gzipSync(lines.join('\n')));
    await restore({ ...(await newInstallation('sqlite')), file: broken, withoutKeys: true });
    await refused(join(await newFolder(), 'none'), 'not_found');
  });

  it('is refused if a newer Helve made it, or keys of the vault are missing', async () => {
    const source = await newInstallation('sqlite');
    await plant(source);
    const { file } = await backup({ ...source, target: await newFolder() });
    const target = await newInstallation('sqlite');
    await expect(restore({ ...target, file })).rejects.toMatchObject({ code: 'precondition_failed' });
    const otherKey = `key2:${Buffer.alloc(32).toString('base64')}`;
    await expect(restore({ ...target, file, vaultKeys: otherKey })).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    expect(await readdir(target.dataDir)).toEqual([]);
    const newer = gunzipSync(await readFile(file))
      .toString('utf8')
      .replace(/"schema":\d+/, '"schema":9999');
    const newerFile = join(await newFolder(), 'newer');
    await writeFile(newerFile, gzipSync(newer));
    await refused(newerFile, 'invalid_config', /newer Helve \(schema 9999/);
    const key = `key1:${Buffer.alloc(32).toString('base64')}`;
    await restore({ ...target, file, vaultKeys: key });
  });

  it.each(kinds)('of an older Helve is brought up to date on %s', async (kind) => {
    const source = await newInstallation('sqlite');
    await plant(source);
    const database = new Libsql(source.location);
    database.exec('delete from configuration_changes');
    database.close();
    const { file, head } = await backup({ ...source, target: await newFolder() });
    // As the version before the recipes wrote it.
    const later = /^(recipes|record_archives|notification_.*|configuration_changes)$/;
    const laterColumns = /^(run_id|meaning)$/;
    const rows = Object.fromEntries(Object.entries(head.rows).filter(([table]) => !later.test(table)));
    const taken = Object.keys(head.rows).length - Object.keys(rows).length;
    const lines = gunzipSync(await readFile(file))
      .toString('utf8')
      .split('\n')
      .slice(0, -2)
      .filter((line) => !later.test(JSON.parse(line).name ?? ''))
      .map((line) => {
        const item = JSON.parse(line);
        if (item.kind === 'head') return JSON.stringify({ kind: 'head', head: { ...head, schema: 26, rows } });
        if (item.kind === 'table' && item.name === 'approvals')
          return JSON.stringify({
            ...item,
            columns: item.columns.filter((column: string) => !laterColumns.test(column)),
          });
        return item.kind === 'end' ? JSON.stringify({ ...item, tables: item.tables - taken }) : line;
      });
    const text = `${lines.join('\n')}\n`;
    const older = join(await newFolder(), 'older');
    await writeFile(older, gzipSync(`${text}{"sha256":"${sha256(text)}"}\n`));
    const target = await newInstallation(kind);
    await restore({ ...target, file: older, withoutKeys: true });
    expect(await readAll(target)).toEqual(await readAll(source));
    const storage = await openStorage({ location: target.location, seal });
    expect(await storage.workspace('w').recipes.list()).toEqual([]);
    await storage.close();
  });

  it.each([
    `body = '{"forged":1}'`,
    `body = 'no JSON'`,
    `body = 'null'`,
    `body = x'00ff'`,
    `on_behalf_of = 'no JSON'`,
  ])('says that the record was changed in the store, and restores that only when told to: %s', async (change) => {
    const source = await newInstallation('sqlite');
    await plant(source);
    const database = new Libsql(source.location);
    database.exec(`update audit_events set ${change} where workspace_id = 'w' and seq = 300`);
    database.close();
    const { file, brokenRecord } = await backup({ ...source, target: await newFolder() });
    expect(brokenRecord).toMatch(/record of slug-w is broken at row 300/);
    await refused(file, 'conflict', /broken at row 300/);
    await restore({ ...(await newInstallation('sqlite')), file, withoutKeys: true, brokenRecord: true });
  });
});

it('R-operate: a file that this user may not read is left out and named, and everything else is in the backup', async () => {
  const source = await newInstallation('sqlite');
  await plant(source);
  await mkdir(join(source.dataDir, 'work/issue/closed'), { recursive: true });
  for (const name of ['work/issue/a', 'work/issue/closed/b', 'work/issue/z'])
    await writeFile(join(source.dataDir, name), name);
  await chmod(join(source.dataDir, 'work/issue/a'), 0);
  await chmod(join(source.dataDir, 'work/issue/closed'), 0);
  const target = await newFolder();
  const { file, files, unreadable } = await asOrdinaryUser([source.dataDir, target], () =>
    backup({ ...source, target }),
  );
  await chmod(join(source.dataDir, 'work/issue/closed'), 0o700);
  expect({ files, unreadable }).toEqual({ files: 3, unreadable: ['work/issue/a', 'work/issue/closed'] });
  const restored = await newInstallation('sqlite');
  await restore({ ...restored, file, withoutKeys: true });
  expect(await readFile(join(restored.dataDir, 'work/issue/z'), 'utf8')).toBe('work/issue/z');
  expect(await readAll(restored)).toEqual(await readAll(source));
});

describe('a stop in the middle', () => {
  it.each(kinds)('leaves nothing of a backup of %s, nor of a restore to it', async (kind) => {
    const source = await newInstallation(kind);
    await plant(source);
    const folder = await newFolder();
    const stopAt = (text: string) => {
      const stop = new AbortController();
      return {
        signal: stop.signal,
        onCopied: (_: number, __?: number, what?: string) => what === text && stop.abort(),
      };
    };
    await expect(backup({ ...source, target: folder, ...stopAt('files/w/a.bin') })).rejects.toThrow(/abort/i);
    expect(await readdir(folder)).toEqual([]);
    const { file } = await backup({ ...source, target: folder });
    const target = await newInstallation(kind);
    await expect(restore({ ...target, file, withoutKeys: true, ...stopAt('audit_events') })).rejects.toThrow(/abort/i);
    expect(await readdir(target.dataDir)).toEqual([]);
    // The store is still empty: the same restore now succeeds.
    await restore({ ...target, file, withoutKeys: true });
    expect((await readAll(target)).chains[0]).toMatchObject({ ok: true, rows: 702 });
  });
});

describe('a restore that was killed', () => {
  it('leaves nothing that keeps the next one from its work, and takes no files of others', async () => {
    const source = await newInstallation('sqlite');
    await plant(source);
    const { file } = await backup({ ...source, target: await newFolder() });
    const keys = join(source.dataDir, 'vault-keys.json');
    const target = await newInstallation('sqlite');
    // As a kill just before the commit leaves it: files and keys are in their places, and the store is empty.
    await writeFile(join(target.dataDir, 'restore-in-progress.json'), '{"keys":true}');
    await writeFile(join(target.dataDir, 'vault-keys.json'), keyText);
    await mkdir(join(target.dataDir, 'files'));
    await mkdir(join(target.dataDir, 'restoring'));
    await restore({ ...target, file, keys });
    expect((await readAll(target)).chains[0]).toMatchObject({ ok: true, rows: 702 });
    const left = (await readdir(target.dataDir)).filter((name) => /restor/.test(name));
    expect(left).toEqual([expect.stringMatching(/^cut-off-restore-/)]);
    expect((await readdir(join(target.dataDir, left[0] ?? ''))).sort()).toEqual([
      'files',
      'restoring',
      'vault-keys.json',
    ]);
    // Killed after its commit: the store has rows, so nothing is set aside.
    await writeFile(join(target.dataDir, 'restore-in-progress.json'), '{"keys":true}');
    await expect(restore({ ...target, file, keys })).rejects.toMatchObject({ code: 'conflict' });
    expect(await readFile(join(target.dataDir, 'files/w/a.bin'))).toHaveLength(4);
    // The restore was killed before its commit, and its store was created again. That store uses the files, even if another one is empty.
    const elsewhere = join(target.dataDir, 'another.db');
    await writeFile(join(target.dataDir, 'restore-in-progress.json'), JSON.stringify({ keys: true, store: 'of it' }));
    await expect(restore({ ...target, location: elsewhere, file, keys })).rejects.toMatchObject({ code: 'conflict' });
    expect(await readFile(join(target.dataDir, 'files/w/a.bin'))).toHaveLength(4);
    expect(await readFile(join(target.dataDir, 'vault-keys.json'), 'utf8')).toBe(keyText);
    // Without the note the files are somebody's own.
    const other = await newInstallation('sqlite');
    await mkdir(join(other.dataDir, 'files'));
    await expect(restore({ ...other, file, keys })).rejects.toMatchObject({ code: 'conflict' });
    expect(await readdir(other.dataDir)).toEqual(['files']);
  });
});
