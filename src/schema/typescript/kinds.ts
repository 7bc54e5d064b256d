/**
 * Which of JSON's six kinds of value a schema can allow: an upper bound, found quickly. With it, `{ required: ['a'] }`
 * next to `type: object` is known to concern only objects, although on its own it allows numbers.
 */
import { isPlainObject } from '../../util/canonical.js';
import type { Place, References } from '../references.js';
import { type Schema, schemaAt } from './keywords.js';
import { getTarget } from './target.js';

export const kinds = { null: 1, boolean: 2, number: 4, string: 8, array: 16, object: 32 } as const;
export const everyKind = 63;

const byType: Readonly<Record<string, number>> = { ...kinds, integer: kinds.number };
const maxSteps = 24;

/** The kinds that `type` names, with null for `nullable`; all of them without `type`. */
function kindsOfType(schema: Schema): number {
  const { type } = schema;
  const names: readonly unknown[] = typeof type === 'string' ? [type] : Array.isArray(type) ? type : [];
  // An unknown type name constrains nothing, as far as can be known here.
  if (names.length === 0 || names.some((name) => typeof name !== 'string' || !Object.hasOwn(byType, name)))
    return everyKind;
  const named = names.reduce<number>((all, name) => all | (byType[String(name)] ?? 0), 0);
  return schema.nullable === true ? named | kinds.null : named;
}

export function kindOfValue(value: unknown): number {
  if (value === null) return kinds.null;
  if (Array.isArray(value)) return kinds.array;
  return byType[typeof value] ?? 0;
}

export type KindsOf = (place: Place) => number;

export function createKinds(references: References): KindsOf {
  const known = new Map<object, number>();
  const look = (place: Place, steps: number): number => {
    const raw = place.schema;
    if (raw === false) return 0;
    if (!isPlainObject(raw)) return everyKind;
    const before = known.get(raw);
    if (before !== undefined) return before;
    if (steps > maxSteps) return everyKind;
    // If it is reached again in a cycle, it could be anything.
    known.set(raw, everyKind);
    const found = bound(
      schemaAt(place),
      place,
      (part) => look(references.placeOf(part, place), steps + 1),
      (to) => look(to, steps + 1),
    );
    known.set(raw, found);
    return found;
  };
  const bound = (
    schema: Schema,
    place: Place,
    part: (schema: unknown) => number,
    at: (place: Place) => number,
  ): number => {
    const target = getTarget(place, references);
    if (target?.alone) return at(target.place);
    let all = kindsOfType(schema) & kindsOfValues(schema);
    if (target) all &= at(target.place);
    for (const member of toList(schema.allOf)) all &= part(member);
    for (const choices of [schema.anyOf, schema.oneOf]) {
      const members = toList(choices);
      if (members.length > 0) all &= members.reduce<number>((sum, member) => sum | part(member), 0);
    }
    return schema.nullable === true && schema.type === undefined ? all | kinds.null : all;
  };
  return (place) => look(place, 0);
}

function kindsOfValues(schema: Schema): number {
  if (Object.hasOwn(schema, 'const')) return kindOfValue(schema.const);
  if (!Array.isArray(schema.enum)) return everyKind;
  return schema.enum.reduce<number>((all, value) => all | kindOfValue(value), 0);
}

export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
