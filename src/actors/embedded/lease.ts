/**
 * Decides which process drives the actors. A process takes the lease if nobody holds it and there are actors, and renews it
 * while it drives. The other processes check regularly that the lease is still renewed. If its owner is known to be dead, they
 * take it without waiting for it to expire.
 */
import { performance } from 'node:perf_hooks';
import { type ActorDriverTable, type ActorLease, isSharedLease } from '../../domain/actor-storage.js';

export interface LeaseOptions {
  readonly table: ActorDriverTable;
  /** This process, and whether another one is alive; undefined if that cannot be known. */
  readonly self: { readonly id: string; readonly isAlive?: (id: string) => Promise<boolean | undefined> };
  readonly times?: Partial<LeaseTimes>;
  /** Ids of the work that runs. */
  readonly running: () => readonly string[];
  /** Drives until the signal is aborted. */
  readonly drive: (lease: ActorLease, signal: AbortSignal) => Promise<void>;
  /** This work is no longer in the store. */
  readonly onGone: (work: readonly string[]) => void;
  /** The lease is lost, or could not be renewed in time: another process may drive now. */
  readonly onDoubt: () => void;
  readonly report: (error: unknown) => void;
}

/** In milliseconds. */
export interface LeaseTimes {
  /** How long a lease lasts. */
  readonly lease: number;
  readonly renew: number;
  /** How often the lease of another process is looked at. */
  readonly watch: number;
  /** The same, if there are no actors. */
  readonly idle: number;
}

const defaults: LeaseTimes = { lease: 9_000, renew: 3_000, watch: 2_000, idle: 5_000 };

interface Held {
  readonly lease: ActorLease;
  readonly control: AbortController;
  readonly done: Promise<void>;
  /** Rings if the lease was not renewed in time. */
  doubt: NodeJS.Timeout;
}

export function createLeaseKeeper(options: LeaseOptions) {
  const { table, self, running, drive, onGone, onDoubt, report } = options;
  const times = { ...defaults, ...options.times };
  const isHeld = createWatch(self, times.lease);
  let held: Held | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isOthers = false;
  let stopped = false;

  /** Reads the lease, and takes it if it is free. */
  async function look(): Promise<void> {
    const { now, lease: seen, hasActors } = await table.look();
    isOthers = seen !== undefined && (await isHeld(seen, now));
    if (isOthers || !hasActors) return schedule(hasActors ? times.watch : times.idle);
    const lease = stopped ? undefined : await table.take({ owner: self.id, ms: times.lease, seen });
    if (lease) hold(lease);
    else schedule(times.watch);
  }

  function hold(lease: ActorLease): void {
    const control = new AbortController();
    const done = drive(lease, control.signal).catch(report);
    held = { lease, control, done, doubt: expect(times.lease) };
    schedule(times.renew);
  }

  /** If it is still this process's when the store comes back, nothing else has happened. */
  const expect = (ms: number): NodeJS.Timeout => setTimeout(onDoubt, ms).unref();

  async function renew(one: Held): Promise<void> {
    const askedAt = performance.now();
    const gone = await table.renew(one.lease, { ms: times.lease, work: running() });
    if (gone === undefined) return lose(one.lease);
    clearTimeout(one.doubt);
    one.doubt = expect(times.lease - (performance.now() - askedAt));
    onGone(gone);
  }

  async function tick(): Promise<void> {
    try {
      if (!held) return await look();
      await renew(held);
    } catch (thrown) {
      report(thrown);
    }
    schedule(held ? times.renew : times.watch);
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(() => void once(), ms).unref();
  }

  /** One look at a time, and none after the stop. */
  async function once(): Promise<void> {
    if (stopped) return;
    looking ??= tick().finally(() => {
      looking = undefined;
    });
    await looking;
  }

  function lose(lease: ActorLease): void {
    if (held?.lease !== lease) return;
    clearTimeout(held.doubt);
    held.control.abort();
    held = undefined;
    onDoubt();
    schedule(times.watch);
  }

  return {
    /** Resolves after the first look. */
    start: once,
    lose,
    isDriving: (): boolean => held !== undefined,
    /** There is something to do: looks at once, unless somebody is known to drive. */
    poke(): void {
      if (held || isOthers || stopped) return;
      // A look in progress may have looked before it was written.
      void (looking ?? Promise.resolve()).then(once);
    },
    /** Ends driving. The lease is kept until `release`. */
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await looking;
      clearTimeout(held?.doubt);
      held?.control.abort();
      await held?.done;
    },
    async release(): Promise<void> {
      if (held) await table.release(held.lease).catch(() => undefined);
      held = undefined;
    },
  };
}

/**
 * Whether the owner of a lease is alive. A lease whose time is over counts as free, and so does one that was not renewed while it
 * was watched, since the store's clock may have been set back.
 */
function createWatch({ id, isAlive }: LeaseOptions['self'], leaseMs: number) {
  let watched = { number: 0, until: '', since: 0 };
  return async (lease: ActorLease, now: Date): Promise<boolean> => {
    if (lease.owner === '' || lease.owner === id) return false;
    const { number, until } = lease;
    if (watched.number !== number || watched.until !== until) watched = { number, until, since: performance.now() };
    if (until <= now.toISOString() || performance.now() - watched.since > leaseMs) return false;
    // Whether one of those that share a lease is alive cannot be asked.
    return isSharedLease(lease.owner) || (await isAlive?.(lease.owner)) !== false;
  };
}
