/**
 * The fields that are read from Composio's answers; all others are ignored, and null counts as left out. The message of a
 * schema completes the error: `Composio's answer to GET /tools has no text at items/3/name`.
 */
import { z } from 'zod';
import type { JsonSchema, JsonValue } from '../../domain/json.js';
import { isPlainObject, objectOrEmpty } from '../../util/canonical.js';

/** The longest key that a store accepts; Composio's own have under 150 characters. */
export const maxSlugLength = 500;

const text = z.string('text');
const optionalText = text.nullish();
const optionalNumber = z.number('number').nullish();
const optionalBoolean = z.boolean('true or false').nullish();
const optionalTexts = z.custom<readonly string[]>(isTexts, 'list of texts').nullish();
const optionalSchema = z.custom<JsonSchema>(isPlainObject, 'object').nullish();
/** A slug that a store can keep. */
export const slugShape = text.min(1).max(maxSlugLength);

function object<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape, 'object');
}

/** With the members that are not read, because the hash of an app covers all of its description. */
function wholeObject<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject(shape, 'object');
}

function list<Item extends z.ZodType>(item: Item) {
  return z.array(item, 'list');
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

export const listedToolkit = wholeObject({
  slug: slugShape,
  name: optionalText,
  auth_schemes: optionalTexts,
  composio_managed_auth_schemes: optionalTexts,
  no_auth: optionalBoolean,
  status: optionalText,
  meta: wholeObject({
    description: optionalText,
    logo: optionalText,
    app_url: optionalText,
    categories: list(wholeObject({ name: optionalText })).nullish(),
    updated_at: optionalText,
    version: optionalText,
    tools_count: optionalNumber,
    triggers_count: optionalNumber,
  }).nullish(),
});
export type ListedToolkit = z.output<typeof listedToolkit>;

const owner = object({ slug: slugShape }).nullish();

export const listedTool = object({
  slug: slugShape,
  name: optionalText,
  description: optionalText,
  toolkit: owner,
  tags: optionalTexts,
  scopes: optionalTexts,
  version: optionalText,
  no_auth: optionalBoolean,
  is_deprecated: optionalBoolean,
  input_parameters: optionalSchema,
  output_parameters: optionalSchema,
});
export type ListedTool = z.output<typeof listedTool>;

export const listedTriggerType = object({
  slug: slugShape,
  name: optionalText,
  description: optionalText,
  instructions: optionalText,
  type: optionalText,
  toolkit: owner,
  config: optionalSchema,
  payload: optionalSchema,
});
export type ListedTriggerType = z.output<typeof listedTriggerType>;

/** Only for whether Composio still lists the toolkit, so that nothing else about it matters. */
export const toolkitStatus = z.object({ status: z.string().optional().catch(undefined) }).catch({});

/** The slugs of all tools. One per cent of them may be something else, and is skipped. */
export const toolSlugs = z
  .custom<readonly unknown[]>(
    (value) => Array.isArray(value) && value.length - listTexts(value).length <= Math.max(1, value.length / 100),
    'list of texts',
  )
  .transform(listTexts);

function listTexts(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string');
}

const fieldNames = list(object({ name: text }).transform(({ name }) => name))
  .nullish()
  .transform((names) => names ?? []);

const wayFields = z
  .unknown()
  .optional()
  .transform(objectOrEmpty)
  .pipe(object({ required: fieldNames, optional: fieldNames }));
export type WayFields = z.output<typeof wayFields>;

const signInWay = object({
  /** `OAUTH2`, `API_KEY`; Composio's API description writes them in either case. */
  mode: text,
  fields: object({ auth_config_creation: wayFields, connected_account_initiation: wayFields }).nullish(),
}).transform(({ mode, fields }) => ({
  scheme: mode.toUpperCase(),
  /** Of the app as a whole: a client id and its secret. */
  creation: fields?.auth_config_creation ?? noFields,
  /** Of one account: an API key, a subdomain. */
  initiation: fields?.connected_account_initiation ?? noFields,
}));
const noFields: WayFields = { required: [], optional: [] };
export type SignInWay = z.output<typeof signInWay>;

/** How an app signs in, and the fields of each scheme. */
export const toolkitDetails = object({
  slug: text,
  composio_managed_auth_schemes: optionalTexts,
  auth_config_details: list(signInWay).nullish(),
}).transform(({ slug, composio_managed_auth_schemes: managed, auth_config_details: ways }) => ({
  slug,
  managed: (managed ?? []).map((scheme) => scheme.toUpperCase()),
  ways: ways ?? [],
}));
export type ToolkitDetails = z.output<typeof toolkitDetails>;

export const authConfig = object({
  id: text,
  name: optionalText,
  auth_scheme: optionalText,
  is_composio_managed: optionalBoolean,
  status: optionalText,
  toolkit: object({ slug: text }).nullish(),
});
export type AuthConfig = z.output<typeof authConfig>;

export const createdAuthConfig = object({ auth_config: object({ id: text, auth_scheme: optionalText }) });

/** Without `state`, `data` and `params`, which contain the tokens. */
export const connectedAccount = object({
  id: text,
  status: text,
  auth_config: object({ is_disabled: optionalBoolean }).nullish(),
  status_reason: optionalText,
  is_disabled: optionalBoolean,
}).transform(({ id, status, auth_config, status_reason, is_disabled }) => ({
  id,
  status,
  reason: status_reason ?? undefined,
  disabled: is_disabled === true || auth_config?.is_disabled === true,
}));
export type ConnectedAccount = z.output<typeof connectedAccount>;

export const createdAccount = object({
  id: text,
  redirect_url: optionalText,
  redirect_uri: optionalText,
  /** Newer versions have the address here. */
  connectionData: z
    .object({ val: z.object({ redirectUrl: z.string() }) })
    .optional()
    .catch(undefined),
});

export const accountLink = object({ connected_account_id: text, redirect_url: text });

export const subscribed = object({ trigger_id: text });

export const executed = object({
  successful: z.boolean('true or false'),
  error: optionalText,
  log_id: optionalText,
  data: z.custom<JsonValue>().optional(),
});

export const listing = object({
  items: list(z.unknown()),
  next_cursor: optionalText,
  /** A number, or a number written as text. */
  total_items: z
    .union([
      z.int().min(0),
      z
        .string()
        .regex(/^\d{1,9}$/)
        .transform(Number),
    ])
    .optional()
    .catch(undefined),
});
