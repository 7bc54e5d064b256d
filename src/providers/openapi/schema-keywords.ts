/** The keywords of a schema that are independent of others: types, bounds, enumerations, and annotations. */
import { isUsablePattern } from '../../schema/index.js';
import { isPlainObject } from '../../util/canonical.js';
import { cleanText, hasHiddenCharacters } from './clean-text.js';

type Source = Readonly<Record<string, unknown>>;

const jsonTypes = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
/** Common misspellings of types. */
const otherTypes = new Map(
  Object.entries({
    int: 'integer',
    int32: 'integer',
    int64: 'integer',
    long: 'integer',
    float: 'number',
    double: 'number',
    decimal: 'number',
    bool: 'boolean',
    str: 'string',
    text: 'string',
    date: 'string',
    datetime: 'string',
    'date-time': 'string',
    file: 'string',
    binary: 'string',
    uuid: 'string',
    timestamp: 'string',
    dict: 'object',
    map: 'object',
    hash: 'object',
    list: 'array',
  }),
);

/** `type` if it is valid; an unknown type counts as none. */
export function listTypes({ type, properties, items }: Source): { type?: string | string[] } {
  const known = (Array.isArray(type) ? type : [type]).flatMap((name) => {
    if (typeof name !== 'string') return [];
    if (jsonTypes.has(name)) return [name];
    return otherTypes.get(name.toLowerCase()) ?? [];
  });
  const [first] = known;
  if (known.length > 1) return { type: [...new Set(known)] };
  if (first !== undefined) return { type: first };
  if (type !== undefined) return {};
  // Many authors omit it although they mean it; a map of properties describes nothing else.
  return isPlainObject(properties) ? { type: 'object' } : isPlainObject(items) ? { type: 'array' } : {};
}

/** Formats that a validator checks and that documents use in the same sense. */
const checkedFormats = new Set(['date', 'date-time', 'uuid', 'email', 'ipv4', 'ipv6']);
/** Formats that are only annotations. */
const tellingFormats = new Set(['int32', 'int64', 'float', 'double', 'byte', 'binary', 'password']);

const counts = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

/** Returns the valid ones among these keywords. Contradictory bounds are dropped. */
export function plainKeywords(schema: Source): Record<string, unknown> {
  const { uniqueItems, pattern, format, const: value, deprecated } = schema;
  const kept: Record<string, unknown> = { ...getCounts(schema), ...bounds(schema) };
  if (uniqueItems === true) kept.uniqueItems = true;
  if (typeof pattern === 'string' && isUsablePattern(pattern)) kept.pattern = pattern;
  if (isKnownFormat(format)) kept.format = format;
  if (value !== undefined) kept.const = value;
  if (deprecated === true) kept.deprecated = true;
  const example = schema.example ?? (Array.isArray(schema.examples) ? schema.examples[0] : undefined);
  if (isShowable(example)) kept.examples = [example];
  return kept;
}

function getCounts(schema: Source): Record<string, number> {
  const kept: Record<string, number> = {};
  for (const [min, max] of counts) {
    const [low, high] = [countItems(schema[min]), countItems(schema[max])];
    if (low !== undefined && high !== undefined && low > high) continue;
    if (low !== undefined && low > 0) kept[min] = low;
    if (high !== undefined) kept[max] = high;
  }
  return kept;
}

const isKnownFormat = (format: unknown): boolean =>
  typeof format === 'string' && (checkedFormats.has(format) || tellingFormats.has(format));

function isShowable(example: unknown): boolean {
  if (!['string', 'number', 'boolean'].includes(typeof example)) return false;
  return String(example).length <= 100 && !hasHiddenCharacters(String(example));
}

const countItems = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

const finite = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** 3.0 writes `exclusiveMinimum: true` beside `minimum`, 3.1 `exclusiveMinimum: 3`. */
function bounds(schema: Source): Record<string, number> {
  const kept: Record<string, number> = {};
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const [value, open] = [schema[bound], schema[exclusive]];
    if (finite(open)) kept[exclusive] = open;
    if (finite(value)) kept[open === true ? exclusive : bound] = value;
  }
  const low = Math.max(kept.minimum ?? -Infinity, kept.exclusiveMinimum ?? -Infinity);
  const high = Math.min(kept.maximum ?? Infinity, kept.exclusiveMaximum ?? Infinity);
  if (low > high) return {};
  if (finite(schema.multipleOf) && schema.multipleOf > 0) kept.multipleOf = schema.multipleOf;
  return kept;
}

const maxValues = 250;

/** The allowed values in the requested type: `enum: [1, 2]` of strings means `"1"` and `"2"`. */
export function normaliseEnum(schema: Source, type: unknown): unknown[] | undefined {
  if (!Array.isArray(schema.enum)) return undefined;
  const types = Array.isArray(type) ? type : [type];
  const values = schema.enum
    .map((value) => asType(value, type))
    .filter((value) => value === null || type === undefined || types.some((one) => isOfType(value, one)))
    .filter((value) => typeof value !== 'string' || !hasHiddenCharacters(value));
  const different = [...new Set(values)];
  return different.length > 0 && different.length <= maxValues ? different : undefined;
}

function asType(value: unknown, type: unknown): unknown {
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  const numeric = type === 'integer' || type === 'number';
  if (numeric && typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isPlainObject(value);
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function describeDefault(usual: unknown): string | undefined {
  if (usual === undefined || usual === null || usual === '') return undefined;
  const text = cleanText(typeof usual === 'string' ? usual : JSON.stringify(usual), 80);
  return text === undefined ? undefined : `Default: ${text}`;
}

/** The description, with annotations that only a reader can follow. At most `max` characters. */
export function describeSchema(schema: Source, max: number): string | undefined {
  if (max === 0) return undefined;
  const { pattern, format, enum: values } = schema;
  const said = [cleanText(schema.description ?? schema.title, max), describeDefault(schema.default)];
  if (typeof pattern === 'string' && pattern.length <= 120 && !isUsablePattern(pattern))
    said.push(`Pattern: ${cleanText(pattern, 120)}`);
  if (typeof format === 'string' && !isKnownFormat(format)) said.push(`Format: ${cleanText(format, 40)}`);
  if (Array.isArray(values) && values.length > maxValues)
    said.push(`One of ${values.length} values, such as ${cleanText(values.slice(0, 5).join(', '), 100)}`);
  const text = said.filter((each) => each !== undefined).map((each) => each.replace(/\.$/, ''));
  return text.length > 0 ? text.join('. ') : undefined;
}
