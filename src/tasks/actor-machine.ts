/**
 * Makes a machine of XState an `ActorMachine`: plain JSON in, plain JSON out, and the effects as data. A machine says what an event
 * causes with actions of the type `effect`, whose parameters are the effect.
 */
import { type AnyMachineSnapshot, type AnyStateMachine, initialTransition, type StateValue, transition } from 'xstate';
import { z } from 'zod';
import type { ActorEffect, ActorMachine, ActorSnapshot } from '../domain/actor-host.js';
import { HelveError } from '../domain/errors.js';
import type { JsonObject } from '../domain/json.js';

export interface MachineDefinition {
  /** What XState runs, and what the docs draw. */
  readonly statechart: AnyStateMachine;
  /** The input; every member has a default. */
  readonly input: z.ZodType;
  /** The events by their type. Members that an event does not know are dropped. */
  readonly events: Readonly<Record<string, z.ZodType>>;
}

export function toActorMachine({ statechart, input, events }: MachineDefinition): ActorMachine {
  return {
    initial(given) {
      const [snapshot, effects] = initialTransition(statechart, read(input, given, 'The input'));
      if (effects.length > 0)
        throw new Error(`The first state of ${statechart.id} has effects, which nobody would see`);
      return plain(snapshot);
    },
    transition(snapshot, event) {
      const shape = Object.hasOwn(events, event.type) ? events[event.type] : undefined;
      if (!shape || snapshot.status === 'done') return [snapshot, []];
      const known = { ...(read(shape, event, event.type) as object), type: event.type };
      const before = statechart.resolveState({ value: snapshot.value as StateValue, context: snapshot.context });
      const [after, actions] = transition(statechart, before, known);
      const effects = (actions as readonly { readonly type: string; readonly params?: unknown }[])
        .filter(({ type }) => type === 'effect')
        .map(({ params }) => params as ActorEffect);
      return [plain(after), effects];
    },
  };
}

function read(shape: z.ZodType, given: unknown, what: string): unknown {
  const { success, data, error } = shape.safeParse(given);
  if (!success) throw new HelveError('invalid_input', `${what} is malformed: ${z.prettifyError(error)}`);
  return data;
}

function plain({ value, context, status }: AnyMachineSnapshot): ActorSnapshot {
  if (status === 'error') throw new Error('A machine failed');
  return {
    value: value as string | JsonObject,
    context: context as JsonObject,
    status: status === 'done' ? 'done' : 'active',
  };
}
