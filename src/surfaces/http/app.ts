/** The HTTP application: the gate, the routes, the pages and the MCP door, with one translator for errors. */
import { Hono } from 'hono';
import { HelveError } from '../../domain/errors.js';
import { logError } from '../../util/error-log.js';
import type { Identify } from './authenticate.js';
import type { HttpApp, HttpAppOptions, HttpContext } from './context.js';
import { createGate, isSameOrigin, listAddresses } from './gate.js';
import { createMcpMount, createTaskMount, taskPath } from './mcp.js';
import { addOAuth } from './oauth/index.js';
import { addPages } from './pages/index.js';
import { addPanel } from './panel.js';
import { HttpRefusal, isTellable, problemResponse } from './problem.js';
import { createRequestLog } from './request-log.js';
import { routes } from './routes/index.js';
import { runRoute } from './run-route.js';

export function createHttpApp(options: HttpAppOptions): HttpApp {
  const { plane, mcp, taskMcp, publicUrl, log, reportError = log?.error ?? logError } = options;
  const getAddress = listAddresses(options.trustedProxies);
  const identity: Identify = { plane, publicUrl, isSameOrigin: (context) => isSameOrigin(context, publicUrl) };
  const app: HttpApp = new Hono();

  app.onError((error) => {
    if (!isTellable(error)) reportError(error);
    return problemResponse(error);
  });
  app.notFound((context) => problemResponse(nothingHere(app, context)));
  if (log) app.use(createRequestLog(log));
  app.use(createGate(options, getAddress));
  if (taskMcp) app.all(taskPath, createTaskMount(plane, taskMcp, publicUrl));
  if (mcp) app.all('/mcp/:agent', createMcpMount(plane, mcp, publicUrl));
  for (const route of routes) app.on(route.method, route.path, (context) => runRoute(route, context, identity));
  addPages(app, identity);
  addPanel(app, options.panelFolder);
  addOAuth(app, identity, getAddress);
  addOptions(app);
  return app;
}

/** OPTIONS lists the methods of a known path and nothing else: there is no CORS here. */
function addOptions(app: HttpApp): void {
  app.options('*', (context) => {
    const allowed = methodsAt(app, context);
    if (allowed.length === 0) throw noSuchPath(context);
    return new Response(null, { status: 204, headers: { allow: [...allowed, 'OPTIONS'].join(', ') } });
  });
}

function nothingHere(app: HttpApp, context: HttpContext): HelveError {
  const allowed = methodsAt(app, context);
  if (allowed.length === 0) return noSuchPath(context);
  const list = [...allowed, 'OPTIONS'].join(', ');
  return new HttpRefusal(
    405,
    'invalid_input',
    `${context.req.method.slice(0, 20)} is not allowed here`,
    `Use ${list}.`,
    {
      allow: list,
    },
  );
}

function noSuchPath(context: HttpContext): HelveError {
  return new HelveError('not_found', `Nothing exists at ${context.req.path.slice(0, 200)}`, {
    hint: /^\/(?:mcp|sse)\b/.test(context.req.path)
      ? 'MCP clients use the address of an agent, /mcp/<agent>, without anything after it. helve agents lists them.'
      : 'GET /api/openapi.json lists every path.',
  });
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

function methodsAt(app: HttpApp, context: HttpContext): string[] {
  const found = methods.filter((method) =>
    app.router.match(method, context.req.path)[0].some(([[, route]]) => route.path !== '/*'),
  );
  return found.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}
