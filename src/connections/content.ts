/** What the vault holds of one account. */
import type { AuthScheme } from '../domain/connection.js';
import { placementsOf } from './placement.js';
import type { AttachedCredentials } from './service-client.js';

export interface CredentialContent {
  /** As they were filled in; of a scheme's secret fields. */
  readonly fields: Readonly<Record<string, string>>;
  readonly tokens?: {
    readonly accessToken: string;
    readonly refreshToken?: string;
    /** ISO 8601: a little before it ends. Undefined: not known to end. */
    readonly renewAt?: string;
    /** The endpoint that gave them: a refresh token is sent to no other that a workspace names. */
    readonly givenBy?: string;
  };
}

/** Renewed so long before it ends, so that it does not end on the way; a short-lived one is used for most of its life. */
const headStartMs = 30_000;
const headStartShare = 0.1;

/** From when a token is renewed that was asked for at `askedAt` and lives so long. */
export function renewalTime(askedAt: Date, lifetimeSeconds: number | undefined): { readonly renewAt?: string } {
  if (lifetimeSeconds === undefined) return {};
  const lifetimeMs = lifetimeSeconds * 1_000;
  const renewAt = askedAt.getTime() + lifetimeMs - Math.min(headStartMs, lifetimeMs * headStartShare);
  return { renewAt: new Date(renewAt).toISOString() };
}

export function parseContent(text: string): CredentialContent {
  return JSON.parse(text) as CredentialContent;
}

/** Whether it can be sent as it is. `refused`: the token that the service would not take. */
export function isUsable(content: CredentialContent, scheme: AuthScheme, now: Date, refused?: string): boolean {
  const renews = scheme.kind === 'oauth2' || scheme.exchange !== undefined;
  if (!renews) return true;
  const { tokens } = content;
  if (!tokens || tokens.accessToken === refused) return false;
  return tokens.renewAt === undefined || tokens.renewAt > now.toISOString();
}

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
    ...(accessToken === undefined ? {} : { access_token: accessToken }),
  };
  return { placements: placementsOf(scheme), values, accessToken, secrets: secretsOf(content) };
}

export function secretsOf({ fields, tokens }: CredentialContent): string[] {
  return [...Object.values(fields), ...(tokens ? [tokens.accessToken, tokens.refreshToken ?? ''] : [])];
}
