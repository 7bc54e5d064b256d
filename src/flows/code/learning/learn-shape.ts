/** What is known about a tool's answers, and how one more answer changes it. */
import type { JsonSchema } from '../../../domain/json.js';
import { defined } from '../../../util/defined.js';
import { observe } from './observe.js';
import { combine, cut, type Field, isMark, type ObjectShape, type Shape, seal } from './shape.js';

export interface LearnedShape {
  /** The number of answers that it was learned from. */
  readonly answers: number;
  /** Levels of lists and objects that are looked into: fewer if the shape would be too large. */
  readonly depth: number;
  readonly shape: Shape;
}

const maxDepth = 8;
/** Characters of a shape as JSON. */
const maxSize = 16_000;
const itemSteps = [64, 16, 4, 1];

/** Takes a few milliseconds for the largest answer. */
export function learnShape(known: LearnedShape | undefined, answer: unknown): LearnedShape {
  const depth = known?.depth ?? maxDepth;
  const seen = look(answer, depth);
  const before = known && seen.depth < depth ? cut(known.shape, seen.depth) : known?.shape;
  const shape = seal(before ? combine(before, seen.shape) : seen.shape);
  return fit({ answers: (known?.answers ?? 0) + 1, depth: seen.depth, shape });
}

/** Combines what two processes have learned. `answers`: how many they have seen together. */
export function mergeShapes(one: LearnedShape, other: LearnedShape, answers: number): LearnedShape {
  const depth = Math.min(one.depth, other.depth);
  return fit({ answers, depth, shape: combine(cut(one.shape, depth), cut(other.shape, depth)) });
}

/** A huge answer is looked at less closely: at fewer items, then at fewer levels. */
function look(answer: unknown, max: number): { readonly depth: number; readonly shape: Shape } {
  for (const items of itemSteps) {
    const shape = observe(answer, { depth: max, items });
    if (shape) return { depth: max, shape };
  }
  for (let depth = max - 1; depth > 0; depth -= 1) {
    const shape = observe(answer, { depth, items: 1 });
    if (shape) return { depth, shape };
  }
  return { depth: 0, shape: { opaque: true } };
}

function fit(learned: LearnedShape): LearnedShape {
  if (learned.depth === 0 || JSON.stringify(learned.shape).length <= maxSize) return learned;
  const depth = learned.depth - 1;
  return fit({ ...learned, depth, shape: cut(learned.shape, depth) });
}

/**
 * The JSON Schema of what was looked at. Its objects are open, because another answer may have further fields: a program that
 * reads one gets `unknown`.
 */
export function toSchema({ answers, shape }: LearnedShape): JsonSchema {
  return { description: `seen in ${answers} answer${answers === 1 ? '' : 's'}`, ...schemaOf(shape) };
}

function schemaOf({ opaque, kinds = [], list, object }: Shape): JsonSchema {
  if (opaque) return {};
  const [kind] = kinds;
  const choices: JsonSchema[] = [];
  if (object) choices.push(objectSchema(object));
  if (list) choices.push({ type: 'array', ...defined({ items: list.items && schemaOf(list.items) }) });
  if (kind) choices.push({ type: kinds.length === 1 ? kind : kinds });
  return choices.length > 1 ? { anyOf: choices } : (choices[0] ?? {});
}

function objectSchema({ fields, rest }: ObjectShape): JsonSchema {
  const told = fields.filter(({ key }) => !isMark(key));
  const required = told.filter(({ optional }) => !optional).map(({ key }) => key);
  const further = told.length === fields.length && rest ? schemaOf(rest) : true;
  return {
    type: 'object',
    ...(told.length === 0 ? {} : { properties: Object.fromEntries(told.map(toProperty)) }),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: further,
  };
}

const toProperty = ({ key, shape }: Field): [string, JsonSchema] => [key, schemaOf(shape)];
