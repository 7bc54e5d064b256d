/** A workspace's own OAuth clients, the set-up checks for each provider, and the vault's keys. */

import type { AccountActs, AuthCheck } from '../../domain/accounts.js';
import { HelveError, toHelveError } from '../../domain/errors.js';
import type { Toolkit } from '../../domain/tool.js';
import { defined } from '../../util/defined.js';
import { isLoopback } from '../../util/loopback.js';
import { draft } from '../workspaces/index.js';
import type { AccountParts } from './account-parts.js';
import { getCallbackPath } from './callback-path.js';
import { clientSubject, isDiscovered } from './oauth-clients.js';
import { checkedOverrides } from './overrides.js';

type ClientActs = Pick<AccountActs, 'putAuthClient' | 'removeAuthClient' | 'authChecks' | 'rotateVault'>;

export function createClientActs(parts: AccountParts): ClientActs {
  return {
    async putAuthClient(principal, provider, { clientId, clientSecret, overrides = {} }) {
      if (isDiscovered(provider)) throw new HelveError('conflict', `${provider} is discovered automatically`);
      await parts.oauthClients.endpoints(principal.workspaceId, provider);
      const { workspaceId } = principal;
      const updatedAt = parts.now().toISOString();
      const config = { provider, clientId, overrides: checkedOverrides(overrides), updatedAt };
      const place = { workspaceId, subject: clientSubject(provider) };
      const sealed = clientSecret === undefined ? undefined : await parts.vault.seal(place, clientSecret);
      const row = draft('auth_config.changed', principal, parts.now(), {
        provider,
        clientId,
        hasSecret: sealed !== undefined,
      });
      await parts.storage.workspace(workspaceId).change([row], async (tables) => {
        await tables.putAuthConfig(config);
        if (sealed) await tables.putSecret(place.subject, sealed, updatedAt);
        else await tables.deleteSecret(place.subject);
      });
    },
    async removeAuthClient(principal, provider) {
      const row = draft('auth_config.changed', principal, parts.now(), { provider, removed: true });
      const scope = parts.storage.workspace(principal.workspaceId);
      await scope.change([row], (tables) => tables.deleteAuthConfig(provider));
    },
    async authChecks(principal) {
      const { workspaceId } = principal;
      const toolkits = await parts.registry.toolkits();
      const own = await parts.storage.workspace(workspaceId).listAuthConfigs();
      // Where a server signs in is known once somebody has signed in to it, and there is nothing to set up before.
      const isKnown = (slug: string): boolean => !isDiscovered(slug) || own.some(({ provider }) => provider === slug);
      const providers = new Map<string, Toolkit[]>();
      for (const toolkit of toolkits) {
        const named = new Set(toolkit.auth?.schemes.map(({ provider }) => provider));
        for (const provider of named)
          if (provider !== undefined && isKnown(provider))
            providers.set(provider, [...(providers.get(provider) ?? []), toolkit]);
      }
      return Promise.all([...providers].map(([provider, of]) => checkProvider(parts, workspaceId, provider, of)));
    },
    async rotateVault(principal) {
      const { retired, ...rotation } = await parts.vault.rotate(parts.storage);
      const row = draft('vault.rotated', principal, parts.now(), { ...rotation, retired: [...retired] });
      await parts.storage.workspace(principal.workspaceId).change([row], async () => undefined);
      return rotation;
    },
  };
}

async function checkProvider(
  parts: AccountParts,
  workspaceId: string,
  slug: string,
  toolkits: readonly Toolkit[],
): Promise<AuthCheck> {
  const problems: string[] = [];
  const found = await parts.oauthClients.endpoints(workspaceId, slug);
  const { provider } = found;
  const client = await parts.oauthClients.get(workspaceId, slug).catch((thrown: unknown) => {
    const { message, hint } = toHelveError(thrown);
    problems.push(hint === undefined ? message : `${message}. ${hint}`);
    return undefined;
  });
  const redirectUri = parts.publicUrl(getCallbackPath(found));
  if (redirectUri === undefined) problems.push('Helve does not know its own address: set HELVE_PUBLIC_URL');
  else if (new URL(redirectUri).protocol === 'http:' && !isLoopback(new URL(redirectUri)))
    problems.push('Most providers refuse a redirect address without https:, except on this machine');
  if (client && client.clientSecret === undefined && provider.tokenAuth !== 'none')
    problems.push('The client has no secret');
  const scopes = new Set<string>();
  for (const { slug: toolkit, auth } of toolkits) {
    for (const scheme of auth?.schemes ?? []) for (const scope of scheme.scopes ?? []) scopes.add(scope);
    for (const { tool } of await parts.registry.tools(toolkit)) for (const scope of tool.scopes) scopes.add(scope);
  }
  return {
    provider: slug,
    toolkits: toolkits.map((toolkit) => toolkit.slug),
    client: client?.source ?? 'none',
    redirectUri,
    scopes: [...scopes],
    problems,
    ...defined({ consoleUrl: provider.consoleUrl, docsUrl: provider.docsUrl }),
  };
}
