/**
 * Walks a machine: every event in every state that can be reached, with the snapshot taken through JSON before each step, as a host
 * does. Each step is checked for what holds for all machines.
 */

import { expect } from 'vitest';
import { fromTransition } from 'xstate';
import { getAdjacencyMap } from 'xstate/graph';
import type { ActorEffect, ActorEvent, ActorMachine, ActorSnapshot } from '../../domain/actor-host.js';
import type { JsonObject } from '../../domain/json.js';
import { expectEqual } from '../../testing/expect-equal.js';

export interface Step {
  readonly from: ActorSnapshot;
  readonly event: ActorEvent;
  readonly to: ActorSnapshot;
  readonly effects: readonly ActorEffect[];
}

export interface Walk {
  readonly machine: ActorMachine;
  readonly input: JsonObject;
  readonly events: readonly ActorEvent[];
  /** Where the walk stops, because contexts can count without end. */
  readonly isFar?: (snapshot: ActorSnapshot) => boolean;
}

const kindsOfEffects = ['send', 'start', 'set_timer', 'clear_timer', 'work', 'stop_work'];

/** Every step of the walk, once. */
export function walk({ machine, input, events, isFar = () => false }: Walk): readonly Step[] {
  const steps = new Map<string, Step>();
  const logic = fromTransition((from: ActorSnapshot, event: ActorEvent) => {
    const key = JSON.stringify([from, event]);
    const known = steps.get(key);
    if (known) return known.to;
    const [to, effects] = machine.transition(JSON.parse(JSON.stringify(from)), event);
    const step = { from, event, to, effects };
    checkStep(machine, step);
    steps.set(key, step);
    return to;
  }, machine.initial(input));
  getAdjacencyMap(logic, {
    events,
    serializeState: ({ context }) => JSON.stringify(context),
    serializeEvent: (event) => JSON.stringify(event),
    stopWhen: ({ context }) => isFar(context),
  });
  return [...steps.values()];
}

function checkStep(machine: ActorMachine, { from, event, to, effects }: Step): void {
  expectEqual(JSON.parse(JSON.stringify(to)), to, 'the snapshot is JSON');
  expectEqual(JSON.parse(JSON.stringify(effects)), effects, 'the effects are JSON');
  for (const effect of effects) expect(kindsOfEffects).toContain(effect.do);
  if (from.status === 'done') expectEqual([to, effects], [from, []], 'a final state');
  expectEqual(machine.transition(from, event), [to, effects], 'the same again');
  expectEqual(machine.transition(from, { type: 'NO_SUCH_EVENT' }), [from, []], 'an unknown event');
}

/** The states of the steps in words: `idle`, `executing.working`. */
export function statesOf(steps: readonly Step[]): readonly string[] {
  return [...new Set(steps.map(({ to }) => inWords(to)))].sort();
}

export function inWords({ value }: ActorSnapshot): string {
  return typeof value === 'string' ? value : Object.entries(value).flat().join('.');
}
