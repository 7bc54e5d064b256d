/**
 * Requests to Composio's API, under the version that the server supports. A server without v3.1 answers its listings with 404;
 * this is detected once and remembered.
 */
import type { z } from 'zod';
import { HelveError } from '../../domain/errors.js';
import type { ServiceClient, ServiceRequest } from '../../domain/service.js';
import { readAnswer } from './answers.js';

export type ApiVersion = 'v3' | 'v3.1';

export interface ApiRequest extends Omit<ServiceRequest, 'path'> {
  /** The path below the version, with variable parts as `{}`: `/tools/execute/{}`. */
  readonly route: string;
  readonly parts?: readonly string[];
  /** Replaces the client's own service client, for one call that can be cancelled. */
  readonly service?: ServiceClient | undefined;
}

export interface Requests {
  /** Returns the response's JSON; undefined for an accepted error status. */
  json(request: ApiRequest): Promise<unknown>;
  /** Returns what `schema` makes of the response's JSON. Throws `upstream_failed` naming the first invalid field. */
  read<Schema extends z.ZodType>(request: ApiRequest, schema: Schema): Promise<z.output<Schema>>;
}

/** Routes that exist for every key; a 404 means that the version does not exist. */
const listings: ReadonlySet<string> = new Set(['/toolkits', '/tools', '/tools/enum', '/triggers_types']);

/** Returns a sender of requests; `pinned` fixes the API version. */
export function createRequests(service: ServiceClient, pinned: ApiVersion | undefined): Requests {
  let version: ApiVersion = pinned ?? 'v3.1';
  let certain = pinned !== undefined;

  async function send(request: ApiRequest): Promise<unknown> {
    const asked = version;
    const listing = listings.has(request.route) && isReading(request);
    try {
      const { missing, json } = await sendAs(asked, request);
      if (!missing || certain) {
        if (listing) certain = true;
        return json;
      }
      return (await isOlder(asked)) ? (await sendAs(version, request)).json : json;
    } catch (thrown) {
      if (!isMissing(thrown) || (certain && asked === version)) throw thrown;
      if (listing) return fallBack(request);
      if (await isOlder(asked)) return (await sendAs(version, request)).json;
      throw thrown;
    }
  }

  /** A 404 may concern only this resource: a listing shows whether it is the version. */
  async function isOlder(asked: ApiVersion): Promise<boolean> {
    if (!certain) await send({ route: '/toolkits', query: { limit: 1 } });
    return version !== asked;
  }

  /** Remembered only if the older version exists: a wrong address has neither. */
  async function fallBack(request: ApiRequest): Promise<unknown> {
    const { json } = await sendAs('v3', request);
    version = 'v3';
    certain = true;
    return json;
  }

  async function sendAs(asked: ApiVersion, request: ApiRequest): Promise<{ missing: boolean; json: unknown }> {
    const { route, parts = [], service: own = service, ...rest } = request;
    const path = `/api/${asked}${filled(route, parts)}`;
    const response = await own.request({ ...rest, path });
    const { status } = response;
    if (rest.accept?.includes(status)) return { missing: status === 404, json: undefined };
    return { missing: false, json: response.json() };
  }

  return {
    json: send,
    read: async (request, schema) => readAnswer(schema, await send(request), { route: routeName(request) }),
  };
}

const isReading = ({ method }: ApiRequest): boolean => method === undefined || method === 'GET';

function isMissing(thrown: unknown): boolean {
  return thrown instanceof HelveError && thrown.details?.status === 404;
}

/** Throws `invalid_input` for a part that would be read as something other than a name. */
function filled(route: string, parts: readonly string[]): string {
  let next = 0;
  return route.replaceAll('{}', () => {
    const part = parts[next++] ?? '';
    if (part !== '' && part !== '.' && part !== '..') return encodeURIComponent(part);
    throw new HelveError('invalid_input', `${JSON.stringify(part)} is not a valid name at Composio`);
  });
}

/** For error messages. */
export function routeName({ method = 'GET', route }: Pick<ApiRequest, 'method' | 'route'>): string {
  return `${method} ${route}`;
}
