/**
 * The machine of the contract of actor hosts: it does what its events say. Its context lists what it has seen, in order. `DO`
 * has the effects that it names, `POISON` throws, `FINISH` ends the actor, `STATE` moves it; all others are only noted.
 */
import type { ActorEffect, ActorEvent, ActorMachine, ActorMachines, ActorSnapshot } from '../domain/actor-host.js';
import { HelveError } from '../domain/errors.js';
import type { JsonObject, JsonValue } from '../domain/json.js';

const machine: ActorMachine = {
  initial(input) {
    if (input.refuse === true) throw new HelveError('invalid_input', 'The machine refuses this input');
    return { value: 'idle', context: { seen: [], input }, status: 'active' };
  },
  transition(before, event) {
    if (event.type === 'POISON') throw new Error(`Poisoned: ${String(event.label)}`);
    const context = { ...before.context, seen: [...seen(before), event.label ?? event.type] };
    if (event.type === 'STATE') return [{ ...before, value: event.value as ActorSnapshot['value'], context }, []];
    if (event.type === 'FINISH') return [{ value: 'done', context, status: 'done' }, []];
    return [{ ...before, context }, (event.effects ?? []) as unknown as ActorEffect[]];
  },
};

export const scriptMachines: ActorMachines = {
  org: machine,
  repo: machine,
  project: machine,
  pr: machine,
  issue: machine,
};

/** What an actor has seen: the labels of its events, or their types. */
export function seen(snapshot: ActorSnapshot | undefined): readonly JsonValue[] {
  return (snapshot?.context.seen ?? []) as readonly JsonValue[];
}

export function note(label: JsonValue): ActorEvent {
  return { type: 'NOTE', label };
}

export function script(label: string, ...effects: readonly ActorEffect[]): ActorEvent {
  return { type: 'DO', label, effects: effects as unknown as readonly JsonObject[] };
}
