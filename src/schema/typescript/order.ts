/**
 * Finds what the compiler would fail on, before anything is written. A type that is itself (`A = A | string`, through
 * any names) is cut at the cycle: such a reference constrains nothing. An intersection of unions that would expand to
 * more than `maxCombinations` loses its widest members, and a union of more than `maxMembers` objects is `unknown`: the
 * type is then wider, never narrower. Walks names with its own stack; within one name trees are shallow.
 */
import type { Definition, ListNode, Node, ObjectNode, ReferenceNode } from './node.js';

const maxCombinations = 512;
const maxMembers = 5_000;

/** Nodes that are written as `unknown`. */
export type Cuts = ReadonlySet<Node>;

export function findCuts(definitions: readonly Definition[]): Cuts {
  const cuts = new Set<Node>();
  const widths = new Map<Definition, number>();
  for (const definition of walk(definitions, cuts)) widths.set(definition, measureWidth(definition.node, widths, cuts));
  return cuts;
}

interface Step {
  readonly definition: Definition;
  readonly references: readonly ReferenceNode[];
  next: number;
}

/** Yields every definition after those that it consists of. */
function* walk(definitions: readonly Definition[], cuts: Set<Node>): Generator<Definition> {
  const state = new Map<Definition, 'open' | 'done'>();
  for (const start of definitions) {
    const stack: Step[] = [];
    const enter = (definition: Definition): void => {
      state.set(definition, 'open');
      stack.push({ definition, references: bareReferences(definition.node), next: 0 });
    };
    if (!state.has(start)) enter(start);
    for (let step = stack.at(-1); step; step = stack.at(-1)) {
      const reference = step.references[step.next];
      step.next += 1;
      if (reference === undefined) {
        state.set(step.definition, 'done');
        stack.pop();
        yield step.definition;
      } else if (state.get(reference.to) === 'open') cuts.add(reference);
      else if (!state.has(reference.to)) enter(reference.to);
    }
  }
}

/** References that are reached without entering a list or an object. */
function bareReferences(node: Node): ReferenceNode[] {
  if (node.kind === 'reference') return [node];
  return node.kind === 'union' || node.kind === 'intersection' ? node.members.flatMap(bareReferences) : [];
}

/** How many types the compiler makes of it; also visits what is inside objects and lists. */
function measureWidth(node: Node, widths: Map<Definition, number>, cuts: Set<Node>): number {
  switch (node.kind) {
    case 'reference':
      return cuts.has(node) ? 1 : (widths.get(node.to) ?? 1);
    case 'union': {
      const width = node.members.reduce((sum, member) => sum + measureWidth(member, widths, cuts), 0);
      const simple = node.members.every((member) => member.kind === 'literal' || member.kind === 'primitive');
      if (simple || width <= maxMembers) return simple ? 1 : width;
      cuts.add(node);
      return 1;
    }
    case 'intersection':
      return narrow(node.members, widths, cuts);
    case 'object':
    case 'list':
      for (const inner of getInnerNodes(node)) measureWidth(inner, widths, cuts);
      return 1;
    default:
      return 1;
  }
}

/** The nodes directly inside. */
export function getInnerNodes(node: ObjectNode | ListNode): readonly Node[] {
  const rest = node.rest ? [node.rest] : [];
  if (node.kind === 'list') return [...node.head, ...rest];
  const named = Array.from(node.properties.values(), (property) => property.node);
  return [...named, ...node.prefixes.map(([, inner]) => inner), ...rest];
}

function narrow(members: readonly Node[], widths: Map<Definition, number>, cuts: Set<Node>): number {
  const all = members.map((member) => ({ member, width: measureWidth(member, widths, cuts) }));
  let product = 1;
  for (const { member, width } of all.sort((a, b) => a.width - b.width)) {
    if (product * width > maxCombinations) cuts.add(member);
    else product *= width;
  }
  return product;
}
