/** The OAuth 2.0 client: four requests of a maintained library, adapted to what a provider's data says. */
import * as oauth from 'oauth4webapi';
import type { OAuthProvider } from '../../domain/connection.js';
import type { HttpClient } from '../../domain/context.js';
import { type ErrorCode, HelveError } from '../../domain/errors.js';
import { basicCredentials } from '../../util/basic-credentials.js';
import { defined } from '../../util/defined.js';
import { parseUrl } from '../../util/parse-url.js';
import { createScrub } from '../scrub.js';
import { parseHttpAddress } from './metadata.js';
import { type LastAnswer, providerFetch } from './provider-fetch.js';

/** A provider with the operator's client at it. */
export interface OAuthClient {
  readonly provider: OAuthProvider;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
}

export interface OAuthTokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresInSeconds?: number;
  /** As the provider states; undefined if it does not. */
  readonly scopes?: readonly string[];
}

export interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly verifier: string;
  readonly scopes: readonly string[];
}

export const newState = oauth.generateRandomState;
export const newVerifier = oauth.generateRandomCodeVerifier;

/**
 * Returns the address to which the browser is sent. Throws `invalid_config` for one that is not http: or https:,
 * because a browser might execute it.
 */
export async function authorizationUrl(client: OAuthClient, request: AuthorizationRequest): Promise<string> {
  const { provider } = client;
  const url = parseHttpAddress(provider.authorizationEndpoint);
  if (!url)
    throw new HelveError('invalid_config', `The authorization endpoint of ${provider.name} is not an https: address`, {
      hint: 'Connect the account again, or set oauth.<provider>.authorization_endpoint in helve.yaml.',
    });
  const set = (name: string, value: string): void => url.searchParams.set(name, value);
  for (const [name, value] of Object.entries(provider.authorizationParameters ?? {})) set(name, value);
  set('response_type', 'code');
  set(provider.clientIdParameter ?? 'client_id', client.clientId);
  set('redirect_uri', request.redirectUri);
  set('state', request.state);
  if (request.scopes.length > 0)
    set(provider.scopeParameter ?? 'scope', request.scopes.join(provider.scopeDelimiter ?? ' '));
  if (provider.pkce !== 'none') {
    set('code_challenge', await oauth.calculatePKCECodeChallenge(request.verifier));
    set('code_challenge_method', 'S256');
  }
  return url.href;
}

/**
 * Checks the callback (state, issuer, error) and exchanges the code, once. Throws `forbidden` for what the provider or
 * the person refused, `upstream_failed` for an answer without a token.
 */
export async function exchangeCode(
  client: OAuthClient,
  callback: URLSearchParams,
  request: AuthorizationRequest,
  http: Pick<HttpClient, 'fetch'>,
): Promise<OAuthTokens> {
  const { server, library, authentication, options, last } = prepare(client, http, callback.get('iss') ?? undefined);
  const sent = [request.verifier, request.state, callback.get('code') ?? ''];
  return translated({ client, sent, last, refusal: () => 'forbidden' }, async () => {
    // The library treats an empty name as absent.
    if (callback.get('iss') === '')
      throw new HelveError('forbidden', `${client.provider.name} answered with an empty issuer`);
    const parameters = oauth.validateAuthResponse(server, library, callback, request.state);
    const verifier = client.provider.pkce === 'none' ? oauth.nopkce : request.verifier;
    const response = await oauth.authorizationCodeGrantRequest(
      ...([server, library, authentication, parameters, request.redirectUri, verifier, options] as const),
    );
    return readTokens(client, await oauth.processAuthorizationCodeResponse(server, library, response));
  });
}

/**
 * Throws `forbidden` only if the server says that the refresh token has ended (`invalid_grant`): any other answer may
 * be different tomorrow. `rate_limited` and `upstream_failed` carry `details.retryAfterSeconds` if the server states
 * it.
 */
export async function refreshTokens(
  client: OAuthClient,
  refreshToken: string,
  http: Pick<HttpClient, 'fetch'>,
): Promise<OAuthTokens> {
  const { server, library, authentication, options, last } = prepare(client, http);
  return translated({ client, sent: [refreshToken], last, refusal: refusalOfRefresh }, async () => {
    const response = await oauth.refreshTokenGrantRequest(server, library, authentication, refreshToken, options);
    return readTokens(client, await oauth.processRefreshTokenResponse(server, library, response));
  });
}

/** Does nothing if the provider has no endpoint for it. */
export async function revokeToken(
  client: OAuthClient,
  token: string,
  http: Pick<HttpClient, 'fetch'>,
): Promise<'revoked' | 'unsupported'> {
  if (client.provider.revocationEndpoint === undefined) return 'unsupported';
  const { server, library, authentication, options, last } = prepare(client, http);
  return translated<'revoked'>({ client, sent: [token], last, refusal: () => 'forbidden' }, async () => {
    const response = await oauth.revocationRequest(server, library, authentication, token, options);
    await oauth.processRevocationResponse(response);
    return 'revoked';
  });
}

function prepare(client: OAuthClient, http: Pick<HttpClient, 'fetch'>, namedIssuer?: string) {
  const { provider, clientId, clientSecret } = client;
  const server: oauth.AuthorizationServer = {
    issuer: getIssuer(provider, namedIssuer),
    token_endpoint: provider.tokenEndpoint,
    ...defined({ revocation_endpoint: provider.revocationEndpoint }),
    ...(provider.issuerRequired ? { authorization_response_iss_parameter_supported: true } : {}),
  };
  const last: LastAnswer = {};
  return {
    server,
    last,
    library: { client_id: clientId } satisfies oauth.Client,
    authentication: getAuthentication(provider, clientSecret),
    options: {
      [oauth.customFetch]: providerFetch(http, last),
      // The egress wall decides where plain HTTP may go: only to servers that the operator named.
      [oauth.allowInsecureRequests]: true,
      ...(provider.tokenParameters === undefined ? {} : { additionalParameters: { ...provider.tokenParameters } }),
    },
  };
}

/**
 * If the data names no issuer, an issuer named in the callback must at least be at the address to which the browser was
 * sent.
 */
function getIssuer(provider: OAuthProvider, named: string | undefined): string {
  const { origin } = new URL(provider.authorizationEndpoint);
  if (provider.issuer !== undefined) return provider.issuer;
  return named !== undefined && parseUrl(named)?.origin === origin ? named : origin;
}

function getAuthentication(provider: OAuthProvider, secret: string | undefined): oauth.ClientAuth {
  if (secret === undefined || provider.tokenAuth === 'none') return oauth.None();
  if (provider.tokenAuth === 'client_secret_post') return oauth.ClientSecretPost(secret);
  return (_server, client, _body, headers) => {
    headers.set('authorization', basicCredentials(client.client_id, secret));
  };
}

/**
 * Characters that a header may contain (RFC 6750, and the practice of services), up to a length that servers accept.
 */
const sendable = /^[\x21-\x7e]{1,20000}$/;
/** A longer lifetime is taken to mean that the token does not expire. */
const maxSeconds = 10 * 365 * 86_400;

function readTokens({ provider }: OAuthClient, answer: oauth.TokenEndpointResponse): OAuthTokens {
  if (answer.token_type.toLowerCase() !== 'bearer')
    throw new HelveError('upstream_failed', `${provider.name} answered with a token type that needs signed requests`);
  if (!sendable.test(answer.access_token))
    throw new HelveError('upstream_failed', `${provider.name} answered with a token that cannot be sent`);
  const scopes = answer.scope?.split(/[\s,]+/).filter(Boolean);
  const { expires_in: seconds } = answer;
  return {
    accessToken: answer.access_token,
    ...defined({ refreshToken: answer.refresh_token }),
    ...(seconds === undefined || seconds > maxSeconds ? {} : { expiresInSeconds: seconds }),
    ...(scopes === undefined || provider.scopeParameter === 'user_scope' ? {} : { scopes }),
  };
}

interface Translation {
  readonly client: OAuthClient;
  /** Values that servers repeat in their error texts and that must be removed from them. */
  readonly sent: readonly string[];
  readonly last: LastAnswer;
  /** The code for an error that is neither a server failure nor a rate limit. */
  readonly refusal: (error: string) => ErrorCode;
}

const troubles = new Set(['temporarily_unavailable', 'server_error']);

function refusalOfRefresh(error: string): ErrorCode {
  return error === 'invalid_grant' ? 'forbidden' : 'upstream_failed';
}

/**
 * Translates errors. The message never contains a code, token or verifier, even if the server repeats them, and the
 * cause is dropped, because it contains the answer.
 */
async function translated<T>({ client, sent, last, refusal }: Translation, act: () => Promise<T>): Promise<T> {
  const { provider, clientSecret = '' } = client;
  const scrub = createScrub([clientSecret, ...sent]);
  try {
    return await act();
  } catch (thrown) {
    if (thrown instanceof HelveError) throw thrown;
    const details = last.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: last.retryAfterSeconds };
    if (thrown instanceof oauth.AuthorizationResponseError || thrown instanceof oauth.ResponseBodyError) {
      const error = scrub(thrown.error).slice(0, 100);
      const why = thrown.error_description ? `${error}: ${scrub(thrown.error_description)}` : error;
      const status = thrown instanceof oauth.ResponseBodyError ? thrown.status : undefined;
      const code = passingCode(error, status) ?? refusal(error);
      throw new HelveError(code, `${provider.name} refused: ${why.slice(0, 300)}`, {
        ...(error === 'invalid_client' ? { hint: clientHint(provider) } : {}),
        details: { ...details, error },
      });
    }
    const message = scrub(thrown instanceof Error ? thrown.message : String(thrown)).slice(0, 300);
    const code = last.status === 429 ? 'rate_limited' : 'upstream_failed';
    throw new HelveError(code, `${provider.name} answered with no token: ${message}`, { details });
  }
}

/** A rate limit or a server failure, under any error name. */
function passingCode(error: string, status: number | undefined): ErrorCode | undefined {
  if (status === 429 || error === 'slow_down') return 'rate_limited';
  return troubles.has(error) || (status ?? 0) >= 500 ? 'upstream_failed' : undefined;
}

function clientHint({ slug }: OAuthProvider): string {
  return `The operator checks oauth.${slug}.client_id and client_secret in helve.yaml, with helve auth doctor ${slug}.`;
}
