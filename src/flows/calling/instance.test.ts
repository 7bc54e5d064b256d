/**
 * This process among others: it registers again after it was removed, and the store's clock decides which process is
 * dead.
 */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { seal } from '../../audit/index.js';
import type { Storage } from '../../domain/storage.js';
import { openStorage } from '../../storage/index.js';
import { thisProcess } from '../../util/process-identity.js';
import { createInstance, type Instance } from './instance.js';
import { interrupted } from './settle.js';

const heartbeatMs = 20;
const other = { id: 'other', host: 'elsewhere', pid: 1, startToken: '' };
const opened: { readonly storage: Storage; readonly instance: Instance }[] = [];

afterEach(async () => {
  for (const { instance, storage } of opened.splice(0)) {
    await instance.stop();
    await storage.close();
  }
});

/** A store whose clock the test sets, and one process on it. */
async function openScene(beats = heartbeatMs) {
  let ahead = 0;
  const storage = await openStorage({ location: ':memory:', seal, now: () => new Date(Date.now() + ahead) });
  const reports: string[] = [];
  const instance = createInstance({ storage, heartbeatMs: beats, report: (message) => reports.push(message) });
  opened.push({ storage, instance });
  return {
    storage,
    instance,
    reports,
    start: () => instance.start(async () => 'committed'),
    ids: async () => (await storage.system.listInstances()).map(({ id }) => id).sort(),
    setClock: (milliseconds: number) => {
      ahead = milliseconds;
    },
  };
}

const lookOften = { timeout: 20_000, interval: 5 };

describe('R-pipeline: this process', () => {
  test('R-pipeline: is registered at its start, and no longer after it has stopped', async () => {
    const { instance, start, ids, storage, reports } = await openScene();
    await start();
    expect(await ids()).toEqual([instance.id]);
    expect(await instance.isAlive(instance.id)).toBe(true);
    expect(await instance.isAlive('nobody')).toBe(false);
    const beating = vi.spyOn(storage.system, 'touchInstance');
    await vi.waitFor(() => expect(beating.mock.calls.length).toBeGreaterThan(1), lookOften);
    await instance.stop();
    expect(await ids()).toEqual([]);
    expect(reports).toEqual([]);
  });

  test('R-pipeline: registers again when it was removed, and says so once', async () => {
    const { instance, start, ids, storage, reports } = await openScene();
    await start();
    await storage.system.removeInstance(instance.id);
    await vi.waitFor(async () => expect(await ids()).toEqual([instance.id]), lookOften);
    await vi.waitFor(() => expect(reports).toEqual([expect.stringMatching(/considered this process dead/)]), lookOften);
    const beating = vi.spyOn(storage.system, 'touchInstance');
    await vi.waitFor(() => expect(beating.mock.calls.length).toBeGreaterThan(2), lookOften);
    expect(reports).toHaveLength(1);
  });

  test('R-pipeline: shows that it is alive before it starts work, if it has not sent a heartbeat for a while', async () => {
    // Its heartbeats come too late for this test.
    const { instance, start, ids, storage, reports } = await openScene(60_000);
    await start();
    await storage.system.removeInstance(instance.id);
    // It knows about itself, whatever other processes did to its row.
    expect(await instance.isAlive(instance.id)).toBe(true);
    await instance.ensureSeen();
    expect(await ids()).toEqual([]);
    // The machine was suspended: only its clock has advanced.
    const later = Date.now() + 300_000;
    vi.spyOn(Date, 'now').mockReturnValue(later);
    await instance.ensureSeen();
    vi.restoreAllMocks();
    expect(await ids()).toEqual([instance.id]);
    expect(reports).toHaveLength(1);
  });

  test('R-pipeline: work before its start or after its stop does not register it', async () => {
    const { instance, start, ids } = await openScene(60_000);
    await instance.ensureSeen();
    expect(await ids()).toEqual([]);
    await start();
    await instance.stop();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 300_000);
    await instance.ensureSeen();
    vi.restoreAllMocks();
    expect(await ids()).toEqual([]);
  });
});

describe('R-rest: whether the store can be written', () => {
  test('R-pipeline: writes the end of a call that the store did not take, once, when it takes it', async () => {
    const { instance, storage } = await openScene();
    await storage.system.createWorkspace({ id: 'w', slug: 'w', name: 'W', createdAt: new Date().toISOString() }, []);
    const actor = { kind: 'agent', id: 'a', name: 'A' } as const;
    const call = { executionId: 'e', tool: 't', actor, startedAt: new Date().toISOString() };
    const started = { type: 'execution.started', at: call.startedAt, actor, executionId: 'e', body: {} } as const;
    await storage.commit([{ workspaceId: 'w', events: [started], openIntent: { ...call, instanceId: instance.id } }]);
    let isGone = false;
    let tries = 0;
    await instance.start(async (entry) => {
      tries += 1;
      if (isGone) throw new Error('The store is gone');
      return (await storage.commit([entry]))[0] ?? expect.fail('no outcome');
    });
    isGone = true;
    for (let time = 0; time < 2; time++) instance.keep(interrupted({ ...call, workspaceId: 'w' }, new Date(), 'lost'));
    await vi.waitFor(() => expect(tries).toBeGreaterThan(2), lookOften);
    // The control: it is open as long as the store does not take it.
    expect(await storage.system.listIntents()).toHaveLength(1);
    isGone = false;
    await vi.waitFor(async () => expect(await storage.system.listIntents()).toEqual([]), lookOften);
    const after = tries + 1;
    const beating = vi.spyOn(storage.system, 'touchInstance');
    await vi.waitFor(() => expect(beating.mock.calls.length).toBeGreaterThan(2), lookOften);
    expect(tries).toBeLessThanOrEqual(after);
    const rows = await storage.workspace('w').audit.page(0, 10);
    expect(rows.map(({ type }) => type)).toEqual(['execution.started', 'execution.interrupted']);
  });

  test('R-rest: many checks within a second cause one write, and a failure is a result', async () => {
    const { instance, start, storage } = await openScene(60_000);
    await start();
    const touching = vi.spyOn(storage.system, 'touchInstance');
    const ask = () => Promise.all(Array.from({ length: 20 }, () => instance.canWrite()));
    expect(new Set(await ask())).toEqual(new Set([true]));
    expect(new Set(await ask())).toEqual(new Set([true]));
    expect(touching).toHaveBeenCalledTimes(1);
    const later = performance.now() + 1_100;
    vi.spyOn(performance, 'now').mockReturnValue(later);
    touching.mockRejectedValueOnce(new Error('full'));
    expect(new Set(await ask())).toEqual(new Set([false]));
    expect(touching).toHaveBeenCalledTimes(2);
    vi.spyOn(performance, 'now').mockReturnValue(later + 1_100);
    expect(new Set(await ask())).toEqual(new Set([true]));
    expect(touching).toHaveBeenCalledTimes(3);
    vi.restoreAllMocks();
    await instance.stop();
    expect(await instance.canWrite()).toBe(false);
    expect(await storage.system.listInstances()).toEqual([]);
  });

  test('R-pipeline: a process whose store is unavailable still ends', async () => {
    const { instance, start, storage } = await openScene(60_000);
    await start();
    vi.spyOn(storage.system, 'removeInstance').mockRejectedValueOnce(new Error('away'));
    await instance.stop();
    vi.restoreAllMocks();
  });
});

describe('R-pipeline: another process, observed by its heartbeats', () => {
  test('R-pipeline: is settled when its heartbeats stop, and not before', async () => {
    const { start, ids, storage, instance } = await openScene();
    await storage.system.touchInstance(other);
    await start();
    expect(await instance.isAlive('other')).toBe(true);
    await vi.waitFor(async () => expect(await ids()).toEqual([instance.id]), lookOften);
  });

  test.each([
    ['forward', 3_600_000],
    ['back', -3_600_000],
  ])('R-pipeline: stays alive when the store’s clock is set %s, as long as it sends heartbeats', async (_, milliseconds) => {
    const { start, ids, storage, instance, setClock } = await openScene(100);
    await storage.system.touchInstance(other);
    await start();
    const removing = vi.spyOn(storage.system, 'removeInstance');
    setClock(milliseconds);
    const beating = vi.spyOn(storage.system, 'purgeExpired');
    // One look at a row with an implausible time, and then its next heartbeat.
    await vi.waitFor(() => expect(beating.mock.calls.length).toBeGreaterThan(0), lookOften);
    await storage.system.touchInstance(other);
    expect(removing).not.toHaveBeenCalled();
    expect(await ids()).toEqual([instance.id, 'other'].sort());
    expect(await instance.isAlive('other')).toBe(true);
    // Without any further heartbeat it is settled.
    await vi.waitFor(async () => expect(await ids()).toEqual([instance.id]), lookOften);
  });

  test('R-pipeline: is settled immediately if the system reports that it has ended', async () => {
    const { start, ids, storage, instance } = await openScene(60_000);
    const self = thisProcess();
    await storage.system.touchInstance({ ...self, id: 'other', startToken: self.startToken.replace(/\d+$/, '1') });
    await start();
    expect(await ids()).toEqual([instance.id]);
  });

  test('R-pipeline: is not alive if the system reports that it has ended, and alive between two late heartbeats', async () => {
    const { start, storage, instance } = await openScene(60_000);
    await start();
    const self = thisProcess();
    await storage.system.touchInstance({ ...self, id: 'ended', startToken: self.startToken.replace(/\d+$/, '1') });
    await storage.system.touchInstance(other);
    expect(await instance.isAlive('ended')).toBe(false);
    expect(await instance.isAlive('other')).toBe(true);
    // It has missed two heartbeats, by our clock and by the store's.
    const later = performance.now() + 150_000;
    vi.spyOn(performance, 'now').mockReturnValue(later);
    expect(await instance.isAlive('other')).toBe(true);
    vi.restoreAllMocks();
  });

  test.each([
    ['long ago', 3_600_000],
    ['in the future', -3_600_000],
  ])('R-pipeline: counts as dead when its last heartbeat was %s and none came while it was watched', async (_, ahead) => {
    const { start, storage, instance, setClock } = await openScene(60_000);
    await start();
    await storage.system.touchInstance(other);
    setClock(ahead);
    expect(await instance.isAlive('other')).toBe(true);
    const later = performance.now() + 150_000;
    vi.spyOn(performance, 'now').mockReturnValue(later);
    expect(await instance.isAlive('other')).toBe(false);
    vi.restoreAllMocks();
  });

  test('R-pipeline: is not removed if it sends a heartbeat after it was checked', async () => {
    const { start, ids, storage, instance, setClock } = await openScene(60_000);
    // A process of this machine that has ended: settled at the first look.
    const self = thisProcess();
    const ended = { ...self, id: 'other', startToken: self.startToken.replace(/\d+$/, '1') };
    await storage.system.touchInstance(ended);
    const list = storage.system.listInstances.bind(storage.system);
    const looking = vi.spyOn(storage.system, 'listInstances').mockImplementation(async () => {
      const rows = await list();
      setClock(1_000);
      await storage.system.touchInstance(ended);
      return rows;
    });
    const removing = vi.spyOn(storage.system, 'removeInstance');
    await start();
    // It was settled based on the old row.
    expect(removing).toHaveBeenCalledExactlyOnceWith('other', expect.any(String));
    expect(looking).toHaveBeenCalledOnce();
    looking.mockRestore();
    expect(await ids()).toEqual([instance.id, 'other'].sort());
  });
});
