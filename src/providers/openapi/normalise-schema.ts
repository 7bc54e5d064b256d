/**
 * Converts a schema of OpenAPI 3.0 or 3.1 to a JSON Schema (2020-12) for a caller's input. It accepts everything that the
 * document accepts: if the two cannot be reconciled, or the document contradicts itself, the result is more open,
 * never narrower. Annotations are added to the description.
 *
 * `default` becomes an annotation: the plane would fill it in, but an API may distinguish a value that was sent from one
 * that was not. `oneOf` becomes `anyOf`: real documents have alternatives that overlap (`integer` or `number`).
 */
import type { JsonSchema } from '../../domain/json.js';
import { isPlainObject } from '../../util/canonical.js';
import { hasHiddenCharacters } from './clean-text.js';
import type { DocumentView } from './document-view.js';
import type { InPlaceReferences } from './in-place-references.js';
import { limits } from './limits.js';
import { pathOfReference } from './references.js';
import { describeSchema, listTypes, normaliseEnum, plainKeywords } from './schema-keywords.js';

export interface Normalised {
  readonly schema: JsonSchema;
  /** Names of the definitions it refers to. */
  readonly references: ReadonlySet<string>;
}

export interface NormaliserOptions {
  readonly view: DocumentView;
  /** Returns the name of the definition for a reference; throws if the reference leaves the document. */
  readonly nameOf: (reference: string) => string;
  readonly inPlace: InPlaceReferences;
}

type Source = Readonly<Record<string, unknown>>;
type Draft = Record<string, unknown>;

interface Attempt {
  readonly depth: number;
  readonly descriptions: number;
}

interface State extends NormaliserOptions, Attempt {
  readonly references: Set<string>;
  parts: number;
}

/** From the full depth to the outermost parts, until it fits. */
const attempts: readonly Attempt[] = [
  { depth: 40, descriptions: limits.fieldDescription },
  { depth: 10, descriptions: 120 },
  { depth: 6, descriptions: 60 },
  { depth: 4, descriptions: 40 },
  { depth: 3, descriptions: 0 },
  { depth: 2, descriptions: 0 },
];
const maxParts = 3_000;
/** A validator checks the members of one object in one nested expression, which must fit the machine's stack. */
const maxProperties = 250;

/** `owner`: the reference under which the schema itself is known. */
export function createNormaliser(options: NormaliserOptions) {
  return (schema: unknown, max: number, owner?: string): Normalised => {
    for (const attempt of attempts) {
      const state: State = { ...options, ...attempt, references: new Set(), parts: 0 };
      const made = part(schema, state, 0, owner);
      if (state.parts > maxParts || JSON.stringify(made).length > max) continue;
      return { schema: made, references: state.references };
    }
    const types = isPlainObject(schema) ? listTypes(schema) : {};
    return { schema: { ...types, description: 'Its schema is too large to be shown' }, references: new Set() };
  };
}

function part(schema: unknown, state: State, depth: number, owner: string | undefined): JsonSchema {
  state.parts += 1;
  if (schema === false) return { not: {} };
  if (!isPlainObject(schema) || state.parts > maxParts) return {};
  if (typeof schema.$ref === 'string') return reference(schema, schema.$ref, state, owner);
  const nullable = schema.nullable === true || (Array.isArray(schema.type) && schema.type.includes('null'));
  const draft: Draft = { ...listTypes(schema), ...plainKeywords(schema) };
  if (depth < state.depth) {
    objectKeywords(schema, draft, state, depth);
    arrayKeywords(schema, draft, state, depth);
    choices(schema, draft, state, depth, owner);
  }
  const values = normaliseEnum(schema, draft.type);
  if (values) draft.enum = values;
  const description = describeSchema(schema, state.descriptions);
  if (description !== undefined) draft.description = description;
  return nullable ? orNull(draft) : draft;
}

function reference(schema: Source, target: string, state: State, owner: string | undefined): JsonSchema {
  if (state.view.get(pathOfReference(target)) === undefined) return { description: 'Not described by the document' };
  // A circular chain of references says nothing.
  if (owner !== undefined && state.inPlace.leadsBack(target, owner, true)) return {};
  const name = state.nameOf(target);
  state.references.add(name);
  const description = describeSchema({ description: schema.description }, state.descriptions);
  const pointer = { $ref: `#/$defs/${name}` };
  const described = description === undefined ? pointer : { ...pointer, description };
  return schema.nullable === true ? { anyOf: [described, { type: 'null' }] } : described;
}

function objectKeywords(schema: Source, draft: Draft, state: State, depth: number): void {
  const { properties, required } = schema;
  const declared = isPlainObject(properties) ? Object.entries(properties) : [];
  const dropped = new Set(declared.filter(([name, property]) => !isSendable(name, property)).map(([name]) => name));
  const sendable = declared.filter(([name]) => !dropped.has(name));
  if (isPlainObject(properties))
    draft.properties = Object.fromEntries(
      sendable.slice(0, maxProperties).map(([name, property]) => [name, findMember(name, property, state, depth)]),
    );
  const others = schemaOfOthers(schema, sendable.length);
  if (others !== undefined) draft.additionalProperties = others && part(others, state, depth + 1, undefined);
  if (Array.isArray(required)) {
    const names = new Set(required.filter((name) => typeof name === 'string' && !dropped.has(name)));
    if (names.size > 0 && names.size <= maxProperties) draft.required = [...names];
  }
}

function isSendable(name: string, property: unknown): boolean {
  return name !== '__proto__' && !hasHiddenCharacters(name) && !(isPlainObject(property) && property.readOnly === true);
}

/** What the copy says of members that the schema does not name: nothing if some that it names are left out. */
function schemaOfOthers(
  { patternProperties, additionalProperties }: Source,
  named: number,
): Source | false | undefined {
  if (isPlainObject(patternProperties)) return undefined;
  if (additionalProperties === false) return named > maxProperties ? undefined : false;
  if (!isPlainObject(additionalProperties) || Object.keys(additionalProperties).length === 0) return undefined;
  return additionalProperties;
}

/** The validator treats inherited names (`toString`) as members: such a name can only be left open. */
export const isInherited = (name: string): boolean => name in Object.prototype;

const findMember = (name: string, property: unknown, state: State, depth: number): JsonSchema =>
  isInherited(name) ? {} : part(property, state, depth + 1, undefined);

function arrayKeywords(schema: Source, draft: Draft, state: State, depth: number): void {
  if (isPlainObject(schema.items)) draft.items = part(schema.items, state, depth + 1, undefined);
  if (Array.isArray(schema.prefixItems))
    draft.prefixItems = schema.prefixItems.map((item) => part(item, state, depth + 1, undefined));
}

function choices(schema: Source, draft: Draft, state: State, depth: number, owner: string | undefined): void {
  const all = listMembers(schema.allOf).map((member) => inAll(member, state, depth, owner));
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const members = listMembers(schema[keyword]).filter((member) => !comesBack(member, state, owner));
    if (members.length === 0) continue;
    const made = members.map((member) => part(member, state, depth + 1, owner));
    if (draft.anyOf === undefined) draft.anyOf = made;
    else all.push({ anyOf: made });
  }
  const telling = all.filter((member) => Object.keys(member).length > 0);
  if (telling.length > 0) draft.allOf = telling;
}

const listMembers = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, maxProperties) : []);

const comesBack = (member: unknown, { inPlace }: State, owner: string | undefined): boolean =>
  owner !== undefined &&
  isPlainObject(member) &&
  typeof member.$ref === 'string' &&
  inPlace.leadsBack(member.$ref, owner, true);

/** A subtype of a base type that lists its subtypes takes over the base's own members. */
function inAll(member: unknown, state: State, depth: number, owner: string | undefined): JsonSchema {
  if (owner === undefined || !isPlainObject(member) || typeof member.$ref !== 'string')
    return part(member, state, depth + 1, owner);
  if (!state.inPlace.leadsBack(member.$ref, owner, false)) return part(member, state, depth + 1, owner);
  const base = state.view.get(pathOfReference(member.$ref));
  if (!isPlainObject(base)) return {};
  const { $ref: _, allOf: __, anyOf: ___, oneOf: ____, ...own } = base;
  return part(own, state, depth + 1, undefined);
}

function orNull(draft: Draft): JsonSchema {
  if (Array.isArray(draft.enum)) draft.enum = [...new Set([...draft.enum, null])];
  const { type } = draft;
  if (typeof type === 'string') return { ...draft, type: [type, 'null'] };
  if (Array.isArray(type)) return { ...draft, type: [...new Set([...type, 'null'])] };
  if (draft.allOf === undefined && draft.anyOf === undefined) return draft;
  const { description, ...rest } = draft;
  const either = { anyOf: [rest, { type: 'null' }] };
  return description === undefined ? either : { ...either, description };
}
