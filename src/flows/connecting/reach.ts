/** Requests for an account, through the egress wall: each service reaches only its own servers. */
import type { ServiceClientParts } from '../../connections/index.js';
import type { HttpClient } from '../../domain/context.js';
import type { Endpoint } from '../../domain/reach.js';
import type { ServerAddress, ServiceDefinition } from '../../domain/service.js';
import { httpEndpoint } from '../../util/http-endpoint.js';
import type { AccountParts } from './account-parts.js';

const defaultTimeoutMs = 30_000;
const defaultMaxBytes = 10_000_000;

/** Returns a fetch function for a service, limited to its servers. Redirects are followed only for GET and HEAD. */
export function serviceFetch(
  { egress }: Pick<AccountParts, 'egress'>,
  definition: ServiceDefinition,
  servers: readonly ServerAddress[],
  signal: () => AbortSignal,
): ServiceClientParts['fetch'] {
  const { timeoutMs = defaultTimeoutMs, maxBytes = defaultMaxBytes } = definition;
  const limits = { ...listHosts(servers), timeoutMs, maxBytes, maxRedirects: 3 };
  return async (request) => {
    // A redirect is followed only if nothing is sent that must arrive only once.
    const redirect = request.method === 'GET' || request.method === 'HEAD' ? 'follow' : 'manual';
    return (await egress(limits)).fetch({ ...request, redirect, signal: signal() });
  };
}

/** For the endpoints of an OAuth or OpenID server. No redirect is followed: a code or a token would be sent along. */
export function tokenHttp(
  { egress }: Pick<AccountParts, 'egress'>,
  servers: readonly ServerAddress[],
  timeoutMs: number,
): Pick<HttpClient, 'fetch'> {
  const limits = { ...listHosts(servers), timeoutMs, maxBytes: 128 * 1024, maxRedirects: 0 };
  return { fetch: async (request) => (await egress(limits)).fetch({ ...request, redirect: 'manual' }) };
}

function listHosts(servers: readonly ServerAddress[]): {
  readonly allowedDomains: readonly string[];
  readonly operatorHosts?: readonly Endpoint[];
} {
  const named = servers.filter((server) => server.named).map(({ url }) => getEndpoint(url));
  return {
    allowedDomains: [...new Set(servers.map(({ url }) => getEndpoint(url).host))],
    ...(named.length === 0 ? {} : { operatorHosts: named }),
  };
}

function getEndpoint(url: string): Endpoint {
  const { host, port } = httpEndpoint(url);
  return { host: host.replace(/^\[|\]$/g, ''), port };
}
