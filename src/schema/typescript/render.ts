/**
 * Renders a tree of types as text. Compact: one property per line with its comment before it, no indentation, and line
 * ends instead of semicolons.
 */
import { comment } from './docs.js';
import { isIdentifier } from './names.js';
import {
  type Definition,
  joinDocs,
  type ListNode,
  type Node,
  type ObjectNode,
  type PropertyNode,
  union,
  unknown,
  withoutDocs,
} from './node.js';
import type { Cuts } from './order.js';

export interface RenderOptions {
  readonly cuts: Cuts;
  readonly getName: (definition: Definition) => string;
  /** Comes before each type and function: `export `. */
  readonly prefix?: string;
  /** Omit comments. */
  readonly silent?: boolean;
  /**
   * Close objects that are open only because their schema says nothing about further properties, so that the compiler
   * finds a misspelt name.
   */
  readonly closesSilent?: boolean;
}

/**
 * Properties that every object has according to the compiler: if absent, such a property still has the inherited type.
 */
const inherited = new Set(
  'constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf'.split(' '),
);
const maxRest = 200;

/** `type Name = …;`, with its comment. */
export function renderDefinition(definition: Definition, options: RenderOptions): string {
  const { node } = definition;
  const { prefix = '' } = options;
  return `${lead(node, options, '\n')}${prefix}type ${options.getName(definition)} = ${bare(node, options)};`;
}

export interface FunctionNode {
  readonly name: string;
  readonly docs: string | undefined;
  readonly input: Node;
  readonly output: Node;
}

/** `function name(input:…):Promise<…>;`, with its comment. */
export function renderFunction({ name, docs, input, output }: FunctionNode, options: RenderOptions): string {
  const said = [joinDocs(docs, input.docs), output.docs && `@returns ${output.docs}`].filter(Boolean).join('\n');
  const before = lead(said === '' ? {} : { docs: said }, options, '\n');
  return `${before}${options.prefix ?? ''}function ${name}(${parameter(input, options)}):Promise<${bare(output, options)}>;`;
}

function parameter(node: Node, options: RenderOptions): string {
  if (node.kind !== 'object') return `input:${bare(node, options)}`;
  const { properties, prefixes, rest, isSilent } = node;
  if (properties.size + prefixes.length === 0 && (rest === undefined || isSilent)) return '';
  const isOptional = [...properties.values()].every(({ required }) => !required);
  return `input${isOptional ? '?' : ''}:${bare(node, options)}`;
}

/** Includes the comment before the type. */
export function render(node: Node, options: RenderOptions): string {
  return lead(node, options, '') + bare(node, options);
}

function lead({ docs }: Pick<Node, 'docs'>, { silent }: RenderOptions, after: string): string {
  return docs === undefined || silent ? '' : comment(docs) + after;
}

function bare(node: Node, options: RenderOptions): string {
  if (options.cuts.has(node)) return 'unknown';
  switch (node.kind) {
    case 'unknown':
    case 'never':
      return node.kind;
    case 'primitive':
      return node.name;
    case 'literal':
      return quote(node.value);
    case 'reference':
      return short(node.to, options) ?? options.getName(node.to);
    case 'list':
      return list(node, options);
    case 'object':
      return object(node, options);
    case 'union':
      return distinct(node.members.map((member) => render(member, options))).join('|');
    case 'intersection':
      return intersection(node.members, options);
  }
}

/** The inline text if it is shorter than the name and carries no more. */
function short(definition: Definition, { cuts }: Pick<RenderOptions, 'cuts'>): string | undefined {
  const { node } = definition;
  if (definition.name !== undefined || node.docs !== undefined || cuts.has(node)) return undefined;
  if (node.kind === 'primitive') return node.name;
  return node.kind === 'unknown' || node.kind === 'never' ? node.kind : undefined;
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];

function quote(value: string | number | boolean): string {
  return JSON.stringify(value)
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
    .replaceAll('\u007f', '\\u007f');
}

const isCompound = (node: Node): boolean => node.kind === 'union' || node.kind === 'intersection';

/** In parentheses if `&` or `[]` would otherwise bind differently. */
function operand(node: Node, options: RenderOptions): string {
  const text = render(node, options);
  if (!isCompound(node) || options.cuts.has(node)) return text;
  const several = node.kind !== 'union' || distinct(node.members.map((member) => render(member, options))).length > 1;
  return several ? `(${text})` : text;
}

function list(node: ListNode, options: RenderOptions): string {
  if (node.head.length === 0 && node.rest) return `${operand(node.rest, options)}[]`;
  const items = node.head.map((item, index) => {
    if (index < node.required) return render(item, options);
    return `${operand(item, options)}?`;
  });
  if (node.rest) items.push(`...${operand(node.rest, options)}[]`);
  return `[${items.join(',')}]`;
}

function object(node: ObjectNode, options: RenderOptions): string {
  const lines = [...node.properties].map(([name, property]) => propertyLine(name, property, options));
  for (const [prefix, inner] of node.prefixes)
    lines.push(`${lead(inner, options, '')}[k:\`${prefix}\${string}\`]:${bare(inner, options)}`);
  const rest = options.closesSilent && isNamed(node) ? undefined : node.rest;
  if (rest) lines.push(`${lead(rest, options, '')}[k:string]:${restType(node, rest, options)}`);
  if (lines.length === 0) return '{[k:string]:never}';
  if (lines.length === 1 && lines[0] !== undefined && !lines[0].includes('\n')) return `{${lines[0]}}`;
  return `{\n${lines.join('\n')}\n}`;
}

/** Whether the schema names properties and says nothing about others. */
const isNamed = ({ isSilent, properties, rest }: ObjectNode): boolean =>
  isSilent === true && rest?.kind === 'unknown' && properties.size > 0;

function propertyLine(name: string, { node, required }: PropertyNode, options: RenderOptions): string {
  const key = isIdentifier(name) ? name : quote(name);
  const type = bare(node, options);
  const before = lead(node, options, '') + key;
  if (required || !inherited.has(name)) return `${before}${required ? '' : '?'}:${type}`;
  return `${before}?:${type}|Object[${quote(name)}]`;
}

/** The compiler requires that an index signature also allows every named property. */
function restType(node: ObjectNode, rest: Node, options: RenderOptions): string {
  if (rest.kind === 'unknown' || (node.properties.size === 0 && node.prefixes.length === 0)) return bare(rest, options);
  const types = [
    rest,
    ...[...node.properties.values()].map((property) => property.node),
    ...node.prefixes.map(([, inner]) => inner),
  ];
  if (types.some((type) => type.kind === 'unknown')) return 'unknown';
  const some = [...node.properties.values()].some(({ required }) => !required);
  const text = bare(union(types.map(withoutDocs)), { ...options, silent: true }) + (some ? '|undefined' : '');
  const sayable = text.length <= maxRest && ![...node.properties.keys()].some((name) => inherited.has(name));
  return sayable ? text : 'unknown';
}

/**
 * In an intersection, one open object makes the whole open, and one closed object closes it: the others omit
 * `[k:string]: unknown`, or no misspelt name would ever be found.
 */
function intersection(members: readonly Node[], options: RenderOptions): string {
  const shapes = members.map(getShape);
  const closed = shapes.some((shape) => shape?.kind === 'object' && !shape.rest);
  const keeper = closed ? undefined : members.find((_, index) => shapes[index]?.kind === 'object');
  const texts = members
    .map((member, index) =>
      member === keeper || !shapes.some((shape, at) => at !== index && shape?.kind === 'object')
        ? member
        : narrowed(member, options),
    )
    .filter((member) => member.kind !== 'unknown' || member.docs !== undefined)
    .map((member) => operand(member, options));
  return distinct(texts).join('&') || 'unknown';
}

/** The object that a reference leads to, if any. */
function getShape(node: Node): Node | undefined {
  let shape = node;
  for (let steps = 0; shape.kind === 'reference' && steps < 8; steps += 1) shape = shape.to.node;
  return shape.kind === 'object' ? shape : undefined;
}

function narrowed(node: Node, options: RenderOptions): Node {
  if (options.cuts.has(node)) return node;
  if (node.kind === 'union' || node.kind === 'intersection')
    return { ...node, members: node.members.map((member) => narrowed(member, options)) };
  if (node.kind !== 'object' || node.rest?.kind !== 'unknown' || node.rest.docs !== undefined) return node;
  if (node.properties.size > 0) return { ...node, rest: undefined };
  return node.docs === undefined ? unknown : { ...unknown, docs: node.docs };
}
