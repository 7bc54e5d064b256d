/** The same actors, first on the embedded host, then on Restate, and back. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { seal } from '../../audit/index.js';
import type { ActorAddress, ActorHost } from '../../domain/actor-host.js';
import { openStorage } from '../../storage/index.js';
import { note, script, scriptMachines, seen } from '../../testing/actor-script.js';
import { freePort } from '../../testing/free-port.js';
import { startRestate } from '../../testing/restate.js';
import { workspace } from '../../testing/storage-fixtures.js';
import { createEmbeddedActorHost, createPersistence, createRestateActorHost } from '../index.js';

const folder = await mkdtemp(join(tmpdir(), 'helve-moving-'));
const restate = await startRestate();
const cluster = await startRestate(3);
const storage = await openStorage({ location: join(folder, 'store.db'), seal });
await storage.system.createWorkspace(workspace('w'), []);
afterAll(async () => {
  await storage.close();
  await Promise.all([restate.stop(), cluster.stop()]);
  await rm(folder, { recursive: true, force: true });
});

const common = () => ({
  storage,
  machines: scriptMachines,
  persistence: createPersistence({ storage, waits: [10, 20] }),
  report: () => undefined,
});
const actor = (id: string): ActorAddress => ({ workspaceId: 'w', kind: 'issue', id });
const whatItSaw = async (host: ActorHost, id: string) => seen((await host.read(actor(id)))?.snapshot);

async function embedded() {
  const times = { lease: 1_500, renew: 200, watch: 100, idle: 100 };
  const one = createEmbeddedActorHost({ ...common(), instance: { id: 'embedded' }, times, pollMs: 50 });
  await one.start();
  return one;
}

async function onRestate({ ingress, admin } = restate) {
  const listen = { host: '127.0.0.1', port: await freePort() };
  const one = createRestateActorHost({
    ...common(),
    restate: { ingress, admin, listen },
    times: { lease: 1_500, renew: 200 },
    lookMs: 200,
  });
  await one.start();
  return one;
}

it('R-machines: actors move from the embedded host to Restate and back with their timers and work', async () => {
  const first = await embedded();
  for (const id of ['a', 'b']) await first.host.start(actor(id), {});
  const timer = { do: 'set_timer', name: 't', delayMs: 3_000, event: note('rings') } as const;
  await first.host.send(actor('a'), script('set', timer, { do: 'work', name: 'later', input: {} }), { id: '1' });
  await first.host.send(actor('b'), note('delayed'), { id: '1', delayMs: 3_100 });
  await expect.poll(() => whatItSaw(first.host, 'a')).toEqual(['set']);
  await first.close();

  const second = await onRestate();
  second.host.work('later', async () => note('worked'));
  await expect.poll(() => whatItSaw(second.host, 'a')).toHaveLength(3);
  await expect.poll(() => whatItSaw(second.host, 'b')).toEqual(['delayed']);
  expect(new Set(await whatItSaw(second.host, 'a'))).toEqual(new Set(['set', 'rings', 'worked']));
  await second.host.send(actor('b'), script('set', { ...timer, delayMs: 2_000 }), { id: '2' });
  await expect.poll(() => whatItSaw(second.host, 'b')).toEqual(['delayed', 'set']);

  // As long as processes on Restate are there, the embedded host does not drive.
  const third = await embedded();
  await expect.poll(() => whatItSaw(second.host, 'b')).toEqual(['delayed', 'set', 'rings']);
  await second.close();
  await third.host.send(actor('a'), note('back'), { id: '3' });
  await expect.poll(() => whatItSaw(third.host, 'a')).toContain('back');
  expect(await whatItSaw(third.host, 'a')).toHaveLength(4);
  await third.close();
});

it('R-machines: actors move on from one node of Restate to three, and continue when one of these dies', {
  timeout: 120_000,
}, async () => {
  const first = await embedded();
  await first.host.start(actor('d'), {});
  const timer = { do: 'set_timer', name: 't', delayMs: 4_000, event: note('rings') } as const;
  await first.host.send(actor('d'), script('1', timer, { do: 'work', name: 'later', input: {} }), { id: '1' });
  await expect.poll(() => whatItSaw(first.host, 'd')).toEqual(['1']);
  await first.close();

  const second = await onRestate();
  await second.host.send(actor('d'), note('2'), { id: '2' });
  await expect.poll(() => whatItSaw(second.host, 'd')).toContain('2');
  await second.close();

  const third = await onRestate(cluster);
  third.host.work('later', async () => note('worked'));
  await third.host.send(actor('d'), note('3'), { id: '3' });
  await expect.poll(() => whatItSaw(third.host, 'd')).toHaveLength(5);
  expect((await whatItSaw(third.host, 'd')).toSorted()).toEqual(['1', '2', '3', 'rings', 'worked']);
  // The node that was asked first.
  await cluster.pause(0);
  await third.host.send(actor('d'), note('4'), { id: '4' });
  await expect.poll(() => whatItSaw(third.host, 'd')).toContain('4');
  await third.close();
  await cluster.resume(0);
});

it('serves while Restate is away, and does what was sent meanwhile when it is back', async () => {
  const one = await onRestate();
  await one.host.start(actor('c'), {});
  await one.host.send(actor('c'), note('before'), { id: '1' });
  await expect.poll(() => whatItSaw(one.host, 'c')).toEqual(['before']);
  await restate.pause();
  expect(await one.host.send(actor('c'), note('meanwhile'), { id: '2' })).toBe(true);
  await restate.resume();
  await expect.poll(() => whatItSaw(one.host, 'c')).toEqual(['before', 'meanwhile']);
  await one.close();
});
