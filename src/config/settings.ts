/** The keys of `helve.yaml` with their effective values, walked from its shape, so that none is forgotten. */
import { z } from 'zod';
import type { JsonValue } from '../domain/json.js';
import type { Setting, SettingSource } from '../domain/settings.js';
import { defined } from '../util/defined.js';
import { parseUrl } from '../util/parse-url.js';
import { configShape } from './config-shape.js';
import { findReferences, type Variables } from './variables.js';

type Path = readonly (string | number)[];

interface ReadFile {
  /** As parsed, with defaults. */
  readonly data: z.infer<typeof configShape>;
  /** As written, before variables were put in. */
  readonly written: unknown;
  readonly file: string;
  /** The line of a key; undefined: the file does not have it. */
  readonly lineOf: (path: Path) => number | undefined;
  readonly variables: Variables;
}

/** What the shape says about one key. */
interface Facts {
  readonly secret?: boolean;
  /** The variable that counts if the file does not have the key. */
  readonly variable?: string;
  /** What counts if there is none. */
  readonly fallback?: JsonValue;
  /** Another name of a key: listed only where it is used. */
  readonly alias?: string;
}

export function listSettings(read: ReadFile): readonly Setting[] {
  return [...walk(configShape, read.data, [])].flatMap((leaf) => describe(leaf, read));
}

interface Leaf {
  readonly path: Path;
  readonly value: unknown;
  readonly facts: Facts;
}

function* walk(shape: z.ZodType, value: unknown, path: Path): Generator<Leaf> {
  const { inner, facts } = unwrap(shape);
  const members = listMembers(inner, value);
  if (members === undefined || (members.length === 0 && facts.alias === undefined)) {
    yield { path, value, facts: inner instanceof z.ZodUnknown ? { ...facts, secret: isOpaque(value) } : facts };
    return;
  }
  for (const [key, member, below] of members) yield* walk(member, below, [...path, key]);
}

/** The keys below a value, each with its shape; undefined for a value that is listed as a whole. */
function listMembers(shape: z.ZodType, value: unknown): [string | number, z.ZodType, unknown][] | undefined {
  const record = (value ?? {}) as Record<string, unknown>;
  if (shape instanceof z.ZodObject)
    return Object.entries(shape.shape as Record<string, z.ZodType>).map(([key, member]) => [key, member, record[key]]);
  if (shape instanceof z.ZodRecord)
    return Object.keys(record).map((key) => [key, shape.valueType as z.ZodType, record[key]]);
  if (shape instanceof z.ZodArray && Array.isArray(value) && shape.element instanceof z.ZodObject)
    return value.map((each: unknown, index) => [index, shape.element as z.ZodType, each]);
  if (shape instanceof z.ZodUnion) {
    const options = shape.options as z.ZodType[];
    const fitting = options.find((option) => option instanceof z.ZodObject && option.safeParse(value).success);
    return fitting === undefined ? undefined : listMembers(fitting, value);
  }
  return undefined;
}

/** The keys that the file may have below a path, for a suggestion; empty where any key may be. */
export function listKeys(path: Path): readonly string[] {
  const shapes = path.reduce<readonly z.ZodType[]>(
    (all, key) => all.flatMap((shape) => shapesOf(shape, key)),
    [configShape],
  );
  return shapes.flatMap((shape) => objectsOf(shape).flatMap((object) => Object.keys(object.shape)));
}

/** The shapes that a member of this value may have. */
function shapesOf(shape: z.ZodType, key: string | number): readonly z.ZodType[] {
  const { inner } = unwrap(shape);
  if (inner instanceof z.ZodRecord) return [inner.valueType as z.ZodType];
  if (inner instanceof z.ZodArray) return [inner.element as z.ZodType];
  return objectsOf(shape).flatMap((object) => (object.shape[key] as z.ZodType | undefined) ?? []);
}

function objectsOf(shape: z.ZodType): readonly z.ZodObject[] {
  const { inner } = unwrap(shape);
  if (inner instanceof z.ZodObject) return [inner];
  if (inner instanceof z.ZodUnion) return (inner.options as z.ZodType[]).flatMap(objectsOf);
  return inner instanceof z.ZodPipe ? objectsOf(inner.out as z.ZodType) : [];
}

function unwrap(shape: z.ZodType): { inner: z.ZodType; facts: Facts } {
  let facts: Facts = {};
  let inner = shape;
  for (;;) {
    facts = { ...(inner.meta() as Facts | undefined), ...facts };
    const isWrapped =
      inner instanceof z.ZodOptional ||
      inner instanceof z.ZodNullable ||
      inner instanceof z.ZodDefault ||
      inner instanceof z.ZodPrefault;
    if (!isWrapped) return { inner, facts };
    inner = (inner as z.ZodOptional<z.ZodType>).unwrap();
  }
}

/** A value of which the shape says nothing could be a secret. */
const isOpaque = (value: unknown): boolean => typeof value !== 'number' && typeof value !== 'boolean';

function describe({ path, value, facts }: Leaf, { written, file, lineOf, variables }: ReadFile): Setting[] {
  const line = lineOf(path);
  if (facts.alias !== undefined && line === undefined) return [];
  const key = path.join('.');
  if (line === undefined && facts.variable !== undefined && variables[facts.variable]) {
    const source: SettingSource = { kind: 'environment', variable: facts.variable };
    return [show({ key, source, value: variables[facts.variable], secret: facts.secret === true })];
  }
  const references = findReferences(getIn(written, path), path);
  const source: SettingSource =
    line === undefined
      ? { kind: 'default' }
      : { kind: 'file', file, line, ...(references.length === 0 ? {} : { variables: references }) };
  // What comes from a variable is in the environment because it is a secret.
  const secret = facts.secret === true || references.length > 0;
  return [show({ key, source, value: value ?? (line === undefined ? facts.fallback : value), secret })];
}

interface Shown extends Pick<Setting, 'key' | 'source'> {
  readonly value: unknown;
  readonly secret: boolean;
}

function show({ key, source, value, secret }: Shown): Setting {
  const isSet = value !== undefined && !(secret && isEmpty(value));
  if (secret) return { key, isSet, secret, source };
  return { key, isSet, ...defined({ value: withoutUserInfo(value) as JsonValue | undefined }), source };
}

const isEmpty = (value: unknown): boolean => typeof value === 'object' && Object.keys(value ?? {}).length === 0;

/** An address without what may be a secret in it. */
function withoutUserInfo(value: unknown): unknown {
  const url = typeof value === 'string' ? parseUrl(value) : undefined;
  if (url === undefined || (url.username === '' && url.password === '' && url.search === '')) return value;
  url.username = '';
  url.password = '';
  url.search = '';
  return url.href;
}

function getIn(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], value);
}
