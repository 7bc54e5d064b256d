/**
 * Signs in to a discovered server: its authorization server is looked up at each sign-in, and our client there is the
 * operator's, an address of ours that describes us, or one that is registered dynamically. It is stored for the
 * workspace.
 */
import { type Discovered, discover, registerClient } from '../../connections/index.js';
import type { AuthScheme, OAuthProvider } from '../../domain/connection.js';
import type { HttpClient } from '../../domain/context.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { Principal } from '../../domain/principal.js';
import type { AuthConfig, ConfigurationTables } from '../../domain/storage.js';
import { canonicalJson } from '../../util/canonical.js';
import { httpEndpoint } from '../../util/http-endpoint.js';
import { changedInLine, draft } from '../workspaces/index.js';
import type { AccountParts, OperatorsWord } from './account-parts.js';
import { callbackPath, callbackPathFor, clientDocumentPath, issuerKey, sharedKey } from './callback-path.js';
import { clientSubject } from './oauth-clients.js';

const timeoutMs = 15_000;
const maxBytes = 128 * 1024;

/** How many times a sign-in looks for the client because others have changed it in between. */
const maxRounds = 5;

type DiscoveredScheme = AuthScheme & Required<Pick<AuthScheme, 'discover'>>;

interface Prepared {
  readonly scopes: readonly string[];
  readonly redirectUri: string;
}

/**
 * Returns the scopes that the server asks for, and the callback address: each issuer has its own, so that none can
 * answer in another's place. Throws `upstream_failed`, `invalid_config` if Helve does not know its own address, and
 * `conflict` if others keep changing the client.
 */
export async function prepareServerClient(
  parts: AccountParts,
  principal: Principal,
  scheme: DiscoveredScheme,
): Promise<Prepared> {
  for (let round = 1; round <= maxRounds; round++) {
    const prepared = await prepare(parts, principal, scheme);
    if (prepared) return prepared;
  }
  throw new HelveError('conflict', `The client for ${scheme.provider} is being changed by others`, {
    hint: 'Begin again.',
  });
}

/** Undefined if somebody else has changed the client meanwhile: what is signed in with theirs must not be replaced. */
async function prepare(
  parts: AccountParts,
  principal: Principal,
  scheme: DiscoveredScheme,
): Promise<Prepared | undefined> {
  const { workspaceId } = principal;
  const slug = scheme.provider ?? '';
  const { server, named } = scheme.discover;
  const http = await discoveryHttp(parts, named);
  const found = await discover(server, http);
  const scope = parts.storage.workspace(workspaceId);
  const findStored = async () => (await scope.listAuthConfigs()).find(({ provider }) => provider === slug);
  const before = await findStored();
  const operators = parts.oauthClients.ofFile(slug);
  checkIssuer(operators, { found, before, slug });
  const pkce = checkPkce(operators?.pkce, found, slug);
  const clientAddress = found.takesClientAddresses ? await clientAddressFor(parts, found.provider) : undefined;
  const redirectUri = ownAddress(parts, clientAddress?.callbackPath ?? callbackPathFor(found.provider));
  const kept =
    before !== undefined &&
    before.overrides.issuer === found.provider.issuer &&
    before.overrides.redirectUri === redirectUri &&
    (operators?.clientId ?? before.clientId) === before.clientId;
  const asked = { slug, found, redirectUri, clientAddress: clientAddress?.url };
  const client = kept ? undefined : await clientFor(parts, asked, http);
  const clientId = client?.clientId ?? before?.clientId ?? '';
  const tokenAuth = client?.tokenAuth ?? (before?.overrides.tokenAuth as OAuthProvider['tokenAuth']);
  const overrides = { ...found.provider, ...pkce, tokenAuth, redirectUri, name: new URL(server).host };
  const now = parts.now();
  const updatedAt = now.toISOString();
  const place = { workspaceId, subject: clientSubject(slug) };
  const secret = client?.clientSecret;
  const sealed = secret === undefined ? undefined : await parts.vault.seal(place, secret);
  const row = draft('auth_config.changed', principal, now, { provider: slug, clientId, discovered: true });
  const write = async (tables: ConfigurationTables): Promise<void> => {
    const stored = JSON.parse(JSON.stringify(overrides)) as JsonObject;
    await tables.putAuthConfig({ provider: slug, clientId, overrides: stored, updatedAt });
    if (sealed) await tables.putSecret(place.subject, sealed, updatedAt);
    else if (client) await tables.deleteSecret(place.subject);
  };
  const isWritten = await changedInLine(parts, workspaceId, async ({ revision }) => {
    if (!isSameClient(await findStored(), before)) return false;
    await scope.change([row], write, revision);
    return true;
  });
  return isWritten ? { scopes: found.scopes, redirectUri } : undefined;
}

/** Every sign-in writes the client anew, which alone does not make it another one. */
function isSameClient(one: AuthConfig | undefined, other: AuthConfig | undefined): boolean {
  const describe = (config: AuthConfig | undefined) => canonicalJson(config ? [config.clientId, config.overrides] : []);
  return describe(one) === describe(other);
}

interface Issuing {
  readonly found: Discovered;
  /** The client with which people signed in before. */
  readonly before: AuthConfig | undefined;
  readonly slug: string;
}

/**
 * The operator's client is registered at one issuer, but the server decides which one is asked: no other may get its secret. The issuer
 * is the one that the operator names, else the one where the client was used first.
 */
function checkIssuer(operators: OperatorsWord = {}, { found, before, slug }: Issuing): void {
  const { clientId, clientSecret, issuer: named } = operators;
  const { issuer } = found.provider;
  const isBound = clientSecret !== undefined && before?.clientId === clientId;
  const expected = named ?? (isBound ? before?.overrides.issuer : issuer);
  const plain = (one: unknown): string => String(one ?? 'none').replace(/\/$/, '');
  if (plain(expected) === plain(issuer)) return;
  throw new HelveError(
    'upstream_failed',
    `The server names the issuer ${plain(issuer)}, but the operator's client for ${slug} is registered at another one: ${plain(expected)}`,
    {
      hint: `If the server has moved, set oauth."${slug}".issuer in helve.yaml, and the client that is registered there.`,
    },
  );
}

/** A server that does not declare support for PKCE may ignore it, and then a leaked code could be used. */
function checkPkce(
  operators: OAuthProvider['pkce'],
  { provider, pkce }: Discovered,
  slug: string,
): Pick<OAuthProvider, 'pkce'> {
  if (operators !== undefined) return { pkce: operators };
  if (pkce === 'taken') return {};
  const said = pkce === 'refused' ? 'does not support PKCE with S256' : 'does not state that it supports PKCE';
  throw new HelveError(
    'upstream_failed',
    `${provider.issuer ?? slug} ${said}, so anyone who sees a code could use it`,
    {
      hint: `If you know better, set oauth."${slug}".pkce in helve.yaml: S256 if the server supports it anyway, none to sign in without it.`,
    },
  );
}

/**
 * The address that describes us, with the one redirect address in it. The shared address is used only if a single
 * server of this installation is signed in to that way: two servers that share it could send each other's codes.
 */
async function clientAddressFor(parts: AccountParts, provider: Discovered['provider']) {
  const schemes = (await parts.registry.toolkits()).flatMap(({ auth }) => auth?.schemes ?? []);
  const servers = new Set(schemes.flatMap(({ discover: place }) => place?.server ?? []));
  const key = servers.size > 1 ? issuerKey(provider) : undefined;
  const url = parts.publicUrl(clientDocumentPath(key));
  if (!url?.startsWith('https:')) return undefined;
  return { url, callbackPath: callbackPath(key ?? sharedKey) };
}

function ownAddress(parts: AccountParts, path: string): string {
  const url = parts.publicUrl(path);
  if (url !== undefined) return url;
  throw new HelveError('invalid_config', 'Helve does not know its own address', { hint: 'Set HELVE_PUBLIC_URL.' });
}

/** Looks up where a program gets its token for this server. */
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

interface WantedClient {
  readonly slug: string;
  readonly found: Discovered;
  readonly redirectUri: string;
  /** An address that describes us, if the server accepts one. */
  readonly clientAddress: string | undefined;
}

async function clientFor(
  parts: AccountParts,
  { slug, found, redirectUri, clientAddress }: WantedClient,
  http: Pick<HttpClient, 'fetch'>,
): Promise<NewClient> {
  const { tokenAuth } = found.provider;
  const { clientId, clientSecret } = parts.oauthClients.ofFile(slug) ?? {};
  if (clientId !== undefined)
    return { clientId, clientSecret, tokenAuth: clientSecret === undefined ? 'none' : secretAuth(tokenAuth) };
  if (clientAddress !== undefined) return { clientId: clientAddress, tokenAuth: 'none' };
  return registerClient(found, redirectUri, http);
}

function secretAuth(method: OAuthProvider['tokenAuth']): OAuthProvider['tokenAuth'] {
  return method === 'none' ? 'client_secret_basic' : method;
}

/** The addresses that the server points to are reached like any untrusted address, unless the operator named them. */
async function discoveryHttp({ egress }: AccountParts, named: readonly string[]): Promise<Pick<HttpClient, 'fetch'>> {
  const out = await egress({ operatorHosts: named.map(httpEndpoint), timeoutMs, maxBytes, maxRedirects: 3 });
  return {
    fetch: (request) => out.fetch({ ...request, redirect: request.method === 'POST' ? 'manual' : 'follow' }),
  };
}
