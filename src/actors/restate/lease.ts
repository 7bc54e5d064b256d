/**
 * The lease that all processes of an installation hold together while Restate gives each actor its turn. It keeps a process with
 * the embedded host from driving the same actors, and its number is in every write, like that of any lease.
 */
import { type ActorDriverTable, type ActorLease, isSharedLease } from '../../domain/actor-storage.js';

export interface SharedLeaseOptions {
  /** Processes with the same one hold the lease together. */
  readonly owner: () => string;
  readonly table: ActorDriverTable;
  /** Whether the process that drives as an embedded host is alive. */
  readonly isAlive: (id: string) => Promise<boolean | undefined>;
  /** In milliseconds: how long the lease lasts, and how often this process renews it. */
  readonly times: { readonly lease: number; readonly renew: number };
  /** Ids of the work that runs here. */
  readonly running: () => readonly string[];
  /** This work is no longer in the store. */
  readonly onGone: (work: readonly string[]) => void;
  readonly report: (error: unknown) => void;
}

export function createSharedLease({ owner, table, isAlive, times, running, onGone, report }: SharedLeaseOptions) {
  let held: ActorLease | undefined;
  let timer: NodeJS.Timeout | undefined;
  let ticking = Promise.resolve();
  let stopped = false;

  async function look(): Promise<ActorLease | undefined> {
    const { now, lease: seen } = await table.look();
    const isOver = seen === undefined || seen.owner === '' || seen.until <= now.toISOString();
    if (!isOver && seen.owner === owner()) return seen;
    // Whether one of those that share a lease is alive cannot be asked.
    if (!isOver && (isSharedLease(seen.owner) || (await isAlive(seen.owner)) !== false)) return undefined;
    return table.take({ owner: owner(), ms: times.lease, seen });
  }

  async function tick(): Promise<void> {
    try {
      held ??= await look();
      if (!held) return;
      const gone = await table.renew(held, { ms: times.lease, work: running() });
      if (gone === undefined) held = undefined;
      else onGone(gone);
    } catch (thrown) {
      report(thrown);
    } finally {
      if (!stopped) timer = setTimeout(() => void start(), held ? times.renew : times.renew / 4).unref();
    }
  }

  function start(): Promise<void> {
    ticking = tick();
    return ticking;
  }

  return {
    /** Resolves after the first look. */
    start,
    /** Throws as long as a process with the embedded host drives. */
    current(): ActorLease {
      if (held) return held;
      throw new Error('Another process drives the actors of tasks');
    },
    lose(lease: ActorLease): void {
      if (held === lease) held = undefined;
    },
    /** Resolves when this process asks the store nothing more. */
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await ticking;
    },
  };
}
