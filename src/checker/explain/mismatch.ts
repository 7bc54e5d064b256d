/** A value that does not fit: a parameter of a tool with another type, one too many, one that is missing. */
import { orDidYouMean } from '../../util/nearest.js';
import type { Node, Problem, Type } from '../engine.js';
import { brief } from '../meanings.js';
import type { Finding, Look } from '../rules/look.js';
import { shorten } from '../tree.js';
import { memberNames, nearestName, rightName, shortType } from './words.js';

export function explainMismatch(look: Look, node: Node, { causes }: Problem): string | undefined {
  const innermost = causes.at(-1) ?? '';
  const excess = causes.map((cause) => /'([^']+)' does not exist in type '([\s\S]+)'/.exec(cause)).find(Boolean);
  if (excess?.[1] !== undefined) return explainExcess(look, node, { name: excess[1], type: excess[2] ?? '' });
  if (givesPromise.test(innermost) && !takesPromise.test(innermost)) {
    const shown = brief(look.tree, writtenValue(look, node));
    return `${shown} is a Promise: write await ${shown}`;
  }
  const missing = missingNames(innermost);
  if (missing) return explainMissing(look, node, missing);
  const optional = /Property '([^']+)' is optional in type/.exec(innermost)?.[1];
  if (optional !== undefined) return `${optional} may be left out here, but is needed by ${subjectOf(look, node)}`;
  const types = readTypes(causes);
  return types && explainTypes(look, node, { given: types[0], expected: types[1], place: placeOf(look, node, causes) });
}

const givesPromise = /missing .*(?:in|from) type 'Promise<|in type 'Promise<|^Type 'Promise</;
const takesPromise = /required in type 'Promise<|from type 'Promise</;
const onePropertyMissing = /Property '([^']+)' is missing in type/;
const propertiesMissing = /is missing the following properties from type '[\s\S]+': (.+?)(?:, and \d+ more)?\.?$/;

function missingNames(cause: string): readonly string[] | undefined {
  const one = onePropertyMissing.exec(cause)?.[1];
  return one === undefined ? propertiesMissing.exec(cause)?.[1]?.split(', ') : [one];
}

interface Mismatch {
  readonly given: string;
  readonly expected: string;
  readonly place: string;
}

function explainTypes(look: Look, node: Node, { given, expected, place }: Mismatch): string {
  const shown = brief(look.tree, writtenValue(look, node));
  const must = `${place} must be ${shortType(expected)}`;
  if (/^Promise<|^\(?Promise<[\s\S]*\)?\[\]$/.test(given) && !expected.includes('Promise<')) {
    const advice = given.endsWith('[]') ? `await Promise.all(${shown})` : `await ${shown}`;
    return `${must}, and ${shown} is a Promise: write ${advice}`;
  }
  if (/\bundefined\b/.test(given) && !/\bundefined\b/.test(expected))
    return `${must}, but ${shown} may be undefined: check it first, or write ${shorten(shown, 20)} ?? …`;
  const value = /^"(.*)"$/.exec(given)?.[1];
  const choices = [...expected.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? '');
  const near = value === undefined ? undefined : nearestName(value, choices);
  const advice = given === 'string' && choices.length > 0 ? ': write it in the call itself, or add as const' : '';
  const tool = look.meanings.toolAround(node);
  const where = tool && !place.includes('.') && place !== 'This' ? ` (${tool.namespace}.${tool.name})` : '';
  return `${place}${where} must be ${shortType(expected)}, not ${shortType(given)}${orDidYouMean(near)}${advice}`;
}

/** The innermost pair of types that do not fit each other. */
function readTypes(causes: readonly string[]): readonly [string, string] | undefined {
  for (const cause of [...causes].reverse()) {
    const found =
      /(?:Type|type) '([\s\S]+)' is not assignable to (?:parameter of )?type '([\s\S]+?)'(?:\.|$| with)/.exec(cause);
    if (found?.[1] !== undefined && found[2] !== undefined) return [found[1], found[2]];
    const neither = /Type '([\s\S]+)' has no properties in common with type '([\s\S]+)'/.exec(cause);
    if (neither?.[1] !== undefined && neither[2] !== undefined) return [neither[1], neither[2]];
  }
  return undefined;
}

/** What the value is for: the name of the parameter or of the variable. */
function placeOf({ tree }: Look, node: Node, causes: readonly string[]): string {
  const inner = [...causes]
    .reverse()
    .map((cause) => /Types of property '([^']+)'|The types of '([^']+)'/.exec(cause))
    .find(Boolean);
  const path = inner?.[1] ?? inner?.[2];
  if (path !== undefined) return path;
  const { parent } = node;
  if (
    tree.is(parent, 'PropertyAssignment', 'VariableDeclaration', 'ShorthandPropertyAssignment') &&
    parent.name?.text !== undefined
  )
    return parent.name.text;
  if (tree.is(parent, 'ArrayLiteralExpression')) {
    const holder = parent.parent;
    if (tree.is(holder, 'PropertyAssignment') && holder.name?.text !== undefined) return `Each of ${holder.name.text}`;
  }
  if (tree.is(parent, 'CallExpression')) return `The argument of ${shorten(tree.show(parent.expression as Node), 50)}`;
  return 'This';
}

function writtenValue({ tree }: Look, node: Node): Node {
  const { parent } = node;
  const isName =
    tree.is(parent, 'PropertyAssignment', 'VariableDeclaration') &&
    parent.name &&
    parent.name.pos === node.pos &&
    parent.name.end === node.end;
  return isName && parent.initializer ? parent.initializer : node;
}

function subjectOf({ tree, meanings }: Look, node: Node): string {
  const tool = meanings.toolAround(node);
  if (tool) return `${tool.namespace}.${tool.name}`;
  return tree.is(node.parent, 'CallExpression') ? shorten(tree.show(node.parent.expression as Node), 50) : 'this';
}

/** The object literal around a name, and the parameter of the tool that it is the value of, if any. */
function literalAround({ tree }: Look, node: Node): Node | undefined {
  let current: Node | undefined = node;
  while (current && !tree.is(current, 'ObjectLiteralExpression')) current = current.parent;
  return current;
}

function holderOf({ tree }: Look, literal: Node | undefined): string | undefined {
  let holder = literal?.parent;
  while (tree.is(holder, 'ArrayLiteralExpression')) holder = holder.parent;
  return tree.is(holder, 'PropertyAssignment') ? holder.name?.text : undefined;
}

function explainExcess(look: Look, node: Node, { name, type }: { name: string; type: string }): string {
  const literal = literalAround(look, node);
  const expected = literal && look.inspection.types.getContextualType(literal);
  const inside = holderOf(look, literal);
  const tool: Finding['tool'] = look.meanings.toolAround(node);
  const names = memberNames(look, expected);
  // Of several kinds of objects only the members that all have are known: the compiler names the kind that was meant.
  const isKind =
    /^\{ [\s\S]+ \}$/.test(type) && expected && look.inspection.types.typeToString(expected).includes('} | {');
  if (isKind) return `${inside ?? subjectOf(look, node)} has no member ${name} in ${shortType(type)}`;
  if (inside !== undefined) return `${inside} has no member ${name}${rightName(name, names)}`;
  if (tool) return `${tool.namespace}.${tool.name} has no parameter ${name}${rightName(name, names)}`;
  return `There is no member ${name} here${rightName(name, names)}`;
}

function explainMissing(look: Look, node: Node, names: readonly string[]): string {
  const { inspection, tree } = look;
  const literal = tree.is(node, 'ObjectLiteralExpression') ? node : undefined;
  const inside = tree.is(node.parent, 'PropertyAssignment') ? node.parent.name?.text : holderOf(look, literal);
  const expected = inspection.types.getContextualType(
    tree.is(node, 'Identifier') && tree.is(node.parent, 'PropertyAssignment') && node.parent.initializer
      ? node.parent.initializer
      : node,
  );
  const shown = names.slice(0, 6).map((name) => {
    const type = memberType(look, expected, name);
    return type === undefined ? name : `${name} (${shorten(shortType(type), 60)})`;
  });
  return `${inside ?? subjectOf(look, node)} needs ${shown.join(', ')}`;
}

function memberType({ inspection: { types } }: Look, type: Type | undefined, name: string): string | undefined {
  const member = type && types.getPropertyOfType(type, name);
  const found = member && types.getTypeOfSymbol(member);
  return found && types.typeToString(found);
}
