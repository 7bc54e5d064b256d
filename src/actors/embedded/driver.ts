/**
 * Applies the events of all actors, as long as this process has the lease. A round reads the events whose turn it is, asks the
 * machines, and writes what they say in one commit; then come the timers that are due, and work for which there is room. Between
 * rounds it sleeps until the next time that it knows of, or something new is written, and looks for the events of other processes.
 */
import type { ActorAddress, ActorMachines } from '../../domain/actor-host.js';
import type { ActorDriverTable, ActorLease, ActorWrite } from '../../domain/actor-storage.js';
import { decideAll } from '../decide.js';
import { type Persistence, persistWrites } from '../persistence.js';
import type { Jobs } from './jobs.js';

export interface DriverOptions {
  readonly table: ActorDriverTable;
  readonly machines: ActorMachines;
  readonly persistence: Persistence;
  readonly jobs: Jobs;
  /** How often to look for events of other processes, in milliseconds. */
  readonly pollMs: number;
  readonly onHandled: (actor: ActorAddress) => void;
  readonly onLost: (lease: ActorLease) => void;
  readonly report: (error: unknown) => void;
}

/** How many events are applied in one commit. */
const eventsPerRound = 64;
const timersPerRound = 256;
/** After a failure that is not the store's. */
const failurePauseMs = 1_000;
const maxSleepMs = 60_000;

export function createDriver(options: DriverOptions) {
  const { table, machines, persistence, jobs, pollMs, onHandled, onLost, report } = options;
  let isWoken = false;
  let wakeUp = (): void => undefined;

  /** Returns how long there is nothing to do, in milliseconds. */
  async function round(lease: ActorLease): Promise<number> {
    const question = { limit: eventsPerRound, work: jobs.wanted(), running: jobs.ids() };
    const { now, events, eventAt, workAt } = await persistence.attempt(() => table.due(question));
    const at = now.toISOString();
    const isMoved = events.length > 0 && (await apply(lease, decideAll({ machines, now }, events)));
    const isTimer = eventAt !== undefined && eventAt <= at;
    if (isTimer) await persistence.attempt(() => table.admit(lease, { now, limit: timersPerRound }));
    const isWork = workAt !== undefined && workAt <= at;
    if (isWork) await jobs.claim(lease, now);
    if (isMoved || isTimer || isWork) return 0;
    const next = [eventAt, workAt].filter((time) => time !== undefined).map((time) => Date.parse(time) - now.getTime());
    return Math.max(1, Math.min(pollMs, maxSleepMs, ...next));
  }

  /** Returns whether this process still drives. */
  async function apply(lease: ActorLease, writes: readonly ActorWrite[]): Promise<boolean> {
    const outcomes = await persistWrites(persistence, lease, writes);
    for (const [index, write] of writes.entries()) {
      if (outcomes[index] === 'written' || outcomes[index] === 'repeated') settle(write);
    }
    if (outcomes.includes('lost')) onLost(lease);
    return !outcomes.includes('lost');
  }

  function settle({ actor, outcome }: ActorWrite): void {
    if ('work' in outcome) for (const { name } of outcome.work) jobs.stop(actor.number, name);
    onHandled(actor.address);
  }

  async function rest(ms: number, signal: AbortSignal): Promise<void> {
    if (isWoken || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        wakeUp = () => undefined;
        resolve();
      };
      const timer = setTimeout(end, ms).unref();
      signal.addEventListener('abort', end, { once: true });
      wakeUp = end;
    });
  }

  return {
    wake(): void {
      isWoken = true;
      wakeUp();
    },
    async drive(lease: ActorLease, signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        isWoken = false;
        try {
          const ms = await round(lease);
          if (ms > 0) await rest(ms, signal);
        } catch (thrown) {
          if (signal.aborted) return;
          report(thrown);
          await rest(failurePauseMs, signal);
        }
      }
    },
  };
}
