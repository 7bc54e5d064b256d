/** Which process drives, how much it does at a time, and what an idle one costs. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seal } from '../../audit/index.js';
import type { ActorAddress, ActorJob } from '../../domain/actor-host.js';
import type { Storage } from '../../domain/storage.js';
import { openStorage } from '../../storage/index.js';
import { note, script, scriptMachines, seen } from '../../testing/actor-script.js';
import { createFaultyStorage, type StorageFault } from '../../testing/faulty-storage.js';
import { workspace } from '../../testing/storage-fixtures.js';
import { createEmbeddedActorHost, createPersistence } from '../index.js';
import type { EmbeddedActorHostOptions } from './host.js';

const folder = await mkdtemp(join(tmpdir(), 'helve-driving-'));
const actor: ActorAddress = { workspaceId: 'w', kind: 'issue', id: 'a' };
const endings: (() => Promise<void>)[] = [];
let count = 0;
let location: string;
let storage: Storage;
/** What the process under test asks of the store, and how that fails. */
let requests: number;
let fault: StorageFault;

beforeEach(async () => {
  location = join(folder, `store-${++count}.db`);
  const real = await openStorage({ location, seal });
  endings.push(() => real.close());
  await real.system.createWorkspace(workspace('w'), []);
  [requests, fault] = [0, 'none'];
  storage = createFaultyStorage(real, () => {
    requests += 1;
    return fault;
  });
});
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function open(id: string, more: Partial<EmbeddedActorHostOptions> = {}) {
  const own = more.storage ?? (await openStorage({ location, seal }));
  const made = createEmbeddedActorHost({
    storage: own,
    machines: scriptMachines,
    persistence: createPersistence({ storage: own as Storage, waits: [10, 10] }),
    instance: { id },
    pollMs: 20,
    report: () => undefined,
    ...more,
  });
  endings.push(made.close);
  await made.start();
  return made;
}

const fast = { lease: 60_000, renew: 20, watch: 20, idle: 20 };
const view = async () => (await storage.workspace('w').actors.find(actor))?.view;

describe('the process that drives', () => {
  it('is replaced at once when it is known to have ended, and otherwise not before its lease ends', async () => {
    const first = await open('first', { times: fast });
    await first.host.start(actor, {});
    await expect.poll(async () => (await storage.system.actors.look()).lease?.owner).toBe('first');
    let isAlive: boolean | undefined = true;
    const asked: string[] = [];
    const instance = {
      id: 'second',
      isAlive: async (id: string) => {
        asked.push(id);
        return isAlive;
      },
    };
    await open('second', { times: fast, instance });
    await expect.poll(() => asked.length).toBeGreaterThan(3);
    expect((await storage.system.actors.look()).lease?.owner).toBe('first');
    isAlive = undefined;
    const before = asked.length;
    await expect.poll(() => asked.length).toBeGreaterThan(before + 3);
    expect((await storage.system.actors.look()).lease?.owner).toBe('first');
    isAlive = false;
    await expect.poll(async () => (await storage.system.actors.look()).lease?.owner).toBe('second');
  });

  it('writes nothing and stops its work when another process took the lease', async () => {
    const { host } = await open('first', { times: { ...fast, renew: 60_000, watch: 60_000 } });
    const jobs: ActorJob[] = [];
    host.work('long', async (job) => {
      jobs.push(job);
      await sleep(60_000, undefined, { signal: job.signal });
      return undefined;
    });
    await host.start(actor, {});
    await host.send(actor, script('begin', { do: 'work', name: 'long', input: {} }), { id: '1' });
    await expect.poll(() => jobs).toHaveLength(1);
    const { lease } = await storage.system.actors.look();
    await storage.system.actors.take({ owner: 'thief', ms: 60_000, seen: lease });
    await host.send(actor, note('too late'), { id: '2' });
    await expect.poll(() => jobs[0]?.signal.aborted).toBe(true);
    expect(seen((await view())?.snapshot)).toEqual(['begin']);
    expect((await view())?.work).toMatchObject([{ attempt: 1 }]);
  });

  it('stops work immediately when the actor says so', async () => {
    const { host } = await open('first', { times: { ...fast, renew: 60_000 } });
    const jobs: ActorJob[] = [];
    host.work('long', async (job) => {
      jobs.push(job);
      await sleep(60_000, undefined, { signal: job.signal });
      return undefined;
    });
    await host.start(actor, {});
    await host.send(actor, script('begin', { do: 'work', name: 'long', input: {} }), { id: '1' });
    await expect.poll(() => jobs).toHaveLength(1);
    await host.send(actor, script('end', { do: 'stop_work', name: 'long' }), { id: '2' });
    await expect.poll(() => jobs[0]?.signal.aborted).toBe(true);
  });

  it('stops its work when it could not renew its lease in time, and begins it again when it can', async () => {
    const { host } = await open('first', { storage, times: { ...fast, lease: 300 } });
    const jobs: ActorJob[] = [];
    host.work('long', async (job) => {
      jobs.push(job);
      await sleep(60_000, undefined, { signal: job.signal });
      return undefined;
    });
    await host.start(actor, {});
    await host.send(actor, script('begin', { do: 'work', name: 'long', input: {} }), { id: '1' });
    await expect.poll(() => jobs).toHaveLength(1);
    fault = 'gone';
    await expect.poll(() => jobs[0]?.signal.aborted).toBe(true);
    fault = 'none';
    await expect.poll(() => jobs.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(jobs[0]?.id).toBe(jobs[1]?.id);
  });

  it('does only so much work at a time, and all of it in the end', async () => {
    const { host } = await open('first', { maxWork: 2 });
    let now = 0;
    let most = 0;
    let done = 0;
    host.work('job', async () => {
      now += 1;
      most = Math.max(most, now);
      await sleep(5);
      now -= 1;
      done += 1;
      return { type: 'DONE' };
    });
    for (let n = 0; n < 9; n++) {
      const one = { ...actor, id: `a${n}` };
      await host.start(one, {});
      await host.send(one, script('begin', { do: 'work', name: 'job', input: {} }), { id: '1' });
    }
    await expect.poll(() => done).toBe(9);
    expect(most).toBe(2);
  });

  it('sets an event aside whose effects the store cannot keep, and continues', async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const machines = {
      ...scriptMachines,
      issue: {
        ...scriptMachines.issue,
        transition: (...[before, event]: Parameters<typeof scriptMachines.issue.transition>) => {
          const [after, effects] = scriptMachines.issue.transition(before, event);
          return [event.type === 'BAD' ? { ...after, context: cyclic as never } : after, effects] as const;
        },
      },
    };
    const { host } = await open('first', { machines });
    await host.start(actor, {});
    for (const [n, type] of ['NOTE', 'BAD', 'NOTE'].entries()) await host.send(actor, { type }, { id: `${n}` });
    await expect.poll(async () => (await view())?.events).toHaveLength(3);
    expect((await view())?.events.map(({ setAside }) => setAside !== undefined)).toEqual([false, true, false]);
  });
});

describe('a process without actors', () => {
  it('takes no lease and asks the store only now and then', async () => {
    const startedAt = performance.now();
    await open('first', { storage, times: { idle: 100 } });
    await expect.poll(() => requests, { interval: 5 }).toBeGreaterThanOrEqual(4);
    // One look for each wait.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(299);
    expect((await storage.system.actors.look()).lease).toBeUndefined();
  });
});
