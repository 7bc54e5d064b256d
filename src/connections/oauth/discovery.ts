/**
 * Finds the authorization server that an MCP server trusts, and registers a client there: by the authorization pages of
 * MCP, from the refusal of a request without credentials to a registered client.
 */
import type { OAuthProvider } from '../../domain/connection.js';
import type { HttpClient, HttpResponse } from '../../domain/context.js';
import { HelveError } from '../../domain/errors.js';
import { defined } from '../../util/defined.js';
import { parseHttpAddress, readServerMetadata, type ServerMetadata } from './metadata.js';

export interface Discovered {
  readonly provider: Omit<OAuthProvider, 'slug' | 'name'>;
  /** The default scopes to request: those named in the refusal, else those that the server lists. */
  readonly scopes: readonly string[];
  readonly registrationEndpoint: string | undefined;
  /** A client id may be a URL of ours instead of a registered one. */
  readonly takesClientAddresses: boolean;
  /**
   * Whether the server supports PKCE with S256. A server older than 2025-11-25 without any metadata must support it.
   */
  readonly pkce: 'taken' | 'refused' | 'unsaid';
}

type Http = Pick<HttpClient, 'fetch'>;

const maxBytes = 128 * 1024;

/** Throws `upstream_failed`, with what is missing, for a server that does not support sign-in. */
export async function discover(serverUrl: string, http: Http): Promise<Discovered> {
  const challenge = await knock(serverUrl, http);
  const resource = await fetchResource(serverUrl, challenge, http);
  const issuer = resource?.authorization_servers?.[0];
  const metadata = issuer === undefined ? await oldMetadata(serverUrl, http) : await fetchMetadata(issuer, http);
  // Before 2025-11-25, a server without metadata was its own authorization server.
  if (!metadata) return withoutMetadata(serverUrl, challenge);
  const { authorizationEndpoint, tokenEndpoint, revocationEndpoint, challengeMethods: methods } = metadata;
  if (authorizationEndpoint === undefined || tokenEndpoint === undefined)
    throw unusable(serverUrl, `${metadata.issuer} names no authorization or token endpoint`);
  return {
    provider: {
      authorizationEndpoint,
      tokenEndpoint,
      ...defined({ revocationEndpoint }),
      issuer: metadata.issuer,
      ...(metadata.namesItself ? { issuerRequired: true } : {}),
      ...forResource(resource ? resource.resource : undefined),
      tokenAuth: getTokenAuth(metadata),
    },
    scopes: challenge.scopes ?? resource?.scopes_supported ?? [],
    registrationEndpoint: metadata.registrationEndpoint,
    takesClientAddresses: metadata.takesClientAddresses,
    pkce: methods === undefined ? 'unsaid' : methods.includes('S256') ? 'taken' : 'refused',
  };
}

/** Registers a client (RFC 7591). Throws `upstream_failed` or `forbidden`. */
export async function registerClient(
  { provider, registrationEndpoint, scopes }: Discovered,
  redirectUri: string,
  http: Http,
): Promise<{
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly tokenAuth: OAuthProvider['tokenAuth'];
}> {
  if (registrationEndpoint === undefined)
    throw new HelveError(
      'upstream_failed',
      `${provider.issuer ?? 'The server'} does not register clients dynamically`,
      {
        hint: 'Create a client there, and set oauth."mcp:<slug>".client_id in helve.yaml.',
      },
    );
  const wanted = {
    client_name: 'Helve',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: provider.tokenAuth ?? 'none',
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
  };
  const answer = await http.fetch({
    url: registrationEndpoint,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(wanted),
  });
  const given = toObject(answer);
  if (answer.status >= 400 || typeof given?.client_id !== 'string') {
    const why = typeof given?.error_description === 'string' ? given.error_description : `status ${answer.status}`;
    throw new HelveError(
      'forbidden',
      `${new URL(registrationEndpoint).host} refused to register a client: ${why.slice(0, 300)}`,
    );
  }
  const method = given.token_endpoint_auth_method;
  return {
    clientId: given.client_id,
    ...(typeof given.client_secret === 'string' ? { clientSecret: given.client_secret } : {}),
    tokenAuth: isTokenAuth(method) ? method : provider.tokenAuth,
  };
}

interface Challenge {
  readonly metadataUrl?: string;
  readonly scopes?: readonly string[];
}

const clientInfo = { name: 'helve', version: '0' };
/** Some servers let anyone initialize, and refuse only later requests. */
const knocks = [
  { method: 'tools/list', params: {} },
  { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
];

/** Sends a request without credentials and reads from the refusal where to get some. */
async function knock(serverUrl: string, http: Http): Promise<Challenge> {
  let header = '';
  for (const request of knocks) {
    const answer = await http.fetch({
      url: serverUrl,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...request }),
    });
    header = answer.headers['www-authenticate'] ?? '';
    if (header !== '') break;
  }
  const parameter = (name: string): string | undefined =>
    new RegExp(`(?:^|[\\s,])${name}="([^"]*)"`, 'i').exec(header)?.[1];
  const metadataUrl = parameter('resource_metadata');
  const scope = parameter('scope');
  return {
    ...defined({ metadataUrl }),
    ...(scope === undefined ? {} : { scopes: scope.split(' ').filter(Boolean) }),
  };
}

interface Resource {
  readonly resource: string;
  readonly authorization_servers?: readonly string[];
  readonly scopes_supported?: readonly string[];
}

/** RFC 9728: at the address that the refusal named, else at the well-known ones. It must describe this same server. */
async function fetchResource(serverUrl: string, { metadataUrl }: Challenge, http: Http): Promise<Resource | undefined> {
  const { origin, pathname } = new URL(serverUrl);
  const path = pathname.replace(/\/$/, '');
  const known = `${origin}/.well-known/oauth-protected-resource`;
  const places = metadataUrl === undefined ? [...(path === '' ? [] : [`${known}${path}`]), known] : [metadataUrl];
  for (const place of places) {
    const found = await document(place, http);
    if (typeof found?.resource !== 'string') continue;
    if (!isAbout(found.resource, serverUrl))
      throw unusable(serverUrl, `${new URL(place).host} describes another server: ${found.resource.slice(0, 200)}`);
    return {
      resource: found.resource,
      ...(isTexts(found.authorization_servers) ? { authorization_servers: found.authorization_servers } : {}),
      ...(isTexts(found.scopes_supported) ? { scopes_supported: found.scopes_supported } : {}),
    };
  }
  return undefined;
}

/** Whether the resource is the server itself, or a path above it on the same origin. */
function isAbout(resource: string, serverUrl: string): boolean {
  const [named, server] = [parseHttpAddress(resource), new URL(serverUrl)];
  if (!named) return false;
  if (named.origin !== server.origin) return false;
  const above = named.pathname.replace(/\/$/, '');
  return server.pathname === named.pathname || server.pathname === above || server.pathname.startsWith(`${above}/`);
}

/** RFC 8414 and OpenID Connect, in the order of the MCP specification. The issuer must be the server that was asked. */
async function fetchMetadata(issuer: string, http: Http): Promise<ServerMetadata | undefined> {
  const asked = parseHttpAddress(issuer);
  if (!asked)
    throw new HelveError(
      'upstream_failed',
      `The authorization server ${issuer.slice(0, 200)} is not an https: address`,
    );
  const { origin, pathname } = asked;
  const path = pathname.replace(/\/$/, '');
  const places =
    path === ''
      ? [`${origin}/.well-known/oauth-authorization-server`, `${origin}/.well-known/openid-configuration`]
      : [
          `${origin}/.well-known/oauth-authorization-server${path}`,
          `${origin}/.well-known/openid-configuration${path}`,
          `${origin}${path}/.well-known/openid-configuration`,
        ];
  for (const place of places) {
    const found = await document(place, http);
    if (typeof found?.issuer !== 'string') continue;
    if (!isIssuer(found.issuer, issuer))
      throw new HelveError('upstream_failed', `${origin} claims to be ${found.issuer.slice(0, 200)}`);
    return readServerMetadata(found, place);
  }
  return undefined;
}

/**
 * Whether the issuer is the one that was asked, or a path above it on the same origin: one server may sign in the users
 * of many tenants.
 */
function isIssuer(found: string, asked: string): boolean {
  const [named, wanted] = [found.replace(/\/$/, ''), asked.replace(/\/$/, '')];
  return (
    named === wanted || (parseHttpAddress(named)?.origin === new URL(wanted).origin && wanted.startsWith(`${named}/`))
  );
}

async function oldMetadata(serverUrl: string, http: Http): Promise<ServerMetadata | undefined> {
  return fetchMetadata(new URL(serverUrl).origin, http);
}

function withoutMetadata(serverUrl: string, { scopes = [] }: Challenge): Discovered {
  const { origin } = new URL(serverUrl);
  return {
    provider: { authorizationEndpoint: `${origin}/authorize`, tokenEndpoint: `${origin}/token`, tokenAuth: 'none' },
    scopes,
    registrationEndpoint: `${origin}/register`,
    takesClientAddresses: false,
    pkce: 'taken',
  };
}

/** RFC 8707: the token is valid for this server only. */
function forResource(resource: string | undefined): Pick<OAuthProvider, 'authorizationParameters' | 'tokenParameters'> {
  return resource === undefined ? {} : { authorizationParameters: { resource }, tokenParameters: { resource } };
}

const tokenAuths = ['client_secret_basic', 'client_secret_post', 'none'] as const;

function isTokenAuth(method: unknown): method is NonNullable<OAuthProvider['tokenAuth']> {
  return tokenAuths.some((one) => one === method);
}

function getTokenAuth({ tokenAuthMethods: methods }: ServerMetadata): OAuthProvider['tokenAuth'] {
  if (methods === undefined) return 'client_secret_basic';
  return tokenAuths.find((one) => methods.includes(one)) ?? 'none';
}

async function document(url: string, http: Http): Promise<Record<string, unknown> | undefined> {
  if (!parseHttpAddress(url)) return undefined;
  const answer = await http.fetch({ url, headers: { accept: 'application/json' } });
  return answer.status === 200 ? toObject(answer) : undefined;
}

function toObject(answer: HttpResponse): Record<string, unknown> | undefined {
  if (answer.truncated || answer.body.byteLength > maxBytes) return undefined;
  try {
    const value: unknown = JSON.parse(answer.text());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function unusable(serverUrl: string, why: string): HelveError {
  return new HelveError('upstream_failed', `${new URL(serverUrl).host} does not support sign-in: ${why}`);
}
