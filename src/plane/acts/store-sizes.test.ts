/** How large the store is: the same figures for the page and the doctor, for the caller's workspace, on both stores. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { seal } from '../../audit/index.js';
import type { Principal } from '../../domain/principal.js';
import { openStorage } from '../../storage/index.js';
import { startPostgres } from '../../testing/postgres.js';
import { draft, intent, workspace } from '../../testing/storage-fixtures.js';
import { describeSize, measureSizes } from './doctor-store.js';

const server = await startPostgres();
afterAll(() => server.stop());
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const now = () => new Date('2026-01-01T00:00:00.000Z');
const by = (workspaceId: string) => ({ workspaceId }) as Principal;

async function open(kind: string) {
  const folder = await mkdtemp(join(tmpdir(), 'helve-sizes-'));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  const location = kind === 'sqlite' ? join(folder, 'helve.db') : await server.storeUrl();
  const storage = await openStorage({ location, seal });
  closing.push(() => storage.close());
  await storage.system.createWorkspace({ ...workspace('w'), slug: 'default' }, []);
  await storage.system.createWorkspace(workspace('other'), []);
  for (const [day, count] of [
    ['2025-01-15', 2_100],
    ['2025-12-28', 70],
  ] as const)
    await storage.commit([
      { workspaceId: 'w', events: Array.from({ length: count }, () => draft({ at: `${day}T00:00:00.000Z` })) },
    ]);
  await storage.commit([{ workspaceId: 'other', events: [draft({ at: '2025-12-31T00:00:00.000Z' })] }]);
  return storage;
}

describe.each(['sqlite', 'postgres'])('R-operate: sizes on %s', (kind) => {
  test('rows and bytes by kind, the growth of a week, and what retention would remove; each workspace sees its own', async () => {
    const storage = await open(kind);
    const mine = await measureSizes({ storage, now, keepDays: 200 }, by('w'));
    expect(mine.record).toMatchObject({ rows: 2_170, archived: 0, rowsInWeek: 70 });
    const [record] = mine.kinds;
    expect(record).toMatchObject({ kind: 'record' });
    expect(record?.rows).toBeGreaterThanOrEqual(2_170);
    // A row has a hash, a time, names and a body.
    expect((record?.bytes ?? 0) / 2_170).toBeGreaterThan(100);
    expect((record?.bytes ?? 0) / 2_170).toBeLessThan(2_000);
    expect(mine.wholeBytes).toBeGreaterThan(record?.bytes ?? 0);
    const removed = { rows: 2_048, isPolicy: false };
    expect(mine.removable).toEqual([
      { keepDays: 30, ...removed },
      { keepDays: 90, ...removed },
      { keepDays: 200, ...removed, isPolicy: true },
      { keepDays: 400, rows: 0, isPolicy: false },
    ]);
    expect(describeSize(mine).detail).toMatch(/rows in the record: 2,170, 70 of them in the last 7 days/);

    const other = await measureSizes({ storage, now, keepDays: undefined }, by('other'));
    expect(other).toMatchObject({ record: { rows: 1, rowsInWeek: 1 } });
    expect(other).not.toHaveProperty('wholeBytes');
    expect(other.kinds.find((one) => one.kind === 'record')?.rows).toBe(1);
  });

  test('a call that has not ended keeps its rows', async () => {
    const storage = await open(kind);
    const running = { ...intent('e'), startedAt: '2025-01-01T00:00:00.000Z', instanceId: 'i1' };
    await storage.commit([{ workspaceId: 'w', events: [], openIntent: running }]);
    const { removable } = await measureSizes({ storage, now, keepDays: undefined }, by('w'));
    expect(removable.map(({ rows }) => rows)).toEqual([0, 0, 0]);
  });
});
