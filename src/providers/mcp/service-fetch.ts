/**
 * `fetch` through an account's own client, for servers behind OAuth: tokens, their refresh and redaction stay in one place.
 * That client returns complete responses, so there is no permanent stream for notifications (answered with 405), and no
 * question can be answered during a call; a server of 2026-07-28 needs neither.
 */
import type { BoundConnection } from '../../domain/connection.js';
import type { JsonObject } from '../../domain/json.js';
import type { ServiceDefinition, ServiceRequest } from '../../domain/service.js';
import { defined } from '../../util/defined.js';
import type { FetchLike } from './bounded-fetch.js';
import { limits } from './limits.js';

const noSettings: JsonObject = {};
/** The library interprets all statuses, except those that concern the account. */
const answers = [400, 404, 405, 406, 409, 410, 415, 422, 500, 501, 502, 503, 504];

/** Returns a `fetch` for requests to `url` with the connection's credentials. Throws the connection's errors. */
export function createServiceFetch(url: string, connection: BoundConnection): FetchLike {
  const definition: ServiceDefinition = {
    servers: () => ({ default: { url: new URL(url).origin, named: true } }),
    timeoutMs: limits.callMs,
    maxBytes: limits.messageBytes,
  };
  const service = connection.service(definition, noSettings);
  return async (target, init) => {
    const method = (init?.method ?? 'GET') as NonNullable<ServiceRequest['method']>;
    if (method === 'GET') return new Response(null, { status: 405 });
    const { pathname, search } = new URL(target);
    const response = await service.request({
      method,
      path: `${pathname}${search}`,
      headers: Object.fromEntries(new Headers(init?.headers)),
      ...defined({ body: typeof init?.body === 'string' ? init.body : undefined }),
      accept: answers,
    });
    const empty = response.status === 204 || response.status === 205 || response.status === 304;
    // Several cookies are joined by line breaks, which no header may contain; none is kept here.
    const { 'set-cookie': _cookies, ...headers } = response.headers;
    return new Response(empty ? null : new Uint8Array(response.body), { status: response.status, headers });
  };
}
