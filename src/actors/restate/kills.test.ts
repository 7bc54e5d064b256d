/** Processes on Restate that are killed at random moments; and Restate itself. */
import { afterAll, afterEach, expect, it } from 'vitest';
import { seal } from '../../audit/index.js';
import { openStorage } from '../../storage/index.js';
import { killAndCount } from '../../testing/actor-host-kills.js';
import { scriptMachines } from '../../testing/actor-script.js';
import { startBalancer } from '../../testing/balancer.js';
import { compileProgram } from '../../testing/child-program.js';
import { freePort } from '../../testing/free-port.js';
import { startPostgres } from '../../testing/postgres.js';
import { startRestate } from '../../testing/restate.js';
import { rounds } from '../../testing/rounds.js';
import { workspace } from '../../testing/storage-fixtures.js';
import { createPersistence, createRestateActorHost } from '../index.js';

const program = compileProgram(`
import { createPersistence, createRestateActorHost } from './actors/index.js';
import { seal } from './audit/index.js';
import { openStorage } from './storage/index.js';
import { serveHost } from './testing/actor-child.js';
import { scriptMachines } from './testing/actor-script.js';
const [location, ingress, admin, address, ports, effects] = process.argv.slice(2);
const storage = await openStorage({ location, seal });
for (const port of ports.split(',').map(Number)) {
  const { host, start, close } = createRestateActorHost({
    storage,
    machines: scriptMachines,
    persistence: createPersistence({ storage, waits: [10, 20, 40, 80, 160, 320] }),
    restate: { ingress: ingress.split(','), admin: admin.split(','), address, listen: { host: '127.0.0.1', port } },
    times: { lease: 3_000, renew: 300 },
    lookMs: 300,
    report: () => undefined,
  });
  const failed = await start().then(() => undefined, (error) => error);
  if (!failed) {
    serveHost(host, effects);
    break;
  }
  if (failed.cause?.code !== 'EADDRINUSE') throw failed;
}
`);
const server = await startPostgres();
const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});
afterAll(async () => {
  await server.stop();
  await program.remove();
});

it.each([
  ['a single node', 1, rounds(4, 40)],
  ['one of three nodes', 3, rounds(8, 40)],
])(
  'R-machines: loses and doubles nothing when processes and %s of Restate are killed',
  { timeout: 180_000 },
  async (_, nodes, kills) => {
    const [location, restate, balancer] = [await server.storeUrl(), await startRestate(nodes), await startBalancer()];
    const storage = await openStorage({ location, seal });
    const { ingress, admin } = restate;
    const ports = [await freePort(), await freePort(), await freePort()];
    for (const port of ports) balancer.add(port);
    let isOver = false;
    let deaths = 0;
    const restarting = (async () => {
      while (!isOver) {
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        if (isOver) break;
        const node = Math.floor(Math.random() * nodes);
        await restate.pause(node);
        deaths += 1;
        await restate.resume(node);
      }
    })();
    endings.push(
      () => storage.close(),
      () => balancer.close(),
      () => restate.stop(),
      async () => {
        isOver = true;
        await restarting;
      },
    );
    await storage.system.createWorkspace(workspace('w'), []);
    await killAndCount({
      workspaceId: 'w',
      folder: await program.folder(),
      parameters: [location, ingress.join(','), admin.join(','), balancer.address, ports.join(',')],
      kills,
      actors: 4,
      events: kills,
      async host() {
        isOver = true;
        await restarting;
        const port = await freePort();
        const { host, start, close } = createRestateActorHost({
          storage,
          machines: scriptMachines,
          persistence: createPersistence({ storage, waits: [100] }),
          restate: { ingress, admin, address: balancer.address, listen: { host: '127.0.0.1', port } },
          report: () => undefined,
        });
        endings.push(close);
        balancer.add(port);
        await start();
        return host;
      },
    });
    expect(deaths).toBeGreaterThan(1);
  },
);
