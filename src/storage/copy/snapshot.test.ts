/** What a snapshot shows does not change while another connection writes to the store. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { seal } from '../../audit/index.js';
import { startPostgres } from '../../testing/postgres.js';
import { draft, workspace } from '../../testing/storage-fixtures.js';
import { openStorage, withSnapshot } from '../index.js';

const server = await startPostgres();
const folder = await mkdtemp(join(tmpdir(), 'helve-snapshot-'));
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const places = { SQLite: async () => join(folder, 'helve.db'), PostgreSQL: () => server.storeUrl() };

it.each(Object.entries(places))('R-operate: %s shows one moment while others write', async (_, getPlace) => {
  const location = await getPlace();
  const storage = await openStorage({ location, seal });
  await storage.system.createWorkspace(workspace('w'), [draft()]);
  const head = await withSnapshot(location, async (snapshot) => {
    const [workspaces, events] = ['workspaces', 'audit_events'].map((name) =>
      snapshot.tables.find((table) => table.name === name),
    );
    if (!workspaces || !events) throw new Error('The store has no record');
    await storage.commit([{ workspaceId: 'w', events: [draft(), draft()] }]);
    await storage.system.createWorkspace(workspace('later'), [draft()]);
    expect(await snapshot.count(events)).toBe(1);
    for await (const row of snapshot.rows(workspaces)) expect(row[workspaces.columns.indexOf('id')]).toBe('w');
    return snapshot.count(workspaces);
  });
  expect(head).toBe(1);
  // The rows were there for everybody else.
  expect((await storage.workspace('w').audit.head()).seq).toBe(3);
  await storage.close();
});
