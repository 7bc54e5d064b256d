/** The stored credentials of one account, as the vault seals them. */
import type { AuthScheme } from '../domain/connection.js';
import { defined } from '../util/defined.js';
import { getPlacements } from './placement.js';
import type { AttachedCredentials } from './service-client.js';

export interface CredentialContent {
  /** The scheme's secret fields, as filled in. */
  readonly fields: Readonly<Record<string, string>>;
  readonly tokens?: {
    readonly accessToken: string;
    readonly refreshToken?: string;
    /** ISO 8601, slightly before the token expires. Undefined if it is not known to expire. */
    readonly renewAt?: string;
    /**
     * The endpoint that issued them: a refresh token is sent to no other endpoint that a workspace names, and the fields to no other
     * that a discovered server names.
     */
    readonly givenBy?: string;
  };
}

/**
 * A token is renewed this long before it expires, so that it does not expire in transit; a short-lived one is used for
 * most of its life.
 */
const headStartMs = 30_000;
const headStartShare = 0.1;

/** Returns when to renew a token that was requested at `askedAt`, given its lifetime in seconds. */
export function renewalTime(askedAt: Date, lifetimeSeconds: number | undefined): { readonly renewAt?: string } {
  if (lifetimeSeconds === undefined) return {};
  const lifetimeMs = lifetimeSeconds * 1_000;
  const renewAt = askedAt.getTime() + lifetimeMs - Math.min(headStartMs, lifetimeMs * headStartShare);
  return { renewAt: new Date(renewAt).toISOString() };
}

/** Parses the JSON text that the vault opened. Throws `SyntaxError` if it is not JSON. */
export function parseContent(text: string): CredentialContent {
  return JSON.parse(text) as CredentialContent;
}

/** Whether the content can be sent unchanged. `refused`: a token that the service did not accept. */
export function isUsable(content: CredentialContent, scheme: AuthScheme, now: Date, refused?: string): boolean {
  const renews = scheme.kind === 'oauth2' || scheme.exchange !== undefined;
  if (!renews) return true;
  const { tokens } = content;
  if (!tokens || tokens.accessToken === refused) return false;
  return tokens.renewAt === undefined || tokens.renewAt > now.toISOString();
}

/**
 * Returns the placements and values with which to add these credentials to a request. `settings`: the connection's own.
 */
export function attach(
  content: CredentialContent,
  scheme: AuthScheme,
  settings: Readonly<Record<string, unknown>>,
): AttachedCredentials {
  const plain = Object.entries(settings).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const accessToken = content.tokens?.accessToken;
  const values = {
    ...Object.fromEntries(plain),
    ...content.fields,
    ...defined({ access_token: accessToken }),
  };
  return { placements: getPlacements(scheme), values, accessToken, secrets: listSecrets(content) };
}

/** Returns every secret value of the content: fields, access token and refresh token (possibly empty). */
export function listSecrets({ fields, tokens }: CredentialContent): string[] {
  return [...Object.values(fields), ...(tokens ? [tokens.accessToken, tokens.refreshToken ?? ''] : [])];
}
