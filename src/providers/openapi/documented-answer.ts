/**
 * What a document says about the answer of an operation, as a small JSON Schema. It is shown to those who write programs, and
 * plans take their placeholders from it. Documents are often wrong about answers, so no answer is checked against it.
 */
import type { JsonSchema } from '../../domain/json.js';
import { isPlainObject } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { hasHiddenCharacters } from './clean-text.js';
import type { DocumentView } from './document-view.js';
import { isJsonType, plainType } from './media-types.js';
import type { Paging } from './paging.js';
import { resolved } from './references.js';
import { listTypes } from './schema-keywords.js';

type Source = Readonly<Record<string, unknown>>;

/** Levels of lists and objects: the first number at which the schema is small enough. */
const depths = [4, 3, 2, 1];
const maxCharacters = 2_000;
/** Parts of one schema that are looked at. */
const maxParts = 300;
const maxValues = 20;
/** Characters of a name or a value. */
const maxName = 100;

/** Returns the schema as JSON text; undefined if the document does not describe a successful answer in JSON. */
export type AnswerReader = (responses: unknown, paging?: Paging) => string | undefined;

/** Returns the reader for a document. Operations that refer to the same schema share its text. */
export function createAnswerReader(view: DocumentView): AnswerReader {
  const known = new Map<string, string | undefined>();
  return (responses, paging) => {
    try {
      const schema = findSchema(view, responses);
      const reference = isPlainObject(schema) && typeof schema.$ref === 'string' ? schema.$ref : undefined;
      const key = reference && JSON.stringify([reference, paging?.key, paging?.numeric]);
      if (key !== undefined && known.has(key)) return known.get(key);
      const text = write(view, schema, paging);
      if (key !== undefined) known.set(key, text);
      return text;
    } catch {
      // A document that cannot be followed here says nothing about its answers. The operation can be called all the same.
      return undefined;
    }
  };
}

function write(view: DocumentView, schema: unknown, paging: Paging | undefined): string | undefined {
  if (schema === undefined) return undefined;
  for (const depth of depths) {
    const made = describe(schema, { view, depth, parts: 0 });
    if (!made || Object.keys(made).length === 0) continue;
    const text = JSON.stringify(paging ? withPage(made, paging) : made);
    if (text.length <= maxCharacters) return text;
  }
  return undefined;
}

function findSchema(view: DocumentView, responses: unknown): unknown {
  if (!isPlainObject(responses)) return undefined;
  for (const status of Object.keys(responses).filter((one) => /^2(?:\d\d|XX)$/i.test(one))) {
    const content = resolved(view, responses[status])?.content;
    if (!isPlainObject(content)) continue;
    const json = Object.entries(content).find(([type]) => isJsonType(plainType(type)) || type === '*/*');
    if (isPlainObject(json?.[1]) && json[1].schema !== undefined) return json[1].schema;
  }
  return undefined;
}

interface Reading {
  readonly view: DocumentView;
  /** Levels that are left. */
  readonly depth: number;
  parts: number;
}

/** Undefined if there are too many parts; `{}` for what is not described. */
function describe(schema: unknown, reading: Reading): JsonSchema | undefined {
  reading.parts += 1;
  if (reading.parts > maxParts) return undefined;
  const source = resolved(reading.view, schema);
  if (source === undefined || reading.depth === 0) return {};
  const { enum: values, anyOf, oneOf } = source;
  if (Array.isArray(values) && values.length <= maxValues && values.every(isShown)) return { enum: values };
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices) && choices.length <= maxValues) {
    const parts = choices.map((one) => describe(one, reading));
    return parts.every((one) => one !== undefined) ? { anyOf: parts } : undefined;
  }
  const below = { ...reading, depth: reading.depth - 1 };
  const made = describeValue(source, below);
  reading.parts = below.parts;
  return made && isNullable(source) ? orNull(made) : made;
}

function describeValue(source: Source, reading: Reading): JsonSchema | undefined {
  const { type, ...rest } = listTypes(source);
  const [first, ...others] = [type ?? []].flat().filter((one) => one !== 'null');
  const members = readMembers(source, reading, { properties: new Map(), required: new Set() });
  if (members.properties.size > 0 || (first === 'object' && others.length === 0))
    return describeObject(source, members, reading);
  if (first === 'array' && others.length === 0) return describeList(source, reading);
  return first === undefined ? rest : { type: others.length === 0 ? first : [first, ...others] };
}

const isNullable = ({ nullable, type }: Source): boolean =>
  nullable === true || (Array.isArray(type) && type.includes('null'));

const orNull = (schema: JsonSchema): JsonSchema =>
  Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };

/** Names and values that a person reads as they are. */
const isShown = (text: unknown): boolean =>
  typeof text !== 'string' || (text.length <= maxName && !hasHiddenCharacters(text));

interface Members {
  readonly properties: Map<string, unknown>;
  readonly required: Set<unknown>;
}

/** Its own members, and those of all parts of `allOf`. */
function readMembers(source: Source, reading: Reading, into: Members): Members {
  if (isPlainObject(source.properties))
    for (const [name, property] of Object.entries(source.properties))
      if (isShown(name)) into.properties.set(name, property);
  if (Array.isArray(source.required)) for (const name of source.required) into.required.add(name);
  for (const part of Array.isArray(source.allOf) ? source.allOf : []) {
    reading.parts += 1;
    if (reading.parts > maxParts) break;
    readMembers(resolved(reading.view, part) ?? {}, reading, into);
  }
  return into;
}

function describeObject(source: Source, { properties, required }: Members, reading: Reading): JsonSchema | undefined {
  const told: [string, JsonSchema][] = [];
  for (const [name, property] of properties) {
    const made = describe(property, reading);
    if (made === undefined) return undefined;
    if (!isPlainObject(property) || property.writeOnly !== true) told.push([name, made]);
  }
  const { additionalProperties: others } = source;
  const open = told.length === 0 || others === true || isPlainObject(others);
  const values = isPlainObject(others) && told.length === 0 ? describe(others, reading) : true;
  if (values === undefined) return undefined;
  const needed = told.map(([name]) => name).filter((name) => required.has(name));
  return {
    type: 'object',
    properties: Object.fromEntries(told),
    ...defined({ required: needed.length > 0 ? needed : undefined }),
    additionalProperties: open ? values : false,
  };
}

function describeList({ items }: Source, reading: Reading): JsonSchema | undefined {
  const made = describe(items ?? {}, reading);
  return made && { type: 'array', items: made };
}

/** What `withPage` of paging.ts makes of the body. */
function withPage(body: JsonSchema, { key, numeric }: Paging): JsonSchema {
  const next = { type: 'object', properties: { [key]: { type: numeric ? 'number' : 'string' } }, required: [key] };
  const page = { type: 'object', properties: { next } };
  if (body.type === 'array')
    return { type: 'object', properties: { items: body, _page: page }, required: ['items', '_page'] };
  if (!isPlainObject(body.properties)) return body;
  const required = Array.isArray(body.required) ? body.required : [];
  return { ...body, properties: { ...body.properties, _page: page }, required: [...required, '_page'] };
}
