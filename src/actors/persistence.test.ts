/** A store that is gone for a while: nothing is lost, nothing happens twice, and the actors continue. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seal } from '../audit/index.js';
import type { ActorAddress } from '../domain/actor-host.js';
import type { ActorLease, ActorWrite } from '../domain/actor-storage.js';
import { HelveError } from '../domain/errors.js';
import type { Storage } from '../domain/storage.js';
import { openStorage } from '../storage/index.js';
import { note, script, scriptMachines, seen } from '../testing/actor-script.js';
import { createFaultyStorage, type StorageFault } from '../testing/faulty-storage.js';
import { time, workspace } from '../testing/storage-fixtures.js';
import { createEmbeddedActorHost, createPersistence } from './index.js';

const waits = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000];
const actor: ActorAddress = { workspaceId: 'w', kind: 'issue', id: 'a' };
const minute = 60_000;

let real: Storage;
let storage: Storage;
let fault: () => StorageFault;
/** The waits of this test, in milliseconds; no time passes. */
let waited: number[];

beforeEach(async () => {
  fault = () => 'none';
  waited = [];
  real = await openStorage({ location: ':memory:', seal });
  storage = createFaultyStorage(real, () => fault());
  await real.system.createWorkspace(workspace('w'), []);
  await real.workspace('w').actors.insert(actor, { value: 'idle', context: {}, status: 'active' });
});
afterEach(() => real.close());

const create = (random = 0.5) =>
  createPersistence({
    storage,
    waits,
    random: () => random,
    wait: async (ms) => {
      waited.push(Math.round(ms));
    },
  });

async function prepareWrite(): Promise<{ lease: ActorLease; write: ActorWrite }> {
  const lease = await real.system.actors.take({ owner: 'p', ms: minute, seen: undefined });
  await real.workspace('w').actors.send({ to: actor, id: 'e', event: { type: 'GO' } });
  const { events } = await real.system.actors.due({ limit: 1, work: [], running: [] });
  const [event] = events;
  if (!lease || !event) throw new Error('Nothing is due');
  const snapshot = { value: 'next', context: {}, status: 'active' } as const;
  const outcome = { snapshot, starts: [], sends: [], timers: [], work: [] };
  const { position, id: eventId } = event;
  return { lease, write: { actor: event.actor, version: 0, position, eventId, at: time(1), outcome } };
}

/** Fails this often, then works. */
function failing(times: number, how: StorageFault): void {
  let left = times;
  fault = () => (left-- > 0 ? how : 'none');
}

describe('R-persistence: writes and reads of actors', () => {
  it('are attempted again after each of ten waits, and then given up', async () => {
    const { lease, write } = await prepareWrite();
    failing(10, 'gone');
    expect(await create().persistState(lease, [write])).toEqual(['written']);
    expect(waited).toEqual(waits);
    failing(11, 'gone');
    await expect(create().persistState(lease, [write])).rejects.toMatchObject({ code: 'storage_failed' });
    fault = () => 'none';
    expect(await create().persistState(lease, [write])).toEqual(['repeated']);
  });
  it('wait up to a fifth longer or shorter', async () => {
    for (const random of [0, 1]) {
      failing(2, 'gone');
      await create(random).getConnections('w');
    }
    expect(waited).toEqual([80, 160, 120, 240]);
  });
  it('happen once, although the answer was lost', async () => {
    const { lease, write } = await prepareWrite();
    failing(3, 'answer_lost');
    expect(await create().persistState(lease, [write])).toEqual(['repeated']);
    expect((await real.workspace('w').actors.find(actor))?.view.version).toBe(1);
    failing(3, 'answer_lost');
    await create().logToolExecution(actor, { executionId: 'x', tool: 'mail.send', at: time(1) });
    expect(await real.workspace('w').actors.executions(actor, 5)).toHaveLength(1);
  });
  it('are not attempted again if the store refuses them', async () => {
    await expect(create().getConnections('nowhere')).rejects.toMatchObject({ code: 'not_found' });
    expect(waited).toEqual([]);
  });
  it('are attempted as soon as the store is back, not only after a long wait', async () => {
    let asked = 0;
    fault = () => (asked++ < 3 ? 'gone' : 'none');
    const persistence = createPersistence({ storage, waits: [minute], watchMs: 10 });
    expect(await persistence.getConnections('w')).toEqual([]);
    expect(asked).toBeGreaterThan(3);
  });
  it('are not attempted more than twice in a wait by a store that answers and fails all the same', async () => {
    let attempts = 0;
    const persistence = createPersistence({ storage, waits: [100, 100], watchMs: 5 });
    const writing = persistence.attempt(async () => {
      attempts += 1;
      throw new HelveError('storage_failed', 'The disk is full');
    });
    await expect(writing).rejects.toMatchObject({ code: 'storage_failed' });
    expect(attempts).toBe(5);
  });
  it('end when Helve stops', async () => {
    fault = () => 'gone';
    const persistence = createPersistence({ storage, waits: [minute] });
    const reading = persistence.getConnections('w');
    persistence.close();
    await expect(reading).rejects.toMatchObject({ code: 'shutting_down' });
  });
});

describe('R-persistence: actors whose store is gone for five minutes', () => {
  it.each([['gone'], ['answer_lost']] as const)('continue without loss or repetition (%s)', async (how) => {
    // The clock of the waits: it moves only by them.
    let clock = 0;
    let backAt = 0;
    const errors: unknown[] = [];
    const persistence = createPersistence({
      storage,
      waits,
      wait: async (ms) => {
        clock += ms;
        if (clock >= backAt) fault = () => 'none';
      },
    });
    const { host, start, close } = createEmbeddedActorHost({
      storage,
      persistence,
      machines: scriptMachines,
      instance: { id: 'p' },
      pollMs: 20,
      report: (error) => void errors.push(error),
    });
    await start();
    const other: ActorAddress = { workspaceId: 'w', kind: 'repo', id: 'b' };
    await host.start(other, {});
    const finish: (() => void)[] = [];
    const attempts: number[] = [];
    host.work('job', async ({ attempt }) => {
      attempts.push(attempt);
      await new Promise<void>((resolve) => finish.push(resolve));
      return { type: 'DONE' };
    });
    await host.send(other, script('begin', { do: 'work', name: 'job', input: {} }), { id: 'begin' });
    await expect.poll(() => attempts).toEqual([1]);
    const effects = [
      { do: 'send', to: actor, event: note('hello') },
      { do: 'set_timer', name: 't', delayMs: 10, event: note('ring') },
    ] as const;
    // Written by another process, while this one cannot reach the store.
    backAt = clock + 5 * minute;
    fault = () => how;
    for (const n of [1, 2, 3])
      await real.workspace('w').actors.send({ to: other, id: `${n}`, event: script(`${n}`, ...effects) });
    finish[0]?.();
    const read = async (one: ActorAddress) => seen((await real.workspace('w').actors.find(one))?.view.snapshot);
    await expect.poll(() => read(other)).toContain('ring');
    await expect.poll(() => read(actor)).toHaveLength(3);
    await expect.poll(() => read(other)).toContain('DONE');
    expect(clock).toBeGreaterThanOrEqual(how === 'gone' ? 5 * minute : 0);
    expect([...(await read(other))].sort()).toEqual(['1', '2', '3', 'DONE', 'begin', 'ring']);
    expect((await read(other)).filter((label) => /^\d$/.test(String(label)))).toEqual(['1', '2', '3']);
    expect(attempts).toEqual([1]);
    await close();
  });
});
