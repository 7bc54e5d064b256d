/**
 * The client of one OpenID provider: discovery, the code exchange, the keys and the claims about a person. All checks of
 * the ID token are a maintained library's; every answer that proves nothing throws.
 */
import * as oauth from 'oauth4webapi';
import type { HttpClient } from '../domain/context.js';
import { HelveError } from '../domain/errors.js';
import type { IdentityProvider } from '../domain/identity.js';
import type { ServerAddress } from '../domain/service.js';
import { basicCredentials } from '../util/basic-credentials.js';
import { parseUrl } from '../util/parse-url.js';

/** What one sign-in is bound to. */
export interface OpenIdRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** PKCE; its hash goes to the provider first. */
  readonly verifier: string;
}

/** Claims that the provider has proved. */
export type OpenIdClaims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

export interface OpenIdClient {
  /** Where the browser is sent. Throws `upstream_failed` if the provider's own description cannot be used. */
  authorizationUrl(request: OpenIdRequest): Promise<string>;
  /**
   * Exchanges the code and checks the ID token: signature, issuer, audience, nonce and time. Throws `forbidden` if the
   * person or the provider refused, and `upstream_failed` for any answer that proves nothing.
   */
  readClaims(callback: URLSearchParams, request: OpenIdRequest): Promise<OpenIdClaims>;
}

export interface OpenIdClientParts {
  readonly provider: IdentityProvider;
  /** Requests to these servers only. */
  readonly http: (servers: readonly ServerAddress[]) => Pick<HttpClient, 'fetch'>;
  readonly now: () => Date;
}

/** How long a provider's description of itself is used. */
const rememberMs = 10 * 60_000;
const maxBytes = 256 * 1024;

export function createOpenIdClient({ provider, http, now }: OpenIdClientParts): OpenIdClient {
  const { issuer, clientId, clientSecret, scopes } = provider;
  const client: oauth.Client = { client_id: clientId };
  const jwksCache: oauth.JWKSCacheInput = {};
  let known: { readonly server: oauth.AuthorizationServer; readonly until: number } | undefined;

  async function getServer(): Promise<oauth.AuthorizationServer> {
    if (known && known.until > now().getTime()) return known.server;
    const asked = new URL(issuer);
    const response = await oauth.discoveryRequest(asked, optionsFor([issuer]));
    const server = await oauth.processDiscoveryResponse(asked, response);
    known = { server, until: now().getTime() + rememberMs };
    return server;
  }

  /** The operator named the issuer's own server, wherever it is. Any other address must be reachable for everybody. */
  function optionsFor(urls: readonly (string | undefined)[]) {
    const { origin, protocol } = new URL(issuer);
    const servers = urls.flatMap((url) =>
      url === undefined ? [] : [{ url, named: parseUrl(url)?.origin === origin }],
    );
    return {
      [oauth.customFetch]: fetchThrough(http(servers)),
      // The configuration accepts http: only for a provider on this machine.
      [oauth.allowInsecureRequests]: protocol === 'http:',
    };
  }

  return {
    authorizationUrl: (request) =>
      translated(provider, async () => {
        const server = await getServer();
        const url = parseUrl(server.authorization_endpoint ?? '');
        if (!url || !['https:', new URL(issuer).protocol].includes(url.protocol))
          throw new HelveError('upstream_failed', `${provider.title} names no https: address for signing in`);
        const set = (name: string, value: string): void => url.searchParams.set(name, value);
        set('response_type', 'code');
        set('client_id', clientId);
        set('redirect_uri', request.redirectUri);
        set('scope', [...new Set(['openid', ...scopes])].join(' '));
        set('state', request.state);
        set('nonce', request.nonce);
        set('code_challenge', await oauth.calculatePKCECodeChallenge(request.verifier));
        set('code_challenge_method', 'S256');
        return url.href;
      }),
    readClaims: (callback, request) =>
      translated(provider, async () => {
        const server = await getServer();
        const options = optionsFor([server.token_endpoint, server.jwks_uri, server.userinfo_endpoint]);
        const parameters = oauth.validateAuthResponse(server, client, callback, request.state);
        const response = await oauth.authorizationCodeGrantRequest(
          ...([server, client, authenticate(server, clientSecret), parameters] as const),
          ...([request.redirectUri, request.verifier, options] as const),
        );
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: request.nonce,
          requireIdToken: true,
        });
        await oauth.validateApplicationLevelSignature(server, response, { ...options, [oauth.jwksCache]: jwksCache });
        const claims = oauth.getValidatedIdTokenClaims(tokens) as oauth.IDToken;
        if (isComplete(provider, claims) || server.userinfo_endpoint === undefined) return claims;
        const asked = await oauth.userInfoRequest(server, client, tokens.access_token, options);
        const more = await oauth.processUserInfoResponse(server, client, claims.sub, asked);
        return { ...more, ...claims, ...chooseAddress(claims, more) };
      }),
  };
}

/** Whether the ID token alone says everything that is used. Many providers put groups and addresses only in UserInfo. */
function isComplete({ roles, groupsClaim }: IdentityProvider, claims: oauth.IDToken): boolean {
  const isThere = (name: string): boolean => readClaim(claims, name) !== undefined;
  return isThere('email') && isThere('name') && (roles === undefined || isThere(groupsClaim));
}

/** The address and whether it is verified, from the same document: the flag of one says nothing about the address of another. */
function chooseAddress(claims: oauth.IDToken, more: oauth.UserInfoResponse) {
  const { email, email_verified } = Object.hasOwn(claims, 'email_verified') ? claims : more;
  return { email, email_verified };
}

/** A claim by its own name, or below others: `realm_access.roles`. */
export function readClaim(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const step of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

function authenticate(server: oauth.AuthorizationServer, secret: string | undefined): oauth.ClientAuth {
  if (secret === undefined) return oauth.None();
  const methods = server.token_endpoint_auth_methods_supported;
  // Without a list, a provider takes the header (OpenID Connect Discovery, section 3).
  if (methods !== undefined && !methods.includes('client_secret_basic')) return oauth.ClientSecretPost(secret);
  return (...[, { client_id }, , headers]) => {
    headers.set('authorization', basicCredentials(client_id, secret));
  };
}

type FetchOptions = { readonly method?: string; readonly headers?: unknown; readonly body?: unknown };

/** A `fetch` for the library, through the egress wall. It follows no redirect: a code or a token would be sent along. */
function fetchThrough(http: Pick<HttpClient, 'fetch'>) {
  return async (url: string, { method = 'GET', headers, body }: FetchOptions): Promise<Response> => {
    const answer = await http.fetch({
      url,
      method,
      headers: Object.fromEntries(new Headers(headers as Record<string, string>)),
      ...(body === undefined || body === null ? {} : { body: String(body) }),
    });
    if (answer.truncated || answer.body.byteLength > maxBytes)
      throw new HelveError('upstream_failed', `${new URL(url).host} sent an answer that is too large`);
    const type = answer.headers['content-type'] ?? 'application/octet-stream';
    const hasNoBody = answer.status === 204 || answer.status === 304;
    return new Response(hasNoBody ? null : answer.text(), {
      status: answer.status,
      headers: { 'content-type': type },
    });
  };
}

/** The cause is dropped: it contains the answer, with its tokens. */
async function translated<T>({ title }: IdentityProvider, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (thrown) {
    if (thrown instanceof HelveError) throw thrown;
    if (thrown instanceof oauth.AuthorizationResponseError)
      throw new HelveError('forbidden', `${title} refused the sign-in: ${toWord(thrown.error)}`, {
        hint: 'Start again, and agree there.',
      });
    if (thrown instanceof oauth.WWWAuthenticateChallengeError)
      throw new HelveError('upstream_failed', `${title} does not accept Helve as its client`, {
        hint: 'The operator checks sign_in.oidc in helve.yaml: client_id, client_secret and the redirect address.',
      });
    const why = thrown instanceof oauth.ResponseBodyError ? toWord(thrown.error) : messageOf(thrown);
    throw new HelveError('upstream_failed', `The answer of ${title} does not prove who you are: ${why}`, {
      hint: 'Start again. If this repeats, show this page to the operator of Helve.',
    });
  }
}

/** An error code of OAuth. Other text from outside is not repeated. */
function toWord(error: string): string {
  return /^[a-z_]{1,60}$/.test(error) ? error : 'no known reason';
}

/** The library's own messages name a check, not a value. */
function messageOf(thrown: unknown): string {
  return thrown instanceof oauth.OperationProcessingError || thrown instanceof oauth.UnsupportedOperationError
    ? thrown.message.slice(0, 200)
    : 'its answer cannot be read';
}
