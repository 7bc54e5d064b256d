/**
 * One walk over a schema, before anything is built: which of its parts are reached more than once (they get a name, so
 * every cycle has one) and which are too deep to be inlined (they get a name too, so that no later step has to follow a
 * schema deeper than `maxDepth`). Walks with its own stack and stops at `maxParts`.
 */
import { HelveError } from '../../domain/errors.js';
import { isPlainObject } from '../../util/canonical.js';
import type { Place, References } from '../references.js';
import { listSubschemas } from '../subschemas.js';
import { getTarget } from './target.js';

/** Larger schemas are refused: the text would be longer than any model reads, and block the thread for too long. */
const maxParts = 6_000;
const maxSeen = 4 * maxParts;
const maxText = 1_000_000;
/** The cost of a schema that has to be merged with what it refers to. */
const joined = 4;
const maxDepth = 14;

export interface Survey {
  /** Schemas that get their own name, and the name they have where they are reached from. */
  readonly named: ReadonlyMap<object, string>;
}

interface Step {
  readonly place: Place;
  readonly hint: string;
  readonly depth: number;
  readonly referred: boolean;
}

const single = ['additionalItems', 'additionalProperties', 'else', 'if', 'items', 'then', 'unevaluatedProperties'];
const lists = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'];
const maps = ['dependencies', 'dependentSchemas', 'patternProperties', 'properties'];
/** Without these, a schema is so short that a name for it would be longer. */
const structural = ['$ref', 'allOf', 'anyOf', 'oneOf', 'properties', 'items', 'prefixItems', 'additionalProperties'];

export function survey(root: Place, references: References): Survey {
  /** Each with its name at its first location. */
  const seen = new Map<object, string>();
  const named = new Map<object, string>();
  const stack: Step[] = [{ place: root, hint: '', depth: 0, referred: false }];
  let left = maxParts;
  let text = 0;
  for (let step = stack.pop(); step; step = stack.pop()) {
    const { schema } = step.place;
    if (!isPlainObject(schema)) continue;
    const before = seen.get(schema);
    if (before !== undefined) {
      if (step.referred || isStructural(schema)) named.set(schema, step.referred ? step.hint : before);
      continue;
    }
    seen.set(schema, step.hint);
    const deep = step.depth >= maxDepth && isStructural(schema);
    if (deep) named.set(schema, step.hint);
    const depth = deep ? 0 : step.depth + 1;
    if (Array.isArray(schema.enum)) left -= schema.enum.length;
    if (typeof schema.$ref === 'string' && Object.hasOwn(schema, 'properties')) left -= joined;
    text += measureLength(schema.description) + measureLength(schema.title);
    if (left < 0 || text > maxText) throw tooLarge();
    left = pushParts(stack, step, schema, depth, references, left);
  }
  return { named };
}

const isStructural = (schema: Record<string, unknown>): boolean =>
  structural.some((keyword) => Object.hasOwn(schema, keyword));

/** A quick check before an uninspected schema is processed: unused definitions count too. */
export function refuseHuge(schema: unknown): void {
  const seen = new Set<object>();
  const stack: unknown[] = [schema];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (!isPlainObject(next) || seen.has(next)) continue;
    seen.add(next);
    const parts = listSubschemas(next);
    if (seen.size + stack.length + parts.length > maxSeen) throw tooLarge();
    for (const part of parts) stack.push(part);
  }
}

const measureLength = (value: unknown): number => (typeof value === 'string' ? value.length : 0);

function pushParts(
  stack: Step[],
  step: Step,
  schema: Record<string, unknown>,
  depth: number,
  references: References,
  left: number,
): number {
  const target = getTarget(step.place, references);
  if (target) {
    const { place, hint } = target;
    stack.push({ place, hint, depth, referred: true });
    if (target.alone) return left;
  }
  let room = left;
  const push = (part: unknown, hint: string): void => {
    if (part === undefined) return;
    room -= 1;
    if (room < 0) throw tooLarge();
    if (isPlainObject(part)) stack.push({ place: references.placeOf(part, step.place), hint, depth, referred: false });
  };
  for (const keyword of single) push(schema[keyword], step.hint);
  for (const keyword of lists) {
    const members = schema[keyword];
    if (Array.isArray(members)) for (const member of members) push(member, step.hint);
  }
  for (const keyword of maps) {
    const members = schema[keyword];
    if (isPlainObject(members)) for (const name of Object.keys(members)) push(members[name], name);
  }
  return room;
}

function tooLarge(): HelveError {
  const limit = `${maxParts} parts or ${maxText} characters of description`;
  return new HelveError('too_large', `The schema has more than ${limit}: too large to be printed as types`, {
    hint: 'Use a smaller schema, or describe the tool without types.',
  });
}
