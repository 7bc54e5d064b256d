/**
 * The shape of the values at one place of a tool's answers, as small JSON: never a value, and of the names only those of
 * fields (see `field-name.ts`) that occurred in at least two objects. Shapes are combined; combining is commutative, and
 * a shape combined with itself stays as it is, so that two processes cannot corrupt what they learn at the same time.
 *
 * The order of answers does not matter, with two exceptions. An object whose names keep changing becomes a map for good,
 * although a wider one may follow. A name that occurred once before its object became part of a map must occur twice more.
 */
import { defined } from '../../../util/defined.js';
import { sha256 } from '../../../util/hash.js';

export interface Shape {
  /** A value that was not looked into. Nothing else is then known. */
  readonly opaque?: true;
  /** Sorted. */
  readonly kinds?: readonly Primitive[];
  readonly list?: { readonly items?: Shape };
  readonly object?: ObjectShape;
}

export type Primitive = 'boolean' | 'null' | 'number' | 'string';

export interface ObjectShape {
  /** Sorted by key; empty for a map. */
  readonly fields: readonly Field[];
  /** What is under names that are data. */
  readonly rest?: Shape;
  /** Whether all of its names are data. */
  readonly map?: true;
  /** The most names that one object had. */
  readonly widest: number;
}

export interface Field {
  /** The name, or, if only one object had it, its mark. */
  readonly key: string;
  readonly optional?: true;
  /** A name of the answer that is being looked at: unless another object has it, only its mark stays. */
  readonly fresh?: true;
  readonly shape: Shape;
}

/** More names than this are a map. */
export const maxNames = 128;

/** 24 bits of a hash: enough to recognise a name, and many names have the same. `#` starts no field's name. */
const mark = (name: string): string => `#${sha256(name).slice(0, 6)}`;

export const isMark = (key: string): boolean => key.startsWith('#');

/** Returns `one` itself if `other` adds nothing, which is the usual case. */
export function combine(one: Shape, other: Shape): Shape {
  if (one === other || one.opaque) return one;
  if (other.opaque) return { opaque: true };
  const kinds = either(one.kinds, other.kinds, combineKinds);
  const list = either(one.list, other.list, combineLists);
  const object = either(one.object, other.object, combineObjects);
  const isSame = kinds === one.kinds && list === one.list && object === one.object;
  return isSame ? one : defined({ kinds, list, object });
}

function either<T>(one: T | undefined, other: T | undefined, both: (one: T, other: T) => T): T | undefined {
  return one === undefined || other === undefined ? (one ?? other) : both(one, other);
}

function combineKinds(one: readonly Primitive[], other: readonly Primitive[]): readonly Primitive[] {
  return other.every((kind) => one.includes(kind)) ? one : [...new Set([...one, ...other])].sort();
}

type List = NonNullable<Shape['list']>;

function combineLists(one: List, other: List): List {
  const items = either(one.items, other.items, combine);
  return items === one.items ? one : defined({ items });
}

function combineObjects(one: ObjectShape, other: ObjectShape): ObjectShape {
  const fields = combineFields(one.fields, other.fields);
  const rest = either(one.rest, other.rest, combine);
  const widest = Math.max(one.widest, other.widest);
  const isSame = fields === one.fields && rest === one.rest && widest === one.widest;
  if (isSame && (one.map || !other.map)) return one;
  const both = { fields, widest, ...defined({ rest }) };
  return one.map || other.map || fields.length > maxNames || isChanging(both) ? toMap(both) : both;
}

/** Whether each object has other names: they say whom or what an object is about. */
function isChanging({ fields, widest }: ObjectShape): boolean {
  return fields.length >= 2 * widest + 2 && fields.every(({ optional }) => optional);
}

function toMap({ fields, rest }: ObjectShape): ObjectShape {
  const [first, ...others] = [...fields.map(({ shape }) => shape), ...(rest ? [rest] : [])];
  return { fields: [], map: true, widest: 0, ...defined({ rest: first && others.reduce(combine, first) }) };
}

function combineFields(one: readonly Field[], other: readonly Field[]): readonly Field[] {
  if (one.length !== other.length || one.some(({ key }, at) => key !== other[at]?.key)) return unite(one, other);
  const fields = one.map((field, at) => combineField(field, other[at] ?? field));
  return fields.every((field, at) => field === one[at]) ? one : fields;
}

/** Fields with different names, or with a name on one side and its mark on the other. */
function unite(one: readonly Field[], other: readonly Field[]): Field[] {
  const fields = new Map(one.map((field) => [field.key, field]));
  const hasMarks = one.some(({ key }) => isMark(key));
  const byMark = new Map(other.some(({ key }) => isMark(key)) ? one.map(({ key }) => [mark(key), key]) : []);
  const find = (key: string): string | undefined => {
    if (fields.has(key)) return key;
    return isMark(key) ? byMark.get(key) : hasMarks && fields.has(mark(key)) ? mark(key) : undefined;
  };
  const matched = new Set<string>();
  const added: Field[] = [];
  for (const field of other) {
    const key = find(field.key);
    const known = key === undefined ? undefined : fields.get(key);
    if (key === undefined || known === undefined || matched.has(key)) added.push({ ...field, optional: true });
    else {
      matched.add(key);
      fields.set(key, combineField(known, field));
    }
  }
  const kept = [...fields].map(([key, field]): Field => (matched.has(key) ? field : { ...field, optional: true }));
  return [...kept, ...added].sort(byKey);
}

function combineField(one: Field, other: Field): Field {
  const key = isMark(one.key) ? other.key : one.key;
  const shape = combine(one.shape, other.shape);
  const optional = one.optional ?? other.optional;
  const isSame = key === one.key && shape === one.shape && optional === one.optional && !one.fresh;
  return isSame ? one : { key, shape, ...defined({ optional }) };
}

export const byKey = ({ key: one }: Field, { key: other }: Field): number => (one < other ? -1 : one > other ? 1 : 0);

/** Replaces the names that only one object had by their marks. */
export function seal(shape: Shape): Shape {
  return change(shape, seal, ({ fresh, key, ...field }) => ({ key: fresh ? mark(key) : key, ...field }));
}

/** Replaces what is deeper than `depth` lists and objects. */
export function cut(shape: Shape, depth: number): Shape {
  if (depth <= 0) return shape.list || shape.object ? { opaque: true } : shape;
  return change(shape, (inner) => cut(inner, depth - 1));
}

function change(shape: Shape, inner: (shape: Shape) => Shape, own = (field: Field): Field => field): Shape {
  const { list, object } = shape;
  return {
    ...shape,
    ...defined({
      list: list?.items ? { items: inner(list.items) } : list,
      object: object && {
        ...object,
        fields: object.fields.map((field) => own({ ...field, shape: inner(field.shape) })).sort(byKey),
        ...defined({ rest: object.rest && inner(object.rest) }),
      },
    }),
  };
}
