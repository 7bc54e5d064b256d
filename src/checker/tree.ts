/** The syntax tree of a program, with what its names stand for. Walked without recursion: programs can be nested to any depth. */
import type { Inspection, Node } from './engine.js';

/** A node whose kind is known; only so is a node that was not found still a node. */
type Found = Node & { readonly kind: number & { readonly isFound: true } };

export interface Tree {
  readonly text: string;
  /** All nodes, outer ones before inner ones. */
  readonly nodes: readonly Node[];
  is(node: Node | undefined, ...kinds: readonly string[]): node is Found;
  /** The text of a node on one line, shortened. */
  show(node: Node): string;
  /** The innermost node that begins at `start`, or that contains it. */
  at(start: number, end: number): Node;
  /** Whether this identifier stands for a value: not a key, a member, a label, a type or a declaration. */
  isReference(identifier: Node): boolean;
  /** The local declaration that an identifier refers to; absent: it is global. */
  declarationOf(identifier: Node): Declaration | undefined;
  readonly declarations: readonly Declaration[];
  /** References to the declaration that do not only assign to it. */
  readsOf(declaration: Declaration): readonly Node[];
}

/** Something in the program that gives a name to a value. */
export interface Declaration {
  readonly name: Node;
  readonly node: Node;
  readonly scope: Node;
}

const functions = new Set([
  'ArrowFunction',
  'FunctionExpression',
  'FunctionDeclaration',
  'MethodDeclaration',
  'Constructor',
  'GetAccessor',
  'SetAccessor',
]);
const blocks = new Set([
  ...functions,
  'Block',
  'SourceFile',
  'CaseBlock',
  'ModuleBlock',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'CatchClause',
  'ClassStaticBlockDeclaration',
]);
const declaring = new Set([
  'VariableDeclaration',
  'BindingElement',
  'Parameter',
  'FunctionDeclaration',
  'FunctionExpression',
  'ClassDeclaration',
  'ClassExpression',
  'EnumDeclaration',
]);
/** Parents whose `name` is not a reference. */
const named = new Set([
  ...declaring,
  'PropertyAccessExpression',
  'PropertyAssignment',
  'MethodDeclaration',
  'PropertyDeclaration',
  'GetAccessor',
  'SetAccessor',
  'EnumMember',
  'PropertySignature',
  'MethodSignature',
  'NamedTupleMember',
  'TypeParameter',
  'MetaProperty',
  'InterfaceDeclaration',
  'TypeAliasDeclaration',
  'ModuleDeclaration',
]);
const notValues = new Set([
  'QualifiedName',
  'TypeReference',
  'LabeledStatement',
  'BreakStatement',
  'ContinueStatement',
  'TypePredicate',
  'ImportSpecifier',
  'ImportClause',
  'NamespaceImport',
  'ImportEqualsDeclaration',
]);
const blockScoped = 3;

export function isFunction(kind: string): boolean {
  return functions.has(kind);
}

export function sameNode(one: Node | undefined, other: Node | undefined): boolean {
  return (
    one === other || (!!one && !!other && one.pos === other.pos && one.end === other.end && one.kind === other.kind)
  );
}

export function readTree({ root, kindOf }: Inspection, text: string): Tree {
  const nodes = flatten(root);
  const is: Tree['is'] = (node, ...kinds): node is Found => node !== undefined && kinds.includes(kindOf(node));

  function scopeOf(node: Node): Node {
    const kind = kindOf(node);
    if (kind === 'FunctionExpression' || kind === 'ClassExpression') return node;
    let owner = node;
    while (is(owner, 'BindingElement', 'ObjectBindingPattern', 'ArrayBindingPattern')) owner = owner.parent;
    const isVar =
      is(owner, 'VariableDeclaration') &&
      is(owner.parent, 'VariableDeclarationList') &&
      !(owner.parent.flags & blockScoped);
    let scope = owner.parent;
    while (scope.parent && !(isVar ? functions : blocks).has(kindOf(scope))) scope = scope.parent;
    return scope;
  }

  const declarations: Declaration[] = [];
  const byName = new Map<string, Declaration[]>();
  for (const node of nodes) {
    if (!declaring.has(kindOf(node)) || !is(node.name, 'Identifier')) continue;
    const declaration = { name: node.name, node, scope: scopeOf(node) };
    declarations.push(declaration);
    const name = node.name.text ?? '';
    const known = byName.get(name);
    if (known) known.push(declaration);
    else byName.set(name, [declaration]);
  }

  function declarationOf(identifier: Node): Declaration | undefined {
    let found: Declaration | undefined;
    for (const one of byName.get(identifier.text ?? '') ?? []) {
      const isAround = one.scope.pos <= identifier.pos && identifier.end <= one.scope.end;
      if (isAround && (!found || one.scope.end - one.scope.pos <= found.scope.end - found.scope.pos)) found = one;
    }
    return found;
  }

  function isReference(identifier: Node): boolean {
    const { parent } = identifier;
    const kind = kindOf(parent);
    if (named.has(kind) && sameNode(parent.name, identifier)) return false;
    if (kind === 'BindingElement' && sameNode(parent.propertyName, identifier)) return false;
    return !notValues.has(kind);
  }

  const isAssigned = (node: Node) =>
    is(node.parent, 'BinaryExpression') &&
    is(node.parent.operatorToken, 'EqualsToken') &&
    sameNode(node.parent.left, node);

  const references = new Map<string, Node[]>();
  for (const node of nodes) {
    if (!is(node, 'Identifier') || !isReference(node) || isAssigned(node)) continue;
    const name = node.text ?? '';
    const known = references.get(name);
    if (known) known.push(node);
    else references.set(name, [node]);
  }

  return {
    text,
    nodes,
    is,
    show: (node) => shorten(text.slice(node.getStart(), node.end), 60),
    at: (start, end) => findAt(nodes, start, end) ?? root,
    isReference,
    declarationOf,
    declarations,
    readsOf: (declaration) =>
      (references.get(declaration.name.text ?? '') ?? []).filter((node) => declarationOf(node) === declaration),
  };
}

/** One line of at most `most` characters. */
export function shorten(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

function flatten(root: Node): readonly Node[] {
  const nodes: Node[] = [];
  const pending = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    nodes.push(node);
    const children: Node[] = [];
    node.forEachChild((child) => {
      children.push(child);
      return undefined;
    });
    for (const child of children.reverse()) pending.push(child);
  }
  return nodes;
}

function findAt(nodes: readonly Node[], start: number, end: number): Node | undefined {
  let exact: Node | undefined;
  let around: Node | undefined;
  for (const node of nodes) {
    if (node.pos > start || node.end < end) continue;
    around = node;
    if (node.end === end && node.getStart() === start) exact = node;
  }
  return exact ?? around;
}
