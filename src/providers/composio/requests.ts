/**
 * Requests to Composio's API, under the version that the server speaks. One without v3.1 answers its listings 404; that is
 * found out once and remembered.
 */
import { HelveError } from '../../domain/errors.js';
import type { ServiceClient, ServiceRequest } from '../../domain/service.js';

export type ApiVersion = 'v3' | 'v3.1';

export interface ApiRequest extends Omit<ServiceRequest, 'path'> {
  /** Below the version, variable parts as `{}`: `/tools/execute/{}`. */
  readonly route: string;
  readonly parts?: readonly string[];
  /** Instead of the client's own, for one call that can be cancelled. */
  readonly service?: ServiceClient | undefined;
}

export interface Requests {
  /** The answer's JSON; undefined where an accepted error status was answered. */
  json(request: ApiRequest): Promise<unknown>;
}

/** Routes that are there for every key; a 404 means that the version is not. */
const listings: ReadonlySet<string> = new Set(['/toolkits', '/tools', '/tools/enum', '/triggers_types']);

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

  /** What is missing may be missing by itself: a listing says whether it is the version. */
  async function isOlder(asked: ApiVersion): Promise<boolean> {
    if (!certain) await send({ route: '/toolkits', query: { limit: 1 } });
    return version !== asked;
  }

  /** Remembered only when the older version is there: a wrong address has neither. */
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

  return { json: send };
}

const isReading = ({ method }: ApiRequest): boolean => method === undefined || method === 'GET';

function isMissing(thrown: unknown): boolean {
  return thrown instanceof HelveError && thrown.details?.status === 404;
}

/** Throws `invalid_input` for a part that would be read as something else than a name. */
function filled(route: string, parts: readonly string[]): string {
  let next = 0;
  return route.replaceAll('{}', () => {
    const part = parts[next++] ?? '';
    if (part !== '' && part !== '.' && part !== '..') return encodeURIComponent(part);
    throw new HelveError('invalid_input', `${JSON.stringify(part)} is no name that Composio could know`);
  });
}

/** For the words of an error. */
export function routeName({ method = 'GET', route }: Pick<ApiRequest, 'method' | 'route'>): string {
  return `${method} ${route}`;
}
