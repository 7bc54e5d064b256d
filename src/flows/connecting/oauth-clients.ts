/**
 * OAuth clients: what the operator registered at each provider, from `oauth` in `helve.yaml` or for one workspace
 * through a surface, on top of the provider's own data.
 */

import type { ConfigFile, OAuthSettings } from '../../config/index.js';
import { providerFor, providerSlugs } from '../../connections/index.js';
import type { OAuthProvider } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import type { AuthConfig, Storage } from '../../domain/storage.js';
import type { Registry } from '../../registry/index.js';
import { defined } from '../../util/defined.js';
import { suggestName } from '../../util/nearest.js';
import type { Vault } from '../../vault/index.js';
import type { ConfiguredClient, OAuthClients } from './account-parts.js';

/** Creates the look-up of OAuth clients, from `helve.yaml` and the workspaces' own clients. */
export function createOAuthClients(
  config: Pick<ConfigFile, 'oauth'>,
  registry: Registry,
  storage: Storage,
  vault: Vault,
): OAuthClients {
  async function known(slug: string): Promise<OAuthProvider> {
    const settings = Object.hasOwn(config.oauth, slug) ? config.oauth[slug] : undefined;
    const data = (await providerFor(slug)) ?? (await providerOfToolkits(registry, slug));
    const provider = withSettings(data, slug, settings);
    if (provider) return provider;
    const slugs = [...(await providerSlugs()), ...Object.keys(config.oauth)];
    throw new HelveError('not_found', `There is no OAuth provider ${JSON.stringify(slug)}`, {
      hint: suggestName(slug, slugs, 'Describe it under oauth in helve.yaml.'),
    });
  }

  async function endpoints(workspaceId: string, slug: string) {
    const own = (await storage.workspace(workspaceId).listAuthConfigs()).find(({ provider }) => provider === slug);
    // The metadata that a server published at sign-in (`server-client.ts`): nothing else writes it.
    if (own && isDiscovered(slug)) {
      const provider = { slug, ...own.overrides } as unknown as OAuthProvider;
      return { provider, installed: provider, named: await namedByOperator(registry, provider), own };
    }
    const ofFile = await known(slug);
    const named = Object.hasOwn(config.oauth, slug) ? namedEndpoints(config.oauth[slug]) : [];
    // A workspace's endpoints are not the operator's: they open no private network.
    const provider = own ? { ...ofFile, ...(own.overrides as Partial<OAuthProvider>) } : ofFile;
    return { provider, installed: ofFile, named, own };
  }

  return {
    endpoints,
    ofFile(slug) {
      const settings = Object.hasOwn(config.oauth, slug) ? config.oauth[slug] : undefined;
      if (!settings) return undefined;
      const { client_id: clientId, client_secret: clientSecret, issuer, pkce } = settings;
      return { clientId, clientSecret, issuer, ...defined({ pkce }) };
    },
    async get(workspaceId, slug): Promise<ConfiguredClient> {
      const { own, ...found } = await endpoints(workspaceId, slug);
      const { provider } = found;
      refuseOpenAddress(provider);
      const settings = Object.hasOwn(config.oauth, slug) ? config.oauth[slug] : undefined;
      if (own) {
        // The operator's client at a discovered server: its secret may have been replaced since somebody signed in.
        const isOperators = isDiscovered(slug) && settings?.client_id === own.clientId;
        const clientSecret = isOperators ? settings.client_secret : await openSecret(storage, vault, workspaceId, own);
        return { ...found, source: 'workspace', clientId: own.clientId, clientSecret };
      }
      if (settings?.client_id === undefined) throw noClient(provider);
      return { ...found, source: 'file', clientId: settings.client_id, clientSecret: settings.client_secret };
    },
  };
}

/**
 * Whether a refresh token may be sent to this token endpoint: the one that issued it, or the operator's. Being able to
 * name endpoints in a workspace must not be enough to obtain everyone's tokens.
 */
export function mayRenewAt({ provider, installed }: ConfiguredClient, givenBy: string | undefined): boolean {
  const { tokenEndpoint } = provider;
  // A discovered server has no endpoint from the operator: it may name another address tomorrow.
  const ofOperator = !isDiscovered(provider.slug) && tokenEndpoint === installed.tokenEndpoint;
  return ofOperator || tokenEndpoint === givenBy;
}

/** Where a token may be sent for revocation: the operator's endpoint, or one of the server that issued it. */
export function revocationEndpointFor(
  { provider, installed }: ConfiguredClient,
  givenBy: string | undefined,
): string | undefined {
  const url = provider.revocationEndpoint;
  if (url === undefined || (!isDiscovered(provider.slug) && url === installed.revocationEndpoint)) return url;
  return givenBy !== undefined && new URL(url).origin === new URL(givenBy).origin ? url : undefined;
}

/** Whether an address still has an unfilled customer-specific part (`{subdomain}.example.com`). */
function refuseOpenAddress({ slug, name, authorizationEndpoint, tokenEndpoint }: OAuthProvider): void {
  const open = [authorizationEndpoint, tokenEndpoint].find((url) => /\{\w+\}/.test(url));
  if (open === undefined) return;
  throw new HelveError('conflict', `${name} has an address of its own for each customer: ${open}`, {
    hint: `The operator sets oauth.${slug}.authorization_endpoint and token_endpoint in helve.yaml.`,
  });
}

/** The OAuth server in an API's own description, once it has been read. */
async function providerOfToolkits(registry: Registry, slug: string): Promise<OAuthProvider | undefined> {
  const described = (await registry.toolkits()).flatMap(({ oauthProviders = [] }) => oauthProviders);
  return described.find((provider) => provider.slug === slug);
}

/** Of the endpoints that a server pointed to, those at an origin that the operator named. */
async function namedByOperator(registry: Registry, provider: OAuthProvider): Promise<readonly string[]> {
  const schemes = (await registry.toolkits()).flatMap(({ auth }) => auth?.schemes ?? []);
  const origins = schemes.find((scheme) => scheme.provider === provider.slug)?.discover?.named ?? [];
  const { tokenEndpoint, revocationEndpoint = tokenEndpoint } = provider;
  return [tokenEndpoint, revocationEndpoint].filter((url) => origins.includes(new URL(url).origin));
}

/** Whether the provider is discovered from a server: no workspace may override it. */
export function isDiscovered(provider: string): boolean {
  return provider.startsWith('mcp:');
}

/** The subject of its vault entry. */
export function clientSubject(provider: string): string {
  return `auth_config:${provider}`;
}

async function openSecret(
  storage: Storage,
  vault: Vault,
  workspaceId: string,
  { provider }: AuthConfig,
): Promise<string | undefined> {
  const subject = clientSubject(provider);
  const stored = await storage.workspace(workspaceId).secrets.find(subject);
  return stored && (await vault.open({ workspaceId, subject }, stored));
}

function withSettings(
  data: OAuthProvider | undefined,
  slug: string,
  settings: OAuthSettings | undefined,
): OAuthProvider | undefined {
  const authorizationEndpoint = settings?.authorization_endpoint ?? data?.authorizationEndpoint;
  const tokenEndpoint = settings?.token_endpoint ?? data?.tokenEndpoint;
  if (authorizationEndpoint === undefined || tokenEndpoint === undefined) return undefined;
  const given = defined({
    revocationEndpoint: settings?.revocation_endpoint,
    issuer: settings?.issuer,
    issuerRequired: settings?.issuer_required,
    scopeDelimiter: settings?.scope_delimiter,
    scopeParameter: settings?.scope_parameter,
    pkce: settings?.pkce,
    tokenAuth: settings?.token_auth,
    authorizationParameters: settings?.authorization_parameters,
    tokenParameters: settings?.token_parameters,
  });
  return { slug, name: slug, ...data, authorizationEndpoint, tokenEndpoint, ...given };
}

function namedEndpoints(settings: OAuthSettings | undefined): readonly string[] {
  return [settings?.token_endpoint, settings?.revocation_endpoint].filter((url) => url !== undefined);
}

/** The text of `invalid_config` goes only to the operator's log. This one must reach the person who connects. */
function noClient({ slug, name, consoleUrl }: OAuthProvider): HelveError {
  const where = consoleUrl === undefined ? '' : ` Create one at ${consoleUrl}.`;
  return new HelveError('conflict', `There is no OAuth client for ${name}`, {
    hint: `The operator sets oauth.${slug}.client_id and client_secret in helve.yaml.${where} helve auth doctor ${slug} explains how.`,
  });
}
