/**
 * Where providers send the browser back. Providers of the operator's choice share one address, which is registered with
 * each by hand. A server that says itself where to sign in, and endpoints that a workspace names, have an address of
 * their own: an issuer that is not to be trusted cannot have a code of another one delivered in its own name.
 */
import type { OAuthProvider } from '../../domain/connection.js';
import { sha256 } from '../../util/hash.js';
import type { ConfiguredClient } from './account-parts.js';
import { isDiscovered } from './oauth-clients.js';

/** The key of the address that clients have which are an address of ours. */
export const sharedKey = 'client-metadata';

/** The path of the address to come back to; `key`: the issuer's. */
export function callbackPath(key?: string): string {
  return key === undefined ? '/oauth/callback' : `/oauth/callback/${key}`;
}

/** The path of the document that describes us as a client, to the issuer of this key. */
export function clientDocumentPath(key?: string): string {
  return key === undefined ? '/client-metadata.json' : `/client-metadata/${key}.json`;
}

/** Short, and the same for an issuer in every installation. */
export function issuerKey({ issuer, authorizationEndpoint }: Pick<OAuthProvider, 'issuer' | 'authorizationEndpoint'>) {
  return sha256(issuer ?? new URL(authorizationEndpoint).origin).slice(0, 16);
}

/** The path of an issuer's own address. */
export function callbackPathFor(provider: Pick<OAuthProvider, 'issuer' | 'authorizationEndpoint'>): string {
  return callbackPath(issuerKey(provider));
}

/** The path for a client that is configured. A workspace that names only the token endpoint also gets codes there. */
export function callbackPathOf({ provider, installed }: Pick<ConfiguredClient, 'provider' | 'installed'>): string {
  const isChanged =
    provider.authorizationEndpoint !== installed.authorizationEndpoint ||
    provider.tokenEndpoint !== installed.tokenEndpoint;
  return isDiscovered(provider.slug) || isChanged ? callbackPathFor(provider) : callbackPath();
}
