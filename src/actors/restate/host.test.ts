import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { seal } from '../../audit/index.js';
import { openStorage } from '../../storage/index.js';
import { type ActorHostUnderTest, actorHostContract } from '../../testing/actor-host-contract.js';
import { scriptMachines } from '../../testing/actor-script.js';
import { startBalancer } from '../../testing/balancer.js';
import { freePort } from '../../testing/free-port.js';
import { startPostgres } from '../../testing/postgres.js';
import { startRestate } from '../../testing/restate.js';
import { workspace } from '../../testing/storage-fixtures.js';
import { createPersistence, createRestateActorHost } from '../index.js';

const folder = await mkdtemp(join(tmpdir(), 'helve-restate-actors-'));
const server = await startPostgres();
const restate = await startRestate();
afterAll(async () => {
  await restate.stop();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function under(name: string, location: string): Promise<ActorHostUnderTest> {
  const first = await openStorage({ location, seal });
  const balancer = await startBalancer();
  for (const id of ['w1', 'w2']) await first.system.createWorkspace(workspace(id), []);
  return {
    workspaces: ['w1', 'w2'],
    async open() {
      const storage = await openStorage({ location, seal });
      const port = await freePort();
      const { ingress, admin } = restate;
      const { host, start, close } = createRestateActorHost({
        storage,
        persistence: createPersistence({ storage, waits: [10, 20, 40, 80] }),
        machines: scriptMachines,
        restate: { ingress, admin, address: balancer.address, listen: { host: '127.0.0.1', port }, name },
        times: { lease: 1_500, renew: 200 },
        lookMs: 300,
        retryMs: () => 20,
        report: () => undefined,
      });
      balancer.add(port);
      await start();
      const end = async (): Promise<void> => {
        balancer.remove(port);
        await close();
      };
      return {
        host,
        async close() {
          await end();
          await storage.close();
        },
        async crash() {
          await storage.close();
          await end();
        },
      };
    },
    async dispose() {
      await balancer.close();
      await first.close();
    },
  };
}

actorHostContract('Restate, on SQLite', () => under('sqlite', join(folder, 'store.db')));
actorHostContract('Restate, on PostgreSQL', async () => under('postgres', await server.storeUrl()));
