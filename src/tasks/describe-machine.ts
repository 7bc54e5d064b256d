/** A machine as plain data: what the drawings of the docs and of the panel are made from. */
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import type { ActorMachineDescription, MachineTransition } from '../domain/actor-acts.js';
import type { ActorKind } from '../domain/actor-host.js';

export function describeMachine(kind: ActorKind, { root }: Pick<AnyStateMachine, 'root'>): ActorMachineDescription {
  const nodes = within(root);
  const transitions = nodes.flatMap((node) => leaving(node, root));
  const moving = new Set(transitions.map(({ event }) => event));
  const events = [root, ...nodes].flatMap((node) => [...node.transitions.keys()]);
  return {
    kind,
    states: nodes.map((node) => ({
      id: idOf(node),
      ...(node.parent === root || !node.parent ? {} : { within: idOf(node.parent) }),
      isFirst: node.parent?.initial?.target?.[0] === node,
      isFinal: node.type === 'final',
    })),
    transitions,
    staying: [...new Set(events)].filter((event) => !moving.has(event)),
  };
}

const idOf = ({ path }: AnyStateNode): string => path.join('.');

/** All states in a state, each before those in it. */
const within = (node: AnyStateNode): readonly AnyStateNode[] =>
  Object.values(node.states).flatMap((child) => [child, ...within(child)]);

/** What leads from a state to one that it is not in. */
function leaving(node: AnyStateNode, root: AnyStateNode): readonly MachineTransition[] {
  const all = [...ownTransitions(node, root), ...fromAround(node)];
  return all.flatMap(({ to, event, guard }) => {
    // What leads from a state to one in it is drawn from each of those in it.
    if (to !== node && isWithin(to, node)) return [];
    return [
      { from: idOf(node), to: idOf(to), ...(event === '' ? {} : { event }), ...(guard === undefined ? {} : { guard }) },
    ];
  });
}

interface Move {
  readonly to: AnyStateNode;
  /** Empty: without an event, as soon as the guard holds. */
  readonly event: string;
  readonly guard: string | undefined;
}

type Definitions = Iterable<{
  readonly target?: readonly AnyStateNode[] | undefined;
  readonly eventType: string;
  readonly guard?: unknown;
}>;

const readMoves = (definitions: Definitions): readonly Move[] =>
  [...definitions].flatMap(({ target, eventType, guard }) => {
    const to = target?.[0];
    return to ? [{ to, event: eventType, guard: typeof guard === 'string' ? guard : undefined }] : [];
  });

/** Those of the state itself, and those of the whole machine that the state does not handle otherwise. */
function ownTransitions(node: AnyStateNode, root: AnyStateNode): readonly Move[] {
  const own = readMoves([...node.transitions.values()].flat());
  const always = readMoves(node.always ?? []).map((move) => ({ ...move, event: '' }));
  if (node.parent !== root || node.type === 'final') return [...own, ...always];
  const inherited = readMoves(unhandled(root, node)).filter(({ to }) => to !== node);
  return [...own, ...always, ...inherited];
}

/** What leads from the state around a state to one of those in it, unless the state handles the event otherwise. */
function fromAround(node: AnyStateNode): readonly Move[] {
  const around = node.parent;
  if (!around?.parent) return [];
  return readMoves(unhandled(around, node)).filter(({ to }) => to.parent === around);
}

const unhandled = (around: AnyStateNode, node: AnyStateNode) =>
  [...around.transitions].filter(([event]) => !node.transitions.has(event)).flatMap(([, transitions]) => transitions);

const isWithin = (node: AnyStateNode, outer: AnyStateNode): boolean =>
  node === outer || (node.parent !== undefined && isWithin(node.parent, outer));
