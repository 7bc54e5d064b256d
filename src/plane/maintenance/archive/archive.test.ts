/** Old rows of the record leave the store, and it stays provable that none is missing and none was changed. */
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { findArchiveKey, newArchiveKey, seal, signArchive } from '../../../audit/index.js';
import type { ChainProgress } from '../../../domain/chain.js';
import { HelveError } from '../../../domain/errors.js';
import type { Principal } from '../../../domain/principal.js';
import { chainStart } from '../../../domain/storage.js';
import { openStorage } from '../../../storage/index.js';
import { startPostgres } from '../../../testing/postgres.js';
import { draft, intent, workspace } from '../../../testing/storage-fixtures.js';
import { createVault, keyringInFile } from '../../../vault/index.js';
import { createWholeRecord } from '../../acts/whole-record.js';
import { backup, restore } from '../backup/index.js';
import { verifyStore } from '../verify-store.js';
import { type Archived, archiveRecord } from './index.js';

const server = await startPostgres();
const folders: string[] = [];
afterAll(async () => {
  await server.stop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'helve-archive-'));
  folders.push(folder);
  return folder;
}

type Kind = 'sqlite' | 'postgres';

/** 1,500 rows in each of the first three months of 2025, and 500 in 2026. */
async function plant(kind: Kind) {
  const dataDir = await newFolder();
  const location = kind === 'sqlite' ? join(dataDir, 'helve.db') : await server.storeUrl();
  const storage = await openStorage({ location, seal });
  await storage.system.createWorkspace(workspace('w'), [draft({ at: '2025-01-01T00:00:00.000Z' })]);
  await storage.system.createWorkspace(workspace('young'), [draft({ at: '2026-01-01T00:00:00.000Z' })]);
  for (const [month, count] of [
    ['2025-01', 1_499],
    ['2025-02', 1_500],
    ['2025-03', 1_500],
    ['2026-01', 500],
  ] as const) {
    const events = Array.from({ length: count }, () =>
      draft({ at: `${month}-15T00:00:00.000Z`, body: { word: month } }),
    );
    await storage.commit([{ workspaceId: 'w', events }]);
  }
  // The first searches make the indexes over the record.
  await storage.workspace('w').audit.search({ text: 'nowhere', limit: 1 });
  return { dataDir, location, storage, folder: join(dataDir, 'archives') };
}

const addRows = ({ storage }: Pick<Scene, 'storage'>, { count, at }: { readonly count: number; readonly at: string }) =>
  storage.commit([{ workspaceId: 'w', events: Array.from({ length: count }, () => draft({ at })) }]);

type Scene = Awaited<ReturnType<typeof plant>>;

const vaultOf = ({ dataDir }: Pick<Scene, 'dataDir'>) => createVault(keyringInFile(join(dataDir, 'vault-keys.json')));

const daysSince = (time: string): number => (Date.now() - Date.parse(time)) / 86_400_000;

async function archive(scene: Scene, before = '2025-12-01T00:00:00.000Z'): Promise<Archived[]> {
  const done: Archived[] = [];
  for await (const one of archiveRecord({ ...scene, keepDays: daysSince(before) })) done.push(one);
  return done;
}

async function verify({ location, dataDir }: Pick<Scene, 'location' | 'dataDir'>, archives?: string) {
  for await (const one of verifyStore(location, { keys: { dataDir }, archives }))
    if (one.workspace === workspace('w').slug) return one;
  throw new Error('The workspace is gone');
}

it('R-operate: a clock that is ahead of that of the store archives nothing that the store would keep', async () => {
  const scene = await plant('postgres');
  const keepDays = daysSince('2024-12-01T00:00:00.000Z');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 365 * 86_400_000 });
  try {
    for await (const { archive: one } of archiveRecord({ ...scene, keepDays }))
      expect.fail(`archived up to row ${one.last.seq}`);
  } finally {
    vi.useRealTimers();
    await scene.storage.close();
  }
});

describe.each(['sqlite', 'postgres'] as const)('R-operate: old rows of the record on %s', (kind) => {
  it('move to a signed file for each month, and the chain is proved across the gap', async () => {
    const scene = await plant(kind);
    const { audit } = scene.storage.workspace('w');
    const done = await archive(scene);
    const head = await audit.head();
    expect(done.map(({ archive: { firstSeq, last } }) => [firstSeq, last.seq])).toEqual([
      [1, 1_024],
      [1_025, 2_048],
      [2_049, 4_096],
    ]);
    expect((await audit.page(0, 1))[0]?.seq).toBe(4_097);
    expect(await verify(scene)).toMatchObject({
      archives: 0,
      report: { ok: true, rows: 5_003, archived: { seq: 4_096 } },
    });
    expect(await verify(scene, scene.folder)).toMatchObject({ archives: 3, report: { ok: true, rows: 5_003, head } });
    const noted = await audit.search({ types: ['record.archived'], limit: 10 });
    expect(noted.map(({ body }) => [body.through, body.rows])).toEqual([
      ['command line', 2_048],
      ['command line', 1_024],
      ['command line', 1_024],
    ]);
    // The record goes on, and what is in the store is found.
    await scene.storage.commit([{ workspaceId: 'w', events: [draft({ body: { word: 'fresh' } })] }]);
    expect(await audit.search({ text: 'fresh' })).toHaveLength(1);
    const named = await audit.search({ text: '2025-01' });
    expect(named.map(({ type }) => type)).toEqual(Array(2).fill('record.archived'));
    expect(await archive(scene)).toEqual([]);
    expect((await verify(scene)).report).toMatchObject({ ok: true, rows: 5_004 });
    // So it does in a copy.
    const copy = await backup({ ...scene, target: await newFolder() });
    expect(copy.brokenRecord).toBeUndefined();
    const dataDir = await newFolder();
    const restored = { dataDir, location: join(dataDir, 'helve.db') };
    await restore({ ...restored, file: copy.file, keys: join(scene.dataDir, 'vault-keys.json') });
    expect((await verify(restored, scene.folder)).report).toMatchObject({ ok: true, rows: 5_004 });
    await scene.storage.close();
  });
});

describe('R-operate: the check of a server', () => {
  const by = { workspaceId: 'w' } as Principal;
  const never = new AbortController().signal;
  const actsOf = ({ storage }: Scene, dataDir: string) =>
    createWholeRecord({
      storage,
      now: () => new Date('2026-02-01T00:00:00.000Z'),
      accounts: { vault: createVault(keyringInFile(join(dataDir, 'vault-keys.json'))) },
    } as never);

  it('begins after the archives, and believes only its own', async () => {
    const scene = await plant('sqlite');
    const { audit } = scene.storage.workspace('w');
    const [archivedRow] = await audit.page(99, 1);
    const acts = actsOf(scene, scene.dataDir);
    expect(await acts.verifyAudit(by)).toEqual({ ok: true, rows: 5_000, head: await audit.head() });
    await archive(scene);
    expect(await acts.verifyAudit(by)).toMatchObject({ ok: true, rows: 5_003, archived: { seq: 4_096 } });
    const other = actsOf(scene, await newFolder());
    expect(await other.verifyAudit(by)).toMatchObject({ ok: false, rows: 0, firstBroken: { seq: 1 } });
    const from = { seq: 100, hash: archivedRow?.hash ?? '' };
    await expect(acts.verifyAudit(by, from)).rejects.toMatchObject({ code: 'invalid_input' });
    await scene.storage.close();
  });

  it('is not misled by rows that are archived while it reads, nor stopped by an old checkpoint', async () => {
    const scene = await plant('sqlite');
    const acts = actsOf(scene, scene.dataDir);
    const check = acts.followAuditCheck(by, undefined, never)[Symbol.asyncIterator]();
    const first: ChainProgress = (await check.next()).value;
    const second: ChainProgress = (await check.next()).value;
    expect([first.checked, second.checked]).toEqual([0, 1_000]);
    await archive(scene);
    let last = second;
    for (let next = await check.next(); !next.done; next = await check.next()) last = next.value;
    expect(last).toMatchObject({ type: 'done', ok: true, checked: 5_003, archived: { seq: 4_096 } });
    const later: ChainProgress[] = [];
    for await (const event of acts.followAuditCheck(by, second.checkpoint, never)) later.push(event);
    expect(later.at(-1)).toMatchObject({ type: 'done', ok: true, checked: 5_003 });
    await scene.storage.close();
  });
});

describe('R-operate: what an archive does not hide', () => {
  it.each([
    ['before the first one', 0],
    ['after one of its own', 1_024],
  ])('attack: rows that were deleted, with an archive that somebody else has signed: %s', async (_, own) => {
    const scene = await plant('sqlite');
    const { audit, recordArchives } = scene.storage.workspace('w');
    if (own > 0) expect(await archive(scene, '2025-02-01T00:00:00.000Z')).toHaveLength(1);
    expect((await verify(scene)).report).toMatchObject({ ok: true });
    const [last] = await audit.page(own + 1_023, 1);
    if (!last) throw new Error('no row');
    const facts = {
      workspaceId: 'w',
      firstSeq: own + 1,
      previousHash: (await recordArchives.newest())?.last.hash ?? chainStart,
      last: { seq: last.seq, hash: last.hash },
      firstAt: last.at,
      lastAt: last.at,
      contentHash: '0'.repeat(64),
    };
    await recordArchives.add({ ...facts, signature: signArchive(facts, newArchiveKey()), archivedAt: last.at }, []);
    while ((await recordArchives.prune(1_000)) > 0);
    expect((await verify(scene)).report).toMatchObject({ ok: false, firstBroken: { seq: own + 1 } });
    expect((await verify(scene, scene.folder)).report).toMatchObject({ ok: false, rows: own });
    const acts = createWholeRecord({ storage: scene.storage, accounts: { vault: vaultOf(scene) } } as never);
    expect(await acts.verifyAudit({ workspaceId: 'w' } as Principal)).toMatchObject({ ok: false, rows: 0 });
    await scene.storage.close();
  });

  it('attack: an archive that was changed, exchanged or taken away; the control is the one that was not', async () => {
    const scene = await plant('sqlite');
    const [first, second] = await archive(scene);
    if (!first || !second) throw new Error('no archives');
    await scene.storage.close();
    const bytes = await readFile(first.file);
    const broken = async (change: () => Promise<unknown>, problem: RegExp) => {
      await change();
      const { report } = await verify(scene, scene.folder);
      expect(report).toMatchObject({ ok: false, firstBroken: { seq: 1, problem: expect.stringMatching(problem) } });
      await writeFile(first.file, bytes);
      expect((await verify(scene, scene.folder)).report).toMatchObject({ ok: true });
    };
    const text = gunzipSync(bytes).toString('utf8');
    await broken(() => writeFile(first.file, gzipSync(text.replace('2025-01"}', '2025-07"}'))), /broken at row/);
    await broken(() => writeFile(first.file, bytes.subarray(0, bytes.length / 2)), /broken/);
    await broken(async () => writeFile(first.file, await readFile(second.file)), /not the one/);
    await broken(() => rename(first.file, `${first.file}.away`), /no archive/);
  });

  it('a lost key of the vault is not taken for a forgery, and nothing more is archived', async () => {
    const scene = await plant('sqlite');
    await archive(scene, '2025-02-01T00:00:00.000Z');
    const lost = { ...scene, dataDir: await newFolder() };
    await expect(archive(lost)).rejects.toMatchObject({
      code: 'precondition_failed',
      message: expect.stringMatching(/vault's key that archives .* signed with is missing/),
    });
    const acts = createWholeRecord({ storage: scene.storage, accounts: { vault: vaultOf(lost) } } as never);
    const { firstBroken } = await acts.verifyAudit({ workspaceId: 'w' } as Principal);
    expect(firstBroken?.problem).toMatch(/the vault's key that could prove it is missing or cannot be read/);
    const damaged = { ...scene, dataDir: await newFolder() };
    await writeFile(join(damaged.dataDir, 'vault-keys.json'), 'no keys');
    await expect(archive(damaged)).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringContaining('vault-keys.json does not contain'),
    });
    // A store that fails says nothing about the record.
    const failure = new HelveError('storage_failed', 'The store is gone');
    const workspace = scene.storage.workspace('w');
    const secrets = { ...workspace.secrets, find: () => Promise.reject(failure) };
    const failing = { ...scene.storage, workspace: () => ({ ...workspace, secrets }) };
    const cut = createWholeRecord({ storage: failing, accounts: { vault: vaultOf(scene) } } as never);
    await expect(cut.verifyAudit({ workspaceId: 'w' } as Principal)).rejects.toBe(failure);
    // The files themselves prove their rows.
    expect((await verify(lost, scene.folder)).report).toMatchObject({ ok: true });
    await scene.storage.close();
  });

  it('a record that is broken is not archived', async () => {
    const scene = await plant('sqlite');
    const { default: Libsql } = await import('libsql');
    const database = new Libsql(scene.location);
    database.exec(`update audit_events set body = '{}' where workspace_id = 'w' and seq = 700`);
    database.close();
    await expect(archive(scene)).rejects.toMatchObject({ code: 'conflict', message: expect.stringMatching(/row 700/) });
    expect(await readdir(scene.folder)).toEqual([]);
    expect((await scene.storage.workspace('w').audit.page(0, 1))[0]?.seq).toBe(1);
    await scene.storage.close();
  });

  it('a record that is broken keeps no other workspace from being archived', async () => {
    const scene = await plant('sqlite');
    await scene.storage.system.createWorkspace(workspace('z'), [draft({ at: '2025-01-01T00:00:00.000Z' })]);
    const events = Array.from({ length: 1_100 }, () => draft({ at: '2025-01-15T00:00:00.000Z' }));
    await scene.storage.commit([{ workspaceId: 'z', events }]);
    const { default: Libsql } = await import('libsql');
    const database = new Libsql(scene.location);
    database.exec(`update audit_events set body = '{}' where workspace_id = 'w' and seq = 700`);
    database.close();
    await expect(archive(scene)).rejects.toMatchObject({ code: 'conflict', message: expect.stringMatching(/row 700/) });
    expect(await readdir(scene.folder)).toEqual(['z-1-1024.record']);
    await scene.storage.close();
  });

  it.each([
    ['', '2025-02-10T00:00:00.000Z'],
    [', also those of a process whose clock is behind', '2025-02-15T00:05:00.000Z'],
  ])('rows since the oldest call that has not ended stay%s', async (_, startedAt) => {
    const scene = await plant('sqlite');
    await scene.storage.commit([{ workspaceId: 'w', events: [draft()], openIntent: { ...intent('open'), startedAt } }]);
    const done = await archive(scene);
    expect(done.map(({ archive: { last } }) => last.seq)).toEqual([1_024]);
    await scene.storage.close();
  });

  it('rows that two commands archive at the same time: the slower one is refused, or has nothing to do', async () => {
    const scene = await plant('sqlite');
    const ends = await Promise.allSettled([archive(scene), archive(scene)]);
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    for (const reason of refused) expect(reason).toMatchObject({ code: 'conflict' });
    expect(refused.length).toBeLessThan(2);
    await archive(scene);
    expect((await readdir(scene.folder)).length).toBe(3);
    expect(await verify(scene, scene.folder)).toMatchObject({ archives: 3, report: { ok: true, rows: 5_003 } });
  });

  it('rows stay that are new but have old times, because a clock was set back', async () => {
    const scene = await plant('sqlite');
    await addRows(scene, { count: 1_500, at: '2026-01-16T00:00:00.000Z' });
    await addRows(scene, { count: 6_000, at: '2020-01-01T00:00:00.000Z' });
    expect((await archive(scene)).map(({ archive: { last } }) => last.seq)).toEqual([1_024, 2_048, 4_096]);
    await scene.storage.close();
  });

  it.each([
    ['within a block', 0, 5_120],
    ['at the end of a block', 119, 6_144],
  ])('a row of the future %s, because a clock was ahead for a moment, does not stop the archives', async (_, earlier, end) => {
    const scene = await plant('sqlite');
    const at = '2025-03-20T00:00:00.000Z';
    await addRows(scene, { count: earlier, at });
    await addRows(scene, { count: 1, at: '2126-01-01T00:00:00.000Z' });
    await addRows(scene, { count: end - 5_001 - earlier, at });
    expect((await archive(scene, '2026-02-01T00:00:00.000Z')).at(-1)?.archive.last.seq).toBe(end);
    // Nothing says how old rows are that only have such times.
    await addRows(scene, { count: 2_048, at: '2126-01-01T00:00:00.000Z' });
    expect(await archive(scene, '2026-02-01T00:00:00.000Z')).toEqual([]);
    await scene.storage.close();
  });

  it('work that was cut off is finished by the next one', async () => {
    const scene = await plant('sqlite');
    // Its file was written and never noted; then it was noted, and its rows were not deleted.
    const [first] = await archive(scene, '2025-02-01T00:00:00.000Z');
    if (!first) throw new Error('no archive');
    const vault = createVault(keyringInFile(join(scene.dataDir, 'vault-keys.json')));
    expect(await findArchiveKey(scene.storage.workspace('w'), vault)).toMatch(/PRIVATE KEY/);
    const { default: Libsql } = await import('libsql');
    const again = await plant('sqlite');
    const stop = new AbortController();
    const work = archiveRecord({ ...again, keepDays: daysSince('2025-02-01T00:00:00.000Z'), signal: stop.signal });
    const database = new Libsql(again.location);
    database.exec("create trigger full before delete on audit_events begin select raise(abort, 'full'); end");
    await expect(work.next()).rejects.toMatchObject({ code: 'storage_failed' });
    expect((await verify(again)).report).toMatchObject({ ok: true, rows: 5_001 });
    database.exec('drop trigger full; delete from record_archives');
    database.close();
    const [finished] = await archive(again, '2025-02-01T00:00:00.000Z');
    expect(finished?.archive.last.seq).toBe(1_024);
    expect(await readdir(again.folder)).toHaveLength(1);
    expect((await verify(again, again.folder)).report).toMatchObject({ ok: true, rows: 5_002 });
    await Promise.all([scene.storage.close(), again.storage.close()]);
  });
});
