/** OAuth servers by slug. The long list is read only when a slug that is not ours is requested. */
import { createRequire } from 'node:module';
import type { OAuthProvider } from '../../domain/connection.js';
import { computedOnce } from '../../util/computed-once.js';
// Only its type; the build copies the file next to this one anyway.
import type listed from './catalogue.json';
import { firstParty } from './first-party.js';

/** Returns the OAuth provider with this slug, ours before the long list; undefined if it is in neither. */
export async function providerFor(slug: string): Promise<OAuthProvider | undefined> {
  return firstParty.find((provider) => provider.slug === slug) ?? catalogue().get(slug);
}

/** Ours first. */
export async function providerSlugs(): Promise<readonly string[]> {
  return [...new Set([...firstParty.map(({ slug }) => slug), ...catalogue().keys()])];
}

/**
 * Written by `scripts/import-oauth-providers.js`. Not imported: a JSON import warns on Node 20, and every start would
 * parse it.
 */
const catalogue = computedOnce(() => new Map(read().map((provider) => [provider.slug, provider])));

function read(): readonly OAuthProvider[] {
  return createRequire(import.meta.url)('./catalogue.json') as typeof listed as readonly OAuthProvider[];
}
