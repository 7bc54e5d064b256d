/**
 * The addresses to which providers send the browser back. Providers chosen by the operator share one address, which the
 * operator registers with each. A server that is discovered, and endpoints that a workspace names, have their own
 * addresses: an untrusted issuer cannot get another issuer's code delivered in its own name.
 */
import type { OAuthProvider } from '../../domain/connection.js';
import { sha256 } from '../../util/hash.js';
import type { ConfiguredClient } from './account-parts.js';
import { isDiscovered } from './oauth-clients.js';

/** The key of the address for clients whose id is an address of ours. */
export const sharedKey = 'client-metadata';

/** The path of the callback address; `key`: that of the issuer. */
export function callbackPath(key?: string): string {
  return key === undefined ? '/oauth/callback' : `/oauth/callback/${key}`;
}

/** The path of the document that describes our client to the issuer with this key. */
export function clientDocumentPath(key?: string): string {
  return key === undefined ? '/client-metadata.json' : `/client-metadata/${key}.json`;
}

/** Short, and the same for an issuer in every installation. */
export function issuerKey({ issuer, authorizationEndpoint }: Pick<OAuthProvider, 'issuer' | 'authorizationEndpoint'>) {
  return sha256(issuer ?? new URL(authorizationEndpoint).origin).slice(0, 16);
}

/** The path of an issuer's own callback address. */
export function callbackPathFor(provider: Pick<OAuthProvider, 'issuer' | 'authorizationEndpoint'>): string {
  return callbackPath(issuerKey(provider));
}

/**
 * The path for a configured client. A workspace that names only the token endpoint also gets its codes at its own
 * address.
 */
export function getCallbackPath({ provider, installed }: Pick<ConfiguredClient, 'provider' | 'installed'>): string {
  const isChanged =
    provider.authorizationEndpoint !== installed.authorizationEndpoint ||
    provider.tokenEndpoint !== installed.tokenEndpoint;
  return isDiscovered(provider.slug) || isChanged ? callbackPathFor(provider) : callbackPath();
}
