/**
 * `anyOf` and `oneOf` as unions. The compiler lets a literal have properties of several union members, so closed
 * members declare the others' properties as absent, unless a literal already distinguishes the members.
 */
import { kinds } from './kinds.js';
import { meet } from './meet.js';
import { type Node, never, type ObjectNode, type PropertyNode, union } from './node.js';
import { asksFor, lacks, onlyRequired } from './presence.js';

const maxMembers = 20;
const maxProperties = 60;

export function choice(
  keyword: 'anyOf' | 'oneOf',
  members: readonly unknown[],
  allowed: number,
  build: (member: unknown) => Node,
): Node {
  const names = members.map(onlyRequired);
  // `oneOf` of required properties: exactly one of them is present.
  if (
    keyword === 'oneOf' &&
    allowed === kinds.object &&
    names.length <= maxMembers &&
    names.every((name) => name !== undefined)
  )
    return union(names.map((name) => meet([asksFor([name]), lacks(names.filter((other) => other !== name))])));
  return union(apart(members.map(build)));
}

function apart(members: readonly Node[]): readonly Node[] {
  const objects = members.filter((member) => member.kind === 'object');
  if (objects.length < 2 || objects.length > maxMembers || areTold(objects)) return members;
  const names = new Set(objects.flatMap((member) => [...member.properties.keys()]));
  if (names.size > maxProperties) return members;
  return members.map((member) => (isClosed(member) ? withAbsent(member, names) : member));
}

const isClosed = (node: Node): node is ObjectNode =>
  node.kind === 'object' && node.rest === undefined && node.prefixes.length === 0;

function areTold(objects: readonly ObjectNode[]): boolean {
  const [first] = objects;
  return [...(first?.properties.keys() ?? [])].some((name) => {
    const values = objects.map((member) => toLiteral(member.properties.get(name)));
    return values.every((value) => value !== undefined) && new Set(values).size === values.length;
  });
}

const toLiteral = (property: PropertyNode | undefined): unknown =>
  property?.required && property.node.kind === 'literal' ? property.node.value : undefined;

function withAbsent(node: ObjectNode, names: ReadonlySet<string>): ObjectNode {
  const properties = new Map(node.properties);
  for (const name of names) if (!properties.has(name)) properties.set(name, { node: never, required: false });
  return { ...node, properties };
}
