import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { seal } from '../../audit/index.js';
import type { Storage } from '../../domain/storage.js';
import { openStorage } from '../../storage/index.js';
import { type ActorHostUnderTest, actorHostContract } from '../../testing/actor-host-contract.js';
import { scriptMachines } from '../../testing/actor-script.js';
import { startPostgres } from '../../testing/postgres.js';
import { workspace } from '../../testing/storage-fixtures.js';
import { newId } from '../../util/hash.js';
import { createEmbeddedActorHost, createPersistence } from '../index.js';

const folder = await mkdtemp(join(tmpdir(), 'helve-actors-'));
const server = await startPostgres();
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const times = { lease: 1_500, renew: 300, watch: 150, idle: 150 };

function start(storage: Storage) {
  const persistence = createPersistence({ storage, waits: [10, 20, 40, 80] });
  return createEmbeddedActorHost({
    storage,
    persistence,
    machines: scriptMachines,
    instance: { id: newId() },
    times,
    pollMs: 50,
    retryMs: () => 20,
    report: () => undefined,
  });
}

async function under(location: string): Promise<ActorHostUnderTest> {
  const first = await openStorage({ location, seal });
  for (const id of ['w1', 'w2']) await first.system.createWorkspace(workspace(id), []);
  return {
    workspaces: ['w1', 'w2'],
    async open() {
      const storage = await openStorage({ location, seal });
      const { host, start: begin, close } = start(storage);
      await begin();
      return {
        host,
        async close() {
          await close();
          await storage.close();
        },
        async crash() {
          await storage.close();
          await close();
        },
      };
    },
    dispose: () => first.close(),
  };
}

actorHostContract('embedded, on SQLite', () => under(join(folder, 'store.db')));
actorHostContract('embedded, on PostgreSQL', async () => under(await server.storeUrl()));
