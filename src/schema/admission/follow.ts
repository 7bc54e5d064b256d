/**
 * Follows every reference of a schema once: each must lead to something, none may refer to itself without going deeper
 * into the value, and the number of schemas for one value must stay within bounds.
 */
import type { JsonSchema } from '../../domain/json.js';
import { isPlainObject } from '../../util/canonical.js';
import type { Place, References } from '../references.js';
import { own } from '../run.js';
import { subschemaForms } from '../subschemas.js';
import { type Inspection, inspect } from './inspect.js';
import { refusal, shown, type Trail } from './refusal.js';

/** Maximum number of schemas that one value may be checked against, counting all alternatives. */
const maxParallel = 10_000;

interface Step {
  readonly place: Place;
  readonly trail: Trail | undefined;
  /** The schemas that apply to the same value. */
  readonly here: Place[];
  /** 0: not started; -1: being counted; otherwise how many schemas it stands for. */
  weight: number;
}

export function followReferences(references: References, found: Inspection): void {
  const steps = new Map<unknown, Step>();
  const reach = (place: Place, trail: Trail | undefined): void => spread(references, place, trail, steps);
  reach(references.root, undefined);
  // Grows during the walk: a reference may lead to schemas that were not inspected.
  for (const step of steps.values()) {
    for (const keyword of referringIn(step.place)) {
      const target = String(own(step.place.schema as JsonSchema, keyword));
      const trail = { up: step.trail, key: keyword };
      const place = references.resolve(step.place, target);
      if (!place) throw dangling(keyword, trail, target);
      step.here.push(place);
      if (!isPlainObject(place.schema) || steps.has(place.schema)) continue;
      inspect(place.schema, found);
      reach(place, trail);
    }
  }
  for (const step of steps.values()) if (step.weight === 0) weigh(step, steps);
}

function dangling(keyword: string, trail: Trail, target: string) {
  const leads = target.startsWith('#') ? 'which is not there' : 'which is unknown: nothing is fetched';
  return refusal(keyword, trail, `refers to ${shown(target)}, ${leads}`, 'Put it into $defs, or pass it as a remote.');
}

/** The referring keywords of this dialect. */
function referringIn({ schema, resource }: Place): readonly string[] {
  if (!isPlainObject(schema)) return [];
  const { draft } = resource.dialect;
  const found: string[] = [];
  if (own(schema, '$ref') !== undefined) found.push('$ref');
  if (draft === '2020-12' && own(schema, '$dynamicRef') !== undefined) found.push('$dynamicRef');
  if (draft === '2019-09' && own(schema, '$recursiveRef') !== undefined) found.push('$recursiveRef');
  return found;
}

const inPlace = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies']);

/** Collects all schemas below one, including itself. */
function spread(references: References, start: Place, trail: Trail | undefined, steps: Map<unknown, Step>): void {
  const stack: Pick<Step, 'place' | 'trail'>[] = [{ place: start, trail }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { schema } = next.place;
    if (!isPlainObject(schema) || steps.has(schema)) continue;
    const step: Step = { place: next.place, trail: next.trail, here: [], weight: 0 };
    steps.set(schema, step);
    for (const keyword of Object.keys(schema)) {
      if (subschemaForms.has(keyword)) spreadKeyword(references, step, keyword, schema[keyword], stack);
    }
  }
}

function spreadKeyword(
  references: References,
  step: Step,
  keyword: string,
  value: unknown,
  stack: Pick<Step, 'place' | 'trail'>[],
): void {
  const up = { up: step.trail, key: keyword };
  const add = (part: unknown, trail: Trail): void => {
    if (!isPlainObject(part)) return;
    const place = references.placeOf(part, step.place);
    if (inPlace.has(keyword)) step.here.push(place);
    stack.push({ place, trail });
  };
  if (Array.isArray(value)) for (const [index, part] of value.entries()) add(part, { up, key: index });
  else if (subschemaForms.get(keyword)?.startsWith('schema')) add(value, up);
  else if (isPlainObject(value)) for (const name of Object.keys(value)) add(value[name], { up, key: name });
}

/** Depth first, with its own stack. */
function weigh(start: Step, steps: ReadonlyMap<unknown, Step>): void {
  const stack: { step: Step; next: number; sum: number }[] = [{ step: start, next: 0, sum: 1 }];
  start.weight = -1;
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const place = top.step.here[top.next];
    if (!place) {
      top.step.weight = top.sum;
      stack.pop();
      const outer = stack.at(-1);
      if (outer) outer.sum += top.sum;
      continue;
    }
    top.next += 1;
    const inner = steps.get(place.schema);
    if (inner?.weight === -1) throw endless(top.step);
    if (inner?.weight === 0) {
      inner.weight = -1;
      stack.push({ step: inner, next: 0, sum: 1 });
    } else {
      top.sum += inner?.weight ?? 1;
    }
    if (top.sum > maxParallel) throw tooMany(top.step);
  }
}

const endless = ({ trail }: Step) =>
  refusal('$ref', trail, 'comes back to itself without going deeper into the value', 'Remove the cycle.');

const tooMany = ({ trail }: Step) =>
  refusal('$ref', trail, `stands for more than ${maxParallel} schemas at one place`, 'Refer to each schema once.');
