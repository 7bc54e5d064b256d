/**
 * Gives a name to objects that are written out several times. Tools of one service often return the same thing, such as
 * a repository, and their schemas spell it out each time.
 */
import { type Definition, type Node, type ObjectNode, type ReferenceNode, withoutDocs } from './node.js';
import { getInnerNodes } from './order.js';
import { type RenderOptions, render } from './render.js';

/** A shorter text costs less than a name for it. */
const minLength = 100;

/**
 * Replaces, in the definitions, each long object that occurs again; returns the definitions that were added. `answers`: those
 * that may become a reference as a whole.
 */
export function shareObjects(
  definitions: readonly Definition[],
  { answers, ...how }: Pick<RenderOptions, 'closesSilent'> & { readonly answers: readonly Definition[] },
): Definition[] {
  const ids = new Map<Definition, number>();
  const getName = (definition: Definition): string => {
    const id = ids.get(definition) ?? ids.size;
    ids.set(definition, id);
    return `#${id}`;
  };
  const options: RenderOptions = { ...how, cuts: new Set(), getName };
  const texts = new Map<ObjectNode, string>();
  const counts = new Map<string, number>();
  const count = (node: Node): void => {
    for (const inner of getParts(node)) count(inner);
    if (node.kind !== 'object') return;
    const text = render(withoutDocs(node), options);
    if (text.length < minLength) return;
    texts.set(node, text);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  };
  for (const { node } of definitions) count(node);

  const shared = new Map<string, Definition>();
  const replace = (node: Node, hint: string): Node => {
    const text = node.kind === 'object' ? texts.get(node) : undefined;
    if (text === undefined || (counts.get(text) ?? 0) < 2) return mapParts(node, replace, hint);
    const known = shared.get(text);
    const to = known ?? { hint: singular(hint), node: withoutDocs(node) };
    if (known === undefined) {
      shared.set(text, to);
      to.node = mapParts(to.node, replace, hint);
    }
    const reference: ReferenceNode = { kind: 'reference', to };
    return node.docs === undefined ? reference : { ...reference, docs: node.docs };
  };
  const whole = answers.map((definition) => [definition, definition.node] as const);
  for (const definition of definitions) definition.node = mapParts(definition.node, replace, 'item');
  // Last, so that a shared type is called after the property that has it rather than after a function.
  for (const [definition, node] of whole) definition.node = replace(node, definition.hint);
  return [...shared.values()];
}

const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '');

function getParts(node: Node): readonly Node[] {
  if (node.kind === 'union' || node.kind === 'intersection') return node.members;
  return node.kind === 'list' || node.kind === 'object' ? getInnerNodes(node) : [];
}

function mapParts(node: Node, map: (part: Node, hint: string) => Node, hint: string): Node {
  const inside = (part: Node): Node => map(part, hint);
  if (node.kind === 'union' || node.kind === 'intersection') return { ...node, members: node.members.map(inside) };
  if (node.kind === 'list') return { ...node, head: node.head.map(inside), rest: node.rest && inside(node.rest) };
  if (node.kind !== 'object') return node;
  return {
    ...node,
    properties: new Map(
      [...node.properties].map(([name, property]) => [name, { ...property, node: map(property.node, name) }]),
    ),
    prefixes: node.prefixes.map(([prefix, inner]) => [prefix, inside(inner)] as const),
    rest: node.rest && inside(node.rest),
  };
}
