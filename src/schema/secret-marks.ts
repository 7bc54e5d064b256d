/**
 * Which parts of a value the schema itself marks as secret (`writeOnly`, `format: password`): also by reference, in a branch, for every
 * other member, and for items.
 */
import type { JsonSchema } from '../domain/json.js';
import { isPlainObject, objectOrEmpty } from '../util/canonical.js';
import { findMatcher } from './patterns/index.js';
import { createReferences, type Place, type References } from './references.js';

/** The marks of one value and of its parts. */
export interface SecretMarks {
  readonly isSecret: boolean;
  member(name: string): SecretMarks;
  item(index: number): SecretMarks;
}

/** Schemas of tools are immutable, so each is looked at once. Null if it marks nothing. */
const marksBySchema = new WeakMap<JsonSchema, SecretMarks | null>();

/** Undefined if the schema marks nothing. */
export function findSecretMarks(schema: JsonSchema): SecretMarks | undefined {
  const known = marksBySchema.get(schema);
  if (known !== undefined) return known ?? undefined;
  const marks = readMarks(schema);
  marksBySchema.set(schema, marks ?? null);
  return marks;
}

function readMarks(schema: JsonSchema): SecretMarks | undefined {
  if (!/"writeOnly":true|"format":"password"/.test(JSON.stringify(schema))) return undefined;
  // Every other document counts as one that says nothing, so that an unknown `$schema` is no error here.
  const references = createReferences(schema, { remotes: () => ({}) });
  return marksOf([references.root], references);
}

function marksOf(given: readonly Place[], references: References): SecretMarks {
  const places = withBranches(given, references);
  const below = (find: (schema: Schema) => readonly unknown[]) =>
    marksOf(
      places.flatMap((from) => find(from.schema).map((schema) => references.placeOf(schema, from))),
      references,
    );
  return {
    isSecret: places.some(({ schema }) => schema.writeOnly === true || schema.format === 'password'),
    member: (name) => below((schema) => memberSchemas(schema, name)),
    item: (index) => below((schema) => [itemSchema(schema, index)]),
  };
}

type Schema = Readonly<Record<string, unknown>>;

/** The schemas, with what references and the combining keywords add to them. */
function withBranches(given: readonly Place[], references: References): (Place & { readonly schema: Schema })[] {
  const found = new Map<object, Place & { readonly schema: Schema }>();
  const add = ({ schema, resource }: Place): void => {
    if (!isPlainObject(schema) || found.has(schema)) return;
    const place = { schema, resource };
    found.set(schema, place);
    const { $ref, $dynamicRef, $recursiveRef, dependentSchemas } = schema;
    const branches = [
      ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => toList(schema[keyword])),
      ...['if', 'then', 'else'].map((keyword) => schema[keyword]),
      ...Object.values(objectOrEmpty(dependentSchemas)),
    ];
    for (const branch of branches) add(references.placeOf(branch, place));
    for (const reference of [$ref, $dynamicRef, $recursiveRef]) {
      const target = typeof reference === 'string' ? references.resolve(place, reference) : undefined;
      if (target) add(target);
    }
  };
  for (const place of given) add(place);
  return [...found.values()];
}

function memberSchemas({ properties, patternProperties, additionalProperties }: Schema, name: string): unknown[] {
  const named = isPlainObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
  const patterns = Object.entries(objectOrEmpty(patternProperties));
  const fitting = patterns.filter(([pattern]) => fits(pattern, name)).map(([, schema]) => schema);
  const all = [...named, ...fitting];
  return all.length > 0 ? all : [additionalProperties];
}

function fits(pattern: string, name: string): boolean {
  const found = findMatcher(pattern);
  return 'matcher' in found && found.matcher.test(name) === true;
}

/** A tuple is in `prefixItems`, or in `items` in older drafts. */
function itemSchema({ prefixItems, items, additionalItems }: Schema, index: number): unknown {
  if (Array.isArray(items)) return items[index] ?? additionalItems;
  return toList(prefixItems)[index] ?? items;
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
