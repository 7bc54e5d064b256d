/** What the expressions of a program mean: the tools' namespaces, their tools, and the answers of tools. */
import type { NamespaceDeclarations } from '../domain/code.js';
import type { Node } from './engine.js';
import { type Declaration, isFunction, sameNode, shorten, type Tree } from './tree.js';

export type Meaning =
  | { readonly is: 'env' | 'global' }
  | { readonly is: 'namespace'; readonly namespace: string }
  | { readonly is: 'tool'; readonly namespace: string; readonly name: string };

export interface Meanings {
  readonly namespaces: ReadonlyMap<string, NamespaceDeclarations>;
  of(expression: Node | undefined): Meaning | undefined;
  /** The tool whose answer an expression is, or is a part of. */
  origin(expression: Node | undefined): Tool | undefined;
  /** The tool in whose call the node lies, or from whose answer it reads. */
  toolAround(node: Node): Tool | undefined;
}

export interface Tool {
  readonly namespace: string;
  readonly name: string;
}

const wrappers = ['ParenthesizedExpression', 'NonNullExpression', 'SatisfiesExpression'];
const furtherSteps = 24;

/** The expression without brackets, `!` and `satisfies`. */
export function bare(tree: Tree, expression: Node): Node {
  let inside = expression;
  while (tree.is(inside, ...wrappers) && inside.expression) inside = inside.expression;
  return inside;
}

/** An expression in short: of a call only what is called. */
export function brief(tree: Tree, expression: Node): string {
  const node = bare(tree, expression);
  if (!tree.is(node, 'CallExpression')) return shorten(tree.show(node), 50);
  const callee = node.expression && bare(tree, node.expression);
  if (tree.is(callee, 'ArrowFunction', 'FunctionExpression')) return 'the function';
  return `${shorten(callee ? tree.show(callee) : '', 50)}(…)`;
}

/** The name that is read in `a.name` or `a['name']`; absent: it is computed. */
export function memberName(tree: Tree, access: Node): string | undefined {
  if (tree.is(access, 'PropertyAccessExpression')) return access.name?.text;
  const key = access.argumentExpression && bare(tree, access.argumentExpression);
  return tree.is(key, 'StringLiteral', 'NoSubstitutionTemplateLiteral') ? key.text : undefined;
}

export function readMeanings(tree: Tree, declared: readonly NamespaceDeclarations[]): Meanings {
  const namespaces = new Map(declared.map((one) => [one.namespace, one]));

  function global(name: string): Meaning | undefined {
    if (name === 'env') return { is: 'env' };
    if (name === 'globalThis') return { is: 'global' };
    return namespaces.has(name) ? { is: 'namespace', namespace: name } : undefined;
  }

  function member(owner: Meaning | undefined, name: string | undefined): Meaning | undefined {
    if (owner === undefined || name === undefined || owner.is === 'tool') return undefined;
    if (owner.is === 'namespace') return { is: 'tool', namespace: owner.namespace, name };
    if (owner.is === 'global') return global(name);
    return namespaces.has(name) ? { is: 'namespace', namespace: name } : undefined;
  }

  /** `const gh = github`, `const { createIssue } = github`, `const { github: gh } = env`. */
  function declaredMeaning({ node }: Declaration, steps: number): Meaning | undefined {
    if (node.type) return undefined;
    if (tree.is(node, 'VariableDeclaration')) return of(node.initializer, steps);
    if (!tree.is(node, 'BindingElement') || node.dotDotDotToken || !tree.is(node.parent, 'ObjectBindingPattern'))
      return undefined;
    const key = node.propertyName ?? node.name;
    return member(patternMeaning(node.parent, steps), key?.text);
  }

  function patternMeaning(pattern: Node, steps: number): Meaning | undefined {
    const owner = pattern.parent;
    if (tree.is(owner, 'VariableDeclaration')) return owner.type ? undefined : of(owner.initializer, steps);
    if (!tree.is(owner, 'BindingElement')) return undefined;
    return member(patternMeaning(owner.parent, steps), (owner.propertyName ?? owner.name)?.text);
  }

  function of(expression: Node | undefined, steps = furtherSteps): Meaning | undefined {
    if (!expression || steps === 0) return undefined;
    const node = bare(tree, expression);
    if (tree.is(node, 'Identifier')) {
      const declaration = tree.declarationOf(node);
      return declaration ? declaredMeaning(declaration, steps - 1) : global(node.text ?? '');
    }
    if (!tree.is(node, 'PropertyAccessExpression', 'ElementAccessExpression')) return undefined;
    return member(of(node.expression, steps - 1), memberName(tree, node));
  }

  function origin(expression: Node | undefined, steps = furtherSteps): Tool | undefined {
    if (!expression || steps === 0) return undefined;
    const node = bare(tree, expression);
    const left = steps - 1;
    if (tree.is(node, 'AwaitExpression', 'AsExpression', 'PropertyAccessExpression', 'ElementAccessExpression'))
      return origin(node.expression, left);
    if (tree.is(node, 'CallExpression')) {
      const called = of(node.expression);
      if (called?.is === 'tool') return called;
      if (!tree.is(node.expression, 'PropertyAccessExpression')) return undefined;
      return tree.is(node.expression.expression, 'Identifier') && node.expression.expression.text === 'Promise'
        ? origin(node.arguments?.[0], left)
        : origin(node.expression.expression, left);
    }
    if (tree.is(node, 'BinaryExpression') && tree.is(node.operatorToken, 'QuestionQuestionToken', 'BarBarToken'))
      return origin(node.left, left);
    const declaration = tree.is(node, 'Identifier') ? tree.declarationOf(node) : undefined;
    return declaration && declaredOrigin(declaration.node, left);
  }

  function declaredOrigin(node: Node, steps: number): Tool | undefined {
    let owner = node;
    while (tree.is(owner, 'BindingElement', 'ObjectBindingPattern', 'ArrayBindingPattern')) owner = owner.parent;
    if (tree.is(owner, 'VariableDeclaration')) {
      if (owner.initializer) return origin(owner.initializer, steps);
      const loop = owner.parent?.parent;
      return tree.is(loop, 'ForOfStatement') ? origin(loop.expression, steps) : undefined;
    }
    const call = tree.is(owner, 'Parameter') ? owner.parent.parent : undefined;
    if (!tree.is(call, 'CallExpression') || !tree.is(call.expression, 'PropertyAccessExpression')) return undefined;
    return call.arguments?.some((one) => sameNode(one, owner.parent))
      ? origin(call.expression.expression, steps)
      : undefined;
  }

  function toolAround(node: Node): Tool | undefined {
    for (let current: Node | undefined = node; current; current = current.parent) {
      if (tree.is(current, 'CallExpression')) {
        const called = of(current.expression);
        if (called?.is === 'tool') return called;
      }
      const read = tree.is(current, 'PropertyAccessExpression', 'ElementAccessExpression', 'Identifier')
        ? origin(current)
        : undefined;
      if (read) return read;
      if (tree.is(current, 'Block', 'SourceFile') || isStatement(current)) break;
    }
    return undefined;
  }
  const isStatement = (node: Node) =>
    tree.is(node, 'ExpressionStatement', 'VariableStatement', 'ReturnStatement', 'IfStatement');

  return { namespaces, of: (expression) => of(expression), origin: (expression) => origin(expression), toolAround };
}

/** The function that a node lies in. */
export function functionAround(kindOf: (node: Node) => string, node: Node): Node | undefined {
  let current: Node | undefined = node.parent;
  while (current && !isFunction(kindOf(current))) current = current.parent;
  return current;
}
