/** From events to writes: asks the machines what each event does, and turns their effects into what the store keeps. Pure. */
import { changedFacts } from '../domain/actor-facts.js';
import type { ActorEffect, ActorEvent, ActorMachines } from '../domain/actor-host.js';
import type { ActorChanges, ActorWrite, DueActorEvent, StoredActor } from '../domain/actor-storage.js';

export interface Decision {
  readonly machines: ActorMachines;
  readonly now: Date;
}

type Progress = Pick<StoredActor, 'version' | 'snapshot'>;

/** The events are in order. An event of an actor is applied to what the event before it left. */
export function decideAll(decision: Decision, events: readonly DueActorEvent[]): ActorWrite[] {
  const reached = new Map<number, Progress>();
  return events.map((due) => {
    const { number, address } = due.actor;
    const before = reached.get(number) ?? due.actor;
    const outcome = decide(decision, due, before);
    if ('snapshot' in outcome) reached.set(number, { version: before.version + 1, snapshot: outcome.snapshot });
    const at = decision.now.toISOString();
    const { position, id: eventId } = due;
    return { actor: { number, address }, version: before.version, position, eventId, at, outcome };
  });
}

function decide(decision: Decision, due: DueActorEvent, before: Progress): ActorWrite['outcome'] {
  const { snapshot } = before;
  if (snapshot.status === 'done') return { snapshot, ...nothing };
  try {
    const { kind } = due.actor.address;
    const [after, effects] = decision.machines[kind].transition(snapshot, due.event);
    const facts = changedFacts(snapshot, after);
    const changes = toChanges(decision, { ...due.actor, ...before }, effects);
    return { snapshot: after, ...changes, ...(facts && { facts }) };
  } catch (thrown) {
    return { setAside: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

const nothing: ActorChanges = { starts: [], sends: [], timers: [], work: [] };

function toChanges({ machines, now }: Decision, actor: StoredActor, effects: readonly ActorEffect[]): ActorChanges {
  const [starts, sends, timers, work] = [
    [] as ActorChanges['starts'][number][],
    [] as ActorChanges['sends'][number][],
    [] as ActorChanges['timers'][number][],
    [] as ActorChanges['work'][number][],
  ];
  // The same event of the same version always gets the same id, however often it is decided.
  const id = (index: number): string => `actor:${actor.number}:${actor.version + 1}:${index}`;
  const after = (ms: number): string => new Date(now.getTime() + ms).toISOString();
  for (const [index, effect] of effects.entries()) {
    switch (effect.do) {
      case 'start':
        starts.push({ actor: effect.actor, snapshot: machines[effect.actor.kind].initial(effect.input) });
        break;
      case 'send': {
        const { to, delayMs = 0 } = effect;
        const dueAt = delayMs > 0 ? { dueAt: after(delayMs) } : {};
        sends.push({ to, id: id(index), event: checked(effect.event), ...dueAt });
        break;
      }
      case 'set_timer': {
        const dueAt = after(effect.delayMs);
        timers.push({ name: effect.name, set: { id: id(index), event: checked(effect.event), dueAt } });
        break;
      }
      case 'clear_timer':
        timers.push({ name: effect.name });
        break;
      case 'work':
        work.push({ name: effect.name, begin: { id: id(index), input: effect.input } });
        break;
      case 'stop_work':
        work.push({ name: effect.name });
    }
  }
  return { starts, sends, timers, work };
}

/** A malformed event would harm its receiver, so the sender's event is set aside instead. */
export function checked(event: ActorEvent): ActorEvent {
  if (typeof event?.type === 'string' && event.type !== '') return event;
  throw new Error('An event has no type');
}
