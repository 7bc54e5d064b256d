/** Stores that move between the databases and back. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { seal, verifyChain } from '../../../audit/index.js';
import { openStorage } from '../../../storage/index.js';
import { startPostgres } from '../../../testing/postgres.js';
import { draft, workspace } from '../../../testing/storage-fixtures.js';
import { thisProcess } from '../../../util/process-identity.js';
import { move } from './index.js';

const server = await startPostgres();
const folder = await mkdtemp(join(tmpdir(), 'helve-move-'));
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

let count = 0;
const newPlace = { SQLite: async () => join(folder, `${++count}.db`), PostgreSQL: () => server.url() };
const open = (location: string) => openStorage({ location, seal });

async function plant(location: string, rows = 300): Promise<void> {
  const storage = await open(location);
  await storage.system.createWorkspace(workspace('w'), [draft()]);
  await storage.commit([{ workspaceId: 'w', events: Array.from({ length: rows }, () => draft()) }]);
  await storage.close();
}

async function readChain(location: string) {
  const storage = await open(location);
  const report = await verifyChain(storage.workspace('w').audit);
  await storage.close();
  return report;
}

describe.each([
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
] as const)('R-operate: a store moves from %s to %s', (from, to) => {
  it('whole, with its chain, and the old one is no longer opened', async () => {
    const [old, fresh] = [await newPlace[from](), await newPlace[to]()];
    await plant(old);
    const before = await readChain(old);
    const { place, rows } = await move({ from: old, to: fresh });
    expect(rows).toBeGreaterThan(300);
    expect(await readChain(fresh)).toEqual({ ...before, ok: true, rows: 301 });
    await expect(open(old)).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringContaining(`was moved to ${place}`),
    });
    // Back to where it came from: what stands there is set aside.
    const writer = await open(fresh);
    await writer.commit([{ workspaceId: 'w', events: [draft()] }]);
    await writer.close();
    await move({ from: fresh, to: old });
    expect(await readChain(old)).toMatchObject({ ok: true, rows: 302 });
    await expect(open(fresh)).rejects.toMatchObject({ code: 'invalid_config' });
    if (from === 'SQLite') expect((await readdir(folder)).filter((name) => name.includes('.moved-'))).not.toEqual([]);
  });

  it('never while a process serves it; one that has died does not count', async () => {
    const [old, fresh] = [await newPlace[from](), await newPlace[to]()];
    await plant(old);
    const storage = await open(old);
    await storage.system.touchInstance({ id: 'served', ...thisProcess() });
    await expect(move({ from: old, to: fresh })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`Process ${process.pid}`),
    });
    await storage.commit([{ workspaceId: 'w', events: [draft()] }]);
    await storage.system.removeInstance('served');
    await storage.system.touchInstance({ id: 'dead', ...thisProcess(), startToken: endedToken() });
    await move({ from: old, to: fresh });
    expect(await readChain(fresh)).toMatchObject({ ok: true, rows: 302 });
    // It still has the old store open: what it would write is refused, not lost.
    const late = storage.commit([{ workspaceId: 'w', events: [draft()] }]);
    await expect(late).rejects.toMatchObject({ code: 'storage_failed', message: expect.stringMatching(/moved/) });
    const start = storage.system.touchInstance({ id: 'new', ...thisProcess() });
    await expect(start).rejects.toMatchObject({ code: 'storage_failed' });
    await storage.close();
  });

  it('with every row that is acknowledged while it moves', async () => {
    const [old, fresh] = [await newPlace[from](), await newPlace[to]()];
    await plant(old, 2_000);
    const storage = await open(old);
    let late: Promise<string> | undefined;
    const onCopied = () => {
      late ??= storage.commit([{ workspaceId: 'w', events: [draft()] }]).then(
        () => 'acknowledged',
        () => 'refused',
      );
    };
    await move({ from: old, to: fresh, onCopied });
    expect([await late, (await readChain(fresh)).rows]).toEqual(['refused', 2_001]);
    await storage.close();
  });

  it('not at all if it is stopped, or the new place is not empty', async () => {
    const [old, fresh] = [await newPlace[from](), await newPlace[to]()];
    await plant(old, 2_000);
    const stop = new AbortController();
    const onCopied = (done: number) => {
      if (done >= 1_000) stop.abort();
    };
    await expect(move({ from: old, to: fresh, onCopied, signal: stop.signal })).rejects.toThrow(/abort/i);
    expect(await readChain(old)).toMatchObject({ ok: true, rows: 2_001 });
    await plant(fresh, 1);
    await expect(move({ from: old, to: fresh })).rejects.toMatchObject({ code: 'conflict' });
    expect(await readChain(old)).toMatchObject({ ok: true, rows: 2_001 });
    expect(await readChain(fresh)).toMatchObject({ ok: true, rows: 2 });
  });
});

/** The token of a process that had this pid on this machine before. */
function endedToken(): string {
  const parts = thisProcess().startToken.split('/');
  return [...parts.slice(0, -1), '1'].join('/');
}
