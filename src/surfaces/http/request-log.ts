/** A line for each request: how it was answered, by the pattern of its path. Paths and queries may contain one-time secrets. */
import type { Next } from 'hono';
import { routePath } from 'hono/route';
import type { Log } from '../../domain/log.js';
import { newId } from '../../util/hash.js';
import type { HttpContext } from './context.js';

/** Routes that monitoring programs poll: they get a line only if the request fails. */
const watched: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics']);
const failure = 500;

/** Gives each request an id, which its answer has as `x-request-id`. What a caller sends as such is not used. */
export function createRequestLog(log: Log): (context: HttpContext, next: Next) => Promise<void> {
  return (context, next) => {
    const requestId = newId();
    const began = performance.now();
    return log.within(requestId, async () => {
      await next();
      context.header('x-request-id', requestId);
      const { status } = context.res;
      const route = routePath(context, -1);
      const level = status >= failure ? 'warn' : watched.has(route) ? 'debug' : 'info';
      const ms = Math.round(performance.now() - began);
      log.write(level, 'request.ended', { method: context.req.method, route, status, ms });
    });
  };
}
