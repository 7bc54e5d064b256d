/** OpenAPI 3.1, generated from the routes, so that the description matches the validation. */
import { z } from 'zod';
import { namedShapes, problem } from '../../api/index.js';
import type { Access } from '../../domain/acts.js';
import { defined } from '../../util/defined.js';
import { accessTo, listAuditEvents, type Route } from './route.js';

type Json = Record<string, unknown>;

export function createOpenApi(routes: readonly Route[]): Json {
  const components: Json = {};
  const getSchema = (schema: z.ZodType): Json => inComponents(schema, components);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, getSchema) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Helve',
      version: '1',
      description: 'The REST API of a Helve tool plane. Errors are RFC 9457 problem details.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An agent token or an API key: helve_…' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'helve_session',
          description: 'A person’s session; over https its name is __Host-helve_session',
        },
      },
    },
  };
}

function operation(route: Route, schemaOf: (schema: z.ZodType) => Json): Json {
  const access = accessTo(route);
  const audit = listAuditEvents(route);
  return {
    operationId: operationId(route),
    summary: route.summary,
    description: `Permission: ${describeAccess(access)}. Audit: ${'none' in audit ? `none: ${audit.none}` : audit.join(', ')}.`,
    tags: [route.path.split('/')[2] ?? 'health'],
    security: 'none' in access ? [] : [...('session' in access ? [] : [{ bearer: [] }]), { session: [] }],
    parameters: [...parameters(route.params, 'path', schemaOf), ...parameters(route.query, 'query', schemaOf)],
    ...(route.body ? { requestBody: { required: true, content: json(schemaOf(route.body)) } } : {}),
    responses: responses(route, schemaOf),
    'x-helve-permissions': access,
    'x-helve-audit': audit,
  };
}

function describeAccess(access: Access): string {
  if ('none' in access) return `none: ${access.none}`;
  return 'session' in access ? `a session: ${access.session}` : access.join(', ');
}

/** `GET /api/tools/executions/:id/events` → `getToolsExecutionsByIdEvents` */
function operationId({ method, path }: Route): string {
  const words = path
    .replace(/^\/api/, '')
    .replaceAll(':', 'by-')
    .split(/[^A-Za-z0-9]+/);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function parameters(
  schema: z.ZodType | undefined,
  place: 'path' | 'query',
  schemaOf: (schema: z.ZodType) => Json,
): Json[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, member]) => {
    const { description, ...rest } = schemaOf(member);
    const required = place === 'path' || !member.safeParse(undefined).success;
    return { name, in: place, required, ...defined({ description }), schema: rest };
  });
}

function responses(route: Route, schemaOf: (schema: z.ZodType) => Json): Json {
  const status = String(route.status ?? (route.reply || route.stream ? 200 : 204));
  const { stream, reply } = route;
  const content = {
    ...(reply ? json(schemaOf(reply)) : {}),
    ...(stream
      ? {
          [stream.mediaType]: {
            schema: schemaOf(stream.item),
            ...(stream.mediaType === 'text/plain' ? {} : { 'x-stream': 'one item at a time' }),
          },
        }
      : {}),
  };
  const refusal = reply && route.refusesInReply ? json(schemaOf(reply)) : {};
  return {
    [status]: { description: 'Done', ...(reply || stream ? { content } : {}) },
    ...(['/health', '/ready'].includes(route.path) && reply
      ? {
          '503': {
            description: route.path === '/health' ? 'The store does not respond' : 'Send requests elsewhere',
            content: json(schemaOf(reply)),
          },
        }
      : {}),
    default: {
      description: route.refusesInReply
        ? 'Refused: by the pipeline with a result, before the pipeline with problem details'
        : 'Refused or failed',
      headers: { 'Retry-After': { description: 'With 429: seconds to wait', schema: { type: 'integer' } } },
      content: { 'application/problem+json': { schema: schemaOf(problem) }, ...refusal },
    },
  };
}

function json(schema: Json): Json {
  return { 'application/json': { schema } };
}

/** Named shapes go to `components`; all other schemas refer to them there. */
function inComponents(schema: z.ZodType, components: Json): Json {
  const made = z.toJSONSchema(schema, { io: 'input', metadata: namedShapes }) as Json;
  const {
    $schema: _dialect,
    $defs = {},
    ...rest
  } = JSON.parse(JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json & { $defs?: Json };
  Object.assign(components, $defs);
  const name = namedShapes.get(schema)?.id;
  if (name === undefined || '$ref' in rest) return rest;
  components[name] = rest;
  return { $ref: `#/components/schemas/${name}` };
}
