/**
 * The type that satisfies several types. Inline types are merged (the properties of two objects, two lists of
 * literals), which is shorter and stricter than an intersection; the rest stays an intersection for the compiler.
 */
import { mergeObjects } from './merge-objects.js';
import { joinDocs, type ListNode, type Node, never, type ObjectNode, union, unknown, withDocs } from './node.js';

/** Nested lists are merged down to this depth; deeper ones stay side by side. */
const maxDepth = 30;
const maxCompared = 16;

export function meet(nodes: readonly Node[], depth = 0): Node {
  let docs: string | undefined;
  const others: Node[] = [];
  const objects: ObjectNode[] = [];
  const references = new Set<unknown>();
  for (const node of nodes.flatMap(membersOfAll)) {
    if (node.kind === 'never') return node;
    if (node.kind === 'unknown') docs = joinDocs(docs, node.docs);
    if (node.kind === 'unknown' || (node.kind === 'reference' && references.has(node.to))) continue;
    if (node.kind === 'reference') references.add(node.to);
    if (node.kind === 'object') objects.push(node);
    else mergeInto(others, node, depth);
  }
  const kept = [...mergeObjects(objects, depth, meet), ...others];
  const members = kept.length > 1 && kept.length <= maxCompared ? consistent(apartByKind(kept, depth), depth) : kept;
  const [only] = members;
  if (only === undefined) return withDocs(unknown, docs);
  if (members.some((node) => node.kind === 'never') || areApart(members)) return never;
  return withDocs(members.length === 1 ? only : { kind: 'intersection', members }, docs);
}

/** Whether the nodes are of different kinds. */
const areApart = (nodes: readonly Node[]): boolean => new Set(nodes.filter(isConcrete).map(getKind)).size > 1;

function mergeInto(others: Node[], node: Node, depth: number): void {
  const at = others.slice(0, maxCompared).findIndex((other) => canMerge(other, node));
  const other = others[at];
  if (other === undefined) others.push(node);
  else others[at] = mergeTwo(other, node, depth);
}

function membersOfAll(node: Node): readonly Node[] {
  if (node.kind !== 'intersection') return [node];
  return node.docs === undefined ? node.members : [{ ...unknown, docs: node.docs }, ...node.members];
}

/**
 * Intersects unions of mixed kinds (`{…} | string`) kind by kind: the compiler would keep `{…} & string` as a type.
 * References stay next to the result.
 */
function apartByKind(nodes: readonly Node[], depth: number): readonly Node[] {
  const plain = nodes.filter((node) => listMembers(node).every(isConcrete));
  if (plain.length < 2 || depth > maxDepth || !plain.some((node) => new Set(listMembers(node).map(getKind)).size > 1))
    return nodes;
  const kinds = new Set(plain.flatMap((node) => listMembers(node).map(getKind)));
  const met = [...kinds].map((kind) =>
    meet(
      plain.map((node) => union(listMembers(node).filter((member) => getKind(member) === kind))),
      depth + 1,
    ),
  );
  const docs = plain.reduce<string | undefined>(
    (all, { kind, docs }) => (kind === 'union' ? joinDocs(all, docs) : all),
    undefined,
  );
  return [withDocs(union(met), docs), ...nodes.filter((node) => !plain.includes(node))];
}

const getKind = (node: Node): string => (node.kind === 'object' || node.kind === 'list' ? node.kind : 'scalar');

/**
 * Of each union, only the members that are compatible with the rest; a union with one member left is replaced by it and
 * intersected again.
 */
function consistent(nodes: readonly Node[], depth: number): readonly Node[] {
  const fixed = nodes.filter(isConcrete);
  if (fixed.length === 0 || depth > maxDepth) return nodes;
  const reduced = nodes.map((node) => {
    if (node.kind !== 'union' || isScalar(node)) return node;
    const members = node.members.filter((member) => fixed.every((other) => isPossible(member, other)));
    return members.length === node.members.length ? node : withDocs(union(members), node.docs);
  });
  if (reduced.every((node, index) => node === nodes[index])) return nodes;
  const again = meet(reduced, depth + 1);
  return again.kind === 'intersection' && again.docs === undefined ? again.members : [again];
}

function isPossible(member: Node, other: Node): boolean {
  if (!isConcrete(member)) return true;
  if (member.kind === 'object' && other.kind === 'object') return fits(member, other) && fits(other, member);
  if (isScalar(member) && isScalar(other)) return scalars(member, other).kind !== 'never';
  return member.kind === other.kind;
}

/** Whether a closed object has everything that the other requires. */
function fits(member: ObjectNode, closed: ObjectNode): boolean {
  if (closed.rest !== undefined) return true;
  const has = (name: string): boolean =>
    closed.properties.has(name) || closed.prefixes.some(([prefix]) => name.startsWith(prefix));
  return [...member.properties].every(([name, { required }]) => !required || has(name));
}

function canMerge(a: Node, b: Node): boolean {
  if (isScalar(a) && isScalar(b)) return true;
  return a.kind === 'list' && b.kind === 'list' && a.head.length + b.head.length === 0;
}

/** Of one kind only: an intersection with another kind is empty. */
const isConcrete = (node: Node): boolean => isScalar(node) || node.kind === 'object' || node.kind === 'list';

function isScalar(node: Node): boolean {
  if (node.kind === 'union')
    return node.members.every((member) => member.kind === 'primitive' || member.kind === 'literal');
  return node.kind === 'primitive' || node.kind === 'literal';
}

function mergeTwo(a: Node, b: Node, depth: number): Node {
  if (depth > maxDepth) return { kind: 'intersection', members: [a, b] };
  const docs = joinDocs(a.docs, b.docs);
  return withDocs(a.kind === 'list' && b.kind === 'list' ? lists(a, b, depth) : scalars(a, b), docs);
}

/** The members that both allow. */
function scalars(a: Node, b: Node): Node {
  const [left, right] = [listMembers(a), listMembers(b)];
  const [inLeft, inRight] = [allowing(left), allowing(right)];
  const met = new Set<unknown>();
  const both = [...left.filter(inRight), ...right.filter(inLeft)];
  return union(
    both.filter((member) => {
      const key = getKey(member);
      const fresh = !met.has(key);
      met.add(key);
      return fresh;
    }),
  );
}

const listMembers = (node: Node): readonly Node[] => (node.kind === 'union' ? node.members : [node]);

const primitiveKey = (name: string): string => `primitive ${name}`;

function getKey(node: Node): unknown {
  if (node.kind === 'literal') return typeof node.value === 'string' ? `literal ${node.value}` : node.value;
  return node.kind === 'primitive' ? primitiveKey(node.name) : node;
}

function allowing(members: readonly Node[]): (node: Node) => boolean {
  const keys = new Set(members.map(getKey));
  return (node) => keys.has(getKey(node)) || (node.kind === 'literal' && keys.has(primitiveKey(typeof node.value)));
}

function lists(a: ListNode, b: ListNode, depth: number): Node {
  return { kind: 'list', head: [], required: 0, rest: a.rest && b.rest && meet([a.rest, b.rest], depth + 1) };
}
