/**
 * One input for an operation: its parameters and the members of its body side by side. If names collide,
 * the body is under `body`; if parameters themselves collide, each location has its own member.
 */
import type { JsonSchema } from '../../domain/json.js';
import { isPlainObject, objectOrEmpty } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { sha256 } from '../../util/hash.js';
import { cleanText } from './clean-text.js';
import { limits } from './limits.js';
import { isInherited, type Normalised } from './normalise-schema.js';
import type { Parameter } from './parameters.js';
import type { RequestBody } from './request-body.js';
import type { BodyPlan, ParameterPlan } from './request-plan.js';
import type { CompactSchema, SchemaStore } from './schema-store.js';

export interface OperationInput {
  readonly schema: CompactSchema;
  readonly parameters: readonly ParameterPlan[];
  readonly grouped?: true;
  readonly body?: BodyPlan;
}

const parameterCharacters = 3_000;
const places = ['path', 'query', 'header', 'cookie'] as const;

/** The keys that model providers accept: letters, digits, `_`, `.` and `-`, at most 64. */
function inputKey(name: string): string {
  const key = name.replace(/[^A-Za-z0-9_.-]+/g, '_').replace(/^_+|_+$/g, '');
  if (key === '' || key === 'proto') return `p_${sha256(name).slice(0, 8)}`;
  return key.length <= 64 ? key : `${key.slice(0, 55)}_${sha256(name).slice(0, 8)}`;
}

/** Returns the input's schema and the plan to build a request from it. */
export function readInput(
  store: SchemaStore,
  parameters: readonly Parameter[],
  body: RequestBody | undefined,
): OperationInput {
  const references = new Set<string>();
  const keys = parameters.map(({ name }) => inputKey(name));
  const whole = body && store.normalise(body.schema);
  const bodyKeys = body && whole ? spreadKeys(body, whole, new Set(keys)) : undefined;
  const taken = body && !bodyKeys ? [...keys, 'body'] : keys;
  const grouped = new Set(taken).size !== taken.length;
  const members = parameters.map(
    (parameter, index): ParameterMember => ({
      parameter,
      key: keys[index] ?? '',
      schema: collect(references, parameterSchema(store, parameter)),
      required: parameter.required,
    }),
  );
  const given: Member[] = grouped ? byPlace(members) : [...members];
  if (body && whole) given.push(...bodyMembers(body, collect(references, whole), bodyKeys));
  return {
    schema: store.compact(objectSchema(given), references),
    parameters: members.map(({ parameter, key }) => getPlan(parameter, key)),
    ...defined({
      grouped: grouped || undefined,
      body: body && { ...body.plan, ...defined({ spread: bodyKeys }) },
    }),
  };
}

/** A member of the input's schema. */
interface Member {
  readonly key: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

interface ParameterMember extends Member {
  readonly parameter: Parameter;
}

/** One member for each place that has parameters. */
function byPlace(members: readonly ParameterMember[]): Member[] {
  return places.flatMap((place) => {
    const here = members.filter(({ parameter }) => parameter.in === place);
    if (here.length === 0) return [];
    return [{ key: place, schema: objectSchema(here), required: here.some(({ required }) => required) }];
  });
}

function collect(references: Set<string>, part: Normalised): JsonSchema {
  for (const name of part.references) references.add(name);
  return part.schema;
}

/** Undefined if the body stays in one piece. */
function spreadKeys(body: RequestBody, whole: Normalised, taken: ReadonlySet<string>): BodyPlan['spread'] {
  const { properties } = whole.schema;
  if (!body.spreadable || !isPlainObject(properties)) return undefined;
  const keys = Object.keys(properties).map((name) => [inputKey(name), name] as const);
  const different = new Set(keys.map(([key]) => key));
  const free = different.size === keys.length && keys.length > 0 && ![...different].some((key) => taken.has(key));
  return free ? keys : undefined;
}

function bodyMembers(body: RequestBody, schema: JsonSchema, spread: BodyPlan['spread']): readonly Member[] {
  if (!spread) {
    const said = schema.description === undefined ? cleanText(body.description, limits.fieldDescription) : undefined;
    const described = said === undefined ? schema : { ...schema, description: said };
    return [{ key: 'body', schema: described, required: body.plan.required }];
  }
  const members = objectOrEmpty(schema.properties);
  const needed = new Set(Array.isArray(schema.required) ? schema.required : []);
  return spread.map(([key, name]) => ({ key, schema: members[name] as JsonSchema, required: needed.has(name) }));
}

function parameterSchema(store: SchemaStore, parameter: Parameter): Normalised {
  const made = store.normalise(isInherited(parameter.name) ? {} : (parameter.schema ?? {}), parameterCharacters);
  const said = cleanText(parameter.description, limits.fieldDescription);
  const own = typeof made.schema.description === 'string' ? made.schema.description : undefined;
  const renamed = inputKey(parameter.name) === parameter.name ? undefined : `Sent as ${cleanText(parameter.name, 80)}`;
  const about = [said, own === said ? undefined : own, renamed].filter((text) => text !== undefined);
  const description = about.length > 0 ? about.map((text) => text.replace(/\.$/, '')).join('. ') : undefined;
  const schema = {
    ...made.schema,
    ...orDigits(parameter, made.schema),
    ...(parameter.in === 'path' ? notEmpty(made.schema) : {}),
    ...defined({ description, deprecated: parameter.deprecated || undefined }),
  };
  return { references: made.references, schema };
}

/**
 * An integer that names something may have more digits than a JavaScript number holds. Answers have such an id as text, so it can
 * also be sent as text; as a number it would arrive rounded, and name something else.
 */
function orDigits(
  { name, in: place, schema: given }: Parameter,
  { type, maximum, enum: values }: JsonSchema,
): JsonSchema {
  const isShort = (isPlainObject(given) && given.format === 'int32') || maximum !== undefined || values !== undefined;
  const names = place === 'path' || /(?:id|ids|cursor|after|before|since|marker|token)$/i.test(name);
  if (type !== 'integer' || isShort || !names) return {};
  return { type: ['integer', 'string'], maximum: Number.MAX_SAFE_INTEGER, pattern: '^-?[0-9]{1,40}$' };
}

/** An empty path segment would lead to another address. */
function notEmpty({ type, minLength, minItems, enum: values }: JsonSchema): JsonSchema {
  if (Array.isArray(values)) return { enum: values.filter((value) => value !== '') };
  if (type === 'string') return { minLength: Number(minLength ?? 0) || 1 };
  return type === 'array' ? { minItems: Number(minItems ?? 0) || 1 } : {};
}

function objectSchema(members: readonly Member[]): JsonSchema {
  const required = members.filter((member) => member.required).map(({ key }) => key);
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(({ key, schema }) => [key, schema])),
    ...defined({ required: required.length > 0 ? required : undefined }),
    additionalProperties: false,
  };
}

function getPlan({ name, in: place, style, explode, content, reserved }: Parameter, key: string): ParameterPlan {
  return { key, name, in: place, style, explode, ...defined({ content, reserved }) };
}
