/** Processes of the embedded host that are killed at random moments, on both stores. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { seal } from '../../audit/index.js';
import { openStorage } from '../../storage/index.js';
import { killAndCount } from '../../testing/actor-host-kills.js';
import { scriptMachines } from '../../testing/actor-script.js';
import { compileProgram } from '../../testing/child-program.js';
import { startPostgres } from '../../testing/postgres.js';
import { workspace } from '../../testing/storage-fixtures.js';
import { createEmbeddedActorHost, createPersistence } from '../index.js';

const program = compileProgram(`
import { createEmbeddedActorHost, createPersistence } from './actors/index.js';
import { seal } from './audit/index.js';
import { openStorage } from './storage/index.js';
import { serveHost } from './testing/actor-child.js';
import { scriptMachines } from './testing/actor-script.js';
const [location, effects] = process.argv.slice(2);
const storage = await openStorage({ location, seal });
const { host, start } = createEmbeddedActorHost({
  storage,
  machines: scriptMachines,
  persistence: createPersistence({ storage, waits: [10, 20, 40, 80, 160, 320] }),
  instance: { id: String(process.pid) },
  times: { lease: 900, renew: 200, watch: 100, idle: 100 },
  pollMs: 50,
  report: () => undefined,
});
serveHost(host, effects);
await start();
`);
const folder = await mkdtemp(join(tmpdir(), 'helve-actor-kills-'));
const server = await startPostgres();
const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});
afterAll(async () => {
  await server.stop();
  await program.remove();
  await rm(folder, { recursive: true, force: true });
});

it.each([
  ['SQLite', async () => join(folder, 'store.db')],
  ['PostgreSQL', () => server.storeUrl()],
])('R-machines: loses and doubles nothing when processes are killed, on %s', { timeout: 180_000 }, async (_, place) => {
  const location = await place();
  const storage = await openStorage({ location, seal });
  endings.push(() => storage.close());
  await storage.system.createWorkspace(workspace('w'), []);
  let lease = 0;
  await killAndCount({
    workspaceId: 'w',
    folder: await program.folder(),
    parameters: [location],
    kills: 12,
    actors: 4,
    events: 12,
    async host() {
      lease = (await storage.system.actors.look()).lease?.number ?? 0;
      const { host, start, close } = createEmbeddedActorHost({
        storage,
        machines: scriptMachines,
        persistence: createPersistence({ storage, waits: [100] }),
        instance: { id: 'last' },
        times: { lease: 900, renew: 200, watch: 100, idle: 100 },
        report: () => undefined,
      });
      endings.push(close);
      await start();
      return host;
    },
  });
  // Kills that hit a driving process: otherwise this says nothing about taking over.
  expect(lease).toBeGreaterThan(2);
});
