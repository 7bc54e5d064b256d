/** Looks at one answer, within bounds: at some items of a list, at the first levels, at a number of values in all. */
import { isPlainObject } from '../../../util/canonical.js';
import { defined } from '../../../util/defined.js';
import { remembered } from '../../../util/remembered.js';
import { isFieldName } from './field-name.js';
import { byKey, combine, type Field, maxNames, type ObjectShape, type Primitive, type Shape } from './shape.js';

export interface Bounds {
  /** Levels of lists and objects. */
  readonly depth: number;
  /** Of each list and each map. */
  readonly items: number;
}

const maxValues = 4_000;
/** Objects with the same fields, or values of one kind: from this many on, their names are data. */
const minAlikeObjects = 3;
const minAlikeValues = 16;
const maxCompared = 8;

/** One object for each kind, so that equal shapes are recognised at once. */
const shapes: Readonly<Record<Primitive, Shape>> = {
  boolean: { kinds: ['boolean'] },
  null: { kinds: ['null'] },
  number: { kinds: ['number'] },
  string: { kinds: ['string'] },
};

/** Undefined if the answer has too many values for these bounds. Names of fields are `fresh`. */
export function observe(answer: unknown, { depth, items }: Bounds): Shape | undefined {
  let left = maxValues;
  const isField = remembered(maxValues, isFieldName);

  function look(value: unknown, levels: number): Shape {
    left -= 1;
    const kind = primitiveKind(value);
    if (kind) return shapes[kind];
    if (levels <= 0 || left < 0) return { opaque: true };
    if (Array.isArray(value)) return { list: defined({ items: lookAtEach(value, levels - 1) }) };
    return isPlainObject(value) ? { object: lookAtObject(value, levels - 1) } : { opaque: true };
  }

  function lookAtEach(values: readonly unknown[], levels: number): Shape | undefined {
    const [first, ...others] = pick(values, items).map((value) => look(value, levels));
    return first && others.reduce(combine, first);
  }

  function lookAtObject(value: Record<string, unknown>, levels: number): ObjectShape {
    const names = Object.keys(value);
    const all = () => pick(names, items).map((name) => value[name]);
    if (isMap(names, value, isField))
      return { fields: [], map: true, widest: 0, ...defined({ rest: lookAtEach(all(), levels) }) };
    const fields: Field[] = [];
    const others: unknown[] = [];
    for (const name of names) {
      if (isField(name)) fields.push({ key: name, fresh: true, shape: look(value[name], levels) });
      else others.push(value[name]);
    }
    return { fields: fields.sort(byKey), widest: names.length, ...defined({ rest: lookAtEach(others, levels) }) };
  }

  const shape = look(answer, depth);
  return left < 0 ? undefined : shape;
}

/** Values from the whole list. */
function pick<T>(values: readonly T[], max: number): readonly T[] {
  if (values.length <= max) return values;
  return Array.from({ length: max }, (_, at) => values[Math.floor((at * values.length) / max)] as T);
}

function primitiveKind(value: unknown): Primitive | undefined {
  if (value === null) return 'null';
  const kind = typeof value;
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : undefined;
}

function isMap(names: readonly string[], value: Record<string, unknown>, isField: typeof isFieldName): boolean {
  if (names.length > maxNames) return true;
  const data = names.filter((name) => !isField(name)).length;
  if (data > 0 && 2 * data >= names.length) return true;
  const values = names.map((name) => value[name]);
  if (names.length >= minAlikeValues) {
    const [first, ...others] = values.map(primitiveKind);
    if (first !== undefined && others.every((kind) => kind === first)) return true;
  }
  return names.length >= minAlikeObjects && values.every(isPlainObject) && areAlike(values.slice(0, maxCompared));
}

/** Whether at least half of the names of all of these objects are in each of them. */
function areAlike(objects: readonly Record<string, unknown>[]): boolean {
  const counts = new Map<string, number>();
  for (const one of objects) {
    const names = Object.keys(one);
    if (names.length > maxNames) return true;
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const common = [...counts.values()].filter((count) => count === objects.length).length;
  return counts.size > 0 && 2 * common >= counts.size;
}
