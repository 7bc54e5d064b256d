/**
 * The actor host on Helve's own store: every event is one transaction there. One process drives the actors of all workspaces;
 * the others write events into the store, where it finds them. When it ends, another takes over, and begins its work again.
 */
import type { ActorHost, ActorMachines } from '../../domain/actor-host.js';
import type { Storage } from '../../domain/storage.js';
import { defined } from '../../util/defined.js';
import { createActorDoor, defaultRetryMs } from '../door.js';
import { createFollowers } from '../followers.js';
import type { Persistence } from '../persistence.js';
import { createDriver } from './driver.js';
import { createJobs } from './jobs.js';
import { createLeaseKeeper, type LeaseOptions, type LeaseTimes } from './lease.js';

export interface EmbeddedActorHostOptions {
  readonly storage: Pick<Storage, 'system' | 'workspace' | 'now'>;
  readonly machines: ActorMachines;
  readonly persistence: Persistence;
  /** This process, as others know it, and whether another one is alive. */
  readonly instance: LeaseOptions['self'];
  /** Failures of the driving process, which no caller sees. */
  readonly report: (error: unknown) => void;
  /** How many pieces of work run at the same time. Default 32. */
  readonly maxWork?: number;
  /** How often to look for what other processes wrote, in milliseconds. Default 500. */
  readonly pollMs?: number;
  readonly times?: Partial<LeaseTimes>;
  /** How long work waits after its handler threw, by the number of times that it has, in milliseconds. Default: from 1 s, doubling, to 1 min. */
  readonly retryMs?: (failures: number) => number;
}

export interface EmbeddedActorHost {
  readonly host: ActorHost;
  /** Looks whether this process must drive. Until then, it writes events and drives nothing. */
  start(): Promise<void>;
  /** Stops the work of this process and lets another one drive. */
  close(): Promise<void>;
}

const defaultPollMs = 500;
const followPollMs = 250;

export function createEmbeddedActorHost(options: EmbeddedActorHostOptions): EmbeddedActorHost {
  const { storage, machines, persistence, instance, report } = options;
  const { maxWork = 32, pollMs = defaultPollMs, retryMs = defaultRetryMs } = options;
  const table = storage.system.actors;
  const actors = (workspaceId: string) => storage.workspace(workspaceId).actors;
  const followers = createFollowers({
    actors,
    isDriving: () => keeper.isDriving(),
    pollMs: Math.min(followPollMs, pollMs),
  });
  const jobs = createJobs({
    table,
    persistence,
    now: () => storage.now(),
    limit: maxWork,
    retryMs,
    onEnd: () => driver.wake(),
    report,
  });
  const driver = createDriver({
    table,
    machines,
    persistence,
    jobs,
    pollMs,
    onHandled: followers.tell,
    onLost: (lease) => keeper.lose(lease),
    report,
  });
  const keeper = createLeaseKeeper({
    table,
    self: instance,
    ...defined({ times: options.times }),
    running: jobs.ids,
    drive: driver.drive,
    onGone: jobs.stopIds,
    onDoubt: jobs.stopAll,
    report,
  });

  /** There is something new in the store. */
  function announce(): void {
    if (keeper.isDriving()) driver.wake();
    else keeper.poke();
  }

  const door = createActorDoor({
    storage,
    machines,
    followers,
    onStarted: announce,
    onAccepted: announce,
    onRemoved: jobs.stopActor,
  });
  const host: ActorHost = { ...door, work: jobs.register };
  return {
    host,
    start: keeper.start,
    async close() {
      followers.close();
      jobs.stopAll();
      persistence.close();
      await keeper.stop();
      await jobs.settled();
      await keeper.release();
    },
  };
}
