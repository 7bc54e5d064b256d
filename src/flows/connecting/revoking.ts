/** Revokes the tokens of an account at its service. */
import { type CredentialContent, revokeToken } from '../../connections/index.js';
import type { DisconnectReport } from '../../domain/accounts.js';
import type { AuthScheme } from '../../domain/connection.js';
import type { AccountParts } from './account-parts.js';
import { revocationEndpointFor } from './oauth-clients.js';
import { tokenHttp } from './reach.js';

const revokeTimeoutMs = 15_000;

/** Returns what the service could do. Throws what the service answers if it refuses, or could not be asked. */
export async function revokeTokens(
  parts: AccountParts,
  { workspaceId, scheme }: { readonly workspaceId: string; readonly scheme: AuthScheme },
  tokens: CredentialContent['tokens'],
): Promise<DisconnectReport['revocation']> {
  const { kind, provider } = scheme;
  const token = tokens?.refreshToken ?? tokens?.accessToken;
  if (kind !== 'oauth2' || provider === undefined || token === undefined) return 'nothing';
  const client = await parts.oauthClients.get(workspaceId, provider);
  const url = revocationEndpointFor(client, tokens?.givenBy);
  if (url === undefined) return 'unsupported';
  return revokeToken(client, token, tokenHttp(parts, [{ url, named: client.named.includes(url) }], revokeTimeoutMs));
}
