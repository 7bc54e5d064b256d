/**
 * One turn of one actor: reads the events in its line, asks its machine, and writes what it says. Reading and writing are two
 * steps, so a process that repeats the second one after a crash repeats exactly the same writes.
 */
import type { ActorAddress, ActorMachines } from '../../domain/actor-host.js';
import type { ActorDriverTable, ActorWrite, ActorWriteOutcome } from '../../domain/actor-storage.js';
import { decideAll } from '../decide.js';
import { type Persistence, persistWrites } from '../persistence.js';
import type { createSharedLease } from './lease.js';

export interface TurnsOptions {
  readonly table: ActorDriverTable;
  readonly machines: ActorMachines;
  readonly persistence: Persistence;
  readonly lease: ReturnType<typeof createSharedLease>;
}

export interface Round {
  /** By the store's clock, in milliseconds. */
  readonly now: number;
  readonly writes: readonly ActorWrite[];
  /** When the next timer of the actor is due. */
  readonly nextAt?: number;
}

const eventsPerRound = 64;

export function createTurns({ table, machines, persistence, lease }: TurnsOptions) {
  return {
    async read(actor: ActorAddress): Promise<Round> {
      const held = lease.current();
      const due = await persistence.attempt(() => table.dueOf(held, actor, eventsPerRound));
      if (!due) throw lost(lease, held);
      const { now, events, eventAt } = due;
      return {
        now: now.getTime(),
        writes: decideAll({ machines, now }, events).map(storable),
        ...(eventAt === undefined ? {} : { nextAt: Date.parse(eventAt) }),
      };
    },
    /** The answer to a write is absent if an earlier one of them was refused; the next round reads it again. */
    async write(writes: readonly ActorWrite[]): Promise<readonly (ActorWriteOutcome | undefined)[]> {
      const held = lease.current();
      const outcomes = await persistWrites(persistence, held, writes);
      if (outcomes.includes('lost')) throw lost(lease, held);
      return outcomes;
    },
  };
}

/** The answer of a step must be JSON. */
function storable(write: ActorWrite): ActorWrite {
  try {
    JSON.stringify(write);
    return write;
  } catch (thrown) {
    return { ...write, outcome: { setAside: String(thrown) } };
  }
}

export function lost(lease: TurnsOptions['lease'], held: Parameters<typeof lease.lose>[0]): Error {
  lease.lose(held);
  return new Error('The lease of the actors was taken by another process');
}
