/**
 * Converts a schema to a tree of types. The type allows whatever the schema allows: what TypeScript cannot express
 * (bounds, patterns, `not` in most cases, that only one of `oneOf` may match) is omitted from the type and written in
 * the comment.
 */
import { isPlainObject } from '../../util/canonical.js';
import type { Place, References } from '../references.js';
import type { BuildPart } from './build-part.js';
import { choice } from './choice.js';
import { conditions } from './conditions.js';
import { type DocsRole, writeDocs } from './docs.js';
import { type Schema, schemaAt } from './keywords.js';
import { createKinds, everyKind, type KindsOf, kindOfValue, kinds, toList } from './kinds.js';
import { buildList } from './list.js';
import { meet } from './meet.js';
import { type Definition, joinDocs, literal, type Node, never, union, unknown, withDocs } from './node.js';
import { buildObject } from './object.js';
import { survey } from './survey.js';
import { getTarget } from './target.js';

/** Without any of these, a schema is described by its own keywords alone. */
const combining = ['$ref', '$dynamicRef', '$recursiveRef', 'allOf', 'anyOf', 'oneOf', 'if', 'not', 'nullable'].concat([
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
]);

export interface BuildOptions {
  /** For a function: what it takes, or what it answers. Undefined: everything is written. */
  readonly role?: DocsRole;
}

interface Builder extends BuildOptions {
  readonly references: References;
  readonly kindsOf: KindsOf;
  readonly named: ReadonlyMap<object, string>;
  readonly definitions: Map<object, Definition>;
  readonly waiting: { definition: Definition; place: Place }[];
}

/** Returns the definition of `name`, and those it needs. Throws `too_large`. */
export function buildDefinitions(name: string, references: References, options: BuildOptions = {}): Definition[] {
  const { root } = references;
  const { named } = survey(root, references);
  const main: Definition = { hint: name, name, node: unknown };
  const definitions = new Map<object, Definition>();
  if (isPlainObject(root.schema)) definitions.set(root.schema, main);
  const waiting = [{ definition: main, place: root }];
  const builder: Builder = { ...options, references, kindsOf: createKinds(references), named, definitions, waiting };
  const built: Definition[] = [];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    next.definition.node = body(next.place, everyKind, next.definition.hint, builder);
    built.push(next.definition);
  }
  return built;
}

function build(place: Place, allowed: number, name: string, builder: Builder): Node {
  const { schema } = place;
  if (schema === false) return never;
  if (!isPlainObject(schema)) return ofKinds(allowed);
  const to = builder.definitions.get(schema) ?? define(place, schema, builder);
  return to ? { kind: 'reference', to } : body(place, allowed, name, builder);
}

function define(place: Place, schema: object, builder: Builder): Definition | undefined {
  const hint = builder.named.get(schema);
  if (hint === undefined) return undefined;
  const definition: Definition = { hint, node: unknown };
  builder.definitions.set(schema, definition);
  builder.waiting.push({ definition, place });
  return definition;
}

function body(place: Place, allowed: number, name: string, builder: Builder): Node {
  if (place.schema === false) return never;
  const schema = schemaAt(place);
  const { references, kindsOf } = builder;
  const docs = writeDocs(schema, name, builder.role);
  if (!combining.some((keyword) => schema[keyword] !== undefined)) {
    const plain = allowed & kindsOf(place);
    return withDocs(own(schema, name, plain, getPart(place, builder)) ?? ofKinds(plain), docs);
  }
  const possible = allowed & kindsOf(place);
  const part = getPart(place, builder);
  const target = getTarget(place, references);
  const parts: Node[] = target ? [build(target.place, possible, name, builder)] : [];
  // The kinds that remain when only the referenced schema is considered.
  let bound = target ? kindsOf(target.place) : everyKind;
  if (target?.alone) return withDocs(inKinds(parts, bound, possible), docs);
  for (const member of toList(schema.allOf)) {
    parts.push(part(member, name, possible));
    bound &= kindsOf(references.placeOf(member, place));
  }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const members = toList(schema[keyword]);
    if (members.length === 0) continue;
    parts.push(choice(keyword, members, possible, (member) => part(member, name, possible)));
    bound &= members.reduce<number>((all, member) => all | kindsOf(references.placeOf(member, place)), 0);
  }
  parts.push(...conditions(schema, possible, (inner) => part(inner, name, possible)));
  const base = own(schema, name, possible, part);
  const node = base ? meet([base, ...parts]) : inKinds(parts, bound, possible);
  return withDocs(orNull(schema, node, allowed), joinDocs(docs, unresolved(schema, target !== undefined)));
}

const getPart =
  (place: Place, builder: Builder): BuildPart =>
  (inner, name, allowed = everyKind) =>
    build(builder.references.placeOf(inner, place), allowed, name, builder);

/** Combines the parts; adds the kinds as another part if the parts alone would allow other kinds. */
function inKinds(parts: readonly Node[], bound: number, possible: number): Node {
  return (bound & ~possible) === 0 && parts.length > 0 ? meet(parts) : meet([ofKinds(possible), ...parts]);
}

/** What the schema's own keywords express; undefined if that is no more than its kinds. */
function own(schema: Schema, name: string, possible: number, part: BuildPart): Node | undefined {
  const values = Object.hasOwn(schema, 'const') ? [schema.const] : schema.enum;
  if (Array.isArray(values))
    return union(values.filter((value) => kindOfValue(value) & possible).map((value) => literal(value)));
  const object = possible & kinds.object ? buildObject(schema, name, part) : undefined;
  const list = possible & kinds.array ? buildList(schema, name, part) : undefined;
  if (!object && !list) return undefined;
  const others = possible & ~(object ? kinds.object : 0) & ~(list ? kinds.array : 0);
  return union([...(object ? [object] : []), ...(list ? [list] : []), ...(others === 0 ? [] : [ofKinds(others)])]);
}

const openObject: Node = { kind: 'object', properties: new Map(), rest: unknown, prefixes: [] };
const anyList: Node = { kind: 'list', head: [], required: 0, rest: unknown };

function ofKinds(allowed: number): Node {
  if (allowed === everyKind) return unknown;
  const members: Node[] = [];
  for (const name of ['string', 'number', 'boolean'] as const)
    if (allowed & kinds[name]) members.push({ kind: 'primitive', name });
  if (allowed & kinds.object) members.push(openObject);
  if (allowed & kinds.array) members.push(anyList);
  if (allowed & kinds.null) members.push({ kind: 'primitive', name: 'null' });
  return union(members);
}

/**
 * `nullable` of OpenAPI 3.0. Next to a type, null is already one of its kinds; alone, validators disagree on whether it
 * counts, and its author means that it does.
 */
function orNull(schema: Schema, node: Node, allowed: number): Node {
  const alone =
    schema.nullable === true && !['type', 'enum', 'const'].some((keyword) => Object.hasOwn(schema, keyword));
  if (!alone || !(allowed & kinds.null) || hasNull(node)) return node;
  return union([node, { kind: 'primitive', name: 'null' }]);
}

const hasNull = (node: Node): boolean =>
  node.kind === 'unknown' ||
  (node.kind === 'primitive' && node.name === 'null') ||
  (node.kind === 'union' && node.members.some(hasNull));

/** An unresolvable reference (nothing is ever fetched) is named in the comment and allows everything. */
function unresolved(schema: Schema, resolved: boolean): string | undefined {
  return typeof schema.$ref === 'string' && !resolved ? `@see ${schema.$ref.slice(0, 300)}` : undefined;
}
