/**
 * One round of the turn of one actor: reads the events in its line, asks its machine, and writes what it says, in one step. If the
 * process dies after the write, Restate repeats the step, and the store has nothing more to do; whom it had to tell is then found in
 * the store.
 */
import type { ActorAddress, ActorMachines } from '../../domain/actor-host.js';
import type { ActorDriverTable, ActorWrite } from '../../domain/actor-storage.js';
import { decideAll } from '../decide.js';
import { type Persistence, persistWrites } from '../persistence.js';
import type { createSharedLease } from './lease.js';
import { createTogether } from './together.js';

export interface TurnsOptions {
  readonly table: ActorDriverTable;
  readonly machines: ActorMachines;
  readonly persistence: Persistence;
  readonly lease: ReturnType<typeof createSharedLease>;
  /** An event of this actor was handled in this process. */
  readonly onWritten: (write: ActorWrite) => void;
}

/** Whom Restate must tell after a round, as JSON. */
export interface Round {
  /** Actors that have events, and when their turn is, in milliseconds from now. */
  readonly wakes: readonly { readonly actor: ActorAddress; readonly afterMs: number }[];
  /** Work of this actor that begins. */
  readonly work: readonly { readonly name: string; readonly id: string }[];
  /** More events of this actor may wait. */
  readonly again: boolean;
}

const eventsPerRound = 64;
/** A timer that Restate rang before its time by the store's clock is rung again. */
const skewMs = 5_000;

export function createTurns({ table, machines, persistence, lease, onWritten }: TurnsOptions) {
  const commit = createTogether((held, writes) => persistWrites(persistence, held, writes));
  return async (actor: ActorAddress): Promise<Round> => {
    const held = lease.current();
    const due = await persistence.attempt(() => table.dueOf(held, actor, eventsPerRound));
    if (!due) throw lost(lease, held);
    const { events, eventAt } = due;
    const now = due.now.getTime();
    const told = collect(actor, now);
    if (eventAt !== undefined && Date.parse(eventAt) - now < skewMs) told.wake(actor, eventAt);
    if (events.length === 0) return told.round(false);
    const writes = decideAll({ machines, now: due.now }, events);
    const outcomes = await commit(held, writes);
    if (outcomes.includes('lost')) throw lost(lease, held);
    for (const [index, outcome] of outcomes.entries()) {
      const write = writes[index];
      if (!write || (outcome !== 'written' && outcome !== 'repeated')) continue;
      told.add(write);
      onWritten(write);
    }
    // One that is missing was not tried, because one before it was refused.
    const isDone = outcomes.length === writes.length && !outcomes.includes('stale');
    return told.round(events.length === eventsPerRound || !isDone);
  };
}

function collect(self: ActorAddress, now: number) {
  const wakes = new Map<string, Round['wakes'][number]>();
  const work: Round['work'][number][] = [];
  let isSelf = false;

  /** One turn at a time is enough for all events that are there by then. */
  function wake(actor: ActorAddress, at: string | undefined): void {
    const afterMs = at === undefined ? 0 : Math.max(1, Date.parse(at) - now);
    if (afterMs === 0 && actor.kind === self.kind && actor.id === self.id) isSelf = true;
    else wakes.set(`${actor.kind}/${actor.id}/${afterMs}`, { actor, afterMs });
  }

  return {
    wake,
    add({ outcome }: ActorWrite): void {
      if ('setAside' in outcome) return;
      const { workspaceId } = self;
      for (const { to, dueAt } of outcome.sends) wake({ ...to, workspaceId }, dueAt);
      for (const { set } of outcome.timers) if (set) wake(self, set.dueAt);
      for (const { name, begin } of outcome.work) if (begin) work.push({ name, id: begin.id });
    },
    round: (again: boolean): Round => ({ wakes: [...wakes.values()], work, again: again || isSelf }),
  };
}

export function lost(lease: TurnsOptions['lease'], held: Parameters<typeof lease.lose>[0]): Error {
  lease.lose(held);
  return new Error('The lease of the actors was taken by another process');
}
