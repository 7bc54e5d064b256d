/**
 * Deliveries of webhooks can overtake each other, and come twice. An event that carries `order` (a time that sorts as text, and after
 * a blank what tells it from others of that time) changes nothing if the actor has had it, or a later one about the same thing.
 */
import type { ActorEvent, ActorMachine } from '../domain/actor-host.js';
import type { JsonObject } from '../domain/json.js';

/** For each type of event: returns what the event is about, such as one check or the head of a branch. */
export type EventSubjects = Readonly<Record<string, (event: ActorEvent) => string>>;

/** Things whose latest order is known. */
const maxKnown = 300;

/** The machine with a context that also knows the latest `order` of each thing. Events without one are as they were. */
export function inOrder(machine: ActorMachine, subjects: EventSubjects): ActorMachine {
  return {
    initial: machine.initial,
    transition(snapshot, event) {
      const subject = Object.hasOwn(subjects, event.type) ? subjects[event.type]?.(event) : undefined;
      const { order } = event;
      if (subject === undefined || typeof order !== 'string') return machine.transition(snapshot, event);
      const latest = (snapshot.context.latest ?? {}) as Readonly<Record<string, string>>;
      if (Object.hasOwn(latest, subject) && isOver(order, latest[subject] ?? '')) return [snapshot, []];
      const [next, effects] = machine.transition(snapshot, event);
      const { [subject]: _, ...others } = latest;
      const known = [...Object.entries(others), [subject, order] as const].slice(-maxKnown);
      const context: JsonObject = { ...next.context, latest: Object.fromEntries(known) };
      return [{ ...next, context }, effects];
    },
  };
}

const timeOf = (order: string): string => order.split(' ', 1)[0] ?? '';
const isOver = (order: string, latest: string): boolean => order === latest || timeOf(order) < timeOf(latest);
