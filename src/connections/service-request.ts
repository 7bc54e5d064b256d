/** Prepares a tool's request for sending: below one of the service's servers, whatever its path contains. */
import { HelveError } from '../domain/errors.js';
import type { ServerAddress, ServiceDefinition, ServiceRequest } from '../domain/service.js';
import { findStep, hasEmptySegment } from '../util/path-steps.js';

export interface PreparedRequest {
  readonly method: string;
  readonly url: URL;
  /** The path of the server's base URL, without a trailing slash. */
  readonly serverPath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

export type Servers = Readonly<Record<string, ServerAddress>>;

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** `idempotencyKey` is called only for a request that carries the key. */
export function prepareRequest(
  request: ServiceRequest,
  definition: ServiceDefinition,
  servers: Servers,
  idempotencyKey: () => string,
): PreparedRequest {
  const method = request.method ?? 'GET';
  const { url, serverPath } = getAddress(request, servers);
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one));
  }
  const { body, type } = buildBody(request);
  const key = definition.idempotencyHeader;
  return {
    method,
    url,
    serverPath,
    headers: lowerCased({
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(key === undefined || readingMethods.has(method) ? {} : { [key]: idempotencyKey() }),
      ...definition.headers,
      ...request.headers,
    }),
    body,
  };
}

/** Whether sending it twice has the same effect as once, with the same idempotency key if the service takes one. */
export function isRepeatable(request: ServiceRequest, definition: ServiceDefinition): boolean {
  return isHarmless(request) || request.repeatable === 'within_call' || definition.idempotencyHeader !== undefined;
}

/** Whether any call may send it again. */
export function isHarmless(request: ServiceRequest): boolean {
  return readingMethods.has(request.method ?? 'GET') || request.repeatable === true;
}

/** For every toolkit and every path: an id that is `..` would reach another address of the same service. */
function getAddress(request: ServiceRequest, servers: Servers): { url: URL; serverPath: string } {
  const { path, server = 'default' } = request;
  const cut = path.search(/[?#]/);
  const plain = cut < 0 ? path : path.slice(0, cut);
  requireNames(plain, request);
  if (/^https?:\/\//i.test(path)) {
    const url = new URL(path);
    for (const { url: base } of Object.values(servers)) {
      const serverPath = getPath(base);
      if (new URL(base).origin === url.origin && isBelow(url.pathname, serverPath)) return { url, serverPath };
    }
    throw new HelveError('egress_blocked', `${url.origin} is not one of this service's servers`);
  }
  const base = Object.hasOwn(servers, server) ? servers[server]?.url : undefined;
  if (base === undefined) throw new HelveError('internal', `The service has no server ${JSON.stringify(server)}`);
  const serverPath = getPath(base);
  const url = new URL(base);
  url.pathname = `${serverPath}/${plain.replace(/^\//, '')}`;
  url.search = cut >= 0 && path[cut] === '?' ? (path.slice(cut).split('#')[0] ?? '') : '';
  url.hash = '';
  // The parser has resolved `..` by now, in every encoding.
  if (!isBelow(url.pathname, serverPath))
    throw new HelveError('invalid_input', 'The path leaves the service', { hint: 'Send names without `..`.' });
  return { url, serverPath };
}

function requireNames(path: string, { emptySegments = false }: ServiceRequest): void {
  const step = findStep(path);
  const absolute = /^https?:/i.test(path);
  if (step === undefined && (emptySegments || absolute || !hasEmptySegment(path))) return;
  const problem = step === undefined ? 'is empty' : `would be ${JSON.stringify(step)}, which leads to another path`;
  throw new HelveError('invalid_input', `A part of the address ${problem}`, {
    hint: 'Send the id or name of the thing itself, without `.` and `..` as parts.',
  });
}

function getPath(base: string): string {
  return new URL(base).pathname.replace(/\/+$/, '');
}

function isBelow(path: string, serverPath: string): boolean {
  return path === serverPath || path.startsWith(`${serverPath}/`);
}

function buildBody({ json, form, body }: ServiceRequest): { body: string | Uint8Array | undefined; type?: string } {
  if (json !== undefined) return { body: JSON.stringify(json), type: 'application/json' };
  if (form !== undefined) {
    return {
      body: new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])).toString(),
      type: 'application/x-www-form-urlencoded',
    };
  }
  return { body };
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
