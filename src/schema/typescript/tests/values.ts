/** Random values for schemas, from a seed, valid ones and ones with an error; and which errors a compiler can see. */
import { isPlainObject } from '../../../util/canonical.js';

/** The keywords that the generator reads; generated and real schemas are trusted to have this form. */
interface Schema {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly allOf?: readonly unknown[];
  readonly anyOf?: readonly unknown[];
  readonly oneOf?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly prefixItems?: readonly unknown[];
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}
export type Random = () => number;

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const pick = <Item>(items: readonly Item[], random: Random): Item =>
  items[Math.floor(random() * items.length)] as Item;

/** A probably valid value; the caller verifies it with a validator. */
export function generate(schema: unknown, root: unknown, random: Random, depth = 0): unknown {
  if (!isPlainObject(schema)) return pick<unknown>(['text', 7, true, null, [1], { a: 1 }], random);
  const s = schema as Schema;
  if (depth > 12) return null;
  const again = (part: unknown): unknown => generate(part, root, random, depth + 1);
  if (typeof s.$ref === 'string') return mix([again(follow(s.$ref, root)), own(s, root, random, depth)]);
  if (Object.hasOwn(s, 'const')) return s.const;
  if (Array.isArray(s.enum)) return pick(s.enum, random);
  const choices = s.anyOf ?? s.oneOf;
  const parts = [...(s.allOf ?? []).map(again), ...(choices ? [again(pick(choices, random))] : [])];
  if (s.nullable && random() < 0.1) return null;
  return mix([own(s, root, random, depth), ...parts]);
}

function mix(values: unknown[]): unknown {
  const known = values.filter((value) => value !== undefined);
  if (known.length > 1 && known.every(isPlainObject)) return Object.assign({}, ...known);
  return known.at(-1) ?? known[0] ?? null;
}

function follow(reference: string, root: unknown): unknown {
  const tokens = decodeURIComponent(reference.slice(1)).split('/').slice(1);
  return tokens.reduce<unknown>(
    (place, token) => (place as Record<string, unknown>)[token.replaceAll('~1', '/').replaceAll('~0', '~')],
    root,
  );
}

function own(s: Schema, root: unknown, random: Random, depth: number): unknown {
  const again = (part: unknown): unknown => generate(part, root, random, depth + 1);
  const types = Array.isArray(s.type)
    ? s.type
    : s.type
      ? [s.type]
      : s.properties || s.required
        ? ['object']
        : s.items
          ? ['array']
          : [];
  if (types.length === 0) return s.allOf || s.anyOf || s.oneOf || s.$ref ? undefined : again(true);
  switch (pick(types, random)) {
    case 'string':
      return text(s, random);
    case 'integer':
      return Math.ceil(number(s, random));
    case 'number':
      return number(s, random);
    case 'boolean':
      return random() < 0.5;
    case 'null':
      return null;
    case 'array':
      return list(s, random, again);
    default:
      return object(s, random, again);
  }
}

function text(s: Schema, random: Random): string {
  const byFormat: Record<string, string> = {
    'date-time': '2026-01-02T03:04:05Z',
    date: '2026-01-02',
    email: 'a@b.example',
    uri: 'https://a.example/',
    uuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    ipv4: '10.0.0.1',
    time: '03:04:05Z',
  };
  const known = byFormat[s.format ?? ''];
  if (known !== undefined) return known;
  const words = pick(['a', 'word', '2026', 'https://a.example/x', '#aabbcc', 'a*/b'], random);
  return words.padEnd(Math.min(s.minLength ?? 0, 500), 'x').slice(0, s.maxLength ?? 500);
}

function number(s: Schema, random: Random): number {
  const low = s.minimum ?? (typeof s.exclusiveMinimum === 'number' ? s.exclusiveMinimum + 1 : 0);
  const high = s.maximum ?? low + 10;
  return Math.min(high, low + Math.round(random() * 10));
}

function list(s: Schema, random: Random, again: (part: unknown) => unknown): unknown[] {
  const head: readonly unknown[] = s.prefixItems ?? (Array.isArray(s.items) ? s.items : []);
  const rest = s.prefixItems ? s.items : Array.isArray(s.items) ? s.additionalItems : s.items;
  const least = s.minItems ?? 0;
  const most = Math.min(s.maxItems ?? least + 3, least + 3);
  const length = least + Math.floor(random() * (most - least + 1));
  return Array.from({ length: Math.min(length, 60) }, (_, index) =>
    again(index < head.length ? head[index] : (rest ?? true)),
  );
}

function object(s: Schema, random: Random, again: (part: unknown) => unknown): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(s.properties ?? {}))
    if (s.required?.includes(name) || random() < 0.5) set(value, name, again(part));
  for (const name of s.required ?? [])
    if (!Object.hasOwn(value, name)) set(value, name, again(s.additionalProperties ?? true));
  if (s.additionalProperties !== false && random() < 0.3)
    set(value, pick(['extra', 'x-other', 'not named'], random), again(s.additionalProperties ?? true));
  return value;
}

function set(value: Record<string, unknown>, name: string, member: unknown): void {
  Object.defineProperty(value, name, { value: member, enumerable: true, configurable: true, writable: true });
}

/** A list is also changed by its keys. */
type Holder = Record<string, unknown>;
const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null;

/** Returns the value with one change. */
export function mutate(value: unknown, random: Random): unknown {
  const copy = structuredClone(value);
  const places: { holder: Holder; key: string }[] = [];
  const walk = (holder: Holder, key: string): void => {
    places.push({ holder, key });
    const inner = holder[key];
    if (isHolder(inner)) for (const name of Object.keys(inner)) walk(inner, name);
  };
  const top: Holder = { value: copy };
  walk(top, 'value');
  const { holder, key } = pick(places, random);
  const old = holder[key];
  const change = random();
  if (change < 0.25 && !Array.isArray(holder) && holder !== top) delete holder[key];
  else if (change < 0.5 && isPlainObject(old))
    set(old, pick(['zzUnknown', 'extra', 'nope'], random), pick<unknown>([1, 'x', null], random));
  else if (change < 0.6 && Array.isArray(old)) old.push(pick<unknown>([{ zz: 1 }, 12.5, 'pushed', null], random));
  else
    set(
      holder,
      key,
      pick<unknown>([{ zz: 1 }, ['zz'], 'a word that is not listed', 987.5, true, null, {}, []], random),
    );
  return top.value;
}

const unseen = new Set(
  `minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format minItems maxItems uniqueItems
  contains minContains maxContains minProperties maxProperties not if then else propertyNames contentEncoding unevaluatedItems
  unevaluatedProperties dependentRequired dependentSchemas dependencies`.split(/\s+/),
);

/** The schema without what no type can express: an error that it still finds is visible to the compiler. */
export function seenByCompiler(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(seenByCompiler);
  if (!isPlainObject(schema)) return schema;
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (unseen.has(keyword)) continue;
    if (['properties', 'patternProperties', '$defs', 'definitions'].includes(keyword) && isPlainObject(value))
      result[keyword] = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, seenByCompiler(part)]));
    // Next to named properties, an index signature has to allow those too.
    else if (keyword === 'additionalProperties' && isPlainObject(value) && isPlainObject(schema.properties)) continue;
    else if (keyword === 'oneOf') result.anyOf = result.anyOf ? result.anyOf : seenByCompiler(value);
    else if (keyword === 'type') result.type = typeof value === 'string' ? wide(value) : (value as string[]).map(wide);
    else if (['enum', 'const', 'default', 'example', 'examples'].includes(keyword)) result[keyword] = value;
    else result[keyword] = seenByCompiler(value);
  }
  return result;
}

const wide = (type: string): string => (type === 'integer' ? 'number' : type);

/** For validators that accept `nullable` only next to a type: the same, written in JSON Schema. */
export function withoutNullable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNullable);
  if (!isPlainObject(schema)) return schema;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([k, v]) => [
      k,
      ['enum', 'const', 'default', 'examples', 'example'].includes(k) ? v : withoutNullable(v),
    ]),
  ) as Record<string, unknown>;
  if (nullable !== true) return isPlainObject(schema.nullable) ? { ...rest, nullable } : rest;
  if (typeof rest.type === 'string') return { ...rest, type: [rest.type, 'null'] };
  if (Array.isArray(rest.type)) return { ...rest, type: [...rest.type, 'null'] };
  return { anyOf: [rest, { type: 'null' }] };
}
