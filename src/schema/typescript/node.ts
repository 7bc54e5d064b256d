/**
 * The intermediate form between a schema and TypeScript: a small tree of types, with their comments. A `reference`
 * stands for a named type; everything else is written inline.
 */

export type Node = (
  | { readonly kind: 'unknown' | 'never' }
  | { readonly kind: 'primitive'; readonly name: 'string' | 'number' | 'boolean' | 'null' }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | ListNode
  | ObjectNode
  | { readonly kind: 'union'; readonly members: readonly Node[] }
  | { readonly kind: 'intersection'; readonly members: readonly Node[] }
  | ReferenceNode
) & { readonly docs?: string };

/** `head`: items by position, of which `required` must be present; `rest`: what follows, undefined if nothing may. */
export interface ListNode {
  readonly kind: 'list';
  readonly head: readonly Node[];
  readonly required: number;
  readonly rest: Node | undefined;
  readonly docs?: string;
}

export interface PropertyNode {
  readonly node: Node;
  readonly required: boolean;
}

export interface ObjectNode {
  readonly kind: 'object';
  readonly properties: ReadonlyMap<string, PropertyNode>;
  /** What properties without a name here may contain; undefined if there may be none. */
  readonly rest: Node | undefined;
  /** Whether `rest` is open only because the schema says nothing about further properties. */
  readonly isSilent?: boolean;
  /** Properties whose names start with a prefix. */
  readonly prefixes: readonly (readonly [prefix: string, node: Node])[];
  readonly docs?: string;
}

export interface ReferenceNode {
  readonly kind: 'reference';
  readonly to: Definition;
  readonly docs?: string;
}

/** A type with a name. */
export interface Definition {
  /** The schema's own name for it. */
  readonly hint: string;
  /** The required name, for a schema that the caller asked for. */
  readonly name?: string;
  node: Node;
}

export const unknown: Node = { kind: 'unknown' };
export const never: Node = { kind: 'never' };

/** Joins both texts; equal texts occur once. */
export function joinDocs(first: string | undefined, second: string | undefined): string | undefined {
  if (first === undefined || second === undefined || first.includes(second)) return first ?? second;
  return second.includes(first) ? second : `${first}\n${second}`;
}

export function withDocs(node: Node, docs: string | undefined): Node {
  return docs === undefined || docs === node.docs ? node : { ...node, docs: joinDocs(docs, node.docs) ?? docs };
}

export function withoutDocs(node: Node): Node {
  if (node.docs === undefined) return node;
  const { docs: _, ...bare } = node;
  return bare as Node;
}

export function union(members: readonly Node[]): Node {
  const flat = members.flatMap((member) =>
    member.kind === 'union' && member.docs === undefined ? member.members : [member],
  );
  const possible = flat.filter((member) => member.kind !== 'never' || member.docs !== undefined);
  const [only] = possible;
  if (only === undefined) return never;
  return possible.length === 1 ? only : { kind: 'union', members: possible };
}

/** A value that must be exactly this one. Values that are nested too deeply are `unknown`. */
export function literal(value: unknown, depth = 0): Node {
  if (value === null) return { kind: 'primitive', name: 'null' };
  if (typeof value === 'string' || typeof value === 'boolean') return { kind: 'literal', value };
  if (typeof value === 'number') return Number.isFinite(value) ? { kind: 'literal', value } : unknown;
  if (typeof value !== 'object' || depth > 16) return unknown;
  if (Array.isArray(value)) {
    const head = value.map((item) => literal(item, depth + 1));
    return { kind: 'list', head, required: head.length, rest: undefined };
  }
  const properties = new Map(
    Object.entries(value).map(([name, member]) => [name, { node: literal(member, depth + 1), required: true }]),
  );
  return { kind: 'object', properties, rest: undefined, prefixes: [] };
}
