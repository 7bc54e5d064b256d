/**
 * A tool's definition as one text: what a model sees and what decides how the tool is called. Two definitions that
 * differ only in the order of keys and sets or in white space have the same text, so that its hash needs to be agreed
 * to only once.
 *
 * It is in `util` because providers create it and the registry compares it.
 */
import type { Tool } from '../domain/tool.js';
import { canonicalJson, isPlainObject } from './canonical.js';
import { sha256 } from './hash.js';

/** As the maker of the tool sent it, before anything was cut or escaped. */
export interface DefinedTool {
  readonly name: string;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
}

/** Returns the definition as canonical JSON. Throws `invalid_input` if it is too deep or too wide to be a tool. */
export function toDefinition(tool: DefinedTool): string {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  // First the raw value: this bounds depth and width for everything that follows.
  canonicalJson([inputSchema, outputSchema ?? null, annotations ?? null]);
  return canonicalJson({
    name,
    title: prose(title),
    description: prose(description),
    inputSchema: normalSchema(inputSchema),
    outputSchema: outputSchema === undefined ? undefined : normalSchema(outputSchema),
    annotations: isPlainObject(annotations) ? { ...annotations, title: prose(annotations.title) } : annotations,
  });
}

/** Returns the name under which a workspace agrees to the tool's definition. */
export function definitionName({ id, definition }: Pick<Tool, 'id' | 'definition'>): string {
  return definition?.name ?? id.name;
}

/** Returns the hash of a definition text: the value that a workspace agrees to. */
export function definitionHash(definition: string): string {
  return sha256(definition);
}

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
export const schemaKeywords = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
export const schemaListKeywords = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
export const schemaMapKeywords = new Set([
  '$defs',
  'definitions',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);
/** Lists whose order has no meaning. */
const setKeywords = new Set(['allOf', 'anyOf', 'enum', 'examples', 'oneOf', 'required', 'type']);
const proseKeywords = new Set(['$comment', 'description', 'title']);

function normalSchema(schema: unknown): unknown {
  if (!isPlainObject(schema)) return schema;
  return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, normalValue(keyword, value)]));
}

function normalValue(keyword: string, value: unknown): unknown {
  if (proseKeywords.has(keyword)) return prose(value);
  if (schemaMapKeywords.has(keyword)) return mapMembers(value, normalSchema);
  if (schemaListKeywords.has(keyword) && Array.isArray(value)) {
    const members = value.map(normalSchema);
    return setKeywords.has(keyword) ? asSet(members) : members;
  }
  // `items` could also be a list, up to draft 2019-09.
  if (schemaKeywords.has(keyword)) return Array.isArray(value) ? value.map(normalSchema) : normalSchema(value);
  if (keyword === 'dependentRequired')
    return mapMembers(value, (names) => (Array.isArray(names) ? asSet(names) : names));
  return setKeywords.has(keyword) && Array.isArray(value) ? asSet(value) : value;
}

function mapMembers(value: unknown, change: (member: unknown) => unknown): unknown {
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]));
}

function asSet(members: readonly unknown[]): unknown[] {
  const byText = new Map(members.map((member) => [canonicalJson(member), member]));
  return [...byText.keys()].sort().map((text) => byText.get(text));
}

/**
 * Collapses ordinary white space only: a no-break or zero-width space is a change. Values (enum, default) are left
 * alone.
 */
function prose(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, '') : value;
}
