/**
 * `any` never hides a misspelt tool. Where the namespaces are used only as `github.createIssue`, nothing can hide one: the
 * compiler knows each. Where one is passed on as a value, it could come to lie behind `any` on many ways; then the program
 * may not have an `any`, or a cast, at all.
 */
import type { Node } from '../engine.js';
import { bare, type Meaning, memberName } from '../meanings.js';
import { sameNode } from '../tree.js';
import { type Finding, find, type Look } from './look.js';

export function findHidden(look: Look): readonly Finding[] {
  const { tree, meanings } = look;
  const findings: Finding[] = [];
  let passedOn: string | undefined;

  for (const node of tree.nodes) {
    if (!tree.is(node, 'Identifier', 'PropertyAccessExpression', 'ElementAccessExpression')) continue;
    if (tree.is(node, 'Identifier') && !tree.isReference(node)) continue;
    const meaning = meanings.of(node);
    if (!meaning) continue;
    const outer = outermost(node);
    const finding = findCast(look, { outer, meaning }) ?? findComputed(look, { outer, meaning });
    if (finding) findings.push(finding);
    else if (meaning.is !== 'tool' && !isPlainUse(look, outer)) passedOn ??= nameOf(meaning);
  }
  findings.push(...findShadows(look));
  // Unknown names are `any` too, but the compiler reports those itself.
  if (passedOn !== undefined && findings.length === 0 && look.inspection.problems.length === 0)
    findings.push(...findAnyWays(look, passedOn));
  return findings;

  /** The expression with the brackets, `!` and `satisfies` around it. */
  function outermost(node: Node): Node {
    let outer = node;
    while (outer.parent && bare(tree, outer.parent) !== outer.parent && sameNode(outer.parent.expression, outer))
      outer = outer.parent;
    return outer;
  }
}

const toolless = /^(?:const|(?:string|number|boolean|Error|Date)(?:\[\])*)$/;

interface Use {
  readonly outer: Node;
  readonly meaning: Meaning;
}

function nameOf(meaning: Meaning): string {
  if (meaning.is === 'tool') return `${meaning.namespace}.${meaning.name}`;
  if (meaning.is === 'namespace') return meaning.namespace;
  return meaning.is === 'env' ? 'env' : 'globalThis';
}

function findCast({ tree, typeOf, inspection: { flags } }: Look, { outer, meaning }: Use): Finding | undefined {
  const { parent } = outer;
  const name = nameOf(meaning);
  const advice =
    meaning.is === 'tool'
      ? `its parameters would not be checked; call ${name}(…) as it is`
      : 'a misspelt tool would not be found; use it as it is';
  const tool = meaning.is === 'tool' ? meaning : undefined;
  if (tree.is(parent, 'AsExpression', 'TypeAssertionExpression')) {
    if (tree.is(parent.type, 'TypeReference') && parent.type.typeName?.text === 'const') return undefined;
    return find(parent, `${name} may not be cast: ${advice}`, tool);
  }
  if (!isInitializer(parent, outer) || !parent.type || !parent.name) return undefined;
  const declared = typeOf(parent.name);
  if (!declared || !(declared.flags & (flags.any | flags.unknown))) return undefined;
  return find(parent.name, `${name} may not be held as ${tree.show(parent.type)}: ${advice}`, tool);
}

function isInitializer(parent: Node, node: Node): boolean {
  return sameNode(parent.initializer, node);
}

function findComputed({ tree }: Look, { outer, meaning }: Use): Finding | undefined {
  const { parent } = outer;
  if (meaning.is === 'tool' || !tree.is(parent, 'ElementAccessExpression') || !sameNode(parent.expression, outer))
    return undefined;
  if (memberName(tree, parent) !== undefined) return undefined;
  const what = meaning.is === 'namespace' ? 'a tool' : 'a namespace';
  return find(
    parent,
    `${what} of ${nameOf(meaning)} must be written out, as in ${nameOf(meaning)}.name: a computed name cannot be checked`,
  );
}

/** Reading a member, `typeof x`, or giving it another name without a type. */
function isPlainUse({ tree }: Look, outer: Node): boolean {
  const { parent } = outer;
  if (tree.is(parent, 'PropertyAccessExpression', 'ElementAccessExpression')) return sameNode(parent.expression, outer);
  if (tree.is(parent, 'TypeQuery', 'ExpressionStatement', 'TypeOfExpression')) return true;
  if (!tree.is(parent, 'VariableDeclaration') || parent.type) return false;
  return (
    tree.is(parent.name, 'Identifier') || (tree.is(parent.name, 'ObjectBindingPattern') && isPlainPattern(parent.name))
  );

  function isPlainPattern(pattern: Node): boolean {
    return (pattern.elements ?? []).every((element) => {
      if (element.dotDotDotToken || tree.is(element.propertyName, 'ComputedPropertyName')) return false;
      return (
        tree.is(element.name, 'Identifier') ||
        (tree.is(element.name, 'ObjectBindingPattern') && isPlainPattern(element.name))
      );
    });
  }
}

/** A local `github` of type any. */
function findShadows({ tree, typeOf, known, meanings, inspection: { flags } }: Look): readonly Finding[] {
  const names = new Set([...known, ...meanings.namespaces.keys(), 'env', 'globalThis']);
  return tree.declarations.flatMap(({ name }) => {
    const isThis = name.text === 'this';
    if (!isThis && !names.has(name.text ?? '')) return [];
    if (!((typeOf(name)?.flags ?? 0) & flags.any)) return [];
    if (isThis) return [find(name, 'this may not be any: a misspelt tool would not be found')];
    return [
      find(
        name,
        `${name.text} is the name of a namespace of tools; a variable of this name may not be any: rename it, or give it a type`,
      ),
    ];
  });
}

function findAnyWays({ tree, inspection, typeOf, program }: Look, name: string): readonly Finding[] {
  const because = `because ${name} is passed on as a value, where a misspelt tool would not be found`;
  for (const node of tree.nodes) {
    const way = wayOf(node);
    if (way !== undefined) return [find(node, `${way}, ${because}`)];
  }
  return [];

  function wayOf(node: Node): string | undefined {
    if (tree.is(node, 'AnyKeyword')) return 'any may not be used here';
    if (tree.is(node, 'TypePredicate')) return 'A type predicate is not allowed here';
    if (tree.is(node, 'FunctionDeclaration', 'MethodDeclaration') && !node.body)
      return 'Overloads are not allowed here';
    if (tree.is(node, 'AsExpression', 'TypeAssertionExpression') && !isHarmless(node))
      return 'A cast is not allowed here';
    const isOutside = node.pos < (program.body?.pos ?? 0);
    if (isOutside || !isExpressionOrName(node) || !((typeOf(node)?.flags ?? 0) & inspection.flags.any))
      return undefined;
    return `${tree.show(node)} is any: give it a type`;
  }

  /** A cast to something that has no tools, or of parsed JSON. */
  function isHarmless({ type, expression }: Node): boolean {
    return isParsed(expression) || (type !== undefined && toolless.test(tree.show(type)));
  }

  function isParsed(node: Node | undefined): boolean {
    return tree.is(node, 'CallExpression') && tree.show(node.expression as Node) === 'JSON.parse';
  }

  function isExpressionOrName(node: Node): boolean {
    if (isParsed(node)) {
      const { parent } = node;
      return !(tree.is(parent, 'AsExpression') || (tree.is(parent, 'VariableDeclaration') && parent.type));
    }
    if (tree.is(node, 'Identifier'))
      return tree.isReference(node) || tree.declarations.some((one) => one.name === node);
    return /Expression$/.test(inspection.kindOf(node)) && !tree.is(node, 'ExpressionWithTypeArguments');
  }
}
