/**
 * Signing in to a server that says itself where: whom it trusts is asked anew at each sign-in, and our client there is the
 * operator's, an address of ours that describes us, or one that is registered on the spot. It is kept for the workspace.
 */
import { type Discovered, discover, registerClient } from '../../connections/index.js';
import type { AuthScheme, OAuthProvider } from '../../spec/connection.js';
import type { HttpClient } from '../../spec/context.js';
import type { JsonObject } from '../../spec/json.js';
import type { Principal } from '../../spec/principal.js';
import { httpEndpoint } from '../../util/http-endpoint.js';
import { draft } from '../draft.js';
import type { AccountParts } from './account-parts.js';
import { clientSubject } from './oauth-clients.js';

const timeoutMs = 15_000;
const maxBytes = 128 * 1024;
const clientDocumentPath = '/client-metadata.json';

/** The scopes that the server asks for. */
export async function prepareServerClient(
  parts: AccountParts,
  principal: Principal,
  scheme: AuthScheme & Required<Pick<AuthScheme, 'discover'>>,
  redirectUri: string,
): Promise<readonly string[]> {
  const { workspaceId } = principal;
  const slug = scheme.provider ?? '';
  const { server, named } = scheme.discover;
  const http = await discoveryHttp(parts, named);
  const found = await discover(server, http);
  const scope = parts.storage.workspace(workspaceId);
  const before = (await scope.listAuthConfigs()).find(({ provider }) => provider === slug);
  const kept =
    before !== undefined &&
    before.overrides.issuer === found.provider.issuer &&
    before.overrides.redirectUri === redirectUri;
  const client = kept ? undefined : await clientFor(parts, slug, found, redirectUri, http);
  const clientId = client?.clientId ?? before?.clientId ?? '';
  const tokenAuth = client?.tokenAuth ?? (before?.overrides.tokenAuth as OAuthProvider['tokenAuth']);
  const overrides = { ...found.provider, tokenAuth, redirectUri, name: new URL(server).host };
  const now = parts.now();
  const updatedAt = now.toISOString();
  const place = { workspaceId, subject: clientSubject(slug) };
  const secret = client?.clientSecret;
  const sealed = secret === undefined ? undefined : await parts.vault.seal(place, secret);
  const row = draft('auth_config.changed', principal, now, { provider: slug, clientId, discovered: true });
  await scope.change([row], async (tables) => {
    const stored = JSON.parse(JSON.stringify(overrides)) as JsonObject;
    await tables.putAuthConfig({ provider: slug, clientId, overrides: stored, updatedAt });
    if (sealed) await tables.putSecret(place.subject, sealed, updatedAt);
    else if (client) await tables.deleteSecret(place.subject);
  });
  return found.scopes;
}

/** Where a program gets its token for this server, asked anew. */
export async function discoverFor(parts: AccountParts, { server, named }: Required<AuthScheme>['discover']) {
  const { provider } = await discover(server, await discoveryHttp(parts, named));
  const endpoint = { url: provider.tokenEndpoint, named: named.includes(new URL(provider.tokenEndpoint).origin) };
  return { endpoint, issuer: provider.issuer };
}

interface NewClient {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  readonly tokenAuth: OAuthProvider['tokenAuth'];
}

async function clientFor(
  parts: AccountParts,
  slug: string,
  found: Discovered,
  redirectUri: string,
  http: Pick<HttpClient, 'fetch'>,
): Promise<NewClient> {
  const { tokenAuth } = found.provider;
  const operators = parts.oauthClients.ofFile(slug);
  if (operators)
    return { ...operators, tokenAuth: operators.clientSecret === undefined ? 'none' : secretAuth(tokenAuth) };
  const address = parts.publicUrl(clientDocumentPath);
  if (found.takesClientAddresses && address?.startsWith('https:')) return { clientId: address, tokenAuth: 'none' };
  return registerClient(found, redirectUri, http);
}

function secretAuth(method: OAuthProvider['tokenAuth']): OAuthProvider['tokenAuth'] {
  return method === 'none' ? 'client_secret_basic' : method;
}

/** Whom the server points to is reached like any stranger, unless the operator named it. */
async function discoveryHttp({ egress }: AccountParts, named: readonly string[]): Promise<Pick<HttpClient, 'fetch'>> {
  const out = await egress({ operatorHosts: named.map(httpEndpoint), timeoutMs, maxBytes, maxRedirects: 3 });
  return {
    fetch: (request) => out.fetch({ ...request, redirect: request.method === 'POST' ? 'manual' : 'follow' }),
  };
}
