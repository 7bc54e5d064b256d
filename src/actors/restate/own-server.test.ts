/** The server of Restate that Helve starts, with the real one: who starts it, and what happens when it or Helve is killed. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { seal } from '../../audit/index.js';
import type { ActorAddress, ActorHost } from '../../domain/actor-host.js';
import { openStorage } from '../../storage/index.js';
import { note, script, scriptMachines, seen } from '../../testing/actor-script.js';
import { compileProgram } from '../../testing/child-program.js';
import { workspace } from '../../testing/storage-fixtures.js';
import { createPersistence, createRestateActorHost } from '../index.js';
import { createSender } from './ingress.js';
import { createRestateServer } from './server.js';
import { findProgram, prepareFiles } from './server-files.js';

const program = compileProgram(`
import { createPersistence, createRestateActorHost } from './actors/index.js';
import { seal } from './audit/index.js';
import { openStorage } from './storage/index.js';
import { scriptMachines } from './testing/actor-script.js';
const [location, folder] = process.argv.slice(2);
const storage = await openStorage({ location, seal });
const { host, start } = createRestateActorHost({
  storage,
  machines: scriptMachines,
  persistence: createPersistence({ storage, waits: [10, 20] }),
  restate: { folder },
  report: () => undefined,
});
host.work('later', async () => {
  console.log('working');
  await new Promise((resolve) => setTimeout(resolve, 600_000));
});
await start();
console.log('open');
`);
const made: string[] = [];
const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});
afterAll(async () => {
  await program.remove();
  for (const folder of made) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'helve-own-restate-'));
  made.push(folder);
  return folder;
}

/** The servers that run in a folder. */
const serversIn = (folder: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [first = '', ...others] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return first.endsWith('/restate-server') && others.includes(join(folder, 'restate.toml'));
      } catch {
        return false;
      }
    })
    .map(Number);

function startServer(folder: string) {
  const reports: string[] = [];
  const server = createRestateServer({ folder, report: (error) => reports.push(String(error)) });
  endings.push(server.close);
  return { server, reports };
}

it('R-machines: one process starts the server, starts it again when it dies, and is followed by another', async () => {
  const folder = join(await newFolder(), 'restate');
  const [one, other] = [startServer(folder), startServer(folder)];
  await one.server.start();
  await other.server.start();
  expect([one.server.starts(), other.server.starts()]).toEqual([1, undefined]);
  const [first = 0, ...more] = serversIn(folder);
  expect(more).toEqual([]);

  process.kill(first, 'SIGKILL');
  await expect.poll(() => one.server.starts()).toBe(2);
  expect(serversIn(folder)).toEqual([expect.any(Number)]);
  expect(serversIn(folder)).not.toEqual([first]);
  expect(one.reports).toEqual([expect.stringContaining('has ended, and is started again')]);
  expect(other.server.starts()).toBe(undefined);

  await one.server.close();
  await expect.poll(() => other.server.starts()).toBe(1);
  expect(serversIn(folder)).toHaveLength(1);
  await other.server.close();
  expect(serversIn(folder)).toEqual([]);
  expect(other.reports).toEqual([]);
});

const actor: ActorAddress = { workspaceId: 'w', kind: 'issue', id: 'a' };
const whatItSaw = async (host: ActorHost) => seen((await host.read(actor))?.snapshot);

it('R-machines: what a killed Helve and its killed server had begun is ended by the next', async () => {
  const folder = await newFolder();
  const [location, own] = [join(folder, 'store.db'), join(folder, 'restate')];
  const storage = await openStorage({ location, seal });
  endings.push(() => storage.close());
  await storage.system.createWorkspace(workspace('w'), []);
  const child = spawn(process.execPath, ['main.js', location, own], {
    cwd: await program.folder(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endings.push(async () => child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += String(chunk);
  });
  await expect.poll(() => said).toContain('open');
  const { actors } = storage.workspace('w');
  await actors.insert(actor, scriptMachines.issue.initial({}));
  const begin = script('begin', { do: 'work', name: 'later', input: {} });
  await actors.send({ to: actor, id: '1', event: begin });
  await expect.poll(() => said).toContain('working');
  expect(serversIn(own)).toHaveLength(1);

  child.kill('SIGKILL');
  await expect.poll(() => serversIn(own)).toEqual([]);

  const { host, start, close } = createRestateActorHost({
    storage,
    machines: scriptMachines,
    persistence: createPersistence({ storage, waits: [10, 20] }),
    restate: { folder: own },
    lookMs: 300,
    report: () => undefined,
  });
  endings.push(close);
  host.work('later', async () => note('worked'));
  await start();
  await expect.poll(() => whatItSaw(host)).toEqual(['begin', 'worked']);

  for (const pid of serversIn(own)) process.kill(pid, 'SIGKILL');
  await host.send(actor, script('again', { do: 'set_timer', name: 't', delayMs: 100, event: note('rings') }), {
    id: '2',
  });
  await expect.poll(() => whatItSaw(host)).toEqual(['begin', 'worked', 'again', 'rings']);
});

it('R-machines: nobody but its server can have an actor of this process take its turn, or read it', async () => {
  const folder = join(await newFolder(), 'restate');
  const storage = await openStorage({ location: join(folder, '..', 'store.db'), seal });
  const { start, close } = createRestateActorHost({
    storage,
    machines: scriptMachines,
    persistence: createPersistence({ storage, waits: [10] }),
    restate: { folder },
    report: () => undefined,
  });
  endings.push(() => storage.close(), close);
  await start();
  const sender = createSender();
  endings.push(sender.close);
  const admin = { url: 'http://restate', socketPath: join(folder, 'helve', 'admin.sock') };
  const answer = await sender.send(admin, { method: 'GET', path: 'deployments' });
  const { deployments } = JSON.parse(answer) as { deployments: { uri: string; services: { name: string }[] }[] };
  expect(deployments[0]?.services.map(({ name }) => name).sort()).toEqual(['helve_actor', 'helve_work']);
  const session = connect(deployments[0]?.uri ?? '');
  endings.push(async () => session.destroy());
  const status = (path: string, method = 'GET') =>
    new Promise((resolve, reject) => {
      const stream = session.request({ ':path': path, ':method': method });
      stream.once('response', (headers) => resolve(headers[':status']));
      stream.once('error', reject);
      stream.end();
    });
  // The endpoint of health is for everybody, so it is the identity that refuses the others.
  expect(await status('/health')).toBe(200);
  expect(await status('/discover')).toBe(401);
  expect(await status('/invoke/helve_actor/turn', 'POST')).toBe(401);
});

it('R-machines: of two servers on one store, one gives turns, and the other after it', async () => {
  const folder = await newFolder();
  const storage = await openStorage({ location: join(folder, 'store.db'), seal });
  endings.push(() => storage.close());
  const owner = async () => (await storage.system.actors.look()).lease?.owner;
  const opened = [];
  for (const name of ['one', 'two']) {
    const host = createRestateActorHost({
      storage,
      machines: scriptMachines,
      persistence: createPersistence({ storage, waits: [10] }),
      restate: { folder: join(folder, name) },
      times: { lease: 900, renew: 200 },
      // Nobody knows of processes that share a lease: it must not be asked.
      isAlive: async () => false,
      report: () => undefined,
    });
    endings.push(host.close);
    await host.start();
    opened.push({ host, identity: `shared:${prepareFiles(join(folder, name)).identity}` });
  }
  expect(opened[0]?.identity).not.toBe(opened[1]?.identity);
  expect(await owner()).toBe(opened[0]?.identity);
  await opened[0]?.host.close();
  await expect.poll(owner).toBe(opened[1]?.identity);
});

it('R-machines: says which package is missing, and that a path is too long', async () => {
  expect(() => findProgram('linux', 'riscv64')).toThrow(
    expect.objectContaining({
      code: 'invalid_config',
      message: expect.stringContaining('@restatedev/restate-server-linux-riscv64 is not installed'),
      hint: expect.stringContaining('npm install @restatedev/restate-server-linux-riscv64'),
    }),
  );
  const folder = join(await newFolder(), 'x'.repeat(100));
  expect(() => prepareFiles(folder)).toThrow(expect.objectContaining({ code: 'invalid_config' }));
});
