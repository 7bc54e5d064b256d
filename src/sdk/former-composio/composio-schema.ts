/**
 * Composio's parameters as a Zod object, without loss: each property is one Zod type that validates with the schema kernel,
 * so that `oneOf`, references, `nullable`, formats and bounds all count. The object is as open as its
 * schema, and `z.toJSONSchema` returns exactly that schema, which a model then sees.
 */
import { z } from 'zod';
import { toHelveError } from '../../domain/errors.js';
import { type AdmittedSchema, admitSchema } from '../../schema/index.js';
import { isPlainObject, objectOrEmpty } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';

export type Report = (problem: string) => void;

export interface ConversionOptions {
  /** Receives messages about schemas that cannot be supported. Default: a warning on the console. */
  readonly report?: Report;
}

type Parameters = Readonly<Record<string, unknown>>;

/** Keywords that Zod's own object expresses; the kernel checks all others over the whole object. */
const plainKeywords = new Set(
  `type properties required additionalProperties title description default examples example deprecated readOnly writeOnly
  $schema $id $comment $defs definitions`.split(/\s+/),
);
const base = 'helve:parameters';

/**
 * Returns the Zod object. Properties that are not required are optional; a `default` that its own schema allows is filled
 * in. A schema without properties becomes a passthrough object unless it is closed. A schema that the kernel refuses is
 * reported and also becomes a passthrough object (the executing side still validates the call).
 */
export function convertComposioSchemaToZod(parameters: Parameters, options: ConversionOptions = {}): z.ZodObject {
  const report = options.report ?? ((problem) => console.warn(problem));
  try {
    return convert(parameters);
  } catch (error) {
    report(`Composio parameters are not checked here: ${toHelveError(error, 'invalid_input').message}`);
    return z.looseObject({});
  }
}

function convert(parameters: Parameters): z.ZodObject {
  const admitted = admitSchema(parameters, { defaults: true });
  if (!isPlainObject(parameters) || (parameters.type !== undefined && parameters.type !== 'object'))
    throw new Error('they are not described as an object');
  const properties = objectOrEmpty(parameters.properties);
  const required = new Set(Array.isArray(parameters.required) ? parameters.required : []);
  const shape: Record<string, z.ZodType> = {};
  let whole = Object.keys(parameters).some((keyword) => !plainKeywords.has(keyword));
  for (const [name, schema] of Object.entries(properties)) {
    // Zod cannot represent it as a property; the kernel checks it.
    if (name === '__proto__') whole = true;
    else shape[name] = member(parameters, ['properties', name], schema, required.has(name));
  }
  // Required but not described.
  if ([...required].some((name) => !Object.hasOwn(properties, String(name)))) whole = true;
  const open = openness(z.object(shape), parameters);
  return asGiven(whole ? open.check(getCheck(admitted)) : open, parameters);
}

/** Closed, open, or open for members of one kind, as the schema says. */
function openness(object: z.ZodObject, parameters: Parameters): z.ZodObject {
  const { additionalProperties: rest } = parameters;
  // Zod cannot know names that match a pattern or come from a subschema, so the kernel checks all of it.
  if (rest === undefined || rest === true || parameters.patternProperties !== undefined) return object.loose();
  return rest === false ? object.strict() : object.catchall(member(parameters, ['additionalProperties'], rest, true));
}

function member(root: Parameters, path: readonly string[], schema: unknown, required: boolean): z.ZodType {
  const { type, allows } = getType(root, path, schema);
  const description = isPlainObject(schema) && typeof schema.description === 'string' ? schema.description : undefined;
  const described = (plain: z.ZodType): z.ZodType => (description === undefined ? plain : plain.describe(description));
  if (required) return described(type);
  const fallback = isPlainObject(schema) ? schema.default : undefined;
  if (fallback === undefined || !allows(fallback)) return described(type.optional());
  return described(type.default(() => structuredClone(fallback)));
}

interface Member {
  readonly type: z.ZodType;
  readonly allows: (value: unknown) => boolean;
}

/**
 * A subschema by itself. Its references work only in the whole schema, so the definitions are copied with it; if it refers
 * to anything but definitions, it is resolved in the whole.
 */
function getType(root: Parameters, path: readonly string[], schema: unknown): Member {
  const admitted = admitMember(root, path, schema);
  return { type: admitted.toZod(), allows: (value) => admitted.validate(value).ok };
}

function admitMember(root: Parameters, path: readonly string[], schema: unknown): AdmittedSchema {
  if (!isPlainObject(schema) || referencesIn(schema).length === 0) return admitSchema(schema, { defaults: true });
  const { $defs, definitions } = root;
  if (referencesIn(root).every((reference) => /^#\/(?:\$defs|definitions)\//.test(reference))) {
    return admitSchema({ ...schema, ...defined({ $defs, definitions }) }, { defaults: true });
  }
  const pointer = path.map((token) => `/${encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1'))}`);
  return admitSchema({ $ref: `${base}#${pointer.join('')}` }, { remotes: { [base]: root }, defaults: true });
}

/** Searches the text: a value that only looks like a reference merely costs time. */
function referencesIn(schema: Parameters): string[] {
  const found = JSON.stringify(schema).matchAll(/"\$(?:ref|dynamicRef|recursiveRef|id)":"((?:[^"\\]|\\.)*)"/g);
  return [...found].map(([, reference]) => reference ?? '');
}

function getCheck(admitted: AdmittedSchema): z.core.CheckFn<Record<string, unknown>> {
  return (payload) => {
    const verdict = admitted.validate(payload.value);
    if (verdict.ok) return;
    for (const { path, message } of verdict.issues) {
      const tokens = path
        .split('/')
        .slice(1)
        .filter((token) => token !== '');
      payload.issues.push({ code: 'custom', message, path: tokens, input: payload.value });
    }
  };
}

function asGiven(object: z.ZodObject, parameters: Parameters): z.ZodObject {
  const described = typeof parameters.description === 'string' ? object.describe(parameters.description) : object;
  // A new copy each time, because callers may change it.
  described._zod.toJSONSchema = () => structuredClone(parameters);
  return described;
}
