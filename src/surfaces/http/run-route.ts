/** How every route runs: identify, check the permission, validate, handle, reply. The route's declarations are checked here. */
import type { z } from 'zod';
import { readShape } from '../../api/index.js';
import { HelveError } from '../../domain/errors.js';
import { type Principal, requirePermission } from '../../domain/principal.js';
import { type Identify, identify } from './authenticate.js';
import { readJson } from './body.js';
import type { HttpContext } from './context.js';
import { accessTo, type Call, type Route } from './route.js';

export async function runRoute(route: Route, context: HttpContext, identity: Identify): Promise<Response> {
  const request = context.req.raw;
  const principal = await getCaller(route, context, identity);
  const call = {
    plane: identity.plane,
    principal,
    params: route.params && parse(route.params, context.req.param(), 'path'),
    query: route.query && parse(route.query, buildQuery(context), 'query'),
    body: route.body && parse(route.body, await readJson(request), 'body'),
    request,
    ifMatch: versionsIn(request.headers.get('if-match')),
  };
  // A principal exists exactly if the route needs a permission: see two lines above.
  const reply = await route.handle(call as Call<Route['acts'], unknown, unknown, unknown>);
  if (reply instanceof Response) return forMethod(request, reply);
  if (route.reply === undefined) return new Response(null, { status: route.status ?? 204 });
  const headers: Record<string, string> = route.versioned
    ? { etag: `"${(reply as { version: string | number }).version}"` }
    : {};
  return Response.json(reply, { status: route.status ?? 200, headers });
}

/** Entity tags: `"a", W/"b"`, or `*`. A header that is not one matches nothing. */
function versionsIn(header: string | null): readonly string[] | undefined {
  if (header === null) return undefined;
  return header.split(',').map((tag) => tag.trim().replace(/^(?:W\/)?"(.*)"$/, '$1'));
}

async function getCaller(route: Route, context: HttpContext, identity: Identify) {
  const access = accessTo(route);
  if ('none' in access) return undefined;
  const principal = await identify(context, identity);
  if ('session' in access) {
    requireSession(principal);
  } else {
    for (const permission of access) requirePermission(principal, permission);
  }
  return principal;
}

function requireSession({ kind, name }: Principal): void {
  if (kind === 'user') return;
  throw new HelveError('forbidden', `${name} is not a person who is signed in`, { hint: 'Sign in in a browser.' });
}

/** HEAD gets the headers of GET; the stream behind them is cancelled. */
function forMethod(request: Request, reply: Response): Response {
  if (request.method === 'HEAD') void reply.body?.cancel();
  return reply;
}

function buildQuery(context: HttpContext): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const [name, values] of Object.entries(context.req.queries()))
    query[name] = values.length > 1 ? values : values[0];
  return query;
}

function parse(schema: z.ZodType, value: unknown, part: 'path' | 'query' | 'body'): unknown {
  return readShape(schema, value, { part, hint: 'GET /api/openapi.json describes every request.' });
}
