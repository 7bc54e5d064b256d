/** Accounts: adding, connecting, signing in, and their later life. */

import type { AccountActs } from '../../domain/accounts.js';
import { HelveError } from '../../domain/errors.js';
import { suggestName } from '../../util/nearest.js';
import { type AccountParts, agreeToServers, findScheme, requireAuth } from './account-parts.js';
import { createChecking } from './checking.js';
import { createClientActs } from './client-acts.js';
import { activate, readCredentials } from './connecting.js';
import { createDefinitionActs } from './definitions.js';
import { beginHosted, findHost } from './hosted.js';
import { createLifecycle, findConnection } from './lifecycle.js';
import { beginSignIn, createSignIn, scopesFor } from './sign-in.js';

export type { AccountParts } from './account-parts.js';
export { anyAccount, createBinder } from './binding.js';
export { markBroken } from './broken.js';
export { finishHosted } from './hosted.js';
export { findConnection } from './lifecycle.js';
export { serviceFetch, tokenHttp } from './reach.js';

/** Creates the plane's operations on accounts. */
export function createAccounts(parts: AccountParts): AccountActs {
  return {
    ...createLifecycle(parts),
    ...createChecking(parts),
    ...createSignIn(parts),
    ...createClientActs(parts),
    ...createDefinitionActs(parts),
    async connect(principal, idOrSlug, { credentials, tools, scopes = [], check = true, way }) {
      const connection = await findConnection(parts, principal, idOrSlug);
      const { toolkit, auth } = await requireAuth(parts.registry, connection.toolkit);
      const scheme = findScheme(auth, toolkit.slug, connection.scheme);
      const host = await findHost(parts, connection);
      if (host) return beginHosted(parts, principal, { connection, toolkit, host, credentials, scheme: way });
      await agreeToServers(parts, principal.workspaceId, toolkit);
      if (credentials !== undefined || scheme.kind !== 'oauth2') {
        const filled = await readCredentials(parts.workers, scheme, credentials ?? {});
        const { workspaceId } = principal;
        return {
          connection: await activate(parts, {
            workspaceId,
            by: principal,
            connection,
            toolkit,
            auth,
            check,
            ...filled,
          }),
        };
      }
      const offered = (await parts.registry.tools(toolkit.slug, principal.workspaceId)).map(({ tool }) => tool);
      const wanted = tools === undefined ? offered : tools.map((name) => named(offered, name, toolkit.slug));
      const needed = scopesFor(wanted, scheme, connection, auth);
      return beginSignIn(parts, principal, connection, scheme, [...new Set([...needed, ...scopes])]);
    },
  };
}

function named<T extends { readonly id: { readonly name: string } }>(
  tools: readonly T[],
  name: string,
  toolkit: string,
): T {
  const found = tools.find(({ id }) => id.name === name);
  if (found) return found;
  const names = tools.map(({ id }) => id.name);
  throw new HelveError('invalid_input', `tools: ${toolkit} has no tool ${JSON.stringify(name.slice(0, 100))}`, {
    hint: suggestName(name, names),
  });
}

export { createOAuthClients } from './oauth-clients.js';
